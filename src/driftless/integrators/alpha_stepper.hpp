#pragma once
// The stepper of generalized_alpha.cpp, where the formulas [GA.1] to [GA.10] are; how a step begins is in alpha_start.cpp, what
// Newton's method does in it in alpha_newton.cpp.

#include <vector>

#include "driftless/integrators/alpha_matrix.hpp"
#include "driftless/integrators/alpha_states.hpp"
#include "driftless/integrators/generalized_alpha.hpp"
#include "driftless/integrators/step_control.hpp"
#include "driftless/problem/mech_problem.hpp"

namespace driftless {

class GeneralizedAlpha final : public Stepper {
 public:
  static constexpr int kAlphaOrder = 2;

  GeneralizedAlpha(const AlphaParameters& parameters, const StepControl& control, bool adaptive);

  int order() const override { return kAlphaOrder; }
  bool is_adaptive() const override { return adaptive_; }
  bool start(OdeProblem& problem, double t, std::span<const double> y, double t_end) override;
  StepReport step(OdeProblem& problem, double& t, std::span<double> y, double t_end) override;
  bool accept(OdeProblem& problem, double t, std::span<const double> y, Change change) override;
  /// Quadratic in position and velocity, linear in multipliers and quadratures.
  bool interpolate(OdeProblem& problem, double theta, std::span<double> y) override;
  std::span<const double> slope() const override { return slope_; }
  const StepperCounts& counts() const override { return counts_; }

 private:
  void resize(const MechProblem& mech, std::span<const double> y);
  /// In other coordinates: a, v'' and the offset [GA.8] are theirs, and the next step begins as the first one did.
  bool begin_again(MechProblem& mech);
  StepTarget find_target(const MechProblem& mech, double t, double t_end, int halvings) const;
  bool is_too_small(const StepTarget& target, double t, double t_end, int rejected) const;
  double first_scale(double rest) const;
  double find_first_step(double rest) const;
  /// v'' at the start, by the accelerations a little before and after it.
  bool estimate_jerk(MechProblem& mech, double t, double s);
  /// begin_ and start_a_ for an attempt: [GA.7], an undamped one [GA.10], after a step of another size [GA.12].
  bool adapt_start(MechProblem& mech, double h);
  /// The last step, if any, was of another size, or its end was moved.
  bool is_begun_anew(double h) const;
  /// [GA.13]
  bool probe_ahead(MechProblem& mech, double s);
  void set_trend(double h);
  /// [GA.12], with trial_ where the last step ended and w in it.
  bool set_across(MechProblem& mech, double h);
  bool attempt(MechProblem& mech, const StepTarget& target);
  /// Newton's method on [GA.6]. The matrix is taken at the first guess, and anew where it serves badly.
  bool iterate(MechProblem& mech, double h);
  /// Newton's change of c, after Δ, λ and μ have changed by right_. Its size, relative.
  double update_states(double h);
  /// Of Newton's increments. Φ is known to the round-off of q; seen as a velocity that is divided by h, and as an impulse
  /// hλ it is multiplied by the mass.
  double find_round_off(double h) const;
  /// [GA.5] at Δ and μ.
  void place(MechProblem& mech, double h);
  bool factorize(MechProblem& mech, double h);
  void fill_right(MechProblem& mech, double h);
  /// The equation that is worst met, as the component of y that belongs to it.
  void note_worst(const MechProblem& mech);
  /// [GA.9]; 0 of fixed steps. False: the end is not defined at index 1.
  bool calc_error(MechProblem& mech, double h, double& error);
  void commit(MechProblem& mech, const StepTarget& target);

  AlphaParameters p_;
  StepControl control_;
  bool adaptive_;
  double delta_, sigma_, offset_;
  Eigen::Index n_ = 0, m_ = 0, p_rows_ = 0;
  MechPoint begin_, end_, trial_;
  MechPoint probe_;            // the end, with accelerations of index 1
  Vector smooth_;              // those of the last end
  Vector a_, next_a_;          // a at the end of the last step, of this one
  Vector jerk_;                // v'' over the last step
  Vector trend_;               // v'' where it ended: [GA.13]
  Vector start_a_;             // of this attempt
  Vector increment_, e_, mu_;  // Δ, Δ + G0ᵀμ, μ
  Vector difference_, row_change_;
  AlphaStates states_;
  Vector state_rate_, state_curve_;  // c' and c'' at the start
  MechTerms terms_;
  MechDerivatives derivatives_;
  BlockMatrix jacobian0_, tangent_;
  AlphaMatrix matrix_;
  Vector right_;
  double h_ = 0.0, old_h_ = 0.0;  // of the last step; 0: none
  bool moved_ = false;            // its end, by a correction
  int worst_ =
      -1;  // the component of y that asked for the smallest step, or whose equation is worst met; -1: none
  std::vector<double> y0_, y1_, slope_, rate0_, rate1_;
  StepperCounts counts_;
  FixedClock clock_;
  StepController controller_;
};

}  // namespace driftless
