#pragma once
// The first steps of a BDF method, where its own order 1 would spoil what comes: those of Radau IIA.
//
// Fixed steps are of one order, and order 1 would be the worst of the run. Adaptive steps at index 3 begin, and begin again, this
// way, too: the multiplier of order 1 after a change of the step from H to h is (1 + H/h)/2 times the right one, however small both
// are (Arnold 2017, example 9), so that steps which double from order 1 on would leave it off by a quarter. With the error e, the
// estimate of radau_stages.hpp in the norm of the method,
//
//   err = e max(1, rtol'^-0.4 / 256),   h_new = h clamp(err^(-1/4) / 2, 1/10, 2)                                     [BD.8]
//
// e alone would make h ~ rtol'^(1/4), and multipliers as right as rtol'^(1/2) only.
//
// Consistent ends. At index 3 the positions of Radau IIA are of order 5, but velocities across the constraints of order 3 and
// multipliers of order 2 (Hairer, Lubich, Roche 1989); at index 2 multipliers are of order 3. Velocities along the constraints
// are of order 5, too. So at the end of each step velocities are moved to where the derivatives of the constraints hold, and v'
// and λ computed from there: what the differences of the method begin with, and what samples show, is of order 5.  [BD.12]

#include <span>
#include <vector>

#include "driftless/integrators/dae_norm.hpp"
#include "driftless/integrators/newton.hpp"
#include "driftless/integrators/radau_stages.hpp"
#include "driftless/integrators/step_control.hpp"
#include "driftless/integrators/step_ends.hpp"

namespace driftless {

class BdfStarter {
 public:
  void resize(std::size_t n);
  void forget() { stages_.forget(); }

  /// The first step of a run: y changes by a hundredth. 0: nothing can be said.
  static double find_first_step(const StepEnds& ends, DaeNorm& norm);

  /// From where `ends` begins; `ends` counts. Leaves y1() and slope().
  bool attempt(OdeProblem& problem, StepEnds& ends, const StepTarget& target, DaeNorm& norm,
               const NewtonRules& rules);
  /// err of [BD.8]; false: not defined.
  bool calc_error(DaeProblem& dae, DaeNorm& norm, double rtol, StepEnds& ends, double& error);
  static double find_factor(double error);
  /// [BD.12], where it can be had.
  void make_consistent(DaeProblem& dae, double t);
  /// The attempt is taken.
  void keep() { stages_.keep(); }
  /// With consistent velocities and multipliers.
  void interpolate(DaeProblem& dae, double t, double theta, std::span<double> y);

  std::span<const double> y1() const { return y_; }
  std::span<const double> slope() const { return slope_; }
  double least_size() const { return stages_.least_size(); }
  int find_worst_equation(const DaeProblem& dae) const { return stages_.find_worst_equation(dae); }

 private:
  RadauStages stages_;
  std::vector<double> y_, slope_, found_, found_slope_;  // (n)
};

}  // namespace driftless
