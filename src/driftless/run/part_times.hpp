#pragma once
// Where the time of a run goes. The clock on the wall is read a few times per step, which costs some 25 ns each; the
// CPU time of a thread would cost ten times as much. Of steps that take a few microseconds only one in kShare is timed,
// and counts for all.

#include <array>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace driftless {

class PartTimes {
 public:
  enum Part { kSteps, kCorrections, kSamples, kOutput, kParts };
  using Clock = std::chrono::steady_clock;

  /// From here on time counts, for itself.
  void begin() {
    last_ = Clock::now();
    weight_ = 1.0;
  }

  /// A step begins, which may or may not be timed.
  void begin_step() {
    if (left_ > 0) {
      --left_;
      weight_ = 0.0;
      return;
    }
    const Clock::time_point now = Clock::now();
    left_ = short_ ? kShare - 1 : 0;
    weight_ = short_ ? kShare : 1.0;
    begin_ = last_ = now;
  }
  /// False: this step is not timed.
  bool is_timed() const { return weight_ > 0.0; }
  /// When the last part ended.
  Clock::time_point last() const { return last_; }

  /// What has passed since the last call belongs to this part.
  void lap(Part part) {
    if (!is_timed()) return;
    const Clock::time_point now = Clock::now();
    seconds_[part] += weight_ * std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }
  void end_step(Part part) {
    lap(part);
    if (is_timed()) short_ = last_ - begin_ < std::chrono::microseconds(20);
  }

  void append_to(std::vector<std::pair<std::string, double>>& list) const {
    constexpr std::array<const char*, kParts> kNames{"steps", "corrections", "samples", "output"};
    for (std::size_t k = 0; k < kParts; ++k) list.emplace_back(kNames[k], seconds_[k]);
  }

 private:
  static constexpr int kShare = 16;

  Clock::time_point last_ = Clock::now();
  Clock::time_point begin_ = last_;
  bool short_ = false;   // the last step that was timed
  int left_ = 0;         // steps that are not
  double weight_ = 1.0;  // of what is timed now; 0: nothing is
  std::array<double, kParts> seconds_{};
};

}  // namespace driftless
