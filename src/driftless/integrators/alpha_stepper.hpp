#pragma once
// The stepper of generalized_alpha.cpp, where the formulas [GA.1] to [GA.10] are; what Newton's method does in a step is in
// alpha_newton.cpp.

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
  /// In other coordinates: a, v'' and the offset [GA.8] are theirs. Velocities, which had the offset of the old ones, are
  /// brought onto the constraints, and the next step begins as the first one did.
  bool begin_again(MechProblem& mech);
  StepTarget find_target(const MechProblem& mech, double t, double t_end, int halvings) const;
  double first_scale(double rest) const;
  double find_first_step(double rest) const;
  /// v'' at the start, by the accelerations a little before and after it.
  bool estimate_jerk(MechProblem& mech, double t, double s);
  /// A step of another size than the last: [GA.7], [GA.8]; an undamped one: [GA.10]. begin_ is changed for this attempt only.
  bool adapt_start(MechProblem& mech, double h);
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
  /// [GA.9] False: the end is not defined at index 1.
  bool calc_error(MechProblem& mech, double h, double& error);
  void commit(MechProblem& mech, const StepTarget& target);

  AlphaParameters p_;
  StepControl control_;
  bool adaptive_;
  double delta_, sigma_, offset_;
  Eigen::Index n_ = 0, m_ = 0, p_rows_ = 0;
  MechPoint begin_, end_, trial_;
  MechPoint probe_;                         // the end, with accelerations of index 1
  Vector smooth_;                           // those of the last end
  Vector a_, next_a_, jerk_;                // a at the end of the last step, of this one; v''
  Vector start_a_, start_v_, start_v_dot_;  // of this attempt
  Vector increment_, e_, mu_;               // Δ, Δ + G0ᵀμ, μ
  Vector difference_, row_change_;
  AlphaStates states_;
  Vector state_rate_, state_curve_;  // c' and c'' at the start
  MechTerms terms_;
  MechDerivatives derivatives_;
  BlockMatrix jacobian0_, tangent_;
  AlphaMatrix matrix_;
  Vector right_;
  double h_ = 0.0, old_h_ = 0.0;  // of the last step; 0: none
  int worst_ = -1;
  std::vector<double> y0_, y1_, slope_, rate0_, rate1_;
  StepperCounts counts_;
  FixedClock clock_;
  StepController controller_;
};

}  // namespace driftless
