#include "driftless/io/result_hdf5_driver.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "driftless/io/result_hdf5_handle.hpp"

namespace driftless::h5 {
namespace {

struct DriverInfo {
  int* problem;
};

/// HDF5 sees the base and hands it back to each function below.
struct TolerantFile : H5FD_t {
  int descriptor = -1;
  int* problem = nullptr;
  haddr_t end_of_allocation = 0;
  haddr_t end_of_file = 0;
  dev_t device = 0;
  ino_t inode = 0;
  std::vector<std::pair<haddr_t, std::string>>
      unwritten;  ///< in the order of writing, after a failure
};

TolerantFile& as_file(H5FD_t* file) { return *static_cast<TolerantFile*>(file); }
const TolerantFile& as_file(const H5FD_t* file) { return *static_cast<const TolerantFile*>(file); }

H5FD_t* open_tolerant(const char* name, unsigned flags, hid_t access, haddr_t) {
  const auto* info = static_cast<const DriverInfo*>(H5Pget_driver_info(access));
  if (info == nullptr) return nullptr;
  int how = (flags & H5F_ACC_RDWR) ? O_RDWR : O_RDONLY;
  if (flags & H5F_ACC_CREAT) how |= O_CREAT;
  if (flags & H5F_ACC_EXCL) how |= O_EXCL;
  if (flags & H5F_ACC_TRUNC) how |= O_TRUNC;
  const int descriptor = ::open(name, how | O_CLOEXEC, 0666);
  struct stat about {};
  if (descriptor < 0 || ::fstat(descriptor, &about) != 0) {
    // HDF5 tries first without creating, to learn whether the file exists.
    if (flags & H5F_ACC_CREAT) *info->problem = errno;
    if (descriptor >= 0) ::close(descriptor);
    return nullptr;
  }
  auto file = std::make_unique<TolerantFile>();
  file->descriptor = descriptor;
  file->problem = info->problem;
  file->end_of_file = static_cast<haddr_t>(about.st_size);
  file->device = about.st_dev;
  file->inode = about.st_ino;
  return file.release();
}

herr_t close_tolerant(H5FD_t* base) {
  const std::unique_ptr<TolerantFile> file(&as_file(base));
  // Network file systems tell of a full disk only now.
  if (::close(file->descriptor) != 0 && *file->problem == 0) *file->problem = errno;
  return 0;
}

int compare(const H5FD_t* a, const H5FD_t* b) {
  const auto key = [](const TolerantFile& f) { return std::pair(f.device, f.inode); };
  const auto ka = key(as_file(a)), kb = key(as_file(b));
  return ka < kb ? -1 : ka > kb ? 1 : 0;
}

herr_t query(const H5FD_t*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t get_eoa(const H5FD_t* file, H5FD_mem_t) { return as_file(file).end_of_allocation; }

herr_t set_eoa(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  as_file(file).end_of_allocation = address;
  return 0;
}

haddr_t get_eof(const H5FD_t* file, H5FD_mem_t) { return as_file(file).end_of_file; }

void overlay_unwritten(const TolerantFile& file, haddr_t address, std::size_t size, char* buffer) {
  for (const auto& [start, bytes] : file.unwritten) {
    const haddr_t begin = std::max(address, start);
    const haddr_t end = std::min(address + size, start + bytes.size());
    if (begin < end)
      std::memcpy(buffer + (begin - address), bytes.data() + (begin - start), end - begin);
  }
}

herr_t read_tolerant(H5FD_t* base, H5FD_mem_t, hid_t, haddr_t address, size_t size, void* buffer) {
  auto& file = as_file(base);
  auto* next = static_cast<char*>(buffer);
  std::size_t left = size;
  while (left > 0) {
    const auto place = static_cast<off_t>(address + (size - left));
    const ssize_t count = ::pread(file.descriptor, next, left, place);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      if (*file.problem == 0) *file.problem = errno;
      return -1;
    }
    if (count == 0) {  // HDF5 wants zeros beyond the end
      std::memset(next, 0, left);
      break;
    }
    next += count;
    left -= static_cast<std::size_t>(count);
  }
  overlay_unwritten(file, address, size, static_cast<char*>(buffer));
  return 0;
}

herr_t write_tolerant(H5FD_t* base, H5FD_mem_t, hid_t, haddr_t address, size_t size,
                      const void* buffer) {
  auto& file = as_file(base);
  const haddr_t end = address + size;
  const auto* next = static_cast<const char*>(buffer);
  while (size > 0 && *file.problem == 0) {
    const ssize_t count = ::pwrite(file.descriptor, next, size, static_cast<off_t>(address));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      *file.problem = count < 0 ? errno : EIO;
      break;
    }
    next += count;
    address += static_cast<haddr_t>(count);
    size -= static_cast<size_t>(count);
  }
  if (size > 0) file.unwritten.emplace_back(address, std::string(next, size));
  file.end_of_file = std::max(file.end_of_file, end);
  return 0;
}

herr_t truncate(H5FD_t* base, hid_t, hbool_t) {
  auto& file = as_file(base);
  if (file.end_of_file == file.end_of_allocation || *file.problem != 0) return 0;
  if (::ftruncate(file.descriptor, static_cast<off_t>(file.end_of_allocation)) != 0) {
    *file.problem = errno;
  }
  file.end_of_file = file.end_of_allocation;
  return 0;
}

H5FD_class_t make_class() {
  constexpr H5FD_mem_t kMap[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;
  H5FD_class_t driver{};
#ifdef H5FD_CLASS_VERSION  // HDF5 1.14
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(512);
#endif
  driver.name = "driftless";
  driver.maxaddr = HADDR_MAX / 2;
  driver.fc_degree = H5F_CLOSE_WEAK;
  driver.fapl_size = sizeof(DriverInfo);
  driver.open = open_tolerant;
  driver.close = close_tolerant;
  driver.cmp = compare;
  driver.query = query;
  driver.get_eoa = get_eoa;
  driver.set_eoa = set_eoa;
  driver.get_eof = get_eof;
  driver.read = read_tolerant;
  driver.write = write_tolerant;
  driver.truncate = truncate;
  std::copy(std::begin(kMap), std::end(kMap), std::begin(driver.fl_map));
  return driver;
}

}  // namespace

void set_tolerant_driver(hid_t access, int* problem) {
  // The class must live as long as the library; one registration serves all files.
  static const H5FD_class_t kDriver = make_class();
  static const hid_t kId = check(H5FDregister(&kDriver), "the file driver cannot be registered");
  const DriverInfo info{problem};
  check(H5Pset_driver(access, kId, &info), "the file driver cannot be used");
}

}  // namespace driftless::h5
