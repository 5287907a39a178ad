// Reading the two columns of a table file.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "driftless/expressions/spline.hpp"

namespace driftless {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// Reads one line; the columns are separated by blanks with at most one comma or semicolon among
// them.
class LineReader {
 public:
  LineReader(std::string_view line, const Source& where) : line_(line), where_(where) {}

  bool is_empty() {
    skip_blanks();
    return at_ == line_.size();
  }

  std::optional<double> read_number() {
    skip_blanks();
    std::size_t begin = at_;
    // from_chars knows no plus sign.
    if (begin + 1 < line_.size() && line_[begin] == '+' && line_[begin + 1] != '-') ++begin;
    double value = 0.0;
    const auto [end, error] =
        std::from_chars(line_.data() + begin, line_.data() + line_.size(), value);
    if (error == std::errc::result_out_of_range) fail("is out of range");
    if (error != std::errc{}) return std::nullopt;
    const auto after = static_cast<std::size_t>(end - line_.data());
    if (after < line_.size() && !is_blank(line_[after]) && !is_separator(line_[after]))
      return std::nullopt;
    if (!std::isfinite(value)) fail("is not finite");
    at_ = after;
    return value;
  }

  void skip_separator() {
    skip_blanks();
    if (at_ < line_.size() && is_separator(line_[at_])) ++at_;
  }

  [[noreturn]] void fail(std::string_view what) {
    skip_blanks();
    Source place = where_;
    place.column = static_cast<int>(at_) + 1;
    std::size_t end = at_;
    while (end < line_.size() && !is_blank(line_[end]) && !is_separator(line_[end]) &&
           end - at_ < 40)
      ++end;
    if (end == at_ && end < line_.size()) ++end;  // a separator
    const std::string_view word = line_.substr(at_, end - at_);
    throw ModelError(
        {place,
         word.empty() ? fmt::format("table: {}", what) : fmt::format("table: '{}' {}", word, what),
         "each line holds two numbers, x and y, separated by a comma, a semicolon or "
         "blanks; the decimal "
         "sign is '.'"});
  }

 private:
  static bool is_separator(char c) { return c == ',' || c == ';'; }
  void skip_blanks() {
    while (at_ < line_.size() && is_blank(line_[at_])) ++at_;
  }

  std::string_view line_;
  Source where_;
  std::size_t at_ = 0;
};

}  // namespace

CubicSpline read_table_csv(std::string_view text, const Source& where) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // byte order mark
  std::vector<double> x;
  std::vector<double> y;
  bool may_be_header = true;
  Source place = where;
  place.line = where.line > 0 ? where.line - 1 : 0;
  while (!text.empty()) {
    ++place.line;
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line = line.substr(0, line.find('#'));
    LineReader reader(line, place);
    if (reader.is_empty()) continue;
    const bool is_first = std::exchange(may_be_header, false);
    const std::optional<double> first = reader.read_number();
    if (!first && is_first) continue;
    if (!first) reader.fail("is not a number");
    reader.skip_separator();
    const std::optional<double> second = reader.read_number();
    if (!second)
      reader.fail(reader.is_empty() ? "the second number is missing" : "is not a number");
    if (!reader.is_empty()) reader.fail("is one column too many");
    if (!x.empty() && !(x.back() < *first)) {
      LineReader again(line, place);
      again.fail(fmt::format("does not increase: the x before it is {}", x.back()));
    }
    x.push_back(*first);
    y.push_back(*second);
  }
  return CubicSpline(x, y, where);
}

}  // namespace driftless
