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
  if (starts_like_hdf5(path)) return read_hdf5(path);
  if (find_extension(path) == ".h5") {
    throw ModelError("cannot read '" + path + "': it is not an HDF5 file, or it is damaged",
                     "run the model again, or give another result file");
  }
  return read_csv(path);
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
