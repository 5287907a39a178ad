#pragma once
// Braun and Goldfarb 2012: what the tests on the three mechanisms share.

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "tests/problems/references.hpp"
#include "tests/system/run_model.hpp"

namespace driftless::trials {

using problems::ChangePointFourBar;
using problems::Pendulum;
using problems::SliderCrank;

inline constexpr double kGravity = 9.81;

// ---- slider-crank: error of the slider's place ---------------------------------------------------

inline double slider_error(const Result& result, const SliderCrank& exact) {
  return max_error(result, {"x_s"}, [&](double t) { return Values{exact.slider(t)}; });
}

/// --set for a start at rest with another crank angle.
inline Sets start_slider_crank(double angle) {
  const std::string a = text_of(angle);
  return {{"x1", "l/2*cos(" + a + ")"},   {"y1", "l/2*sin(" + a + ")"}, {"a1", a},
          {"x2", "3*l/2*cos(" + a + ")"}, {"y2", "l/2*sin(" + a + ")"}, {"a2", "-(" + a + ")"}};
}

// ---- double four-bar: error of the third joint ---------------------------------------------------

inline Pendulum make_four_bar(double v0, double l = 1.0, double g = kGravity) {
  return {7 * g / (6 * l), std::numbers::pi / 2, -v0 / l};
}

inline double joint_error(const Result& result, const Pendulum& exact, double l = 1.0) {
  return max_error(result, {"x3", "y3"}, [&](double t) {
    const double angle = exact.angle(t);
    return Values{l * (2 + std::cos(angle)), l * std::sin(angle)};
  });
}

// ---- change-point four-bar: error of both joints -------------------------------------------------

inline double linkage_error(const Result& result, const ChangePointFourBar& exact) {
  return max_error(result, {"x1", "y1", "x2", "y2"}, [&](double t) { return exact.position(t); });
}

/// `count` numbers from `from` to `to`, both included.
inline Values spread(double from, double to, int count) {
  Values values;
  for (int k = 0; k < count; ++k) values.push_back(from + (to - from) * k / (count - 1));
  return values;
}

}  // namespace driftless::trials
