// Result files as CSV: reading, ours and any other with a header row.
//
// Separator: the most frequent of comma, semicolon and tab in the header. Quoted cells as in RFC
// 4180, also over several lines. Lines that start with # are comments; in our own files they hold
// the run and its report (result_csv.cpp). The last line of our own file counts only if it is
// whole: the run may have been killed in it.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <unordered_set>

#include "driftless/base/error.hpp"
#include "driftless/io/result_csv.hpp"
#include "driftless/io/result_report_fields.hpp"
#include "driftless/io/result_text.hpp"

namespace driftless {
namespace {

constexpr std::size_t kBlock = 1 << 20;  // bytes read at once

/// Value of one line "# key = value"; keys may hold an escaped '='.
struct Comment {
  std::string key, value;
};

bool split_comment(std::string_view line, Comment& comment) {
  if (line.substr(0, 2) != "# ") return false;
  line.remove_prefix(2);
  std::size_t k = 0;
  while (k < line.size() && line[k] != '=') k += line[k] == '\\' ? 2 : 1;
  if (k == 0 || k >= line.size() || line[k - 1] != ' ') return false;
  comment.key = unescape_line(line.substr(0, k - 1));
  line.remove_prefix(k + 1);
  if (!line.empty() && line.front() == ' ') line.remove_prefix(1);
  comment.value = unescape_line(line);
  return true;
}

class CsvReader {
 public:
  /// `sink` takes the rows as they come; null: all go into the result that `read` returns.
  explicit CsvReader(const std::string& path, ResultSink* sink = nullptr,
                     const ReadProgress& progress = {})
      : path_(path), file_(path, std::ios::binary), sink_(sink), progress_(progress) {
    std::error_code ignored;
    size_ = std::filesystem::file_size(path, ignored);
  }
  Result read();

 private:
  [[noreturn]] void fail(const std::string& message, const std::string& remedy,
                         int column = 0) const {
    throw ModelError(Diagnostic{{path_, line_, column}, message, remedy});
  }
  /// The end of the line that begins at `from`; reads on until there is one or the file ends.
  std::size_t find_line_end(std::size_t from);
  bool next_line(std::string_view& line);
  void read_header(std::string_view line);
  std::vector<std::string> split_cells(std::string_view line);
  std::string read_quoted(std::string_view& line, std::size_t& k);
  void read_row(std::string_view line);
  double parse_cell(std::string_view cell, std::size_t column) const;
  void read_comment(const Comment& comment);
  double parse_value(const Comment& comment) const;
  void set_units(const Comment& comment);
  void begin_rows();
  bool read_report_comment(const Comment& comment);

  const std::string& path_;
  std::ifstream file_;
  ResultSink* sink_;
  ReadProgress progress_;
  std::uintmax_t size_ = 0, read_ = 0;  ///< bytes of the file, and those read
  std::string text_;                    ///< the part of the file that is being read
  std::size_t place_ = 0;               ///< of the next line
  bool begun_ = false;                  ///< the sink knows the columns
  int line_ = 0;
  char separator_ = ',';
  bool ours_ = false;
  Comment units_;
  Result result_;
};

std::size_t CsvReader::find_line_end(std::size_t from) {
  for (std::size_t searched = from;;) {
    const std::size_t end = text_.find('\n', searched);
    if (end != std::string::npos) return end;
    searched = text_.size();
    if (!file_) return searched;
    text_.resize(searched + kBlock);
    file_.read(text_.data() + searched, static_cast<std::streamsize>(kBlock));
    if (file_.bad())
      throw ModelError("cannot read '" + path_ + "'", "check the disk and its permissions");
    text_.resize(searched + static_cast<std::size_t>(file_.gcount()));
    read_ += static_cast<std::uintmax_t>(file_.gcount());
    if (progress_ && size_ > 0)
      progress_(std::min(1.0, static_cast<double>(read_) / static_cast<double>(size_)));
  }
}

bool CsvReader::next_line(std::string_view& line) {
  const std::size_t end = find_line_end(place_);
  if (place_ >= text_.size()) return false;
  if (end == text_.size() && ours_) return false;  // cut off in the middle
  line = std::string_view(text_).substr(place_, end - place_);
  place_ = end + 1;
  ++line_;
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return true;
}

Result CsvReader::read() {
  find_line_end(0);
  if (std::string_view(text_).starts_with("\xEF\xBB\xBF")) place_ = 3;
  ours_ = std::string_view(text_).substr(place_).starts_with(kCsvMark);
  result_.complete = !ours_;
  std::string_view line;
  for (;;) {
    if (place_ > kBlock) {  // what was read is forgotten
      text_.erase(0, std::min(place_, text_.size()));
      place_ = 0;
    }
    if (!next_line(line)) break;
    if (trim_text(line).empty()) continue;
    if (line.front() == '#') {
      Comment comment;
      if (ours_ && split_comment(line, comment)) read_comment(comment);
    } else if (result_.columns.empty()) {
      read_header(line);
    } else {
      read_row(line);
    }
  }
  if (result_.columns.empty() && !(ours_ && result_.complete)) {
    fail("the file holds no table", "the first line of a CSV file names its columns: t,x,y");
  }
  if (!result_.complete) result_.report = {};
  if (sink_ != nullptr) {
    begin_rows();
    if (result_.complete) sink_->finish(result_.report);
  }
  return std::move(result_);
}

// Reads the quoted cell that begins at line[k]. While it is open at the line's end, `line` grows by
// the next one.
std::string CsvReader::read_quoted(std::string_view& line, std::size_t& k) {
  // The place of the line in text_, whose bytes move when more of the file is read.
  const bool in_file = line.data() >= text_.data() && line.data() < text_.data() + text_.size();
  const std::size_t start = in_file ? static_cast<std::size_t>(line.data() - text_.data()) : 0;
  std::string cell;
  for (++k;; ++k) {
    if (k >= line.size()) {
      std::string_view more;
      if (!in_file || !next_line(more)) fail("a quoted cell is not closed", "add the missing \"");
      const auto end = static_cast<std::size_t>(more.data() - text_.data()) + more.size();
      line = std::string_view(text_).substr(start, end - start);
    }
    if (line[k] == '"') {
      const bool doubled = k + 1 < line.size() && line[k + 1] == '"';
      if (!doubled) return cell;
      ++k;
    }
    cell += line[k];
  }
}

std::vector<std::string> CsvReader::split_cells(std::string_view line) {
  std::vector<std::string> cells;
  for (std::size_t k = 0;; ++k) {
    while (k < line.size() && line[k] == ' ') ++k;
    if (k < line.size() && line[k] == '"') {
      cells.push_back(read_quoted(line, k));
      k = std::min(line.find(separator_, k), line.size());
    } else {
      const std::size_t end = std::min(line.find(separator_, k), line.size());
      cells.emplace_back(trim_text(line.substr(k, end - k)));
      k = end;
    }
    if (k >= line.size()) return cells;
  }
}

void CsvReader::read_header(std::string_view line) {
  if (line.find('\0') != std::string_view::npos) {
    fail("this is not a text file", "give a .h5 result or a CSV file with a header row");
  }
  std::ptrdiff_t most = 0;
  for (const char candidate : {',', ';', '\t'}) {
    const auto count = std::count(line.begin(), line.end(), candidate);
    if (count > most && !ours_) separator_ = candidate;
    most = std::max(most, count);
  }
  std::unordered_set<std::string> seen;
  bool all_numbers = true;
  for (auto& name : split_cells(line)) {
    all_numbers = all_numbers && parse_number(name);
    if (!seen.insert(name).second && !ours_) {
      fail("two columns have the name '" + name + "'", "give each column its own name");
    }
    result_.columns.push_back({std::move(name), ""});
  }
  if (all_numbers && !ours_) {
    fail("there is no header row: the first line holds numbers",
         "add a first line that names the columns: t,x,y");
  }
  if (ours_) set_units(units_);
}

void CsvReader::set_units(const Comment& comment) {
  const auto units = split_cells(comment.value);
  for (std::size_t k = 0; k < std::min(units.size(), result_.columns.size()); ++k) {
    result_.columns[k].unit = units[k];
  }
}

void CsvReader::begin_rows() {
  if (begun_) return;
  begun_ = true;
  sink_->begin(result_.info, result_.columns);
}

void CsvReader::read_row(std::string_view line) {
  if (sink_ != nullptr) {
    begin_rows();
    result_.data.clear();
  }
  const std::size_t columns = result_.columns.size();
  std::size_t count = 0;
  std::vector<std::string> cells;
  if (line.find('"') != std::string_view::npos) {
    cells = split_cells(line);
    count = cells.size();
    for (std::size_t k = 0; k < std::min(count, columns); ++k) {
      result_.data.push_back(parse_cell(cells[k], k));
    }
  } else {
    for (bool more = true; more; ++count) {
      const std::size_t end = std::min(line.find(separator_), line.size());
      if (count < columns) result_.data.push_back(parse_cell(line.substr(0, end), count));
      more = end < line.size();
      line.remove_prefix(std::min(end + 1, line.size()));
    }
  }
  if (count != columns) {
    fail("this row has " + std::to_string(count) + " cells, but the header names " +
             std::to_string(columns) + " columns",
         "give every row one cell per column");
  }
  if (sink_ != nullptr) sink_->row(result_.data);
}

double CsvReader::parse_cell(std::string_view cell, std::size_t column) const {
  if (const auto value = parse_number(cell)) return *value;
  const auto& name = result_.columns[column].name;
  const auto text = trim_text(cell);
  // Tables of measurements leave out what is missing; our own never do.
  if (text.empty() && !ours_) return std::numeric_limits<double>::quiet_NaN();
  const bool comma = separator_ != ',' && text.find(',') != std::string_view::npos;
  fail(
      "column '" + name + "': '" + escape_line(text.substr(0, 40)) + "' is not a number",
      comma ? "write numbers with a decimal point" : "each cell below the header must be a number");
}

double CsvReader::parse_value(const Comment& comment) const {
  if (const auto value = parse_number(comment.value)) return *value;
  fail("'" + comment.key + " = " + comment.value.substr(0, 40) + "': not a number",
       "the file was changed: run the model again, or remove its # lines");
}

void CsvReader::read_comment(const Comment& comment) {
  if (comment.key == "end") {
    result_.complete = true;
  } else if (comment.key == "units") {
    units_ = comment;
  } else if (comment.key.starts_with("parameter.")) {
    result_.info.parameters.emplace_back(comment.key.substr(10), parse_value(comment));
  } else if (!read_report_comment(comment)) {
    visit_run_texts(result_.info, [&](const char* key, std::string& text) {
      if (comment.key == key) text = comment.value;
    });
  }
}

bool CsvReader::read_report_comment(const Comment& comment) {
  auto& report = result_.report;
  bool known = true;
  if (comment.key == "status") {
    const auto status = find_status(comment.value);
    if (!status) fail("status '" + comment.value + "' is not known", "run the model again");
    report.status = *status;
  } else if (comment.key == "redundant") {
    report.redundant.push_back(comment.value);
  } else if (comment.key == "not_unique") {
    report.not_unique.push_back(comment.value);
  } else if (comment.key == "warning") {
    report.warnings.push_back(comment.value);
  } else if (comment.key == "last_good") {
    report.failure.last_good.push_back(parse_value(comment));
  } else if (comment.key.starts_with("figure.")) {
    report.figures.emplace_back(comment.key.substr(7), parse_value(comment));
  } else if (comment.key.starts_with("seconds.")) {
    report.seconds.emplace_back(comment.key.substr(8), parse_value(comment));
  } else {
    known = false;
  }
  visit_report_texts(report, [&](const char* key, std::string& text) {
    if (comment.key == key) text = comment.value, known = true;
  });
  visit_report_numbers(report, [&](const char* key, auto& number) {
    if (comment.key != key) return;
    using Number = std::decay_t<decltype(number)>;
    const double value = parse_value(comment);
    if (std::is_integral_v<Number> && !(std::abs(value) < 9e15)) {
      fail("'" + comment.key + " = " + comment.value + "': not a count", "run the model again");
    }
    number = static_cast<Number>(value);
    known = true;
  });
  return known;
}

}  // namespace

Result read_csv(const std::string& path) { return CsvReader(path).read(); }

void stream_csv(const std::string& path, ResultSink& sink, const ReadProgress& progress) {
  CsvReader(path, &sink, progress).read();
}

}  // namespace driftless
