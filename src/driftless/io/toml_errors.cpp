// The messages of toml++ speak of productions of the grammar; these speak of what to type.

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "driftless/io/toml_scan.hpp"

namespace driftless {

namespace {

constexpr std::string_view kQuoteExpressions =
    R"(an expression, or a number with a unit, needs quotes: l = "l0/2", l = "50 mm")";

struct Rewording {
  std::string_view fragment;  ///< of what toml++ says
  std::string_view message;
  std::string_view remedy;
};

// The first that matches is taken.
constexpr std::array<Rewording, 21> kRewordings{{
    {"could not determine value type", "the value is no number, quoted text, list or table",
     kQuoteExpressions},
    {"expected a comment or whitespace", "something is left over after the value or header",
     kQuoteExpressions},
    {"expected digit, saw", "the number is not written correctly", kQuoteExpressions},
    {"expected decimal digit", "the number is not written correctly",
     "a digit is needed on both sides of the point: 0.5, 5.0"},
    {"expected exponent", "the number is not written correctly", "for example 1e-3"},
    {"leading zeroes", "a number must not begin with 0 followed by a digit",
     "write 5 instead of 05"},
    {"could not be interpreted as a value", "the number is too large or too small for a double",
     ""},
    {"not representable in 64 bits", "the whole number is too large", "write it as 1e20"},
    {"expected 'true'", "the value is not written correctly", "write true in small letters"},
    {"expected 'false'", "the value is not written correctly", "write false in small letters"},
    {"expected value-terminator", "the value is not written correctly", kQuoteExpressions},
    {"expected value, saw", "the value is missing after '='", ""},
    {"expected '=', saw '''", "a key may not contain an apostrophe",
     "a start rate is written x = { start = 0, rate = 1 }"},
    {"expected '=', saw", "'=' is missing after the key", "write key = value"},
    {"comma or closing ']'", "a comma or the closing ']' is missing in the list",
     kQuoteExpressions},
    {"comma or closing '}'", "a comma or the closing '}' is missing in the table",
     "a table in braces stands in one line: { start = 1, rate = 0 }"},
    {"key or closing '}'", "a comma or the closing '}' is missing in the table",
     "a table in braces stands in one line: { start = 1, rate = 0 }"},
    {"dangling comma", "a comma without anything after it, before '}'", "remove the comma"},
    {"expected ']', saw", "the closing ']' of the section's header is missing", "write [section]"},
    {"blank bare keys", "the section's header is empty", "write [section]"},
    {"control characters other than TAB", "the closing quote is missing in this line",
     R"(a text over several lines is written between """ and """)"},
}};

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// The text between the first pair of apostrophes: the key in "cannot redefine existing integer
/// 'l'".
std::string find_quoted(std::string_view text) {
  const std::size_t begin = text.find('\'');
  const std::size_t end = begin == std::string_view::npos ? begin : text.find('\'', begin + 1);
  if (end == std::string_view::npos) return {};
  return std::string(text.substr(begin + 1, end - begin - 1));
}

std::string_view trim(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
}

bool declares(std::string_view line, std::string_view key, bool header) {
  if (header) {
    if (line.empty() || line.front() != '[') return false;
    return trim(line.substr(1, line.find(']') - 1)) == key;
  }
  if (line.substr(0, key.size()) != key) return false;
  const std::string_view rest = trim(line.substr(key.size()));
  return !rest.empty() && rest.front() == '=';
}

std::string_view find_line(std::string_view text, int number) {
  for (int i = 1; i < number && !text.empty(); ++i)
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  return text.substr(0, text.find('\n'));
}

/// The last line before `before` that declares the key; a key that is no header is sought in its
/// own section only. 0: not found (dotted or quoted spelling).
int find_first_declaration(std::string_view text, std::string_view key, int before, bool header) {
  int found = 0;
  int line_number = 1;
  for (std::size_t begin = 0; begin < text.size() && line_number < before; ++line_number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = trim(text.substr(begin, end - begin));
    if (!header && !line.empty() && line.front() == '[') found = 0;
    if (declares(line, key, header)) found = line_number;
    begin = end + 1;
  }
  return found;
}

/// The line in front of all sections that declares the key; 0: there is none.
int find_root_key(std::string_view text, std::string_view key) {
  int line_number = 1;
  for (std::size_t begin = 0; begin < text.size(); ++line_number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = trim(text.substr(begin, end - begin));
    if (line.starts_with('[')) break;
    if (declares(line, key, false)) return line_number;
    begin = end + 1;
  }
  return 0;
}

std::optional<Diagnostic> reword_duplicate(std::string_view description, const Source& where,
                                           std::string_view text) {
  if (contains(description, "into existing inline table")) {
    return Diagnostic{where, "the table is already given in braces and cannot be extended here",
                      "write all of its keys in one place"};
  }
  if (!contains(description, "cannot redefine existing")) return std::nullopt;
  const bool header = contains(description, "table header");
  const std::string key = find_quoted(description);
  if (key.empty()) return Diagnostic{where, "the key is given twice", "remove one of them"};
  if (const int line = header ? find_root_key(text, key) : 0) {
    const Source place{where.file, line, 1};
    return Diagnostic{place,
                      fmt::format("'{}' is a key here and a section in line {}", key, where.line),
                      "remove one of them"};
  }
  std::string message = header ? fmt::format("the section [{}] is given twice", key)
                               : fmt::format("the key '{}' is given twice in its section", key);
  const int first = find_first_declaration(text, key, where.line, header);
  if (first > 0) message += fmt::format(", first in line {}", first);
  // toml++ points at the value; the key is at the line's beginning, unless the pair stands in
  // braces.
  Source place = where;
  const std::string_view line = find_line(text, where.line);
  if (!header && declares(trim(line), key, false))
    place.column = static_cast<int>(line.find_first_not_of(" \t")) + 1;
  return Diagnostic{place, message, header ? "put their lines together" : "remove one of them"};
}

/// The last line before the next header; a list's line that begins with a bracket is taken for one.
int find_section_end(std::string_view text, int header) {
  int line_number = 1;
  for (std::size_t begin = 0; begin < text.size(); ++line_number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (line_number > header && trim(text.substr(begin, end - begin)).starts_with('[')) break;
    begin = end + 1;
  }
  return line_number - 1;
}

Diagnostic reword_end_of_file(std::string_view description, const Source& where) {
  std::string_view what = "value";
  std::string_view closing = "";
  if (contains(description, "parsing array")) {
    what = "list";
    closing = "a ']' is missing";
  } else if (contains(description, "inline table")) {
    what = "table";
    closing = "a '}' is missing";
  } else if (contains(description, "table header")) {
    what = "section's header";
    closing = "a ']' is missing";
  } else if (contains(description, "string")) {
    what = "text";
    closing = "a closing quote is missing";
  }
  return {where, fmt::format("the file ends in the middle of a {}", what), std::string(closing)};
}

}  // namespace

LineRange find_duplicate_lines(std::string_view description, const Source& where,
                               std::string_view text) {
  if (!contains(description, "cannot redefine existing")) return {};
  const std::string key = find_quoted(description);
  const bool header = contains(description, "table header");
  if (key.empty() || !declares(trim(find_line(text, where.line)), key, header)) return {};
  if (!header) return {where.line, where.line};
  if (const int line = find_root_key(text, key)) return {line, line};
  return {where.line, find_section_end(text, where.line)};
}

Diagnostic reword_toml_error(std::string_view description, const Source& where,
                             std::string_view text) {
  if (std::optional<Diagnostic> duplicate = reword_duplicate(description, where, text)) {
    return *duplicate;
  }
  if (contains(description, "end-of-file")) return reword_end_of_file(description, where);
  for (const Rewording& rewording : kRewordings) {
    if (contains(description, rewording.fragment)) {
      return {where, std::string(rewording.message), std::string(rewording.remedy)};
    }
  }
  // The rest is rare and clear enough; only the production's name in front is dropped.
  constexpr std::string_view kPrefix = "Error while parsing ";
  if (description.substr(0, kPrefix.size()) == kPrefix) {
    const std::size_t colon = description.find(": ");
    if (colon != std::string_view::npos) description.remove_prefix(colon + 2);
  }
  return {where, "not valid TOML: " + std::string(description), {}};
}

}  // namespace driftless
