#pragma once
// Where a BDF method begins, and what round-off leaves of its tolerance.
//
// First step. At order 1, from a point whose slope is known, the error is h²/2 |y''|. With y'' ~ (y'(t + h0) - y'(t))/h0 from
// slopes a little further, h0 = |y|/(100 |y'|), the step whose error is a thousandth of the tolerance over the caution
// [BD.9] is
//
//   h = min(100 h0, sqrt(0.002 / (c_1 |y''|)))                                                                       [BD.10]
//
// A step in which y changes by half of the tolerance, as codes begin that do not know their first slope, would be some 1e-17 s
// of a fast linkage at tolerance 1e-10, less than its clock resolves, and its multipliers, of size 1/h, all round-off.
//
// Tolerance. Errors of the steps add up: with an error tol in each of N ~ tol^(-1/(k+1)) steps that of the run is
// tol^(k/(k+1)). So that it falls about as the tolerance, the steps are tested with
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
// Newton's method. What it leaves undone is to be small beside what is tested, tol'/c_k, so its goal is a part of that. It
// cannot be smaller than rounding: increments that no longer fall, and are below 300 ε of y, are as good as they come.
//                                                                                                                  [BD.11]

#include <span>

#include "driftless/integrators/dae_norm.hpp"
#include "driftless/integrators/newton.hpp"
#include "driftless/integrators/stepper.hpp"
#include "driftless/problem/dae_problem.hpp"

namespace driftless {

/// Power of [BD.7]; bdf has another one at index 3.
inline constexpr double kBdfPower = 1.15;
/// Smallest tolerance of a step: below, each step adds more round-off than that.
inline constexpr double kLeastBdfTolerance = 5e-13;

/// The tolerance of single steps for one of a run, [BD.7].
double find_bdf_tolerance(double rtol, double power, double least);
/// The run's rtol that belongs to tol' of its steps, [BD.7] without its bound.
double invert_bdf_tolerance(double tolerance, double power);

/// [BD.11] for a step that is tested with tol'/caution; `goal` is what may be missing where caution is 1.
NewtonRules find_bdf_newton_rules(double tolerance, double caution, double goal);

/// What the first step starts from, with room for a second point.
struct BdfStart {
  double t = 0.0;
  std::span<const double> y, slope;
  double longest = 0.0;  ///< bound of the step
  std::span<double> probe, probe_slope;
};

/// [BD.10]. `norm` has a tolerance; its scale is set. Slopes that are not defined further on: the change of y is half of the
/// tolerance.
double calc_first_bdf_step(DaeProblem& dae, const BdfStart& from, double caution, DaeNorm& norm,
                           StepperCounts& counts);

}  // namespace driftless
