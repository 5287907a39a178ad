#pragma once
// How far a body of a space turns in one step, at most. Orders of methods mean nothing beyond a radian.

#include <string>

#include <fmt/format.h>

#include "driftless/system/system.hpp"

namespace driftless {

class TurnWatch {
 public:
  explicit TurnWatch(const SystemInfo& info) : info_(info) {}

  void accept(ConstVectorRef v, double h) {
    for (const BodyInfo& body : info_.bodies) {
      if (body.turns != 3) continue;
      const double turn = h * v.segment(body.rate + body.rates - 3, 3).norm();
      if (!(turn > turn_)) continue;
      turn_ = turn;
      step_ = h;
      body_ = &body;
    }
  }

  /// Empty: no body turned too far.
  std::string describe() const {
    constexpr double kLargeTurn = 1.0;  // rad
    if (turn_ <= kLargeTurn) return {};
    return fmt::format(
        "body '{}' turns by {:.3g} rad in one step of {:.3g} s, too far to follow its orientation",
        body_->name, turn_, step_);
  }

 private:
  const SystemInfo& info_;
  const BodyInfo* body_ = nullptr;
  double turn_ = 0.0, step_ = 0.0;
};

}  // namespace driftless
