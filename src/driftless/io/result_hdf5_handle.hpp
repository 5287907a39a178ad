#pragma once
// The HDF5 C interface made safe: handles that close themselves, failures that say why, strings and
// arrays in one call. Included by result_hdf5*.cpp only.

#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <hdf5.h>

namespace driftless::h5 {

/// An HDF5 call failed; what() is the reason as the user should read it ("No space left on
/// device").
class Failure : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// HDF5 prints its error stack unless told not to; the setting is per thread, so each entry point
/// holds one of these.
class Silence {
 public:
  Silence();
  ~Silence();
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// The system's reason in HDF5's current error stack if there is one, else `otherwise`.
std::string find_reason(const std::string& otherwise);

/// Throws Failure if an HDF5 call answered with a negative number; `doing` is used if HDF5 has no
/// reason to tell.
template <class T>
T check(T answer, const char* doing) {
  if (answer < 0) throw Failure(find_reason(doing));
  return answer;
}

class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle() = default;
  Handle(hid_t id, Close closer, const char* doing) : id_(check(id, doing)), close_(closer) {}
  Handle(Handle&& other) noexcept
      : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() { close(); }

  hid_t get() const { return id_; }
  bool is_open() const { return id_ >= 0; }
  /// Negative if HDF5 could not; the handle is gone all the same.
  herr_t close() {
    const hid_t id = std::exchange(id_, H5I_INVALID_HID);
    return id < 0 ? 0 : close_(id);
  }

 private:
  hid_t id_ = H5I_INVALID_HID;
  Close close_ = nullptr;
};

/// Creates a file in the oldest format, readable by every HDF5. Failed writes only set `problem`
/// (an errno): see result_hdf5_driver.hpp.
Handle create_file(const std::string& path, int* problem);
Handle open_file(const std::string& path);
Handle create_group(hid_t where, const char* name);
Handle open_group(hid_t where, const char* name);
Handle open_dataset(hid_t where, const char* name);
bool has_link(hid_t where, const char* name);

void write_text(hid_t where, const char* name, const std::string& text);
void write_texts(hid_t where, const char* name, const std::vector<std::string>& texts);
void write_doubles(hid_t where, const char* name, std::span<const double> values);
void write_attribute(hid_t where, const char* name, double value);
void write_attribute(hid_t where, const char* name, long value);
void write_attribute(hid_t where, const char* name, const std::string& value);

std::string read_text(hid_t where, const char* name);
std::vector<std::string> read_texts(hid_t where, const char* name);
std::vector<double> read_doubles(hid_t where, const char* name);
double read_double_attribute(hid_t where, const char* name);
long read_long_attribute(hid_t where, const char* name);
std::string read_text_attribute(hid_t where, const char* name);

}  // namespace driftless::h5
