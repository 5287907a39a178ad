#pragma once
// What the tests of elements made of expressions share: tight runs, and two wheels to connect.

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/system/run_model.hpp"

namespace driftless::trials {

inline const Trial kTight{.method = "braun_goldfarb/dop853", .tolerance = 1e-11, .until = 10};

inline Trial until(double t) {
  Trial trial = kTight;
  trial.until = t;
  return trial;
}

inline double end_difference(const Result& result, const std::string& name, double wanted) {
  return std::abs(last(result, name) - wanted) / std::max(1.0, std::abs(wanted));
}

/// Two wheels on the ground about parallel axes, in space.
inline std::string make_wheels(const std::string& rest) {
  return R"~(format = "driftless/1"
[body.first]
mass = 2.1
inertia = [0.3, 0.4, 0.11]
centre = [0, 0, 0]
[body.second]
mass = 1.3
inertia = [0.2, 0.2, 0.27]
centre = [0.5, 0.1, 0]
[joint.A]
type = "revolute"
between = ["ground", "first"]
at = [0, 0, 0]
[joint.B]
type = "revolute"
between = ["ground", "second"]
at = [0.5, 0.1, 0]
)~" + rest;
}

}  // namespace driftless::trials
