#pragma once
// How large a vector of unknowns of F(t, y, y') = 0 is, for the Newton and the error test of implicit integrators:
//
//   |x| = sqrt( 1/m sum_i (w_i h^p_i x_i / (atol + rtol |y_i|))^2 )                                                [DN.1]
//
// over the m components with w_i != 0. A component of index k [DAE.1] is only known up to errors of F divided by h^(k-1);
// without p = k - 1 no step were small enough for it. An algebraic component has p = 1 at least: it stands in the equations
// beside derivatives (a multiplier beside v'), and is known as well as they are, which is one power of h worse than y.

#include <cstddef>
#include <span>
#include <vector>

#include "driftless/problem/dae_problem.hpp"
#include "driftless/problem/ode_problem.hpp"

namespace driftless {

/// What the error test leaves out besides the components of weight 0. The Newton test leaves out nothing else, but for
/// `differential`.
enum class ErrorTest {
  all,
  no_multipliers,  ///< algebraic components of index 2 and 3
  differential,    ///< all algebraic components, in both tests
};

/// Some component is of index 3: constraints at position level.
bool has_index3(const DaeProblem& dae);

class DaeNorm {
 public:
  /// Reads weights and indices. Allocates on the first call.
  void start(const OdeProblem& problem, const DaeProblem& dae, double rtol, double atol,
             ErrorTest error_test);

  /// The scale of what follows.
  void set_scale(std::span<const double> y, double h);

  /// Weights w with which |x| = sqrt(1/n sum_i (w_i x_i)^2) over all n components is the norm of the Newton test.
  void write_weights(std::span<double> weights) const;

  double calc_newton(std::span<const double> x) const;
  /// The worst component is left in worst().
  double calc_error(std::span<const double> x);
  /// Of slopes, for the first step: of components with p = 0 only.
  double calc_slope(std::span<const double> x) const;
  int worst() const { return worst_; }

 private:
  struct Component {
    double weight = 1.0;
    int power = 0;  // p
    bool in_error = true;
  };
  std::vector<Component> components_;
  std::vector<double> factors_;  // (n) filled by set_scale
  std::size_t counted_ = 0;      // components in the Newton test
  std::size_t in_error_ = 0;     // ... in the error test
  double rtol_ = 0.0;
  double atol_ = 0.0;
  int worst_ = -1;
};

}  // namespace driftless
