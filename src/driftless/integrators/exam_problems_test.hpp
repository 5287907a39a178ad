#pragma once
// Initial value problems with exact solutions, and the runs that the exam of the integrators
// measures on them.

#include <cmath>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/integrators/all.hpp"
#include "driftless/integrators/dense_dae_test.hpp"

namespace driftless::exam {

using Vector = std::vector<double>;

/// y' = f(t, y) from a function, with its exact solution and, if it has one, an invariant. For implicit methods it is also
/// y' - f(t, y) = 0, with derivatives by differences.
class ExamProblem : public OdeProblem, public DenseDae {
 public:
  using Field = std::function<bool(double t, std::span<const double> y, std::span<double> dydt)>;

  std::string name;
  double t_end = 1.0;
  Field field;
  std::function<Vector(double t)> exact;
  /// Moves y onto the level of the invariant; empty: there is none.
  std::function<void(std::span<double> y)> project;

  int size() const override {
    if (size_ == 0) size_ = static_cast<int>(exact(0.0).size());
    return size_;
  }
  bool eval(double t, std::span<const double> y, std::span<double> dydt) override {
    return field(t, y, dydt);
  }
  void begin_step(double t, double h, std::span<const double> y,
                  std::span<const double> f) override {
    if (on_begin_step) on_begin_step(t, h, y, f);
  }
  double error_weight(int component) const override {
    return weights.empty() ? 1.0 : weights[static_cast<std::size_t>(component)];
  }

  DaeProblem* dae() override { return this; }
  int dae_size() const override { return size(); }
  bool eval_residual(double t, std::span<const double> y, std::span<const double> y_dot,
                     std::span<double> residual) override;
  bool eval_derivatives(double t, std::span<const double> y,
                        std::span<const double> y_dot) override;
  bool find_slopes(double t, std::span<double> y, std::span<double> y_dot) override;
  int variable_index(int) const override { return 1; }
  bool is_algebraic(int) const override { return false; }

  std::function<void(double, double, std::span<const double>, std::span<const double>)>
      on_begin_step;
  Vector weights;

 private:
  mutable int size_ = 0;
  Vector probe_, f_, f_probe_;  // (n) of the derivatives
};

/// sn and cn of modulus k by the arithmetic-geometric mean (Abramowitz, Stegun 16.4).
struct SnCn {
  double sn = 0.0;
  double cn = 1.0;
};
SnCn calc_sn_cn(double u, double k);

/// theta'' = -sin(theta) from the bottom with rate 2k: sin(theta/2) = k sn(t, k), theta' = 2k cn(t,
/// k).
ExamProblem make_pendulum();
/// The Kepler problem with eccentricity 0.1; exact by Kepler's equation.
ExamProblem make_kepler();
/// y' = -2 t y^2, y = 1/(1 + t^2): nonlinear and nonautonomous.
ExamProblem make_witch();
/// The three above.
std::vector<ExamProblem> make_order_problems();
/// y' = (degree + 1) t^degree
ExamProblem make_monomial(int degree);

struct ExamRun {
  bool ok = true;
  double error = 0.0;        ///< largest over all steps (and components)
  double dense_error = 0.0;  ///< largest at th = 0.2, 0.45, 0.7, 0.9 of all steps
  long steps = 0;
  Vector y;
};

struct RunOptions {
  bool project = false;
  bool dense = false;
};

/// From 0 to problem.t_end.
ExamRun run_exam(ExamProblem& problem, Stepper& stepper, RunOptions options = {});

/// The slope of log(error) against log(step), least squares.
double calc_slope(const Vector& steps, const Vector& errors);

double calc_max_difference(std::span<const double> a, std::span<const double> b);

}  // namespace driftless::exam
