#pragma once
// Steps that go on without getting anywhere, as adaptive ones do at a pose that cannot be passed.

namespace driftless {

class StallWatch {
 public:
  StallWatch(double t_start, double until) : length_(until - t_start), t_mark_(t_start) {}

  /// After each step. False: thousands of steps have not covered a share of the run that would show on a plot.
  bool accept(double t) {
    constexpr int kSteps = 5000;
    constexpr double kShare = 1e-7;
    if (++steps_ < kSteps) return true;
    const bool moves = t - t_mark_ > kShare * length_;
    steps_ = 0;
    t_mark_ = t;
    return moves;
  }

 private:
  double length_, t_mark_;
  int steps_ = 0;
};

}  // namespace driftless
