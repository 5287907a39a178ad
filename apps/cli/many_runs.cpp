#include "many_runs.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "driftless/io/json.hpp"

namespace driftless::cli {

ManyRunsDisplay::ManyRunsDisplay(const Voice& voice, std::string title, std::size_t all)
    : voice_(voice), title_(std::move(title)), all_(all), on_terminal_(takes_escapes(stderr)) {
  if (!voice_.quiet) thread_ = std::thread([this] { work(); });
}

ManyRunsDisplay::~ManyRunsDisplay() { clear(); }

void ManyRunsDisplay::clear() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  change_.notify_all();
  if (thread_.joinable()) thread_.join();
  if (std::exchange(line_shown_, false)) rewrite_terminal_line("");
}

std::function<void(const Progress&)> ManyRunsDisplay::begin_run() {
  auto own = std::make_shared<double>(0.0);
  const std::lock_guard lock(mutex_);
  std::erase_if(shares_, [](const std::weak_ptr<double>& each) { return each.expired(); });
  shares_.push_back(own);
  return [this, own](const Progress& progress) {
    if (!(progress.until > 0.0)) return;
    const std::lock_guard inner(mutex_);
    *own = std::clamp(progress.t / progress.until, 0.0, 1.0);
  };
}

void ManyRunsDisplay::note_done(std::size_t done) {
  const std::lock_guard lock(mutex_);
  done_ = done;
}

void ManyRunsDisplay::work() {
  using Clock = std::chrono::steady_clock;
  constexpr double kTextLines = 5.0, kRest = 0.5;
  const Clock::time_point start = Clock::now();
  std::unique_lock lock(mutex_);
  Clock::time_point next = start + std::chrono::seconds(1);
  while (!change_.wait_until(lock, next, [this] { return is_over_; })) {
    print(std::chrono::duration<double>(Clock::now() - start).count());
    const bool is_json = voice_.log == LogStyle::json;
    const double pause = is_json ? 1.0 : on_terminal_ ? kRest : kTextLines;
    next += std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(pause));
  }
}

void ManyRunsDisplay::print(double seconds) {
  auto sum = static_cast<double>(done_);
  for (const std::weak_ptr<double>& each : shares_) {
    if (const auto share = each.lock()) sum += *share;
  }
  share_ = std::clamp(sum / static_cast<double>(std::max<std::size_t>(all_, 1)), share_, 1.0);
  const double left = share_ > 0.0 ? seconds * (1.0 - share_) / share_ : 0.0;
  const std::string rest = share_ > 0.0 ? ", " + format_duration(left) + " left" : std::string();
  if (voice_.log == LogStyle::json) {
    JsonWriter json;
    json.begin_object()
        .member("event", "progress")
        .member("title", title_)
        .member("done", done_)
        .member("all", all_)
        .member("share", share_);
    if (share_ > 0.0) json.member("seconds_left", left);
    json.end_object();
    fmt::print(stderr, "{}\n", json.text());
  } else if (on_terminal_) {
    rewrite_terminal_line(
        fmt::format("{} {}{} of {} runs{}", title_, draw_share(share_), done_, all_, rest));
    line_shown_ = true;
  } else {
    fmt::print(stderr, "{}: {} of {} runs, {:.0f} % done{}\n", title_, done_, all_, 100.0 * share_,
               rest);
  }
}

}  // namespace driftless::cli
