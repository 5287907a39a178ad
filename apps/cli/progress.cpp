// How far a computation is: one line that is written over on a terminal, lines when piped.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <utility>

#include "many_runs.hpp"
#include "terminal.hpp"
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "driftless/io/json.hpp"

namespace driftless::cli {
namespace {

using SteadyClock = std::chrono::steady_clock;

// A command may have many short parts: runs of a comparison, files of a report. So its first second counts, not that of
// each part, and the lines of all its parts keep their distance. One of each, as there is one standard error.
const SteadyClock::time_point kCommandBegun = SteadyClock::now();
std::atomic<SteadyClock::time_point> next_line_due = kCommandBegun;

constexpr auto kFirstSilence = std::chrono::seconds(1);
// Of a part, after the first second of the command: below it nothing is worth telling, and time left is a guess.
constexpr auto kSilenceOfPart = std::chrono::milliseconds(100);

bool line_is_due(LogStyle log, SteadyClock::time_point now) {
  if (now < next_line_due.load()) return false;
  next_line_due = now + std::chrono::seconds(log == LogStyle::json ? 1 : 5);
  return true;
}

/// Columns of the terminal.
std::size_t find_columns() {
  constexpr std::size_t kUsual = 80;
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsual;
  return size.ws_col;
}

/// A line that wraps could not be written over.
std::string cut_line(std::string line, std::size_t columns) {
  while (find_width(line) >= columns && !line.empty()) {
    while ((static_cast<unsigned char>(line.back()) & 0xC0U) == 0x80U) line.pop_back();
    line.pop_back();
  }
  return line;
}

void rewrite(const std::string& line) {
  fmt::print(stderr, "\r\033[K{}", line);
  std::fflush(stderr);
}

std::string draw_bar(double share, std::size_t width) {
  const auto full = static_cast<std::size_t>(std::lround(share * static_cast<double>(width)));
  return fmt::format("[{}{}] ", std::string(full, '='), std::string(width - full, ' '));
}

constexpr std::size_t kLongestBar = 24;
constexpr std::size_t kShortestBar = 6;
constexpr std::size_t kBrackets = 3;  // and the blank behind them

/// As many of the figures as fit, those that matter least left out first, with as much air between them as leaves room
/// for a bar.
std::string join_figures(const Progress& progress, double share, double left, std::size_t room) {
  const std::string done = fmt::format("{:3.0f} %", 100.0 * share);
  const std::string time = fmt::format("t = {:.4g} s", progress.t);
  const std::string rest = format_duration(left) + " left";
  const std::string step = fmt::format("h {:.2g}", progress.step);
  const std::string gap = fmt::format("|Phi| {:.1e}", progress.max_phi);
  const std::string energy = fmt::format("energy {:.1e} J", progress.max_energy_error);
  std::string text;
  for (const auto& parts : {std::vector<std::string>{done, time, rest, step, gap, energy},
                            {done, time, rest, step, gap},
                            {done, time, rest, gap},
                            {done, rest, gap}}) {
    for (const std::size_t bar : {kShortestBar + kBrackets, std::size_t{0}}) {
      for (const char* air : {"  ", " "}) {
        text = fmt::format("{}", fmt::join(parts, air));
        if (find_width(text) + bar <= room) return text;
      }
    }
  }
  return text;
}

}  // namespace

std::string format_progress(const std::string& title, const Progress& progress, double share,
                            double left, std::size_t columns) {
  std::size_t room = columns - 1;  // the cursor stands behind the line
  const std::string figures = join_figures(progress, share, left, room);
  room -= std::min(room, find_width(figures));
  std::string line;
  if (find_width(title) + 1 + kShortestBar + kBrackets <= room) {
    line = title + " ";
    room -= find_width(line);
  }
  if (room >= kShortestBar + kBrackets)
    line += draw_bar(share, std::min(room - kBrackets, kLongestBar));
  return line + figures;
}

void rewrite_terminal_line(const std::string& line) { rewrite(cut_line(line, find_columns())); }

std::string draw_share(double share) {
  return fmt::format("{}{:3.0f} %  ", draw_bar(share, kLongestBar), 100.0 * share);
}

ProgressDisplay::ProgressDisplay(Voice voice, std::string title)
    : voice_(voice), title_(std::move(title)), on_terminal_(takes_escapes(stderr)) {}

ProgressDisplay::~ProgressDisplay() { clear(); }

void ProgressDisplay::show(const Progress& progress) {
  if (voice_.quiet) return;
  const SteadyClock::time_point now = SteadyClock::now();
  const double share =
      progress.until > 0.0 ? std::clamp(progress.t / progress.until, 0.0, 1.0) : 0.0;
  if (!first_share_) {  // how long the start took says nothing about the steps
    first_share_ = share;
    start_ = now;
  }
  if (now - kCommandBegun < kFirstSilence || now - start_ < kSilenceOfPart) return;
  if (share <= *first_share_) return;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const double left = elapsed * (1.0 - share) / (share - *first_share_);
  if (voice_.log == LogStyle::text && on_terminal_) {
    rewrite_line(format_progress(title_, progress, share, left, find_columns()));
    return;
  }
  if (line_is_due(voice_.log, now)) show_line(progress, share, left);
}

void ProgressDisplay::show_end(const Report& report) {
  const SteadyClock::time_point now = SteadyClock::now();
  if (voice_.quiet || report.status != Status::ok || now - kCommandBegun < kFirstSilence) return;
  const bool on_line = voice_.log == LogStyle::text && on_terminal_;
  if (!on_line && !line_is_due(voice_.log, now)) return;
  const double step = report.steps > 0 ? report.t_end / static_cast<double>(report.steps) : 0.0;
  const Progress end{report.t_end, report.t_end,   step,
                     report.steps, report.max_phi, report.max_energy_error};
  if (on_line) return rewrite_line(format_progress(title_, end, 1.0, 0.0, find_columns()));
  show_line(end, 1.0, 0.0);
}

void ProgressDisplay::rewrite_line(const std::string& line) {
  rewrite_terminal_line(line);
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
             "{}: {:.0f} %, t = {:.4g} s, {} left, step {:.2g} s, max |Phi| {:.1e}, energy error "
             "{:.1e} J\n",
             title_, 100.0 * share, progress.t, format_duration(left), progress.step,
             progress.max_phi, progress.max_energy_error);
}

void ProgressDisplay::clear() {
  if (!bar_shown_) return;
  rewrite("");
  bar_shown_ = false;
}

StageDisplay::StageDisplay(const Voice& voice, std::string title)
    : voice_(voice), title_(std::move(title)), on_terminal_(takes_escapes(stderr)) {
  if (!voice_.quiet) thread_ = std::thread([this] { work(); });
}

StageDisplay::~StageDisplay() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  change_.notify_all();
  if (thread_.joinable()) thread_.join();
  if (line_shown_) rewrite("");
}

void StageDisplay::show(const std::string& stage) {
  const std::lock_guard lock(mutex_);
  stage_ = stage;
  is_new_ = true;
}

void StageDisplay::show(const std::string& stage, double share) {
  const int tenths = static_cast<int>(10.0 * share);
  const std::string text = tenths == 0 ? stage : fmt::format("{}, {} % done", stage, 10 * tenths);
  const std::lock_guard lock(mutex_);
  if (stage_ == text) return;
  stage_ = text;
  is_new_ = true;
}

void StageDisplay::work() {
  const SteadyClock::time_point start = SteadyClock::now();
  SteadyClock::time_point next = std::max(start + kSilenceOfPart, kCommandBegun + kFirstSilence);
  std::unique_lock lock(mutex_);
  while (!change_.wait_until(lock, next, [this] { return done_; })) {
    print(std::round(std::chrono::duration<double>(SteadyClock::now() - start).count()));
    next += std::chrono::seconds(1);
  }
}

void StageDisplay::print(double seconds) {
  const std::string since = seconds < 1.0 ? std::string() : ", " + format_duration(seconds);
  if (voice_.log == LogStyle::text && on_terminal_) {
    rewrite_terminal_line(fmt::format("{} {}{}", title_, stage_, since));
    line_shown_ = true;
    return;
  }
  if (!is_new_ || !line_is_due(voice_.log, SteadyClock::now())) return;
  is_new_ = false;
  if (voice_.log == LogStyle::json) {
    std::string_view title = title_;
    if (title.ends_with(':')) title.remove_suffix(1);
    JsonWriter json;
    json.begin_object()
        .member("event", "progress")
        .member("title", std::string(title))
        .member("stage", stage_)
        .member("seconds", seconds)
        .end_object();
    fmt::print(stderr, "{}\n", json.text());
  } else {
    fmt::print(stderr, "{} {}{}\n", title_, stage_, since);
  }
}

}  // namespace driftless::cli
