#include "driftless/io/result_files.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "driftless/base/error.hpp"
#include "driftless/io/page.hpp"
#include "driftless/io/result_csv.hpp"
#include "driftless/io/result_hdf5.hpp"
#include "driftless/io/result_paths.hpp"

namespace driftless {
namespace {

namespace fs = std::filesystem;

std::string find_extension(const std::string& path) {
  std::string extension = fs::path(path).extension().string();
  for (char& c : extension) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return extension;
}

bool starts_like_hdf5(const std::string& path) {
  constexpr char kSignature[] = "\x89HDF\r\n\x1a\n";
  char start[8] = {};
  std::ifstream file(path, std::ios::binary);
  file.read(start, sizeof start);
  return file && std::equal(start, start + sizeof start, kSignature);
}

/// Which of the two it is; throws ModelError if there is nothing that could be read.
bool is_hdf5(const std::string& path) {
  std::error_code problem;
  const auto kind = fs::status(path, problem).type();
  if (kind == fs::file_type::not_found) {
    throw ModelError("cannot read '" + path + "': there is no such file",
                     "give a result of driftless run (.h5, .csv) or a CSV file with a header row");
  }
  if (kind == fs::file_type::directory) {
    throw ModelError("cannot read '" + path + "': it is a directory",
                     "give a .h5 or .csv file in it");
  }
  if (std::ifstream file(path, std::ios::binary); problem || !file) {
    throw ModelError(
        "cannot read '" + path + "': " + format_errno(problem ? problem.value() : errno),
        "check its permissions");
  }
  if (starts_like_hdf5(path)) return true;
  if (find_extension(path) == ".h5") {
    throw ModelError("cannot read '" + path + "': it is not an HDF5 file, or it is damaged",
                     "run the model again, or give another result file");
  }
  return false;
}

/// Keeps the first and the last row.
class EndsSink final : public ResultSink {
 public:
  void begin(const RunInfo& info, const std::vector<Column>& columns) override {
    overview_.ends.info = info;
    overview_.ends.columns = columns;
    overview_.ends.complete = false;
  }
  void row(std::span<const double> values) override {
    std::vector<double>& data = overview_.ends.data;
    if (++overview_.rows > 2) data.resize(values.size());
    data.insert(data.end(), values.begin(), values.end());
  }
  void finish(const Report& report) override {
    overview_.ends.report = report;
    overview_.ends.complete = true;
  }
  ResultOverview take() { return std::move(overview_); }

 private:
  ResultOverview overview_;
};

/// Keeps the part that was chosen.
class PartSink final : public ResultSink {
 public:
  explicit PartSink(const ChoosePart& choose) : choose_(choose) {}

  void begin(const RunInfo& info, const std::vector<Column>& columns) override {
    part_ = choose_(info, columns);
    result_.info = info;
    result_.complete = false;
    for (const std::size_t k : part_.columns) result_.columns.push_back(columns[k]);
  }

  void row(std::span<const double> values) override {
    last_.clear();
    for (const std::size_t k : part_.columns) last_.push_back(values[k]);
    last_is_kept_ = false;
    const double t = values[0];
    if (t < part_.from && seen_++ > 0) {
      before_ = last_;  // kept only if the next one is not before as well
      return;
    }
    if (t >= part_.from && !before_.empty()) keep(std::exchange(before_, {}));
    if (t > part_.to && after_++ >= 2) return;
    const bool wanted = in_window_++ % step_ == 0;
    if (wanted || t > part_.to) {
      keep(last_);
      last_is_kept_ = true;
    }
    if (result_.row_count() > part_.max_rows) thin();
  }

  void finish(const Report& report) override {
    result_.report = report;
    result_.complete = true;
  }

  Result take() {
    if (!last_.empty() && !last_is_kept_) keep(last_);
    return std::move(result_);
  }

 private:
  void keep(const std::vector<double>& row) {
    result_.data.insert(result_.data.end(), row.begin(), row.end());
  }

  void thin() {
    const std::size_t width = part_.columns.size();
    const std::size_t kept = (result_.row_count() + 1) / 2;
    for (std::size_t k = 1; k < kept; ++k) {
      const auto from = result_.data.begin() + static_cast<std::ptrdiff_t>(2 * k * width);
      std::copy_n(from, width, result_.data.begin() + static_cast<std::ptrdiff_t>(k * width));
    }
    result_.data.resize(kept * width);
    step_ *= 2;
    last_is_kept_ = false;
  }

  const ChoosePart& choose_;
  ResultPart part_;
  Result result_;
  std::vector<double> last_, before_;
  bool last_is_kept_ = false;
  std::size_t seen_ = 0, after_ = 0, in_window_ = 0, step_ = 1;
};

/// Counts what goes through.
class CountedSink final : public ResultSink {
 public:
  explicit CountedSink(ResultSink& to) : to_(to) {}
  void begin(const RunInfo& info, const std::vector<Column>& columns) override {
    to_.begin(info, columns);
    begun_ = true;
  }
  void row(std::span<const double> values) override {
    ++rows_;
    to_.row(values);
  }
  void finish(const Report& report) override {
    finished_ = true;
    to_.finish(report);
  }
  std::uint64_t rows() const { return rows_; }
  bool begun() const { return begun_; }
  bool finished() const { return finished_; }

 private:
  ResultSink& to_;
  std::uint64_t rows_ = 0;
  bool begun_ = false, finished_ = false;
};

}  // namespace

std::unique_ptr<ResultSink> make_result_file(const std::string& path) {
  const std::string extension = find_extension(path);
  if (extension != ".h5" && extension != ".csv" && extension != ".html") {
    throw ModelError("cannot write '" + path + "': its extension '" + extension + "' is not known",
                     "known: .h5 (everything), .csv (a table), .html (the report page)");
  }
  check_writable(path, extension == ".csv");
  if (extension == ".html") return make_page_sink(path);
  return extension == ".h5" ? make_hdf5_sink(path) : make_csv_sink(path);
}

Result read_result(const std::string& path) {
  return is_hdf5(path) ? read_hdf5(path) : read_csv(path);
}

void stream_result(const std::string& path, ResultSink& sink, const ReadProgress& progress) {
  if (is_hdf5(path)) {
    stream_hdf5(path, sink, progress);
  } else {
    stream_csv(path, sink, progress);
  }
}

ResultOverview read_overview(const std::string& path) {
  if (is_hdf5(path)) return read_hdf5_overview(path);
  EndsSink sink;
  stream_csv(path, sink, {});
  return sink.take();
}

Result read_part(const std::string& path, const ChoosePart& choose, const ReadProgress& progress) {
  PartSink sink(choose);
  stream_result(path, sink, progress);
  return sink.take();
}

void convert_result(const std::string& from, const std::string& to, const ReadProgress& progress) {
  std::error_code ignored;
  if (fs::equivalent(from, to, ignored)) {
    throw ModelError("'" + to + "' is the file that is read: it cannot be written at the same time",
                     "choose another name");
  }
  const bool page = find_extension(to) == ".html";
  std::unique_ptr<ResultSink> sink = make_result_file(to);
  CountedSink counted(*sink);
  try {
    stream_result(from, counted, progress);
  } catch (const ModelError&) {  // half a copy helps nobody
    sink.reset();
    if (counted.begun()) fs::remove(to, ignored);
    throw;
  }
  if (page && !counted.finished()) {  // a run that was killed has a page, too
    const auto run = std::make_unique<PageRun>();
    stream_result(from, *run, progress);
    return write_page(make_page({run.get()}), to);
  }
  std::string error = sink->error();
  sink.reset();
  if (!counted.finished() && error.empty() && read_overview(to).rows != counted.rows())
    error = format_write_error(to, "not all rows could be written");
  if (!error.empty()) throw ModelError(error, find_write_remedy(error));
}

void write_result(const Result& result, const std::string& path) {
  if (find_extension(path) == ".html") {
    const auto run = make_page_run(result, {});
    return write_page(make_page({run.get()}), path);
  }
  auto sink = make_result_file(path);
  sink->begin(result.info, result.columns);
  for (std::size_t k = 0; k < result.row_count(); ++k) sink->row(result.row(k));
  if (result.complete) sink->finish(result.report);
  std::string error = sink->error();
  sink.reset();
  // What had no report gets none; then the sink's last words are lost with it, and the file itself
  // must tell.
  if (!result.complete && error.empty() && read_result(path).row_count() != result.row_count()) {
    error = format_write_error(path, "not all rows could be written");
  }
  if (!error.empty()) throw ModelError(error, find_write_remedy(error));
}

}  // namespace driftless
