#pragma once
// The stages of one step of Radau IIA (3 stages, order 5) for F(t, y, y') = 0, and nothing else: who chooses h, and what
// follows from the error, is radau5.hpp's business; BDF methods start with the same stages. The formulas are in
// radau_stages.cpp.

#include <array>
#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "driftless/integrators/dae_norm.hpp"
#include "driftless/integrators/newton.hpp"
#include "driftless/integrators/stepper.hpp"

namespace driftless {

class RadauStages {
 public:
  void resize(std::size_t n);

  /// Somebody else used the problem's derivatives, or y means something else now.
  void forget();

  /// One attempt from (t0, y0) with slope f0 to t1 = t0 + h; leaves y1() and slope(). The scale of `norm` is set.
  NewtonResult attempt(DaeProblem& dae, double t0, double t1, double h, std::span<const double> y0,
                       std::span<const double> f0, const DaeNorm& norm, const NewtonRules& rules,
                       StepperCounts& counts);

  /// After `attempt` and before `keep`: the estimated error [RD.5], or its filtered form [RD.6]. False: not defined.
  bool calc_error(DaeProblem& dae, std::span<double> error, StepperCounts& counts);
  bool filter_error(DaeProblem& dae, std::span<double> error, StepperCounts& counts);

  /// The attempt is taken: its polynomial gives the next starting values and `interpolate`. Derivatives stay in use while
  /// Newton's method converges fast with them.
  void keep();
  /// [RD.4]
  void interpolate(double theta, std::span<double> y) const;

  std::span<const double> y1() const { return y1_; }
  std::span<const double> slope() const { return slope_; }
  int iterations() const { return newton_.iterations(); }
  /// The factorisation serves the next step too, if h stays.
  bool keeps_derivatives() const { return derivatives_valid_ && !newton_.is_slow(); }
  /// Of the last attempt, see NewtonMonitor.
  double least_size() const { return newton_.least_size(); }
  int find_worst_equation(const DaeProblem& dae) const { return newton_.find_worst_equation(dae); }

 private:
  using Stage = std::array<std::vector<double>, 3>;  // three vectors (n)

  NewtonResult prepare_matrices(DaeProblem& dae, StepperCounts& counts);
  void predict();
  NewtonResult iterate(DaeProblem& dae, const DaeNorm& norm, const NewtonRules& rules,
                       StepperCounts& counts);
  bool eval_residuals(DaeProblem& dae, StepperCounts& counts);
  double improve(DaeProblem& dae, const DaeNorm& norm);
  bool eval_error_residual(DaeProblem& dae, std::span<const double> y, std::span<double> error,
                           StepperCounts& counts);

  std::size_t n_ = 0;
  // Of the attempt:
  double t0_ = 0.0, t1_ = 0.0, h_ = 0.0;
  std::vector<double> y0_, f0_;  // (n)
  Stage z_;                      // Y_i - y0
  Stage w_;                      // [RD.2]
  Stage residual_;               // F at the stages, then transformed
  std::vector<std::complex<double>> complex_;
  std::vector<double> y_, y_dot_;  // (n) arguments of F
  std::vector<double> y1_, slope_;
  NewtonMonitor newton_;
  // Of the last kept step:
  Stage old_z_;
  std::vector<double> old_y0_;
  double old_h_ = 0.0;
  double old_t0_ = 0.0;
  bool has_old_ = false;
  // The matrices:
  bool derivatives_valid_ = false;
  bool derivatives_current_ = false;  // they belong to this point
  double factored_h_ = 0.0;           // 0: none
};

}  // namespace driftless
