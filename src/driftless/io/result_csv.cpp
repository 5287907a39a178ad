// Result files as CSV: writing.
//
//     # driftless 0.1.0 result; numbers are SI and read back exactly
//     # model_name = slider-crank          also model_path, method, options, version
//     # parameter.m = 1
//     # units = s,m,m/s
//     t,x1,x1'
//     0,0.35,0
//     ...
//     # status = ok                        the report: numbers and texts;
//     # figure.coupling = 0.1              lists by repeated keys: redundant, not_unique, warning,
//                                           last_good
//     # end = driftless                    missing: the run was killed or goes on
//
// Values are escaped onto one line (result_text.hpp), in keys also '='. The file comes to its name
// complete with its header; rows go to the system when the buffer is full and at least once a
// second.

#include "driftless/io/result_csv.hpp"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <utility>

#include "driftless/io/flush_clock.hpp"
#include "driftless/io/result_paths.hpp"
#include "driftless/io/result_posix.hpp"
#include "driftless/io/result_report_fields.hpp"
#include "driftless/io/result_text.hpp"

namespace driftless {
namespace {

constexpr auto kLongestWait = std::chrono::milliseconds(900);
constexpr std::size_t kBufferBytes = 64 * 1024;

std::string quote_cell(const std::string& text) {
  const bool plain = !text.empty() && text.find_first_of(",;\t\"\r\n") == std::string::npos &&
                     text.front() != '#' && text.front() != ' ' && text.back() != ' ';
  if (plain) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

std::string escape_key(const std::string& text) {
  std::string out;
  for (const char c : escape_line(text)) {
    if (c == '=') out += '\\';
    out += c;
  }
  return out;
}

void append_comment(std::string& out, const std::string& key, const std::string& value) {
  out += "# " + key + " = " + escape_line(value) + '\n';
}

void append_comment(std::string& out, const std::string& key, double value) {
  append_comment(out, key, format_number(value));
}

std::string make_header(const RunInfo& info, const std::vector<Column>& columns) {
  std::string out = std::string(kCsvMark) + escape_line(info.version) +
                    " result; numbers are SI and read back exactly\n";
  visit_run_texts(info, [&](const std::string& key, const std::string& text) {
    if (key != "model_text") append_comment(out, key, text);
  });
  for (const auto& [name, value] : info.parameters) {
    append_comment(out, "parameter." + escape_key(name), value);
  }
  std::string names, units;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (k > 0) {
      names += ',';
      units += ',';
    }
    names += quote_cell(columns[k].name);
    units += quote_cell(columns[k].unit);
  }
  append_comment(out, "units", units);
  return out + names + '\n';
}

std::string make_footer(const Report& report) {
  std::string out;
  append_comment(out, "status", std::string(to_string(report.status)));
  visit_report_numbers(report, [&](const char* key, const auto& value) {
    if constexpr (std::is_floating_point_v<std::decay_t<decltype(value)>>) {
      append_comment(out, key, value);
    } else {
      append_comment(out, key, std::to_string(value));
    }
  });
  visit_report_texts(
      report, [&](const char* key, const std::string& text) { append_comment(out, key, text); });
  for (const auto& name : report.redundant) append_comment(out, "redundant", name);
  for (const auto& name : report.not_unique) append_comment(out, "not_unique", name);
  for (const auto& warning : report.warnings) append_comment(out, "warning", warning);
  for (const auto& [name, value] : report.figures) {
    append_comment(out, "figure." + escape_key(name), value);
  }
  for (const auto& [name, value] : report.seconds) {
    append_comment(out, "seconds." + escape_key(name), value);
  }
  for (const double value : report.failure.last_good) append_comment(out, "last_good", value);
  append_comment(out, "end", "driftless");
  return out;
}

class CsvSink : public ResultSink {
 public:
  explicit CsvSink(std::string path) : path_(std::move(path)) {}
  ~CsvSink() override { flush(); }

  void begin(const RunInfo& info, const std::vector<Column>& columns) override;
  void row(std::span<const double> values) override;
  void poll() override {
    if (!buffer_.empty() && clock_.is_due()) flush();
  }
  void finish(const Report& report) override;
  std::string error() const override { return error_; }

 private:
  /// Answers errno, or 0.
  int write_buffer();
  void flush();

  std::string path_, error_, buffer_;
  PosixFile file_;
  off_t written_ = 0;  ///< bytes of whole lines in the file
  FlushClock clock_{kLongestWait};
};

void CsvSink::begin(const RunInfo& info, const std::vector<Column>& columns) {
  check_writable(path_, true);
  const bool device = is_device(path_);
  const std::string target = resolve_links(path_);
  const std::string name = device ? target : make_temporary_path(target);
  file_ = PosixFile(name, O_WRONLY | (device ? 0 : O_CREAT | O_EXCL));
  if (!file_.is_open()) throw make_write_error(path_, format_errno(errno));
  buffer_.reserve(kBufferBytes + 32 * columns.size());
  buffer_ = make_header(info, columns);
  int problem = write_buffer();
  if (problem == 0 && !device && std::rename(name.c_str(), target.c_str()) != 0) problem = errno;
  if (problem != 0) {
    file_.close();
    if (!device) ::unlink(name.c_str());
    throw make_write_error(path_, format_errno(problem));
  }
  clock_.restart();
}

void CsvSink::row(std::span<const double> values) {
  if (!file_.is_open() || !error_.empty()) return;
  bool first = true;
  for (const double value : values) {
    if (!std::exchange(first, false)) buffer_ += ',';
    append_number(buffer_, value);
  }
  buffer_ += '\n';
  if (clock_.note_row() || buffer_.size() >= kBufferBytes) flush();
}

int CsvSink::write_buffer() {
  const int problem = file_.write(buffer_.data(), buffer_.size());
  if (problem != 0) {
    // A part may have been written: the file ends with its last whole block. A pipe cannot, and
    // need not.
    [[maybe_unused]] const int ignored = ::ftruncate(file_.get(), written_);
    return problem;
  }
  written_ += static_cast<off_t>(buffer_.size());
  buffer_.clear();
  return 0;
}

void CsvSink::flush() {
  if (!file_.is_open() || !error_.empty()) return;
  const int problem = write_buffer();
  if (problem != 0) error_ = format_write_error(path_, format_errno(problem));
  clock_.note_flush();
}

void CsvSink::finish(const Report& report) {
  if (error_.empty()) buffer_ += make_footer(report);
  flush();
  const int problem = file_.close();
  if (problem != 0 && error_.empty()) error_ = format_write_error(path_, format_errno(problem));
}

}  // namespace

std::unique_ptr<ResultSink> make_csv_sink(const std::string& path) {
  return std::make_unique<CsvSink>(path);
}

}  // namespace driftless
