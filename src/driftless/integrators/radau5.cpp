// RADAU5: the stages of radau_stages.cpp, and which step they are asked to take.
//
// One step, told as one attempt after the other:
//
//   1. choose where to end: the grid of fixed steps, or the controller's h; never beyond t_end. At index 3 the last steps of a
//      run are of one size: a step h after others of size H has their error of velocities, H³, as one of H³/h in λ
//   2. tell the problem (begin_step)
//   3. solve for the stages                        no solution: h is halved
//   4. measure the error (adaptive)                > 1: a shorter step, again from 1
//   5. commit: t, y, and the polynomial's slope at the end
//
// Tolerance. The estimate [RD.5] falls as h^4, as the error between steps does, that of a whole run at the ends of steps
// as h^5. So that both fall about as the tolerance, with the powers 0.8 and 1, the estimate is compared with
//
//   rtol' = 0.3 rtol^0.8,   atol' = rtol' atol/rtol                                                                 [R5.1]
//
// Where theory reduces the order (Hairer, Lubich, Roche 1989), errors fall as rtol^(p/5): multipliers of index 2 and
// velocities of index 3 with p = 3, 0.6, multipliers of index 3 with p = 2, 0.4.
//
// Control (Gustafsson 1994). With N the most iterations that Newton's method may take, and n those that it took,
//
//   h_new = h fac err^(-1/4),   fac = 0.9 (2 N + 1) / (2 N + n)                                                     [R5.2]
//
// and, from the second accepted step on, not more than a step that also follows the trend of the errors:
//
//   h_new <= 0.9 h (h / h_old) (err_old / err^2)^(1/4)                                                              [R5.3]
//
// within [1/5, 8] h. An h_new within [1, 1.2] h is not taken if the factorisation can stay.                         [R5.4]
//
// Newton's method ends where what is left is less than, in the norm of the error test,
//
//   min(0.03, sqrt(rtol')),   at index 3  min(0.001, 0.1 sqrt(rtol'))                                               [R5.5]
//
// A gap g that it leaves in positions is closed within the next step, by velocities of size g/h and multipliers of size g/h^2 there:
// weighed by their powers of h, they are errors of size gamma^2 g, gamma^2 = 13 [RD.2], and no shorter step makes them smaller.

#include "driftless/integrators/radau5.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <vector>

#include "driftless/integrators/radau_stages.hpp"
#include "driftless/integrators/step_control.hpp"
#include "driftless/integrators/step_ends.hpp"

namespace driftless {
namespace {

constexpr int kRadauOrder = 5;
constexpr double kRadauSafety = 0.9;
constexpr double kRadauShrink = 0.2;
constexpr double kRadauGrowth = 8.0;
constexpr double kKeepStepUpTo = 1.2;
constexpr double kNewtonShrink = 0.5;
// [R5.5], and its factor before the root
constexpr double kRadauGoal = 0.03;
constexpr double kRadauGoalForIndex3 = 1e-3;
constexpr double kRadauShareForIndex3 = 0.1;
// Multipliers μ are of size ε/h, and each iteration of three stages brings their rounding back into z.
constexpr double kRadauRoundings = 3000.0;

/// [R5.2] to [R5.4]
class PredictiveController {
 public:
  void start(double h, double max_step, bool ends_evenly) {
    h_ = h;
    max_step_ = max_step;
    ends_evenly_ = ends_evenly;
    has_old_ = rejected_ = false;
  }
  StepTarget find_next(double t, double t_end) const {
    return ends_evenly_ ? find_even_target(t, t_end, h_, max_step_)
                        : find_step_target(t, t_end, h_, max_step_);
  }
  bool is_too_small(double t, double t_end) const { return is_step_too_small(h_, t, t_end); }
  /// First, or after a rejection.
  bool is_cautious() const { return !has_old_ || rejected_; }

  void accept(const StepTarget& target, double error, double newton_share, bool keeps_matrices) {
    double factor = find_factor(error, newton_share);
    if (has_old_) {
      const double trend = kRadauSafety * (target.h / old_h_) *
                           std::pow(old_error_ / std::max(error * error, 1e-30), 0.25);
      factor = std::min(factor, std::clamp(trend, kRadauShrink, kRadauGrowth));
    }
    if (rejected_) factor = std::min(factor, 1.0);
    if (keeps_matrices && factor >= 1.0 && factor <= kKeepStepUpTo) factor = 1.0;
    // A step cut short by t_end gives no reason to shorten the next one, nor a trend.
    if (target.full) {
      old_h_ = target.h;
      old_error_ = std::max(0.01, error);
      has_old_ = true;
    }
    if (target.full || target.h * factor > h_ || target.h >= h_) h_ = target.h * factor;
    rejected_ = false;
  }
  void reject(const StepTarget& target, double error, double newton_share) {
    h_ = target.h * (has_old_ ? std::min(find_factor(error, newton_share), 1.0) : 0.1);
    rejected_ = true;
  }
  void reject_newton(const StepTarget& target) {
    h_ = kNewtonShrink * target.h;
    rejected_ = true;
  }

 private:
  static double find_factor(double error, double newton_share) {
    const double factor = kRadauSafety * newton_share * std::pow(std::max(error, 1e-30), -0.25);
    return factor > kRadauShrink ? std::min(factor, kRadauGrowth) : kRadauShrink;
  }

  double h_ = 0.0;
  double max_step_ = 0.0;
  bool ends_evenly_ = false;
  double old_h_ = 0.0;
  double old_error_ = 0.0;
  bool has_old_ = false;
  bool rejected_ = false;
};

class Radau5 final : public Stepper {
 public:
  Radau5(const StepControl& control, bool adaptive) : control_(control), adaptive_(adaptive) {
    rtol_ = atol_ = kFixedNewtonScale;
    if (!adaptive) return;
    rtol_ = 0.3 * std::pow(control.rtol, 0.8);  // [R5.1]
    atol_ = rtol_ * (control.atol / control.rtol);
  }

  int order() const override { return kRadauOrder; }
  bool is_adaptive() const override { return adaptive_; }

  bool start(OdeProblem& problem, double t, std::span<const double> y, double t_end) override {
    DaeProblem* dae = problem.dae();
    if (dae == nullptr) return false;
    const auto n = static_cast<std::size_t>(dae->dae_size());
    assert(y.size() == n && problem.size() == dae->dae_size() && t_end >= t);
    ends_.resize(n);
    stages_.resize(n);
    error_.assign(n, 0.0);
    if (control_.step > 0.0) problem.begin_step(t, control_.step, y, {});
    if (!ends_.start(*dae, t, y)) return false;
    clock_.start(t, control_.step);
    set_rules(has_index3(*dae));
    norm_.start(problem, *dae, rtol_, atol_, ErrorTest::all);
    controller_.start(control_.step > 0.0 ? control_.step : find_first_step(t_end - t),
                      control_.max_step, has_index3(*dae));
    return true;
  }

  StepReport step(OdeProblem& problem, double& t, std::span<double> y, double t_end) override {
    assert(t_end >= t);
    StepReport report{.order = kRadauOrder};
    if (t == t_end) return report;
    ends_.begin(t, y, StepEnds::From::caller);
    report.status =
        adaptive_ ? step_adaptive(problem, t_end, report) : step_fixed(problem, t_end, report);
    if (report.status != StepStatus::ok) {
      if (report.rejected == 0) report.worst_component = norm_.worst();  // of the last step
      return report;
    }
    t = ends_.t1();
    std::copy(ends_.y1().begin(), ends_.y1().end(), y.begin());
    return report;
  }

  bool accept(OdeProblem& problem, double t, std::span<const double> y, Change change) override {
    DaeProblem& dae = *problem.dae();
    if (change == Change::new_chart) {
      stages_.forget();
      norm_.start(problem, dae, rtol_, atol_, ErrorTest::all);
    }
    return ends_.accept(dae, t, y, change);
  }

  bool interpolate(OdeProblem&, double theta, std::span<double> y) override {
    const StepEnds::Where where = ends_.prepare(theta, y);
    if (where != StepEnds::Where::inside) return where == StepEnds::Where::end;
    stages_.interpolate(theta, y);
    ends_.blend(theta, y);
    return true;
  }

  std::span<const double> slope() const override { return ends_.f1(); }
  const StepperCounts& counts() const override { return ends_.counts; }

 private:
  /// [R5.5]
  void set_rules(bool index3) {
    rules_ = kFixedNewtonRules;
    if (!adaptive_) return;
    const double round_off = find_newton_round_off(std::min(rtol_, atol_), kRadauRoundings);
    const double root = std::sqrt(rtol_);
    const double goal = index3 ? std::min(kRadauGoalForIndex3, kRadauShareForIndex3 * root)
                               : std::min(kRadauGoal, root);
    rules_ = {
        .goal = std::max(0.01 * round_off, goal), .max_iterations = 10, .round_off = round_off};
  }

  /// As explicit methods begin, but without a second derivative: the controller soon finds its step.
  double find_first_step(double rest) {
    norm_.set_scale(ends_.y1(), 1.0);
    const double d0 = norm_.calc_slope(ends_.y1()), d1 = norm_.calc_slope(ends_.f1());
    double h = d0 < 1e-5 || d1 < 1e-5 ? 1e-4 : 0.01 * d0 / d1;
    if (rest > 0.0) h = std::min(h, rest);
    return control_.max_step > 0.0 ? std::min(h, control_.max_step) : h;
  }

  StepStatus step_fixed(OdeProblem& problem, double t_end, StepReport& report) {
    StepTarget target = clock_.find_next(ends_.t0(), t_end);
    if (target.t <= ends_.t0()) return StepStatus::step_too_small;
    while (!attempt(problem, target)) {
      report.worst_component = stages_.find_worst_equation(*problem.dae());
      if (report.rejected == kMostHalvings) return StepStatus::eval_failed;
      ++ends_.counts.rejected;
      target = clock_.find_next(ends_.t0(), t_end, ++report.rejected);
    }
    clock_.advance(target);
    commit(target, report);
    return StepStatus::ok;
  }

  StepStatus step_adaptive(OdeProblem& problem, double t_end, StepReport& report) {
    const double t = ends_.t0();
    StepStatus reason = StepStatus::step_too_small;
    double largest = 0.0;                                    // error over the attempts
    double least = std::numeric_limits<double>::infinity();  // what keeps the step from passing
    while (true) {
      const StepTarget target = controller_.find_next(t, t_end);
      if (controller_.is_too_small(t, t_end) && (target.full || report.rejected > 0)) {
        report.possible_rtol = find_possible_rtol(least);
        return reason;
      }
      double error = 0.0;
      if (attempt(problem, target) && calc_error(*problem.dae(), error)) {
        if (!(error <= largest) || report.worst_component < 0) {
          largest = error;
          report.worst_component = norm_.worst();
        }
        if (error <= 1.0) {
          controller_.accept(target, error, find_newton_share(), stages_.keeps_derivatives());
          report.error = error;
          commit(target, report);
          return StepStatus::ok;
        }
        least = std::min(least, error);
        controller_.reject(target, error, find_newton_share());
        reason = StepStatus::step_too_small;
      } else {
        least = std::min(least, stages_.least_size());
        controller_.reject_newton(target);
        report.worst_component = stages_.find_worst_equation(*problem.dae());
        reason = StepStatus::eval_failed;
      }
      ++report.rejected;
      ++ends_.counts.rejected;
    }
  }

  double find_possible_rtol(double least) const {  // [R5.1]
    const double room = find_room_for_rounding(std::min(rtol_, atol_), least);
    return std::pow(room / 0.3, 1.0 / 0.8);
  }

  bool attempt(OdeProblem& problem, const StepTarget& target) {
    problem.begin_step(ends_.t0(), target.h, ends_.y0(), ends_.f0());
    norm_.set_scale(ends_.y0(), target.h);
    return stages_.attempt(*problem.dae(), ends_.t0(), target.t, target.h, ends_.y0(), ends_.f0(),
                           norm_, rules_, ends_.counts) == NewtonResult::converged;
  }

  bool calc_error(DaeProblem& dae, double& error) {
    if (!stages_.calc_error(dae, error_, ends_.counts)) return false;
    error = norm_.calc_error(error_);
    if (error < 1.0 || !controller_.is_cautious()) return true;
    if (stages_.filter_error(dae, error_, ends_.counts)) error = norm_.calc_error(error_);
    return true;
  }

  double find_newton_share() const {  // [R5.2]
    const double most = 2.0 * rules_.max_iterations;
    return (most + 1.0) / (most + stages_.iterations());
  }

  void commit(const StepTarget& target, StepReport& report) {
    ends_.commit(target.t, target.h, stages_.y1(), stages_.slope());
    stages_.keep();
    report.h = target.h;
  }

  StepControl control_;
  bool adaptive_;
  double rtol_, atol_;  // of the norm
  NewtonRules rules_;
  StepEnds ends_;
  RadauStages stages_;
  DaeNorm norm_;
  FixedClock clock_;                 // fixed
  PredictiveController controller_;  // adaptive
  std::vector<double> error_;        // (n)
};

}  // namespace

std::unique_ptr<Stepper> make_radau5(const StepControl& control, bool adaptive) {
  check_step_control(control, adaptive);
  return std::make_unique<Radau5>(control, adaptive);
}

}  // namespace driftless
