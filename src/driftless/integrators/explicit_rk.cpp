// One step, told as one attempt after the other:
//
//   1. choose where to end: the grid of fixed steps, or the controller's h; never beyond t_end
//   2. tell the problem (begin_step)
//   3. evaluate the stages                         undefined: fixed fails, adaptive divides h by 4
//   4. measure the error (adaptive)                > 1, also what corrections leave of it: a shorter step, again from 1
//   5. commit: t, y, and the slope if the method is FSAL
//
// The slope of an FSAL method belongs to y before the caller's corrections. It is therefore not
// taken for granted as the next first stage: `accept` evaluates f anew unless it hears that y is
// unchanged.

#include "driftless/integrators/explicit_rk.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "driftless/base/error.hpp"
#include "driftless/integrators/runge_kutta_step.hpp"
#include "driftless/integrators/step_control.hpp"
#include "driftless/integrators/step_memory.hpp"

namespace driftless {
namespace {

class ExplicitRk final : public Stepper {
 public:
  ExplicitRk(Tableau tableau, const StepControl& control, bool adaptive)
      : stages_(std::move(tableau)), control_(control), adaptive_(adaptive) {}

  int order() const override { return stages_.tableau().order; }
  bool is_adaptive() const override { return adaptive_; }

  bool start(OdeProblem& problem, double t, std::span<const double> y, double t_end) override {
    const auto n = static_cast<std::size_t>(problem.size());
    assert(y.size() == n && t_end >= t);
    memory_.resize(n, stages_.polynomial_rows());
    stages_.resize(n);
    error_.assign(adaptive_ ? n : 0, 0.0);
    scratch_.assign(adaptive_ ? n : 0, 0.0);
    if (control_.step > 0.0) problem.begin_step(t, control_.step, y, {});
    if (!memory_.start(problem, t, y)) return false;
    clock_.start(t, control_.step);
    if (adaptive_) start_control(problem, t, y, t_end);
    return true;
  }

  StepReport step(OdeProblem& problem, double& t, std::span<double> y, double t_end) override {
    assert(t_end >= t);
    StepReport report{.order = order()};
    if (t == t_end) return report;
    memory_.begin(t, y);
    report.status = adaptive_ ? step_adaptive(problem, t, t_end, report)
                              : step_fixed(problem, t, t_end, report);
    if (report.status == StepStatus::ok) {
      t = memory_.t1();
      std::copy(memory_.y1().begin(), memory_.y1().end(), y.begin());
    }
    return report;
  }

  bool accept(OdeProblem& problem, double t, std::span<const double> y, Change change) override {
    if (adaptive_ && change == Change::new_chart)
      norm_.start(problem, control_.rtol, control_.atol);
    return memory_.accept(problem, t, y, change);
  }

  bool interpolate(OdeProblem& problem, double theta, std::span<double> y) override {
    const StepMemory::Where where = memory_.prepare(problem, theta, y);
    if (where != StepMemory::Where::inside) return where == StepMemory::Where::end;
    if (!memory_.dense_ready()) {
      if (!stages_.eval_dense_rows(problem, memory_)) return false;
      memory_.set_dense_ready();
    }
    memory_.eval_polynomial(theta, y);
    return true;
  }

  std::span<const double> slope() const override { return memory_.f1(); }
  const StepperCounts& counts() const override { return memory_.counts; }

 private:
  void start_control(OdeProblem& problem, double t, std::span<const double> y, double t_end) {
    norm_.start(problem, control_.rtol, control_.atol);
    constexpr double kUnbounded = std::numeric_limits<double>::infinity();
    const double rest = t_end > t ? t_end - t : kUnbounded;
    const double h_max = std::min(rest, control_.max_step > 0.0 ? control_.max_step : kUnbounded);
    double h = control_.step;
    if (h == 0.0) {
      h = calc_first_step(problem, t, y, memory_.f1(), h_max, order(), norm_, scratch_, error_,
                          memory_.counts);
    }
    worst_ = -1;
    const Tableau& m = stages_.tableau();
    controller_.start(h, control_.max_step, m.error_order, m.pi_beta,
                      StepController::Memory::of_trend, m.growth);
  }

  StepStatus step_fixed(OdeProblem& problem, double t, double t_end, StepReport& report) {
    const StepTarget target = clock_.find_next(t, t_end);
    if (target.t <= t) return StepStatus::step_too_small;
    if (!attempt(problem, target)) {
      report.worst_component = find_nonfinite(stages_.y1());
      return StepStatus::eval_failed;
    }
    clock_.advance(target);
    commit(target, report);
    return StepStatus::ok;
  }

  StepStatus step_adaptive(OdeProblem& problem, double t, double t_end, StepReport& report) {
    StepStatus reason = StepStatus::step_too_small;
    double largest = 0.0;  // error over the attempts
    while (true) {
      const StepTarget target = controller_.find_next(t, t_end);
      if (controller_.is_too_small(t, t_end) && (target.full || report.rejected > 0)) {
        report.worst_component = worst_;
        return reason;
      }
      if (attempt(problem, target)) {
        const double error = calc_error_norm(problem, target, Errors::all);
        if (!(error <= largest) || report.worst_component < 0) {
          largest = error;
          report.worst_component = worst_ = norm_.worst();
        }
        const JumpNear jump = problem.find_jump();
        const bool may_shift = controller_.may_repeat_beside();
        const bool is_corrected = error > 1.0 && may_be_corrected(error, control_.rtol);
        const double lasting =
            is_corrected ? calc_error_norm(problem, target, Errors::lasting) : error;
        if (lasting <= 1.0 && !(jump == JumpNear::reached && may_shift)) {
          controller_.accept(target, is_corrected ? std::max(lasting, kSteady) : error, jump);
          report.error = lasting;
          commit(target, report);
          return StepStatus::ok;
        }
        if (jump != JumpNear::none && may_shift) {
          controller_.reject_beside(target);
        } else {
          controller_.reject(target, error);
        }
        reason = StepStatus::step_too_small;
      } else {
        controller_.reject_undefined(target);
        reason = StepStatus::eval_failed;
      }
      ++report.rejected;
      ++memory_.counts.rejected;
    }
  }

  static constexpr double kSteady = 0.5;  // an error after which the step stays about as it is

  bool attempt(OdeProblem& problem, const StepTarget& target) {
    problem.begin_step(memory_.t0(), target.h, memory_.y0(), memory_.f0());
    return stages_.attempt(problem, memory_, target.h, target.t, adaptive_);
  }

  enum class Errors { all, lasting };  ///< lasting: those that corrections behind the step leave

  double calc_error_norm(OdeProblem& problem, const StepTarget& target, Errors errors) {
    const Tableau& m = stages_.tableau();
    const auto find_norm = [&](const std::vector<double>& weights) {
      stages_.calc_error(memory_, target.h, weights, error_);
      if (errors == Errors::lasting) problem.drop_corrected(target.t, stages_.y1(), error_);
      return norm_.calc(error_, memory_.y0(), stages_.y1());
    };
    const double low = m.e_low.empty() ? 0.0 : find_norm(m.e_low);
    const double error = find_norm(m.e);
    if (m.e_low.empty() || error == 0.0) return error;
    return error * (error / std::sqrt(error * error + 0.01 * low * low));
  }

  void commit(const StepTarget& target, StepReport& report) {
    memory_.commit(target.t, target.h, stages_.y1(), stages_.end_slope());
    report.h = target.h;
  }

  RungeKuttaStep stages_;
  StepControl control_;
  bool adaptive_;
  StepMemory memory_;
  FixedClock clock_;  // fixed
  ErrorNorm norm_;    // adaptive, as all below
  StepController controller_;
  std::vector<double> error_;  // (n) filled by calc_error_norm
  std::vector<double> scratch_;
  int worst_ = -1;  // component of the last step's largest error
};

}  // namespace

std::unique_ptr<Stepper> make_explicit_rk(Tableau tableau, const StepControl& control,
                                          bool adaptive) {
  check_tableau(tableau);
  return make_known_rk(std::move(tableau), control, adaptive);
}

std::unique_ptr<Stepper> make_known_rk(Tableau tableau, const StepControl& control, bool adaptive) {
  if (adaptive && tableau.e.empty()) {
    throw ModelError(
        fmt::format("{} has no error estimate: it cannot choose its step by a tolerance",
                    tableau.name),
        "use dopri5, dop853 or adams, or give a step");
  }
  check_step_control(control, adaptive);
  return std::make_unique<ExplicitRk>(std::move(tableau), control, adaptive);
}

}  // namespace driftless
