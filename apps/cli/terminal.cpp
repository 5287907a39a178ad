#include "terminal.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "driftless/base/error.hpp"
#include "driftless/base/names.hpp"
#include "driftless/io/json.hpp"
#include "driftless/io/result_paths.hpp"

namespace driftless::cli {

bool takes_escapes(std::FILE* stream) {
  const char* kind = std::getenv("TERM");
  if (kind == nullptr || std::string_view(kind) == "dumb") return false;
  return isatty(fileno(stream)) != 0;
}

namespace {

bool has_colours(std::FILE* stream) {
  const char* no_colour = std::getenv("NO_COLOR");
  if (no_colour != nullptr && *no_colour != '\0') return false;
  return takes_escapes(stream);
}

const char* find_code(Tone tone) {
  switch (tone) {
    case Tone::good: return "32";
    case Tone::bad: return "1;31";
    case Tone::caution: return "33";
    case Tone::faint: return "2";
  }
  return "0";
}

}  // namespace

std::string paint(std::FILE* stream, Tone tone, const std::string& text) {
  if (!has_colours(stream)) return text;
  return fmt::format("\033[{}m{}\033[0m", find_code(tone), text);
}

std::string paint_errors(std::FILE* stream, std::string message) {
  constexpr std::string_view kWord = "error:";
  const std::string painted = paint(stream, Tone::bad, std::string(kWord));
  for (std::size_t at = message.find(kWord); at != std::string::npos;
       at = message.find(kWord, at + painted.size())) {
    message.replace(at, kWord.size(), painted);
  }
  return message;
}

void warn(const Voice& voice, const std::string& message) {
  if (voice.quiet) return;
  if (voice.log == LogStyle::json) {
    JsonWriter json;
    json.begin_object().member("event", "warning").member("message", message).end_object();
    fmt::print(stderr, "{}\n", json.text());
  } else {
    fmt::print(stderr, "{} {}\n", paint(stderr, Tone::caution, "warning:"), message);
  }
}

void write_text_file(const std::string& path, const std::string& text) {
  std::error_code ignored;
  const bool is_new = !std::filesystem::exists(path, ignored);
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  const bool opened = file.is_open();
  file << text;
  file.close();
  if (file) return;
  const std::string reason = errno != 0 ? std::strerror(errno) : "unknown reason";
  if (opened && is_new) std::filesystem::remove(path, ignored);  // no half of a file
  throw ModelError(fmt::format("cannot write {}: {}", path, reason), find_write_remedy(reason));
}

void tell_error(const Voice& voice, const std::string& message) {
  if (voice.log == LogStyle::json) {
    JsonWriter json;
    json.begin_object().member("event", "error").member("message", message).end_object();
    fmt::print(stderr, "{}\n", json.text());
  } else {
    fmt::print(stderr, "{} {}\n", paint(stderr, Tone::bad, "error:"), message);
  }
}

void tell_error(const Voice& voice, const Diagnostic& diagnostic, std::string_view status) {
  if (voice.log == LogStyle::json) {
    const Source& where = diagnostic.where;
    JsonWriter json;
    json.begin_object().member("event", "error").member("status", std::string(status));
    json.member("message", diagnostic.message);
    json.member("where", format_source(where)).member("file", where.file);
    if (where.line > 0) json.member("line", where.line).member("column", where.column);
    json.member("remedy", diagnostic.remedy).end_object();
    fmt::print(stderr, "{}\n", json.text());
  } else {
    fmt::print(stderr, "{}\n", paint_errors(stderr, format_diagnostic(diagnostic)));
  }
}

std::size_t find_width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

std::size_t find_answer_columns() {
  constexpr std::size_t kMost = 100;
  constexpr std::size_t kLeast = 40;
  winsize size{};
  if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 ||
      size.ws_col == 0)
    return kMost;
  return std::clamp<std::size_t>(size.ws_col, kLeast, kMost);
}

namespace {

/// The first column and those from `begin` to `end`.
std::string format_part(const std::vector<std::vector<std::string>>& rows,
                        const std::vector<std::size_t>& widths, std::size_t begin,
                        std::size_t end) {
  std::string text;
  for (const auto& row : rows) {
    std::string line = row[0] + std::string(widths[0] - find_width(row[0]), ' ');
    for (std::size_t k = begin; k < std::min(end, row.size()); ++k)
      line += "  " + std::string(widths[k] - find_width(row[k]), ' ') + row[k];
    while (!line.empty() && line.back() == ' ') line.pop_back();
    text += line + "\n";
  }
  return text;
}

}  // namespace

std::string format_table(const std::vector<std::vector<std::string>>& rows, std::size_t columns) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t k = 0; k < row.size(); ++k)
      widths[k] = std::max(widths[k], find_width(row[k]));
  }
  std::string text;
  std::size_t begin = 1;
  do {
    std::size_t width = widths[0], end = begin;
    while (end < widths.size() && (end == begin || width + 2 + widths[end] <= columns))
      width += 2 + widths[end++];
    if (!text.empty()) text += "\n";
    text += format_part(rows, widths, begin, end);
    begin = end;
  } while (begin < widths.size());
  return text;
}

namespace {

/// The next words that stay together, from `begin` on: a number with what it counts, "key = value". Moves `begin` behind
/// them.
std::string take_words(const std::string& text, std::size_t& begin) {
  std::string group;
  for (bool glued = true; glued && begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    begin = std::min(end + 1, text.size());
    group += (group.empty() ? "" : " ") + word;
    const std::size_t digit = !word.empty() && word.front() == '-' ? 1 : 0;
    const bool is_number = digit < word.size() && word[digit] >= '0' && word[digit] <= '9' &&
                           word.back() != ',' && word.back() != ';';
    glued = is_number || word == "=" || text.compare(begin, 2, "= ") == 0;
  }
  return group;
}

/// Appends words to `line`; a line that would be wider than `columns` goes on in the next, set in by `indent`.
std::string wrap_words(std::string line, const std::string& text, std::size_t indent,
                       std::size_t columns) {
  std::string out;
  bool is_first = true;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::string word = take_words(text, begin);
    if (!is_first && find_width(line) + 1 + find_width(word) > columns) {
      out += line + "\n";
      line = std::string(indent, ' ') + word;
    } else {
      line += (is_first ? "" : " ") + word;
    }
    is_first = false;
  }
  return out + line + "\n";
}

}  // namespace

std::string format_list(const std::vector<std::vector<std::string>>& rows, std::size_t columns) {
  std::size_t width = 0;
  for (const auto& row : rows) width = std::max(width, find_width(row[0]));
  std::string text;
  for (const auto& row : rows)
    text += wrap_words("  " + row[0] + std::string(width - find_width(row[0]) + 2, ' '), row[1],
                       width + 4, columns);
  return text;
}

std::string format_figure(double value) {
  if (value == 0.0) return "0";
  if (!std::isfinite(value)) return "not finite";
  if (value == std::floor(value) && std::abs(value) < 1e7) return fmt::format("{:.0f}", value);
  return fmt::format("{:.3g}", value);
}

std::string list_some(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 12;
  return list_names(names, kShown);
}

std::size_t find_entry_columns() {
  constexpr std::size_t kMost = 80;
  return std::min(kMost, find_answer_columns());
}

std::string format_entry(const std::string& label, const std::string& text, std::size_t columns) {
  constexpr std::size_t kLabelWidth = 10;
  const std::string line = fmt::format("  {:<{}}", label, kLabelWidth);
  return text.empty() ? line + "\n" : wrap_words(line + "  ", text, kLabelWidth + 4, columns);
}

void print_entry(const std::string& label, const std::string& text) {
  if (text.empty()) return;
  std::string entry = format_entry(label, text, find_entry_columns());
  entry.replace(entry.find(label), label.size(), paint(stdout, Tone::faint, label));
  fmt::print("{}", entry);
}

std::string format_duration(double seconds) {
  constexpr double kMinute = 60.0;
  constexpr double kHour = 3600.0;
  constexpr double kDay = 86400.0;
  if (seconds < 2 * kMinute) return fmt::format("{:.0f} s", seconds);
  if (seconds < 2 * kHour) return fmt::format("{:.0f} min", seconds / kMinute);
  if (seconds < 2 * kDay) return fmt::format("{:.0f} h", seconds / kHour);
  if (seconds < 365 * kDay) return fmt::format("{:.0f} days", seconds / kDay);
  return "over a year";
}

}  // namespace driftless::cli
