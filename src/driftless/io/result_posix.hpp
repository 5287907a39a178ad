#pragma once
// An open file of the system: closed by itself, reads and writes whole blocks, answers errno.

#include <cerrno>
#include <cstddef>
#include <string>
#include <utility>

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

namespace driftless {

class PosixFile {
 public:
  PosixFile() = default;
  /// `flags` as for open(2); is_open() is false and errno tells why if it fails.
  PosixFile(const std::string& path, int flags)
      : id_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  PosixFile(PosixFile&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
  PosixFile& operator=(PosixFile&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~PosixFile() { close(); }

  bool is_open() const { return id_ >= 0; }
  int get() const { return id_; }

  /// errno, or 0. Network file systems tell of a full disk only now.
  int close() {
    const int id = std::exchange(id_, -1);
    return id < 0 || ::close(id) == 0 ? 0 : errno;
  }

  /// Writes all of it at `place` (negative: where the file stands). errno, or 0.
  int write(const void* bytes, std::size_t size, off_t place = -1) const {
    const char* next = static_cast<const char*>(bytes);
    while (size > 0) {
      const ssize_t count = place < 0 ? ::write(id_, next, size) : ::pwrite(id_, next, size, place);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return count < 0 ? errno : EIO;
      next += count;
      size -= static_cast<std::size_t>(count);
      if (place >= 0) place += count;
    }
    return 0;
  }

  /// Reads all of it; a file that ends before is EIO. errno, or 0.
  int read(void* bytes, std::size_t size, off_t place) const {
    char* next = static_cast<char*>(bytes);
    while (size > 0) {
      const ssize_t count = ::pread(id_, next, size, place);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return count < 0 ? errno : EIO;
      next += count;
      size -= static_cast<std::size_t>(count);
      place += count;
    }
    return 0;
  }

 private:
  int id_ = -1;
};

}  // namespace driftless
