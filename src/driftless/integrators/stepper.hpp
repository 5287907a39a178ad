#pragma once
// One step of an integrator, told as one attempt; the loop over steps lives in run/.
//
// Contract. `start` allocates everything; afterwards nothing is allocated. `step` advances (t, y)
// by one accepted step of at most t_end - t. Then the caller may correct y (drift control) and MUST
// call `accept`, which tells what happened to y: the stepper evaluates f at the new (t, y) there
// (it is the first stage of the next step), so that `interpolate` runs between the corrected ends,
// with their true slopes.

#include <memory>
#include <span>
#include <string>

#include "driftless/problem/ode_problem.hpp"

namespace driftless {

enum class StepStatus {
  ok,
  eval_failed,     ///< f is not defined and no smaller step helps (fixed step: at once)
  step_too_small,  ///< error control asks for a step below the resolution of t
};

struct StepReport {
  StepStatus status = StepStatus::ok;
  double h = 0.0;      ///< size of the accepted step
  double error = 0.0;  ///< its estimated error relative to the tolerance (0: fixed step)
  int order = 0;
  int rejected = 0;  ///< attempts thrown away before this one
  int worst_component =
      -1;  ///< the component that asked for the smallest step; eval_failed of an implicit method: the
           ///< equation (DaeProblem::equation_name) whose residual does not fall
  double possible_rtol =
      0.0;  ///< failed by round-off: the smallest rtol that leaves it room; 0: not by that
};

struct StepperCounts {
  long steps = 0;
  long rejected = 0;
  long evaluations = 0;  ///< of f, or of F(t, y, y')
  // Implicit methods:
  long derivatives = 0;      ///< evaluations of F_y and F_y'
  long factorizations = 0;   ///< of a F_y' + F_y, a complex one counted as one
  long newton_failures = 0;  ///< attempts in which Newton's method found nothing
};

struct StepControl {
  double step = 0.01;  ///< fixed: the step. Adaptive: the first one, 0 = chosen from f
  double rtol = 1e-6;
  double atol = 1e-6;
  double max_step = 0.0;  ///< adaptive: 0 = no bound
  // Newmark's family:
  double rho = 0.9;     ///< generalized_alpha: what is left of the highest frequencies per step
  double alpha = -0.1;  ///< hht: numerical damping
  bool correct_start = true;  ///< velocities begin as the method wants them, at level position
};

class Stepper {
 public:
  virtual ~Stepper() = default;

  virtual int order() const = 0;
  virtual bool is_adaptive() const = 0;
  /// More than the last y goes into a step: a new chart costs a new start.
  virtual bool keeps_history() const { return false; }

  /// After `start`: below this rtol round-off decides, and a smaller one changes nothing. 0: there is no such bound.
  virtual double least_rtol() const { return 0.0; }

  /// Allocates, evaluates f(t, y), finds the first step (`t_end` only bounds that one). A step that
  /// is known already is announced by begin_step without a slope. False: f is not defined.
  virtual bool start(OdeProblem& problem, double t, std::span<const double> y, double t_end) = 0;

  /// Advances t and y. Never beyond t_end; the last step is shortened to end there exactly: then
  /// t == t_end. On failure t and y are left as they were.
  virtual StepReport step(OdeProblem& problem, double& t, std::span<double> y, double t_end) = 0;

  /// After each step, with y as it is now. False: f is not defined there.
  virtual bool accept(OdeProblem& problem, double t, std::span<const double> y, Change change) = 0;

  /// y at t_old + theta * h of the last step, 0 <= theta <= 1; the ends exactly. May evaluate f
  /// (DOP853's extra stages). Before `accept` it runs to the uncorrected end, after it to the
  /// corrected one. After `new_chart` the ends are written in different coordinates: false unless
  /// theta = 1; a caller that re-charts samples before.
  virtual bool interpolate(OdeProblem& problem, double theta, std::span<double> y) = 0;

  /// f at the end of the last accepted step (after `accept`).
  virtual std::span<const double> slope() const = 0;

  virtual const StepperCounts& counts() const = 0;
};

}  // namespace driftless
