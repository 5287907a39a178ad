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
// small enough for them in the beginning; other components of index k are tested with the factor h^(k-1). What the
// steps are tested with: bdf_start.hpp.
//
// The step is doubled if the error allows that, kept if it is below one half of the tolerance, and
// reduced else. A run begins at order 1 with a small step; order and step then grow with each step until an error says no.
//
// Fixed steps are of one order; the first k of them, and the first five at index 3, are those of Radau IIA (bdf_starter.hpp).
// Order 1 itself needs no start: it is the backward Euler method.
//
// Steps are not doubled as long as one of its points counts. At index 3 the last steps of a run are of one size
// (find_even_target).
//
// Integrals that are carried along, the work of the forces, are not those of the formulas: carried_integrals.hpp.
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
#include "driftless/integrators/bdf_starter.hpp"
#include "driftless/integrators/carried_integrals.hpp"
#include "driftless/integrators/corrector.hpp"
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
    integrals_.start(*dae, t, ends_.f1(), adaptive_ ? control_.rtol : kFixedNewtonScale,
                     adaptive_ ? control_.atol : kFixedNewtonScale);
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
    settling_ = change == Change::new_chart;
    return true;
  }

  bool interpolate(OdeProblem& problem, double theta, std::span<double> y) override {
    const StepEnds::Where where = ends_.prepare(theta, y);
    if (where != StepEnds::Where::inside) return where == StepEnds::Where::end;
    if (by_starter_) {
      starter_.interpolate(*problem.dae(), ends_.t0() + theta * ends_.h(), theta, y);
    } else {
      history_.interpolate((theta - 1.0) * ends_.h(), y);
    }
    ends_.blend(theta, y);
    integrals_.interpolate(theta, y);
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

  /// Of Radau IIA; later what the last step was.
  double find_first_starter_step(double rest) {
    double h = ends_.counts.steps > 0 ? h_ : rest > 0.0 ? 1e-3 * rest : 1e-3;
    if (ends_.counts.steps == 0) {
      if (const double found = BdfStarter::find_first_step(ends_, norm_); found > 0.0) h = found;
      if (rest > 0.0) h = std::min(h, rest);
    }
    return control_.max_step > 0.0 ? std::min(h, control_.max_step) : h;
  }

  StepStatus step_fixed(OdeProblem& problem, double t_end, StepReport& report) {
    StepTarget target = clock_.find_next(ends_.t0(), t_end);
    if (target.t <= ends_.t0()) return StepStatus::step_too_small;
    while (!attempt_fixed(problem, target)) {
      report.worst_component = find_worst_equation(*problem.dae());
      if (report.rejected == kMostHalvings) return StepStatus::eval_failed;
      ++ends_.counts.rejected;
      begin_history(problem, 0.0);  // the past says nothing about what comes
      target = clock_.find_next(ends_.t0(), t_end, ++report.rejected);
    }
    clock_.advance(target);
    commit(problem, target, report);
    return StepStatus::ok;
  }

  int find_worst_equation(const DaeProblem& dae) const {
    return by_starter_ ? starter_.find_worst_equation(dae) : corrector_.find_worst_equation(dae);
  }

  bool attempt_fixed(OdeProblem& problem, const StepTarget& target) {
    by_starter_ = starting_;
    return by_starter_ ? starter_.attempt(problem, ends_, target, norm_, kFixedNewtonRules)
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
        if (report.worst_component < 0) report.worst_component = worst_;
        return reason;
      }
      if (by_starter_ ? attempt_start(problem, target, report)
                      : attempt_and_estimate(problem, target, report)) {
        if (report.error <= 1.0) {
          commit(problem, target, report);
          return StepStatus::ok;
        }
        least = std::min(least, report.error);
        shorten(target.h, ++report.rejected, report.error);
        reason = StepStatus::step_too_small;
      } else {
        report.worst_component = find_worst_equation(*problem.dae());
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
    // What Newton's method left open in the last chart is closed now, and no shorter step makes it smaller.
    if (settling_) report.error /= order_.caution(order_.order());
    worst_ = norm_.worst();
    if (report.worst_component < 0) report.worst_component = worst_;
    report.order = order_.order();
    return true;
  }

  bool attempt_start(OdeProblem& problem, const StepTarget& target, StepReport& report) {
    NewtonRules rules = find_bdf_newton_rules(std::min(rtol_, atol_), 1.0, kBdfGoalForIndex3);
    rules.max_iterations = 10;
    rules.slow = NewtonRules{}.slow;
    if (!starter_.attempt(problem, ends_, target, norm_, rules) ||
        !starter_.calc_error(*problem.dae(), norm_, rtol_, ends_, report.error))
      return false;
    worst_ = norm_.worst();
    if (report.worst_component < 0) report.worst_component = worst_;
    return true;
  }

  /// After a step whose error was too large; after three of them order 1, as the past says nothing about what comes.
  void shorten(double h, int rejected, double error) {
    growing_ = false;
    double factor = 0.25;
    if (by_starter_) {
      factor = std::min(0.5, BdfStarter::find_factor(error));
    } else if (rejected >= 3) {
      order_.set_order(1);
    } else {
      if (order_.is_lower_better()) order_.lower();
      if (rejected == 1) factor = std::clamp(0.9 * order_.find_step_factor(), 0.25, 0.9);
    }
    h_ = factor * h;
  }

  /// What the starter found, beside what the differences predict.
  void take_start(DaeProblem& dae, const StepTarget& target) {
    starter_.make_consistent(dae, target.t);
    history_.predict(target.h, history_.known() - 1, predicted_, predicted_slope_);
    std::copy(starter_.y1().begin(), starter_.y1().end(), y_.begin());
    std::copy(starter_.slope().begin(), starter_.slope().end(), y_dot_.begin());
    for (std::size_t i = 0; i < y_.size(); ++i) miss_[i] = y_[i] - predicted_[i];
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

  void commit(OdeProblem& problem, const StepTarget& target, StepReport& report) {
    if (by_starter_) take_start(*problem.dae(), target);
    const int k = order_.order();
    const bool same = last_order_ == k && std::abs(target.h - ends_.h()) <= 1e-12 * target.h;
    equal_steps_ = same ? equal_steps_ + 1 : 1;
    last_order_ = k;
    since_rejection_ = report.rejected > 0 ? 1 : since_rejection_ + 1;
    if (adaptive_ && by_starter_) {
      h_ = BdfStarter::find_factor(report.error) * target.h;
      if (control_.max_step > 0.0) h_ = std::min(h_, control_.max_step);
    } else if (adaptive_) {
      choose(target);
    }
    history_.extend(y_, miss_);
    ends_.commit(target.t, target.h, y_, y_dot_);
    if (by_starter_) {
      integrals_.advance_by_stages(ends_);
    } else {
      integrals_.advance(problem, *this, ends_);
    }
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
  BdfStarter starter_;  // of fixed steps, and of index 3
  CarriedIntegrals integrals_;
  Corrector corrector_;
  DaeNorm norm_;
  FixedClock clock_;
  std::vector<double> predicted_, predicted_slope_, y_, y_dot_, miss_, scratch_;  // (n)
  BdfOrder order_;      // of the next step
  int last_order_ = 1;  // of the last one
  int worst_ = -1;      // component of the last attempt's largest error

  int equal_steps_ = 0;      // of the same size and order
  int since_rejection_ = 0;  // accepted steps
  bool growing_ = true;      // the beginning, where order and step grow together
  bool settling_ = false;    // the next step is the first one in a new chart
  bool starting_ = false;    // the next step is one of the starter
  bool by_starter_ = false;  // the last one is
  double h_ = 0.0;           // of the next step
};

}  // namespace

std::unique_ptr<Stepper> make_bdf(const StepControl& control, bool adaptive, int max_order) {
  if (max_order < 1 || max_order > kHighestBdf) {
    throw ModelError(fmt::format("bdf: max_order = {}: must be 1 to {}", max_order, kHighestBdf),
                     "formulas of a higher order are not stable; use radau5 for small errors");
  }
  check_step_control(control, adaptive);
  return std::make_unique<Bdf>(control, adaptive, max_order);
}

}  // namespace driftless
