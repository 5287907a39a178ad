#include "driftless/integrators/step_control.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "driftless/base/error.hpp"
#include "driftless/integrators/step_memory.hpp"

namespace driftless {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();
constexpr double kMinRtol = 1e-14;
constexpr double kSafety = 0.9;
constexpr double kLargestShrink = 0.2;
constexpr double kLargestGrowth = 10.0;
constexpr double kCounts = 0.01;  // an error from which the step is no longer the first guess
constexpr double kUndefinedShrink = 0.25;
constexpr double kBesideShrink = 0.9;
constexpr double kUnsolvedShrink = 0.5;
constexpr double kStretch = 1.01;
constexpr double kEvenSteps = 8.0;

double resolution(double t, double t_end) { return kEps * std::max(std::abs(t), std::abs(t_end)); }

}  // namespace

void check_step_control(const StepControl& control, bool adaptive) {
  DiagnosticList faults;
  const auto require = [&](bool met, std::string_view name, double value, std::string_view bound,
                           std::string_view remedy) {
    if (!met)
      faults.add({}, fmt::format("{} = {}: must be {}", name, value, bound), std::string(remedy));
  };
  const auto is_number = [](double x, double least) { return std::isfinite(x) && x >= least; };
  if (adaptive) {
    require(is_number(control.rtol, kMinRtol), "rtol", control.rtol,
            fmt::format("finite and at least {}", kMinRtol),
            "below that rounding decides, not the method; give for example 1e-8");
    require(is_number(control.atol, 0.0) && control.atol > 0.0, "atol", control.atol,
            "finite and greater than 0",
            "give the size of an error that does not matter, for example 1e-8");
    require(is_number(control.step, 0.0), "step", control.step, "finite and at least 0",
            "give the first step in seconds, or 0 to have it chosen");
    require(is_number(control.max_step, 0.0), "max_step", control.max_step, "finite and at least 0",
            "give the longest step in seconds, or 0 for no bound");
  } else {
    require(is_number(control.step, 0.0) && control.step > 0.0, "step", control.step,
            "finite and greater than 0", "give a step in seconds, for example 0.01");
  }
  faults.finish();
}

void FixedClock::start(double t, double h) {
  t_start_ = t;
  h_ = h;
  n_ = 0;
  between_ = false;
}

StepTarget FixedClock::find_next(double t, double t_end, int halvings) const {
  const double t_next = t_start_ + static_cast<double>(n_ + 1) * h_;
  const double h = between_ ? t_next - t : h_;
  const double rounding = 4.0 * resolution(t, t_end);
  const bool on_grid = t_next < t_end - std::max(1e-9 * h_, rounding);
  const double rest = t_end - t;
  if (halvings > 0) {
    const double part = std::ldexp(on_grid ? h : rest, -halvings);
    return {.t = t + part, .h = part, .full = false, .part = true};
  }
  if (on_grid) return {t_next, h, true};
  return {t_end, rest, std::abs(rest - h) <= rounding};
}

void FixedClock::advance(const StepTarget& target) {
  between_ = target.part;
  if (target.part) return;
  if (target.full) {
    ++n_;
  } else {
    start(target.t, h_);
  }
}

void ErrorNorm::start(const OdeProblem& problem, double rtol, double atol) {
  rtol_ = rtol;
  atol_ = atol;
  weights_.resize(static_cast<std::size_t>(problem.size()));
  counted_ = 0;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    weights_[i] = problem.error_weight(static_cast<int>(i));
    assert(std::isfinite(weights_[i]));
    if (weights_[i] != 0.0) ++counted_;
  }
}

double ErrorNorm::calc(std::span<const double> e, std::span<const double> y0,
                       std::span<const double> y1) {
  double sum = 0.0;
  double largest = 0.0;
  worst_ = -1;
  for (std::size_t i = 0; i < e.size(); ++i) {
    if (weights_[i] == 0.0) continue;
    const double scale = atol_ + rtol_ * std::max(std::abs(y0[i]), std::abs(y1[i]));
    const double x = std::abs(weights_[i] * e[i]) / scale;
    sum += x * x;
    if (!(x <= largest)) {
      largest = x;
      worst_ = static_cast<int>(i);
    }
  }
  return counted_ == 0 ? 0.0 : std::sqrt(sum / static_cast<double>(counted_));
}

StepTarget find_step_target(double t, double t_end, double h, double max_step) {
  const double longest = max_step > 0.0 ? max_step : std::numeric_limits<double>::infinity();
  h = std::min(h, longest);
  const double rest = t_end - t;
  if (rest > kStretch * h) return {t + h, h, true};
  if (rest > longest) return {t + 0.5 * rest, 0.5 * rest, false};
  return {t_end, rest, false};
}

StepTarget find_even_target(double t, double t_end, double h, double max_step) {
  const double longest = max_step > 0.0 ? max_step : std::numeric_limits<double>::infinity();
  h = std::min(h, longest);
  const double rest = t_end - t;
  double steps = std::ceil(rest / (kStretch * h));
  if (!(steps <= kEvenSteps)) return {t + h, h, true};
  if (rest > steps * longest) steps += 1.0;
  if (steps <= 1.0) return {t_end, rest, false};
  return {t + rest / steps, rest / steps, false};
}

double find_room_for_rounding(double tested, double least) {
  constexpr double kMostRounding = 1e-9;  // a poor condition magnifies it
  return least * tested <= kMostRounding ? 100.0 * least * tested : 0.0;
}

double find_smallest_step(double t, double t_end) { return 16.0 * resolution(t, t_end); }

bool is_step_too_small(double h, double t, double t_end) {
  return h < find_smallest_step(t, t_end);
}

void StepController::start(double first_step, double max_step, int error_order, double pi_beta,
                           Memory memory, double growth) {
  h_ = first_step;
  max_step_ = max_step > 0.0 ? max_step : std::numeric_limits<double>::infinity();
  beta_ = pi_beta;
  power_ = 1.0 / (error_order + 1);
  exponent_ = power_ - 0.75 * pi_beta;
  error_old_ = 1e-4;
  memory_ = memory;
  growth_ = growth;
  has_begun_ = false;
  h_old_ = calm_h_ = 0.0;
  beside_ = 0;
  rejected_ = false;
}

StepTarget StepController::find_next(double t, double t_end) const {
  return find_step_target(t, t_end, h_, max_step_);
}

StepTarget StepController::find_next_even(double t, double t_end) const {
  return find_even_target(t, t_end, h_, max_step_);
}

void StepController::accept(const StepTarget& target, double error, JumpNear jump) {
  const bool is_calm = jump == JumpNear::none;
  double factor = kSafety * std::pow(error, -exponent_) * std::pow(error_old_, beta_);
  if (memory_ == Memory::of_trend && h_old_ > 0.0 && is_calm)
    factor = std::min(factor,
                      kSafety * std::pow(error_old_ / (error * error), power_) * target.h / h_old_);
  has_begun_ = has_begun_ || rejected_ || error > kCounts;
  factor = std::clamp(factor, kLargestShrink, has_begun_ ? growth_ : kLargestGrowth);
  if (rejected_) factor = std::min(factor, 1.0);
  const double h = target.h * factor;
  if (target.full) {
    error_old_ = std::max(error, 1e-4);
    h_old_ = is_calm ? target.h : 0.0;
    h_ = h;
  } else if (h > h_ || target.h >= h_) {
    h_ =
        h;  // a step cut short by t_end gives no reason to shorten the next one, nor a fresh memory
  }
  if (!is_calm) h_ = std::max(h_, calm_h_);
  h_ = std::min(h_, max_step_);
  calm_h_ = is_calm ? h_ : 0.0;
  if (is_calm) beside_ = 0;
  rejected_ = false;
}

void StepController::reject(const StepTarget& target, double error) {
  const double factor = kSafety * std::pow(error, -exponent_);
  h_ = target.h * (factor > kLargestShrink ? std::min(factor, 1.0) : kLargestShrink);
  rejected_ = true;
}

void StepController::reject_beside(const StepTarget& target) {
  h_ = kBesideShrink * target.h;
  ++beside_;
  rejected_ = true;
}

void StepController::reject_undefined(const StepTarget& target) {
  h_ = kUndefinedShrink * target.h;
  rejected_ = true;
}

void StepController::reject_newton(const StepTarget& target) {
  h_ = kUnsolvedShrink * target.h;
  rejected_ = true;
}

bool StepController::is_too_small(double t, double t_end) const {
  return is_step_too_small(h_, t, t_end);
}

double calc_first_step(OdeProblem& problem, double t, std::span<const double> y,
                       std::span<const double> f, double h_max, int order, ErrorNorm& norm,
                       std::span<double> probe, std::span<double> f_probe, StepperCounts& counts) {
  const double d0 = norm.calc(y, y, y);
  const double d1 = norm.calc(f, y, y);
  // Hairer compares the squares with 1e-10.
  double h0 = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1;
  // Of a y that is rounding d0 says nothing.
  constexpr double kLeastShare = 1e-10;
  if (std::isfinite(h_max)) h0 = std::max(h0, kLeastShare * h_max);
  h0 = std::min(h0, h_max);

  // The second derivative from one Euler step; where f is not defined, from a shorter one.
  bool defined = false;
  for (int attempt = 0; attempt < 12 && !defined; ++attempt) {
    if (attempt > 0) h0 *= kUndefinedShrink;
    problem.begin_step(t, h0, y, f);
    for (std::size_t i = 0; i < y.size(); ++i) probe[i] = y[i] + h0 * f[i];
    defined = eval_finite(problem, t + h0, probe, f_probe, counts);
  }
  if (!defined) return h0;
  for (std::size_t i = 0; i < y.size(); ++i) probe[i] = f_probe[i] - f[i];
  const double d2 = norm.calc(probe, y, y) / h0;

  const double d = std::max(d1, d2);
  const double h1 = d <= 1e-15 ? std::max(1e-6, 1e-3 * h0) : std::pow(0.01 / d, 1.0 / order);
  return std::min({100.0 * h0, h1, h_max});
}

}  // namespace driftless
