#include "terminal.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "driftless/base/error.hpp"
#include "driftless/io/json.hpp"

namespace driftless::cli {

namespace {

bool has_colours(std::FILE* stream) {
  const char* no_colour = std::getenv("NO_COLOR");
  if (no_colour != nullptr && *no_colour != '\0') return false;
  const char* kind = std::getenv("TERM");
  if (kind == nullptr || std::string_view(kind) == "dumb") return false;
  return isatty(fileno(stream)) != 0;
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

/// Columns of the terminal; 0: not known.
std::size_t find_columns(std::FILE* stream) {
  winsize size{};
  return ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
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
  throw ModelError(fmt::format("cannot write {}: {}", path, reason),
                   "check the folder and the space on the disk");
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

namespace {

/// Characters, not bytes: names may carry UTF-8.
std::size_t find_width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

}  // namespace

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
  constexpr std::size_t kLineWidth = 100;
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

ProgressDisplay::ProgressDisplay(Voice voice, std::string title)
    : voice_(voice),
      title_(std::move(title)),
      next_line_(start_),
      on_terminal_(isatty(STDERR_FILENO) != 0) {}

ProgressDisplay::~ProgressDisplay() { clear(); }

void ProgressDisplay::show(const Progress& progress) {
  if (voice_.quiet) return;
  const Clock::time_point now = Clock::now();
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  if (elapsed < 1.0) return;
  const double share =
      progress.until > 0.0 ? std::clamp(progress.t / progress.until, 0.0, 1.0) : 0.0;
  const double left = share > 0.0 ? elapsed * (1.0 - share) / share : 0.0;
  if (voice_.log == LogStyle::text && on_terminal_) {
    show_bar(progress, share, left);
    return;
  }
  if (is_due(now)) show_line(progress, share, left);
}

bool ProgressDisplay::is_due(Clock::time_point now) {
  if (now < next_line_) return false;
  next_line_ = now + std::chrono::seconds(voice_.log == LogStyle::json ? 1 : 5);
  return true;
}

void ProgressDisplay::show_count(std::size_t done, std::size_t all) {
  if (voice_.quiet || done == 0) return;
  const Clock::time_point now = Clock::now();
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  if (elapsed < 1.0) return;
  const double left = elapsed * static_cast<double>(all - done) / static_cast<double>(done);
  if (voice_.log == LogStyle::text && on_terminal_) {
    rewrite_line(
        fmt::format("{}: {} of {} runs, {} left", title_, done, all, format_duration(left)));
    return;
  }
  if (!is_due(now)) return;
  if (voice_.log == LogStyle::json) {
    JsonWriter json;
    json.begin_object()
        .member("event", "progress")
        .member("title", title_)
        .member("done", done)
        .member("all", all)
        .member("seconds_left", left)
        .end_object();
    fmt::print(stderr, "{}\n", json.text());
  } else {
    fmt::print(stderr, "{}: {} of {} runs, {} left\n", title_, done, all, format_duration(left));
  }
}

void ProgressDisplay::show_bar(const Progress& progress, double share, double left) {
  constexpr int kWidth = 24;
  const int full = static_cast<int>(std::lround(share * kWidth));
  rewrite_line(fmt::format(
      "{} [{}{}] {:3.0f} %  t = {:.4g} s  {} left  h {:.2g}  |Phi| {:.1e}  energy {:.1e} J", title_,
      std::string(static_cast<std::size_t>(full), '='),
      std::string(static_cast<std::size_t>(kWidth - full), ' '), 100.0 * share, progress.t,
      format_duration(left), progress.step, progress.max_phi, progress.max_energy_error));
}

void ProgressDisplay::rewrite_line(std::string line) {
  const std::size_t columns = find_columns(stderr);
  if (columns > 0) {  // a line that wraps could not be written over
    while (find_width(line) >= columns) {
      while ((static_cast<unsigned char>(line.back()) & 0xC0U) == 0x80U) line.pop_back();
      line.pop_back();
    }
  }
  fmt::print(stderr, "\r\033[K{}", line);
  std::fflush(stderr);
  bar_shown_ = true;
}

void ProgressDisplay::show_line(const Progress& progress, double share, double left) {
  if (voice_.log == LogStyle::json) {
    JsonWriter json;
    json.begin_object()
        .member("event", "progress")
        .member("title", title_)
        .member("t", progress.t)
        .member("share", share)
        .member("seconds_left", left)
        .member("step", progress.step)
        .member("max_phi", progress.max_phi)
        .member("max_energy_error", progress.max_energy_error)
        .end_object();
    fmt::print(stderr, "{}\n", json.text());
    return;
  }
  fmt::print(stderr,
             "{}: {:.0f} %, t = {:.4g} s, {} left, max |Phi| {:.1e}, energy error {:.1e} J\n",
             title_, 100.0 * share, progress.t, format_duration(left), progress.max_phi,
             progress.max_energy_error);
}

void ProgressDisplay::clear() {
  if (!bar_shown_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  bar_shown_ = false;
}

StageDisplay::StageDisplay(const Voice& voice, std::string title)
    : voice_(voice), title_(std::move(title)), on_terminal_(isatty(STDERR_FILENO) != 0) {
  if (!voice_.quiet) thread_ = std::thread([this] { work(); });
}

StageDisplay::~StageDisplay() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  change_.notify_all();
  if (thread_.joinable()) thread_.join();
  if (line_shown_) fmt::print(stderr, "\r\033[K");
}

void StageDisplay::show(const std::string& stage) {
  const std::lock_guard lock(mutex_);
  stage_ = stage;
  is_new_ = true;
}

void StageDisplay::work() {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  std::unique_lock lock(mutex_);
  for (int second = 1; !done_; ++second) {
    if (change_.wait_until(lock, start + std::chrono::seconds(second), [this] { return done_; }))
      return;
    print(second, std::exchange(is_new_, false));
  }
}

void StageDisplay::print(double seconds, bool stage_is_new) {
  if (voice_.log == LogStyle::text && on_terminal_) {
    fmt::print(stderr, "\r\033[K{} {}, {}", title_, stage_, format_duration(seconds));
    std::fflush(stderr);
    line_shown_ = true;
    return;
  }
  if (!stage_is_new) return;
  if (voice_.log == LogStyle::json) {
    JsonWriter json;
    json.begin_object()
        .member("event", "progress")
        .member("title", title_)
        .member("stage", stage_)
        .member("seconds", seconds)
        .end_object();
    fmt::print(stderr, "{}\n", json.text());
  } else {
    fmt::print(stderr, "{} {}, {}\n", title_, stage_, format_duration(seconds));
  }
}

}  // namespace driftless::cli
