#pragma once
// y' = f(t, y): the shape that explicit integrators take. It knows no mechanics; what makes y and what f means is the
// formulation's business. Nothing here throws during a run: a failed evaluation is a value.

#include <span>
#include <string>

namespace driftless {

class DaeProblem;
class MechProblem;

/// What happened to y after an accepted step, and so how much of its memory an integrator may keep.
enum class Change {
  unchanged,  ///< y is what the integrator left
  corrected,  ///< y moved by no more than the step's error: history stays valid, f(t, y) must be evaluated anew
  new_chart,  ///< y means something else now: multistep history must be rebuilt
};

/// Where f jumps at single points although y goes on smoothly, an estimate of the error depends on where the stages of a step
/// fall more than on its size.
enum class JumpNear { none, passed, reached };

class OdeProblem {
 public:
  virtual ~OdeProblem() = default;

  virtual int size() const = 0;

  /// Called before each attempt of a step from (t, y) with step h, so that what scales with h can be set. `f` is y' at
  /// (t, y) if the integrator has it already, else empty.
  virtual void begin_step(double t, double h, std::span<const double> y, std::span<const double> f);

  /// dydt = f(t, y). False: not defined here (non-finite, unsolvable); `failure()` says what and why.
  virtual bool eval(double t, std::span<const double> y, std::span<double> dydt) = 0;

  /// A stage of a half-explicit method: dydt = k with the equations of motion at (t, y), and with multipliers such that the
  /// velocity constraints hold at t_bar for partial + scale k. Without constraints, and so by default: f(t, y).
  virtual bool eval_half_explicit(double t, std::span<const double> y, double t_bar,
                                  std::span<const double> partial, double scale,
                                  std::span<double> dydt);

  /// The same problem as F(t, y, y') = 0, of the same y; null: it has no such form. Implicit integrators take this one.
  virtual DaeProblem* dae() { return nullptr; }
  /// The same motion as a mechanical system, for methods of second-order equations; null: it has no such form.
  virtual MechProblem* mech() { return nullptr; }

  /// Whether f was asked beside a jump since begin_step, and whether the last time was one.
  virtual JumpNear find_jump() const { return JumpNear::none; }

  /// Takes out of an estimate of the error of a step to (t, y) what corrections behind the step take away.
  virtual void drop_corrected(double t, std::span<const double> y, std::span<double> error);

  /// Weight of each component in the error norm (1: under error control, 0: carried along).
  virtual double error_weight(int component) const;

  /// A name for messages: "x1", "x1'", "work".
  virtual std::string component_name(int component) const;

  /// Of the last failed `eval`: one sentence, the time and the equation named.
  virtual std::string failure() const;
};

}  // namespace driftless
