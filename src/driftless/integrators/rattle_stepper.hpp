#pragma once
// RATTLE as a stepper, for its own source files: rattle.cpp has the formulas and the steps, rattle_newton.cpp solves them.

#include <span>
#include <vector>

#include "driftless/integrators/mean_states.hpp"
#include "driftless/integrators/rattle_matrix.hpp"
#include "driftless/integrators/step_control.hpp"
#include "driftless/integrators/step_memory.hpp"
#include "driftless/problem/mech_problem.hpp"

namespace driftless {

inline constexpr int kRattleOrder = 2;

/// One end of the step, with ξ as its velocity.
struct RattleEnd {
  MechPoint at;  // v' = 0 and λ = 0: the residual is -Q
  MechTerms terms;
  Vector g;  // (nv) rate of the momentum
};

class Rattle final : public Stepper {
 public:
  explicit Rattle(const StepControl& control) : control_(control) {}

  int order() const override { return kRattleOrder; }
  bool is_adaptive() const override { return false; }

  bool start(OdeProblem& problem, double t, std::span<const double> y, double t_end) override;

  StepReport step(OdeProblem& problem, double& t, std::span<double> y, double t_end) override;

  bool accept(OdeProblem& problem, double t, std::span<const double> y, Change change) override;

  /// Cubic in positions, velocities and work; reactions, of which no slopes are known, linear.
  bool interpolate(OdeProblem& problem, double theta, std::span<double> y) override;

  std::span<const double> slope() const override { return memory_.f1(); }
  const StepperCounts& counts() const override { return memory_.counts; }

 private:
  void resize(const MechProblem& mech, std::span<const double> y);

  /// One step to the target. False: everything is as it was before.
  bool attempt(OdeProblem& problem, const StepTarget& target, std::span<const double> y);

  /// The rate that Newton's method changed most at last, as a component of y.
  void note_newton_failure(const MechProblem& mech);

  /// The state between steps, with v' and reactions.
  bool set_point(MechProblem& mech, double t, std::span<const double> y);

  bool eval_end(MechProblem& mech, RattleEnd& end);

  bool drift(MechProblem& mech, double t1);

  /// Minus the residual of momentum, less what the states' own residual does there.
  void reduce_by_states();

  void update_drift();

  /// The present iterate as a point with multipliers.
  const MechPoint& sample_at_drift();

  /// Minus the residual of [RTL.2] and [RTL.4] in right_, and all terms at both ends.
  bool eval_residual(MechProblem& mech);

  /// [RTL.5]
  bool factorize_drift(MechProblem& mech);

  bool kick(MechProblem& mech);

  void set_kick_residual(const MechProblem& mech);

  /// y1 and its slope, with reactions and work.
  bool finish(OdeProblem& problem, MechProblem& mech, std::span<const double> y);

  StepControl control_;
  StepMemory memory_;
  FixedClock clock_;
  double h_ = 0.0;
  int worst_ = -1;         // of the last failed attempt
  MechPoint point_;        // where the last step ended
  MechPoint sample_;       // scratch
  RattleEnd begin_, end_;  // of the step being made
  MechDerivatives derivatives_;
  MeanStates states_;
  Vector xi_, ell_;   // ξ, hλ/2
  Vector p0_, half_;  // M0 v0; P, then all that [RTL.3] knows of p1
  Vector delta_, change_, right_;
  Vector lambda0_;                      // reactions at the beginning of the last step
  BlockMatrix forward_, back_;          // T(hξ), T(-hξ)
  BlockMatrix scratch_, turned_;        // M0 + h C/2, T(-hξ)ᵀ times that
  BlockMatrix turned_rows_, end_rows_;  // G0 T(-hξ); G1 T(hξ), or the mean
  RattleMatrix drift_matrix_, kick_matrix_;
  std::vector<double> y1_, slope_;
};

}  // namespace driftless
