#include "driftless/io/toml_tree.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <tuple>

#include <toml++/toml.h>

#include "driftless/io/toml_scan.hpp"

namespace driftless {

namespace {

/// Gives texts the place of their first character: toml++ gives the opening quote's.
class QuoteFinder {
 public:
  explicit QuoteFinder(std::string_view text) : text_(text) {
    line_starts_.push_back(0);
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') line_starts_.push_back(i + 1);
    }
  }

  Source find_content(Source where) const {
    const std::string_view rest = text_at(where);
    const bool long_string = rest.substr(0, 3) == "\"\"\"" || rest.substr(0, 3) == "'''";
    const std::string_view content =
        rest.substr(std::min<std::size_t>(rest.size(), long_string ? 3 : 0));
    if (long_string && (content.substr(0, 1) == "\n" || content.substr(0, 2) == "\r\n")) {
      return {where.file, where.line + 1, 1};
    }
    where.column += long_string ? 3 : 1;
    return where;
  }

 private:
  std::string_view text_at(const Source& where) const {
    // Columns count characters, so the line has to be walked; nobody looks for the column in a line
    // beyond this.
    constexpr int kMaxColumn = 10000;
    const auto line = static_cast<std::size_t>(where.line);
    if (line == 0 || line > line_starts_.size() || where.column > kMaxColumn) return {};
    std::size_t i = line_starts_[line - 1];
    for (int column = 1; i < text_.size() && column < where.column; ++column) {
      ++i;
      while (i < text_.size() && (static_cast<unsigned char>(text_[i]) & 0xC0U) == 0x80U) ++i;
    }
    return text_.substr(std::min(i, text_.size()));
  }

  std::string_view text_;
  std::vector<std::size_t> line_starts_;
};

std::string print_number(double value) {
  std::array<char, 32> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc{} ? std::string(digits.data(), end) : std::string();
}

/// The text without what toml++ would stop at, every place as it was. A number beyond the range of a double is replaced
/// by an infinity of the same length and known by its place, so that whoever reads the key refuses it by its name; a key
/// or section that is given twice becomes a comment.
class MendedText {
 public:
  explicit MendedText(std::string_view text) : text_(text) {}

  const std::string& text() const { return text_; }

  /// Lines that are empty stay so: there is no room for a '#', and no need.
  void leave_out(const LineRange& lines) {
    std::size_t begin = 0;
    for (int line = 1; line <= lines.last && begin < text_.size(); ++line) {
      const std::size_t end = std::min(text_.find('\n', begin), text_.size());
      if (line >= lines.first && end > begin) text_[begin] = '#';
      begin = end + 1;
    }
  }

  /// Replaces the number in front of a place; false if there is none that is long enough.
  bool replace_number(const toml::source_position& behind) {
    constexpr std::string_view kDigits = "0123456789eE+-._";
    std::size_t line = 0;
    for (unsigned k = 1; k < behind.line && line != std::string::npos; ++k) {
      line = text_.find('\n', line);
      if (line != std::string::npos) ++line;
    }
    if (line == std::string::npos || behind.column < 1) return false;
    std::size_t at = line;  // columns count characters, not bytes
    for (unsigned column = 1; column < behind.column && at < text_.size(); ++column) {
      ++at;
      while (at < text_.size() && (static_cast<unsigned char>(text_[at]) & 0xC0U) == 0x80U) ++at;
    }
    std::size_t begin = at;
    std::size_t end = at;
    while (begin > line && kDigits.find(text_[begin - 1]) != std::string_view::npos) --begin;
    while (end < text_.size() && kDigits.find(text_[end]) != std::string_view::npos) ++end;
    const std::string number = text_.substr(begin, end - begin);
    if (number.find_first_of(".eE") == std::string::npos) return false;  // a whole number
    const bool has_sign = number[0] == '-' || number[0] == '+';
    const std::string infinity = (has_sign ? number.substr(0, 1) : "") + "inf";
    if (number.size() < infinity.size()) return false;
    text_.replace(begin, number.size(),
                  infinity + std::string(number.size() - infinity.size(), ' '));
    const std::size_t column = behind.column - (at - begin);
    found_.push_back({static_cast<int>(behind.line), static_cast<int>(column), number});
    return true;
  }

  /// As it was written, or empty.
  std::string find(const Source& where) const {
    for (const Number& each : found_) {
      if (each.line == where.line && each.column == where.column) return each.text;
    }
    return {};
  }

 private:
  struct Number {
    int line;
    int column;
    std::string text;
  };
  std::string text_;
  std::vector<Number> found_;
};

bool is_out_of_range(std::string_view description) {
  return description.find("could not be interpreted as a value") != std::string_view::npos ||
         description.find("not representable in 64 bits") != std::string_view::npos;
}

class TreeMaker {
 public:
  TreeMaker(const MendedText& numbers, const std::string& path)
      : quotes_(numbers.text()), numbers_(numbers), path_(path) {}

  TomlNode make(const toml::node& node) const {
    TomlNode made;
    made.where = make_source(node.source().begin);
    if (const auto* integer = node.as_integer()) {
      made.kind = TomlNode::Kind::number;
      made.number = static_cast<double>(integer->get());
      made.text = std::to_string(integer->get());
    } else if (const auto* real = node.as_floating_point()) {
      made.kind = TomlNode::Kind::number;
      made.number = real->get();
      made.text = print_number(real->get());
      const std::string written =
          std::isinf(made.number) ? numbers_.find(made.where) : std::string();
      if (!written.empty()) made.text = written;
    } else if (const auto* flag = node.as_boolean()) {
      made.kind = TomlNode::Kind::flag;
      made.flag = flag->get();
    } else if (const auto* text = node.as_string()) {
      made.kind = TomlNode::Kind::text;
      made.text = text->get();
      made.where = quotes_.find_content(made.where);
    } else if (const auto* array = node.as_array()) {
      made.kind = TomlNode::Kind::list;
      made.items.reserve(array->size());
      for (const toml::node& item : *array) made.items.push_back(make(item));
    } else if (const auto* table = node.as_table()) {
      fill_table(*table, made);
    } else {
      made.kind = TomlNode::Kind::date;
    }
    return made;
  }

 private:
  Source make_source(const toml::source_position& position) const {
    return {path_, static_cast<int>(position.line), static_cast<int>(position.column)};
  }

  void fill_table(const toml::table& table, TomlNode& made) const {
    made.kind = TomlNode::Kind::table;
    made.is_inline = table.is_inline();
    made.entries.reserve(table.size());
    for (const auto& [key, value] : table) {
      made.entries.push_back(
          {std::string(key.str()), make_source(key.source().begin), make(value)});
    }
    std::stable_sort(
        made.entries.begin(), made.entries.end(), [](const TomlEntry& a, const TomlEntry& b) {
          return std::tie(a.where.line, a.where.column) < std::tie(b.where.line, b.where.column);
        });
  }

  QuoteFinder quotes_;
  const MendedText& numbers_;
  const std::string& path_;
};

}  // namespace

std::string to_string(TomlNode::Kind kind) {
  switch (kind) {
    case TomlNode::Kind::number: return "a number";
    case TomlNode::Kind::flag: return "true or false";
    case TomlNode::Kind::text: return "a text";
    case TomlNode::Kind::date: return "a date or time";
    case TomlNode::Kind::list: return "a list";
    case TomlNode::Kind::table: return "a table";
  }
  return "a value";
}

TomlNode parse_toml(std::string_view text, const std::string& path) {
  DiagnosticList findings;
  TomlNode root = parse_toml(text, path, findings);
  findings.finish();
  return root;
}

TomlNode parse_toml(std::string_view text, const std::string& path, DiagnosticList& findings) {
  check_toml_text(text, path);
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark)
    text.remove_prefix(kByteOrderMark.size());
  constexpr std::size_t kMaxDuplicates = 20;  // each one is a further parse
  MendedText mended(text);
  DiagnosticList duplicates;
  while (true) {
    try {
      const toml::table root = toml::parse(mended.text());
      TomlNode made = TreeMaker(mended, path).make(root);
      made.where = {path, 1, 1};
      findings.add(duplicates);
      return made;
    } catch (const toml::parse_error& error) {
      const toml::source_position begin = error.source().begin;
      if (is_out_of_range(error.description()) && mended.replace_number(begin)) continue;
      const Source where{path, static_cast<int>(begin.line), static_cast<int>(begin.column)};
      const ModelError told(reword_toml_error(error.description(), where, mended.text()));
      const LineRange lines = find_duplicate_lines(error.description(), where, mended.text());
      // What else is wrong after a line was left out may be owing to that: it is told once the duplicate is gone.
      if (lines.first > 0 || duplicates.empty()) duplicates.add(told);
      if (lines.first == 0 || duplicates.size() >= kMaxDuplicates) duplicates.finish();
      mended.leave_out(lines);
    }
  }
}

const TomlEntry* find_entry(const TomlNode& table, std::string_view key) {
  const auto found = std::find_if(table.entries.begin(), table.entries.end(),
                                  [&](const TomlEntry& entry) { return entry.key == key; });
  return found == table.entries.end() ? nullptr : &*found;
}

}  // namespace driftless
