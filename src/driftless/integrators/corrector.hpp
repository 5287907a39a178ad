#pragma once
// The implicit part of a step of a BDF method: from a prediction y0, y0' the y that solves
//
//   F(t, y, y') = 0,   y = y0 + E,   y' = y0' + a E                                                                 [CR.1]
//
// for E, by Newton's method with the matrix a F_y' + F_y. It is factorised whenever a changes: in problems of index 2 and 3
// the sizes of its blocks depend on a in different powers, so the factors of another a, however scaled, do not serve. The
// derivatives stay in use while they converge fast.

#include <cstddef>
#include <span>
#include <vector>

#include "driftless/integrators/dae_norm.hpp"
#include "driftless/integrators/newton.hpp"
#include "driftless/integrators/stepper.hpp"
#include "driftless/problem/dae_problem.hpp"

namespace driftless {

class Corrector {
 public:
  struct Prediction {
    double t = 0.0;
    double a = 0.0;  ///< ~ 1/h
    std::span<const double> y, slope;
  };
  /// y, y' and E of [CR.1]
  struct Solution {
    std::span<double> y, slope, miss;
  };

  void resize(std::size_t n);
  /// Derivatives and factors belong to something else now.
  void forget();

  /// False: there is no solution near by, not with fresh derivatives either; counted as a Newton failure.
  bool solve(DaeProblem& dae, const Prediction& from, const DaeNorm& norm, const NewtonRules& rules,
             const Solution& out, StepperCounts& counts);

  /// The step was accepted: derivatives that converged slowly are not used again.
  void accept();

  /// Of the last attempt: NewtonMonitor.
  double least_size() const { return newton_.least_size(); }
  /// Of the last failure: NewtonMonitor.
  int find_worst_equation(const DaeProblem& dae) const { return newton_.find_worst_equation(dae); }

 private:
  NewtonResult prepare_matrix(DaeProblem& dae, const Prediction& from, StepperCounts& counts);
  NewtonResult iterate(DaeProblem& dae, const Prediction& from, const DaeNorm& norm,
                       const NewtonRules& rules, const Solution& out, StepperCounts& counts);

  NewtonMonitor newton_;
  std::vector<double> residual_;
  bool derivatives_valid_ = false;
  double factored_ = 0.0;  // a of the factorisation, 0: none
};

}  // namespace driftless
