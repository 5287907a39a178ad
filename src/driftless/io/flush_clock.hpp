#pragma once
// When rows that wait in memory must go to the disk: after a while, and at once if rows come slowly, since then the cost of
// writing vanishes beside the time between them.

#include <chrono>
#include <utility>

namespace driftless {

class FlushClock {
 public:
  using Time = std::chrono::steady_clock;

  explicit FlushClock(Time::duration longest_wait) : longest_wait_(longest_wait) {}

  bool is_due() const { return Time::now() - flushed_ >= longest_wait_; }
  /// To be called with each row; true if it must not wait.
  bool note_row() {
    const auto now = Time::now();
    const bool slow = now - std::exchange(last_row_, now) > std::chrono::milliseconds(50);
    return slow || now - flushed_ >= longest_wait_;
  }
  void note_flush() { flushed_ = Time::now(); }
  void restart() { flushed_ = last_row_ = Time::now(); }

 private:
  Time::duration longest_wait_;
  Time::time_point flushed_, last_row_;
};

}  // namespace driftless
