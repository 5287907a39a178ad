#pragma once
// Where the time of a run goes. The clock on the wall is read a few times per step, which costs some 25 ns each; the
// CPU time of a thread would cost ten times as much.

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

  /// From here on time counts.
  void begin() { last_ = Clock::now(); }

  /// What has passed since the last call belongs to this part.
  void lap(Part part) {
    const Clock::time_point now = Clock::now();
    seconds_[part] += std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }

  void append_to(std::vector<std::pair<std::string, double>>& list) const {
    constexpr std::array<const char*, kParts> kNames{"steps", "corrections", "samples", "output"};
    for (std::size_t k = 0; k < kParts; ++k) list.emplace_back(kNames[k], seconds_[k]);
  }

 private:
  Clock::time_point last_ = Clock::now();
  std::array<double, kParts> seconds_{};
};

}  // namespace driftless
