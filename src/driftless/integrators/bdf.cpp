// BDF of order 1 to 5 with variable step, in the form of fixed leading coefficient: bdf_history.hpp has the formulas, here
// is which step is taken at which order (Brenan, Campbell, Petzold 1996, 5.2).
//
// One step, told as one attempt after the other:
//
//   1. choose where to end and tell the problem (begin_step)
//   2. predict [BD.3]
//   3. solve F(t, y, y0' + a (y - y0)) = 0 for y    no solution: h is halved (corrector.hpp)
//   4. measure the error (adaptive)                 > 1: a shorter step, again from 1
//   5. commit: t, y, y', and the differences [BD.5]; choose order and step of what comes
//
// Error and order: bdf_order.hpp. Multipliers, algebraic components of index 2 and 3, are not in the test: no step would be
// small enough for them in the beginning; other components of index k are tested with the factor h^(k-1). Errors of the
// steps add up: with an error tol in each of N ~ tol^(-1/(k+1)) steps that of the run is tol^(k/(k+1)). So that it falls about
// as the tolerance, the steps are tested with
//
//   rtol' = max(2 rtol^1.15, 5e-13),   atol' = rtol' atol/rtol                                                      [BD.7]
//
// With index 3 velocities are tested with the factor h, so that each step may leave an error tol/h in those that the
// constraints leave free, too: in the run tol^((k-1)/(k+1)) at worst, which at order 5 would ask for the power 1.5. Most
// motions do not add up such errors all in one direction. Reactions, differences of velocities, do ring for some steps after
// each change of the step, by the change of the velocities' error over h, which is of the same size. The power is 1.24.
//
// Newton's method has to be more exact there, too. What it leaves in positions across the constraints, δ, comes back in the
// reactions as differences of differences, up to (sum_j |alpha_j|)^2 δ/h^2, at order 5 300 δ/h^2.
//
// The step is doubled if the error allows that, kept if it is below one half of the tolerance, and
// reduced else. A run begins at order 1 with a small step; order and step then grow with each step until an error says no.
//
// Fixed steps are of one order. Order 1 would spoil the beginning, so the first k steps are those of Radau IIA. Order 1
// itself needs no start: it is the backward Euler method.
//
// Adaptive steps at index 3 begin, and begin again, with five steps of Radau IIA as well. The multiplier of order 1 after
// a change of the step from H to h is (1 + H/h)/2 times the right one, however small both are (Arnold 2017, example 9): steps
// that double from order 1 on would leave it off by a quarter. Those of Radau IIA are off by h^2 and do not depend on the steps
// before. With their error e, the estimate of radau_stages.hpp in the norm of this method,
//
//   err = e max(1, rtol'^-0.4 / 256),   h_new = h clamp(err^(-1/4) / 2, 1/10, 2)                                     [BD.8]
//
// e alone would make h ~ rtol'^(1/4), and multipliers right to rtol'^(1/2) only; so they are to rtol'^0.7, about rtol^0.9.
// Velocities of Radau IIA are off by h^3 across the constraints, so steps are not doubled as long as one of its points counts.
// The last steps of a run are of one size (find_even_target).
//
// Corrections of y by the caller (Change::corrected) are smaller than the error and are not taken over: the differences
// belong to the points that the method found. In a new chart it begins again.

#include "driftless/integrators/bdf.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "driftless/base/error.hpp"
#include "driftless/integrators/bdf_history.hpp"
#include "driftless/integrators/bdf_order.hpp"
#include "driftless/integrators/bdf_start.hpp"
#include "driftless/integrators/corrector.hpp"
#include "driftless/integrators/radau_stages.hpp"
#include "driftless/integrators/step_control.hpp"
#include "driftless/integrators/step_ends.hpp"
#include "driftless/integrators/step_memory.hpp"

namespace driftless {
namespace {

constexpr double kBdfPowerForIndex3 = 1.24;
constexpr double kLeastForIndex3 = 1e-12;  // below, round-off over h^2 is all that multipliers are
constexpr double kBdfGoal = 0.01;
constexpr double kBdfGoalForIndex3 = 1e-4;

class Bdf final : public Stepper {
 public:
  Bdf(const StepControl& control, bool adaptive, int max_order)
      : control_(control), adaptive_(adaptive), max_order_(max_order) {
    rtol_ = atol_ = kFixedNewtonScale;
    if (adaptive) set_tolerance();
  }

  int order() const override { return adaptive_ ? order_.order() : max_order_; }
  bool is_adaptive() const override { return adaptive_; }
  bool keeps_history() const override { return max_order_ > 1; }
  double least_rtol() const override {
    return adaptive_ ? invert_bdf_tolerance(least_tolerance(), power()) : 0.0;
  }

  bool start(OdeProblem& problem, double t, std::span<const double> y, double t_end) override {
    DaeProblem* dae = problem.dae();
    if (dae == nullptr) return false;
    const auto n = static_cast<std::size_t>(dae->dae_size());
    assert(y.size() == n && problem.size() == dae->dae_size() && t_end >= t);
    ends_.resize(n);
    history_.resize(n);
    starter_.resize(n);
    corrector_.resize(n);
    for (auto* v : {&predicted_, &predicted_slope_, &y_, &y_dot_, &miss_, &scratch_})
      v->assign(n, 0.0);
    if (control_.step > 0.0) problem.begin_step(t, control_.step, y, {});
    if (!ends_.start(*dae, t, y)) return false;
    clock_.start(t, control_.step);
    h_ = control_.step;
    index3_ = has_index3(*dae);
    if (adaptive_) set_tolerance();
    begin_history(problem, t_end - t);
    return true;
  }

  StepReport step(OdeProblem& problem, double& t, std::span<double> y, double t_end) override {
    assert(t_end >= t);
    StepReport report{.order = order()};
    if (t == t_end) return report;
    ends_.begin(t, y, StepEnds::From::own);
    report.status =
        adaptive_ ? step_adaptive(problem, t_end, report) : step_fixed(problem, t_end, report);
    if (report.status != StepStatus::ok) return report;
    t = ends_.t1();
    std::copy(ends_.y1().begin(), ends_.y1().end(), y.begin());
    return report;
  }

  bool accept(OdeProblem& problem, double t, std::span<const double> y, Change change) override {
    if (!ends_.accept(*problem.dae(), t, y, change)) return false;
    if (change == Change::new_chart) begin_history(problem, 0.0);
    return true;
  }

  bool interpolate(OdeProblem&, double theta, std::span<double> y) override {
    const StepEnds::Where where = ends_.prepare(theta, y);
    if (where != StepEnds::Where::inside) return where == StepEnds::Where::end;
    if (by_starter_) {
      starter_.interpolate(theta, y);
    } else {
      history_.interpolate((theta - 1.0) * ends_.h(), y);
    }
    ends_.blend(theta, y);
    return true;
  }

  std::span<const double> slope() const override { return ends_.f1(); }
  const StepperCounts& counts() const override { return ends_.counts; }

 private:
  double power() const { return index3_ ? kBdfPowerForIndex3 : kBdfPower; }
  double least_tolerance() const { return index3_ ? kLeastForIndex3 : kLeastBdfTolerance; }
  void set_tolerance() {
    rtol_ = find_bdf_tolerance(control_.rtol, power(), least_tolerance());
    atol_ = rtol_ * (control_.atol / control_.rtol);
  }

  /// Order 1 would spoil the multipliers.
  bool needs_starter() const { return adaptive_ ? index3_ : max_order_ > 1; }

  /// From the point where the last step ended; adaptive: at order 1, with a step that suits it, or by Radau IIA.
  void begin_history(OdeProblem& problem, double rest) {
    norm_.start(problem, *problem.dae(), rtol_, atol_, ErrorTest::no_multipliers);
    corrector_.forget();
    starter_.forget();
    starting_ = needs_starter();
    last_order_ = starting_ ? max_order_ : 1;
    order_.begin(ends_.size(), last_order_, max_order_, index3_ ? 1.0 : std::max(rtol_, atol_));
    equal_steps_ = 0;
    since_rejection_ = kHighestBdf + 3;
    growing_ = !starting_;
    if (adaptive_ && !(ends_.counts.steps == 0 && control_.step > 0.0))
      h_ = index3_ ? find_first_starter_step(rest) : find_first_step(*problem.dae(), rest);
    history_.begin(ends_.own_y1(), starting_ ? std::span<const double>{} : ends_.f1(), h_);
  }

  /// Of order 1 [BD.10]; after the first one not more than the last step.
  double find_first_step(DaeProblem& dae, double rest) {
    double longest = ends_.counts.steps > 0 ? h_ : rest > 0.0 ? 1e-3 * rest : 1e-3;
    if (control_.max_step > 0.0) longest = std::min(longest, control_.max_step);
    return calc_first_bdf_step(
        dae, {ends_.t1(), ends_.own_y1(), ends_.f1(), longest, scratch_, predicted_slope_},
        order_.caution(1), norm_, ends_.counts);
  }

  /// Of Radau IIA: y changes by a hundredth; later what the last step was.
  double find_first_starter_step(double rest) {
    double h = ends_.counts.steps > 0 ? h_ : rest > 0.0 ? 1e-3 * rest : 1e-3;
    if (ends_.counts.steps == 0) {
      norm_.set_scale(ends_.own_y1(), 1.0);
      const double size = norm_.calc_slope(ends_.own_y1()), rate = norm_.calc_slope(ends_.f1());
      if (size > 1e-5 && rate > 1e-5) h = 0.01 * size / rate;
      if (rest > 0.0) h = std::min(h, rest);
    }
    return control_.max_step > 0.0 ? std::min(h, control_.max_step) : h;
  }

  StepStatus step_fixed(OdeProblem& problem, double t_end, StepReport& report) {
    StepTarget target = clock_.find_next(ends_.t0(), t_end);
    if (target.t <= ends_.t0()) return StepStatus::step_too_small;
    while (!attempt_fixed(problem, target)) {
      report.worst_component =
          by_starter_ ? starter_.find_worst_equation() : corrector_.find_worst_equation();
      if (report.rejected == kMostHalvings) return StepStatus::eval_failed;
      ++ends_.counts.rejected;
      begin_history(problem, 0.0);  // the past says nothing about what comes
      target = clock_.find_next(ends_.t0(), t_end, ++report.rejected);
    }
    clock_.advance(target);
    commit(target, report);
    return StepStatus::ok;
  }

  bool attempt_fixed(OdeProblem& problem, const StepTarget& target) {
    by_starter_ = starting_;
    return by_starter_ ? attempt_by_starter(problem, target, kFixedNewtonRules)
                       : attempt(problem, target, max_order_);
  }

  StepStatus step_adaptive(OdeProblem& problem, double t_end, StepReport& report) {
    const double t = ends_.t0();
    StepStatus reason = StepStatus::step_too_small;
    double least = std::numeric_limits<double>::infinity();  // what keeps the step from passing
    while (true) {
      by_starter_ = starting_;
      const StepTarget target = index3_ ? find_even_target(t, t_end, h_, control_.max_step)
                                        : find_step_target(t, t_end, h_, control_.max_step);
      if (is_step_too_small(h_, t, t_end) && (target.full || report.rejected > 0)) {
        report.possible_rtol = find_possible_rtol(least);
        return reason;
      }
      if (by_starter_ ? attempt_start(problem, target, report)
                      : attempt_and_estimate(problem, target, report)) {
        if (report.error <= 1.0) {
          commit(target, report);
          return StepStatus::ok;
        }
        least = std::min(least, report.error);
        shorten(target.h, ++report.rejected, report.error);
        reason = StepStatus::step_too_small;
      } else {
        report.worst_component =
            by_starter_ ? starter_.find_worst_equation() : corrector_.find_worst_equation();
        least = std::min(least, by_starter_ ? starter_.least_size() : corrector_.least_size());
        h_ = 0.5 * target.h;
        if (++report.rejected > 3 && !by_starter_) order_.set_order(1);
        growing_ = false;
        reason = StepStatus::eval_failed;
      }
      ++ends_.counts.rejected;
    }
  }

  double find_possible_rtol(double least) const {
    const double room = find_room_for_rounding(std::min(rtol_, atol_), least);
    return room > 0.0 ? invert_bdf_tolerance(room, power()) : 0.0;
  }

  bool attempt_and_estimate(OdeProblem& problem, const StepTarget& target, StepReport& report) {
    if (!attempt(problem, target, order_.order())) return false;
    report.error = order_.estimate(history_, norm_, miss_);
    if (report.worst_component < 0) report.worst_component = norm_.worst();
    report.order = order_.order();
    return true;
  }

  bool attempt_start(OdeProblem& problem, const StepTarget& target, StepReport& report) {
    NewtonRules rules = find_bdf_newton_rules(std::min(rtol_, atol_), 1.0, kBdfGoalForIndex3);
    rules.max_iterations = 10;
    rules.slow = NewtonRules{}.slow;
    if (!attempt_by_starter(problem, target, rules) ||
        !starter_.calc_error(*problem.dae(), scratch_, ends_.counts))
      return false;
    report.error = norm_.calc_error(scratch_) * std::max(1.0, std::pow(rtol_, -0.4) / 256.0);
    if (report.worst_component < 0) report.worst_component = norm_.worst();
    return true;
  }

  /// After a step whose error was too large; after three of them order 1, as the past says nothing about what comes.
  void shorten(double h, int rejected, double error) {
    growing_ = false;
    double factor = 0.25;
    if (by_starter_) {
      factor = std::min(0.5, find_start_factor(error));
    } else if (rejected >= 3) {
      order_.set_order(1);
    } else {
      if (order_.is_lower_better()) order_.lower();
      if (rejected == 1) factor = std::clamp(0.9 * order_.find_step_factor(), 0.25, 0.9);
    }
    h_ = factor * h;
  }

  // [BD.8]
  static double find_start_factor(double error) {
    return std::clamp(0.5 * std::pow(std::max(error, 1e-30), -0.25), 0.1, 2.0);
  }

  bool attempt_by_starter(OdeProblem& problem, const StepTarget& target, const NewtonRules& rules) {
    problem.begin_step(ends_.t0(), target.h, ends_.y0(), ends_.f0());
    norm_.set_scale(ends_.own_y1(), target.h);
    if (starter_.attempt(*problem.dae(), ends_.t0(), target.t, target.h, ends_.own_y1(), ends_.f0(),
                         norm_, rules, ends_.counts) != NewtonResult::converged)
      return false;
    history_.predict(target.h, history_.known() - 1, predicted_, predicted_slope_);
    std::copy(starter_.y1().begin(), starter_.y1().end(), y_.begin());
    std::copy(starter_.slope().begin(), starter_.slope().end(), y_dot_.begin());
    for (std::size_t i = 0; i < y_.size(); ++i) miss_[i] = y_[i] - predicted_[i];
    return true;
  }

  /// Predict and solve: the new y and y' are in y_ and y_dot_, what the prediction missed in miss_.
  bool attempt(OdeProblem& problem, const StepTarget& target, int k) {
    problem.begin_step(ends_.t0(), target.h, ends_.y0(), ends_.f0());
    norm_.set_scale(ends_.own_y1(), target.h);
    history_.predict(target.h, k, predicted_, predicted_slope_);
    return corrector_.solve(*problem.dae(),
                            {target.t, history_.leading(), predicted_, predicted_slope_}, norm_,
                            find_newton_rules(k), {y_, y_dot_, miss_}, ends_.counts);
  }

  NewtonRules find_newton_rules(int k) const {
    if (!adaptive_) return kFixedNewtonRules;
    return find_bdf_newton_rules(std::min(rtol_, atol_), order_.caution(k),
                                 index3_ ? kBdfGoalForIndex3 : kBdfGoal);
  }

  void commit(const StepTarget& target, StepReport& report) {
    const int k = order_.order();
    const bool same = last_order_ == k && std::abs(target.h - ends_.h()) <= 1e-12 * target.h;
    equal_steps_ = same ? equal_steps_ + 1 : 1;
    last_order_ = k;
    since_rejection_ = report.rejected > 0 ? 1 : since_rejection_ + 1;
    if (adaptive_ && by_starter_) {
      h_ = find_start_factor(report.error) * target.h;
      if (control_.max_step > 0.0) h_ = std::min(h_, control_.max_step);
    } else if (adaptive_) {
      choose(target);
    }
    history_.extend(y_, miss_);
    ends_.commit(target.t, target.h, y_, y_dot_);
    report.h = target.h;
    if (by_starter_) {
      starter_.keep();
      starting_ = history_.known() <= max_order_;
      if (!starting_) {
        corrector_.forget();
        since_rejection_ = 0;
      }
    } else {
      corrector_.accept();
    }
  }

  /// Order and step of what comes, before the differences are extended.
  void choose(const StepTarget& target) {
    const int k = order_.order();
    const bool lower = order_.is_lower_better();
    if (lower || k == max_order_) growing_ = false;
    double h = target.h;
    if (growing_) {
      order_.set_order(k + 1);
      h *= 2.0;
    } else {
      order_.choose(lower, equal_steps_, history_, norm_, miss_);
      const double factor = order_.find_step_factor();
      // Not soon after a rejection: else steps never stay equal, and the order never rises.
      if (factor >= 2.0 && since_rejection_ > k + 3) {
        h *= 2.0;
      } else if (factor <= 1.0) {
        h *= std::clamp(factor, 0.5, 0.9);
      }
    }
    // A step cut short by t_end gives no reason to shorten the next one.
    h_ = target.full ? h : std::max(h, h_);
    if (control_.max_step > 0.0) h_ = std::min(h_, control_.max_step);
  }

  StepControl control_;
  bool adaptive_;
  int max_order_;
  double rtol_, atol_;  // of the norm
  bool index3_ = false;
  StepEnds ends_;
  BdfHistory history_;
  RadauStages starter_;  // of fixed steps, and of index 3
  Corrector corrector_;
  DaeNorm norm_;
  FixedClock clock_;
  std::vector<double> predicted_, predicted_slope_, y_, y_dot_, miss_, scratch_;  // (n)
  BdfOrder order_;      // of the next step
  int last_order_ = 1;  // of the last one

  int equal_steps_ = 0;      // of the same size and order
  int since_rejection_ = 0;  // accepted steps
  bool growing_ = true;      // the beginning, where order and step grow together
  bool starting_ = false;    // the next step is one of the starter
  bool by_starter_ = false;  // the last one is
  double h_ = 0.0;           // of the next step
};

}  // namespace

// [BD.7]
double find_bdf_tolerance(double rtol, double power, double least) {
  return std::max(2.0 * std::pow(rtol, power), least);
}

std::unique_ptr<Stepper> make_bdf(const StepControl& control, bool adaptive, int max_order) {
  if (max_order < 1 || max_order > kHighestBdf) {
    throw ModelError(fmt::format("bdf: max_order = {}: must be 1 to {}", max_order, kHighestBdf),
                     "formulas of a higher order are not stable; use radau5 for small errors");
  }
  check_step_control(control, adaptive);
  return std::make_unique<Bdf>(control, adaptive, max_order);
}

}  // namespace driftless
