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
#include <unistd.h>

#include "driftless/base/error.hpp"
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

void tell_error(const Voice& voice, const Diagnostic& diagnostic) {
  if (voice.log == LogStyle::json) {
    JsonWriter json;
    json.begin_object().member("event", "error").member("message", diagnostic.message);
    json.member("where", format_source(diagnostic.where));
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

std::string format_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t k = 0; k < row.size(); ++k)
      widths[k] = std::max(widths[k], find_width(row[k]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t k = 0; k < row.size(); ++k) {
      const std::string pad(widths[k] - find_width(row[k]), ' ');
      if (k > 0) line += "  ";
      line += k == 0 ? row[k] + pad : pad + row[k];
    }
    while (!line.empty() && line.back() == ' ') line.pop_back();
    text += line + "\n";
  }
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
  if (names.size() <= kShown) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{}, ... ({} in all)", fmt::join(names.begin(), names.begin() + kShown, ", "),
                     names.size());
}

std::string format_entry(const std::string& label, const std::string& text) {
  constexpr std::size_t kLineWidth = 80;
  constexpr std::size_t kLabelWidth = 10;
  std::string out;
  std::string line = fmt::format("  {:<{}}", label, kLabelWidth);
  std::size_t begin = 0;
  bool empty = true;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    begin = end + 1;
    if (!empty && find_width(line) + 1 + find_width(word) > kLineWidth) {
      out += line + "\n";
      line = std::string(3 + kLabelWidth, ' ');
    }
    line += (empty ? "  " : " ") + word;
    empty = false;
  }
  return out + line + "\n";
}

void print_entry(const std::string& label, const std::string& text) {
  if (text.empty()) return;
  std::string entry = format_entry(label, text);
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
