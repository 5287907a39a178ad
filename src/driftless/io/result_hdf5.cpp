// How an HDF5 result survives kill -9, and why this way.
//
// HDF5's own answer is its single-writer mode (SWMR). It was tried and rejected: after one kill in
// several hundred the chunk index was torn and the file lost, other programs cannot open what was
// killed, and a full disk makes the library crash. All of that comes from metadata that change
// while rows are added. Here they never do:
//   1. HDF5 makes a container (result_hdf5_layout.hpp): everything but the numbers, and a table
//      /data with room for more rows than there are, which on disk is a hole and takes no space.
//      Then HDF5 closes the file.
//   2. Rows are written by plain system calls at their place in the table. After each block the
//      number of good rows goes to its place, eight bytes: a kill before that loses the block and
//      nothing else.
//   3. When the table is full, a container of four times the size is made, the rows are copied,
//      and it is renamed over the old one; at the end likewise one of just the right size, with
//      the report. At each moment the name stands for a whole file, old or new. All copying
//      together is about one and a half passes over the data (0.2 s per 100 MB).
// No HDF5 call is made in between, and the file is in the oldest format: MATLAB, h5dump and h5py
// open it finished, running or killed (then /data ends in rows of zeros; /rows_flushed says where).
// kill -9 loses what was not flushed; a power failure may lose more, as the system's own buffers
// are not synchronised.

#include "driftless/io/result_hdf5.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

#include "driftless/io/flush_clock.hpp"
#include "driftless/io/result_hdf5_layout.hpp"
#include "driftless/io/result_paths.hpp"
#include "driftless/io/result_posix.hpp"

namespace driftless {
namespace {

constexpr std::size_t kBlockBytes = 64 * 1024;
constexpr std::size_t kFirstTableBytes = 4 * 1024 * 1024;
constexpr std::uint64_t kGrowth = 4;

void check_errno(int problem) {
  if (problem != 0) throw h5::Failure(format_errno(problem));
}

class Hdf5Sink : public ResultSink {
 public:
  Hdf5Sink(std::string path, std::chrono::milliseconds longest_wait)
      : path_(std::move(path)), clock_(longest_wait) {}
  ~Hdf5Sink() override { save(); }

  void begin(const RunInfo& info, const std::vector<Column>& columns) override;
  void row(std::span<const double> values) override;
  void poll() override {
    if (!block_.empty() && clock_.is_due()) save();
  }
  void finish(const Report& report) override;
  std::string error() const override { return error_; }

 private:
  std::size_t row_bytes() const { return columns_.size() * sizeof(double); }
  /// Puts a container for `capacity` rows, holding all rows written so far, in the place of the
  /// file.
  void replace(std::uint64_t capacity, const Report* report);
  void fill(const std::string& temporary, std::uint64_t capacity, const Report* report);
  void copy_rows(const Container& container, const PosixFile& file) const;
  void write_block();
  /// Writes the block; on failure sets error_.
  void save();

  std::string path_, target_, error_;
  FlushClock clock_;
  RunInfo info_;
  std::vector<Column> columns_;
  PosixFile file_;  ///< open from begin to finish
  Container container_;
  std::uint64_t rows_ = 0, capacity_ = 0;
  std::vector<double> block_;  ///< rows not yet written
  std::size_t block_size_ = 0;
};

void Hdf5Sink::begin(const RunInfo& info, const std::vector<Column>& columns) {
  target_ = resolve_links(path_);
  info_ = info;
  columns_ = columns;
  const std::size_t bytes = std::max(row_bytes(), sizeof(double));
  block_size_ = std::max<std::size_t>(kBlockBytes / bytes, 1) * columns.size();
  block_.reserve(block_size_);
  try {
    replace(std::max<std::size_t>(kFirstTableBytes / bytes, 1), nullptr);
  } catch (const h5::Failure& failure) {
    throw make_write_error(path_, failure.what());
  }
  clock_.restart();
}

void Hdf5Sink::replace(std::uint64_t capacity, const Report* report) {
  const std::string temporary = make_temporary_path(target_);
  try {
    fill(temporary, capacity, report);
  } catch (const h5::Failure&) {
    ::unlink(temporary.c_str());
    throw;
  }
  try {
    check_writable(path_, false);  // the run may have been long
  } catch (const ModelError& foreign) {
    if (rows_ == 0) ::unlink(temporary.c_str());
    if (rows_ == 0) throw;
    throw h5::Failure(foreign.diagnostics().front().message + "; the result is in '" + temporary +
                      "'");
  }
  if (std::rename(temporary.c_str(), target_.c_str()) != 0) {
    const int problem = errno;
    ::unlink(temporary.c_str());
    check_errno(problem);
  }
}

void Hdf5Sink::fill(const std::string& temporary, std::uint64_t capacity, const Report* report) {
  const Container container = create_container(temporary, info_, columns_, capacity, report);
  PosixFile file(temporary, O_RDWR);
  if (!file.is_open()) check_errno(errno);
  copy_rows(container, file);
  if (report == nullptr) {
    check_errno(file.write(&rows_, sizeof rows_, static_cast<off_t>(container.counter)));
  }
  container_ = container;
  capacity_ = capacity;
  file_ = std::move(file);
}

void Hdf5Sink::copy_rows(const Container& container, const PosixFile& file) const {
  std::vector<char> bytes(1 << 20);
  const std::uint64_t size = rows_ * row_bytes();
  for (std::uint64_t done = 0; done < size; done += bytes.size()) {
    const std::size_t count = std::min<std::uint64_t>(bytes.size(), size - done);
    check_errno(file_.read(bytes.data(), count, static_cast<off_t>(container_.data + done)));
    check_errno(file.write(bytes.data(), count, static_cast<off_t>(container.data + done)));
  }
}

void Hdf5Sink::row(std::span<const double> values) {
  if (!error_.empty() || !file_.is_open()) return;
  block_.insert(block_.end(), values.begin(), values.end());
  if (clock_.note_row() || block_.size() >= block_size_) save();
}

void Hdf5Sink::save() {
  if (!error_.empty() || !file_.is_open()) return;
  try {
    write_block();
  } catch (const h5::Failure& failure) {
    error_ = format_write_error(path_, failure.what());
  }
  clock_.note_flush();
}

void Hdf5Sink::write_block() {
  if (block_.empty()) return;
  const std::size_t count = block_.size() / columns_.size();
  if (rows_ + count > capacity_) replace(std::max(kGrowth * capacity_, rows_ + count), nullptr);
  const auto place = static_cast<off_t>(container_.data + rows_ * row_bytes());
  check_errno(file_.write(block_.data(), count * row_bytes(), place));
  const std::uint64_t rows = rows_ + count;
  check_errno(file_.write(&rows, sizeof rows, static_cast<off_t>(container_.counter)));
  rows_ = rows;
  block_.clear();
}

void Hdf5Sink::finish(const Report& report) {
  save();
  if (error_.empty() && file_.is_open()) {
    try {
      replace(rows_, &report);
      check_errno(file_.close());
    } catch (const h5::Failure& failure) {
      error_ = format_write_error(path_, failure.what());
    } catch (const ModelError& foreign) {
      error_ = foreign.diagnostics().front().message;
    }
  }
  file_.close();
}

}  // namespace

std::unique_ptr<ResultSink> make_hdf5_sink(const std::string& path,
                                           std::chrono::milliseconds flush_every) {
  return std::make_unique<Hdf5Sink>(path, flush_every);
}

}  // namespace driftless
