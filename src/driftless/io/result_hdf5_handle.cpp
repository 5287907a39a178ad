#include "driftless/io/result_hdf5_handle.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "driftless/io/result_hdf5_driver.hpp"

namespace driftless::h5 {

Silence::Silence() {
  H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Silence::~Silence() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

std::string find_reason(const std::string& otherwise) {
  // The file driver writes "..., errno = 28, error message = 'No space left on device', ..." into
  // its description.
  std::string reason;
  const auto visit = [](unsigned, const H5E_error2_t* error, void* out) -> herr_t {
    constexpr std::string_view kKey = "error message = '";
    const std::string_view text = error->desc ? error->desc : "";
    const auto begin = text.find(kKey);
    if (begin == std::string_view::npos) return 0;
    const auto rest = text.substr(begin + kKey.size());
    *static_cast<std::string*>(out) = rest.substr(0, rest.find('\''));
    return 1;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, visit, &reason);
  return reason.empty() ? otherwise : reason;
}

Handle create_file(const std::string& path, int* problem) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "out of memory");
  set_tolerant_driver(access.get(), problem);
  return Handle(H5Fcreate(path.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, access.get()), H5Fclose,
                "the file cannot be created");
}

Handle open_file(const std::string& path) {
  return Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose,
                "it is not an HDF5 file, or it is damaged");
}

Handle create_group(hid_t where, const char* name) {
  return Handle(H5Gcreate2(where, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
                "a group cannot be created");
}

Handle open_group(hid_t where, const char* name) {
  return Handle(H5Gopen2(where, name, H5P_DEFAULT), H5Gclose, "a group is missing");
}

Handle open_dataset(hid_t where, const char* name) {
  return Handle(H5Dopen2(where, name, H5P_DEFAULT), H5Dclose, "a dataset is missing");
}

bool has_link(hid_t where, const char* name) { return H5Lexists(where, name, H5P_DEFAULT) > 0; }

namespace {

// Strings have a fixed length: those of variable length sit in a heap of their own and cost more
// than they spare.
Handle make_text_type(std::size_t length) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "out of memory");
  check(H5Tset_size(type.get(), std::max<std::size_t>(length, 1)), "a text is too long");
  H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return type;
}

Handle make_scalar_space() { return Handle(H5Screate(H5S_SCALAR), H5Sclose, "out of memory"); }

Handle make_list_space(std::size_t count) {
  const hsize_t size = count;
  return Handle(H5Screate_simple(1, &size, nullptr), H5Sclose, "out of memory");
}

void write_dataset(hid_t where, const char* name, hid_t stored, hid_t type, const Handle& space,
                   const void* values) {
  const Handle set(
      H5Dcreate2(where, name, stored, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose,
      "a dataset cannot be created");
  if (H5Sget_simple_extent_npoints(space.get()) == 0) return;
  check(H5Dwrite(set.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values),
        "a dataset cannot be written");
}

void write_attribute_of(hid_t where, const char* name, hid_t stored, hid_t type,
                        const void* value) {
  const Handle space = make_scalar_space();
  const Handle attribute(H5Acreate2(where, name, stored, space.get(), H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose, "an attribute cannot be created");
  check(H5Awrite(attribute.get(), type, value), "an attribute cannot be written");
}

std::string pack(const std::vector<std::string>& texts, std::size_t length) {
  std::string bytes(texts.size() * length, '\0');
  for (std::size_t k = 0; k < texts.size(); ++k) {
    std::copy(texts[k].begin(), texts[k].end(),
              bytes.begin() + static_cast<std::ptrdiff_t>(k * length));
  }
  return bytes;
}

std::string unpad(std::string text) {
  text.erase(text.find_last_not_of('\0') + 1);
  return text;
}

// The dataset's type must be of the kind we write: a file with our mark may still be damaged.
void expect_class(const Handle& type, H5T_class_t wanted) {
  if (H5Tget_class(type.get()) != wanted) throw Failure("a dataset has the wrong type");
  if (wanted == H5T_STRING && H5Tis_variable_str(type.get()) != 0) {
    throw Failure("a dataset has the wrong type");
  }
}

struct OpenDataset {
  Handle set, type;
  std::size_t count;
};

OpenDataset open_checked(hid_t where, const char* name, H5T_class_t wanted) {
  Handle set = open_dataset(where, name);
  Handle type(H5Dget_type(set.get()), H5Tclose, "a dataset is damaged");
  expect_class(type, wanted);
  const Handle space(H5Dget_space(set.get()), H5Sclose, "a dataset is damaged");
  const auto count = check(H5Sget_simple_extent_npoints(space.get()), "a dataset is damaged");
  const auto bytes = static_cast<hsize_t>(count) * H5Tget_size(type.get());
  // Sizes are believed only as far as the file has bytes for them.
  if (bytes > H5Dget_storage_size(set.get())) throw Failure("a dataset is damaged");
  return {std::move(set), std::move(type), static_cast<std::size_t>(count)};
}

void read_attribute_of(hid_t where, const char* name, hid_t type, void* value) {
  const Handle attribute(H5Aopen(where, name, H5P_DEFAULT), H5Aclose, "an attribute is missing");
  const Handle space(H5Aget_space(attribute.get()), H5Sclose, "an attribute is damaged");
  if (H5Sget_simple_extent_npoints(space.get()) != 1) throw Failure("an attribute is damaged");
  check(H5Aread(attribute.get(), type, value), "an attribute cannot be read");
}

}  // namespace

void write_text(hid_t where, const char* name, const std::string& text) {
  const std::string bytes = text.empty() ? std::string(1, '\0') : text;
  const Handle type = make_text_type(bytes.size());
  write_dataset(where, name, type.get(), type.get(), make_scalar_space(), bytes.data());
}

void write_texts(hid_t where, const char* name, const std::vector<std::string>& texts) {
  std::size_t length = 1;
  for (const auto& text : texts) length = std::max(length, text.size());
  const Handle type = make_text_type(length);
  write_dataset(where, name, type.get(), type.get(), make_list_space(texts.size()),
                pack(texts, length).data());
}

void write_doubles(hid_t where, const char* name, std::span<const double> values) {
  write_dataset(where, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, make_list_space(values.size()),
                values.data());
}

void write_attribute(hid_t where, const char* name, double value) {
  write_attribute_of(where, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

void write_attribute(hid_t where, const char* name, long value) {
  write_attribute_of(where, name, H5T_STD_I64LE, H5T_NATIVE_LONG, &value);
}

void write_attribute(hid_t where, const char* name, const std::string& value) {
  const std::string bytes = value.empty() ? std::string(1, '\0') : value;
  const Handle type = make_text_type(bytes.size());
  write_attribute_of(where, name, type.get(), type.get(), bytes.data());
}

std::string read_text(hid_t where, const char* name) {
  const auto open = open_checked(where, name, H5T_STRING);
  std::string text(H5Tget_size(open.type.get()), '\0');
  if (open.count != 1) throw Failure("a dataset is damaged");
  check(H5Dread(open.set.get(), open.type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()),
        "a dataset cannot be read");
  return unpad(std::move(text));
}

std::vector<std::string> read_texts(hid_t where, const char* name) {
  const auto open = open_checked(where, name, H5T_STRING);
  const std::size_t length = H5Tget_size(open.type.get());
  std::string bytes(open.count * length, '\0');
  if (open.count > 0) {
    check(H5Dread(open.set.get(), open.type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()),
          "a dataset cannot be read");
  }
  std::vector<std::string> texts(open.count);
  for (std::size_t k = 0; k < texts.size(); ++k) texts[k] = unpad(bytes.substr(k * length, length));
  return texts;
}

std::vector<double> read_doubles(hid_t where, const char* name) {
  const auto open = open_checked(where, name, H5T_FLOAT);
  std::vector<double> values(open.count);
  if (values.empty()) return values;
  check(H5Dread(open.set.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
        "a dataset cannot be read");
  return values;
}

double read_double_attribute(hid_t where, const char* name) {
  double value = 0.0;
  read_attribute_of(where, name, H5T_NATIVE_DOUBLE, &value);
  return value;
}

long read_long_attribute(hid_t where, const char* name) {
  long value = 0;
  read_attribute_of(where, name, H5T_NATIVE_LONG, &value);
  return value;
}

std::string read_text_attribute(hid_t where, const char* name) {
  const Handle attribute(H5Aopen(where, name, H5P_DEFAULT), H5Aclose, "an attribute is missing");
  const Handle type(H5Aget_type(attribute.get()), H5Tclose, "an attribute is damaged");
  expect_class(type, H5T_STRING);
  std::string text(H5Tget_size(type.get()), '\0');
  read_attribute_of(where, name, type.get(), text.data());
  return unpad(std::move(text));
}

}  // namespace driftless::h5
