// Radau IIA with three stages, for F(t, y, y') = 0 (Hairer, Wanner 1996, IV.8 and VII).
//
// The collocation polynomial u of degree 3 with u(t0) = y0 fulfils the equations at the three points t0 + c_i h, c_3 = 1.
// With z_i = u(t0 + c_i h) - y0 its slopes there are sum_j (A^-1)_ij z_j / h, so the stages are
//
//   F(t0 + c_i h, y0 + z_i, sum_j (A^-1)_ij z_j / h) = 0,  i = 1, 2, 3;   y1 = y0 + z_3                              [RD.1]
//
// Newton's matrix A^-1/h (x) F_y' + I (x) F_y, with derivatives frozen at t0, falls apart in the variables w = T^-1 z,
// because T^-1 A^-1 T = [gamma, 0, 0; 0, alpha, -beta; 0, beta, alpha]: with r = -T^-1 F
//
//   (gamma/h F_y' + F_y) dw_1 = r_1,   ((alpha + i beta)/h F_y' + F_y)(dw_2 + i dw_3) = r_2 + i r_3                  [RD.2]
//
// Starting values are those of the last step's polynomial, run on beyond its end; the first step and one in a new chart
// begin with z_i = c_i h y0'.                                                                                       [RD.3]
//
// Dense output is the polynomial itself, by its Lagrange form over 0, c_1, c_2, 1:  u = y0 + sum_i L_i(theta) z_i.   [RD.4]
// Its error is h^4 in one step, h^5 over all steps at the ends.
//
// Error. A formula of order 3 that uses y0' and the z_i differs from y1 by
//
//   err = -(gamma/h F_y' + F_y)^-1 F(t0, y0, -(e_1 z_1 + e_2 z_2 + e_3 z_3)/h)                                       [RD.5]
//
// For y' = f this is (gamma/h - J)^-1 (f(y0) + e.z/h); taking -e.z/h for the slope of the equations as a whole keeps
// it right for M(y) y'. The matrix filters stiff components, but their err does not vanish with h; on the first step and
// after a rejection they are filtered once more:
//
//   err2 = -(gamma/h F_y' + F_y)^-1 F(t0, y0 + err, -e.z/h)                                                         [RD.6]

#include "driftless/integrators/radau_stages.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/integrators/step_memory.hpp"

namespace driftless {
namespace {

constexpr double kRoot6 = 2.449489742783178098197284;
constexpr std::array kNodes{(4.0 - kRoot6) / 10.0, (4.0 + kRoot6) / 10.0, 1.0};
constexpr double kGamma = 3.637834252744495732208418513577775797946;
constexpr std::complex<double> kAlphaBeta{2.681082873627752133895790743211112101027,
                                          3.050430199247410569426377624787567904441};
using Matrix3 = std::array<std::array<double, 3>, 3>;
constexpr Matrix3 kT{{{0.091232394870892942792, -0.14125529502095420843, -0.030029194105147424492},
                      {0.24171793270710701896, 0.20412935229379993199, 0.38294211275726193779},
                      {0.96604818261509293619, 1.0, 0.0}}};
constexpr Matrix3 kInverseT{
    {{4.3255798900631553510, 0.33919925181580986954, 0.54177053993587487119},
     {-4.1787185915519047273, -0.32768282076106238708, 0.47662355450055045196},
     {-0.50287263494578687595, 2.5719269498556054292, -0.59603920482822492497}}};
constexpr Matrix3 kInverseA{
    {{2.0 + kRoot6 / 2.0, -1.2 + 29.0 * kRoot6 / 30.0, 0.4 - 4.0 * kRoot6 / 15.0},
     {-1.2 - 29.0 * kRoot6 / 30.0, 2.0 - kRoot6 / 2.0, 0.4 + 4.0 * kRoot6 / 15.0},
     {-1.0 + 8.0 * kRoot6 / 3.0, -1.0 - 8.0 * kRoot6 / 3.0, 5.0}}};
constexpr std::array kErrorWeights{-(13.0 + 7.0 * kRoot6) / 3.0, (-13.0 + 7.0 * kRoot6) / 3.0,
                                   -1.0 / 3.0};

/// L_i of [RD.4] at theta, over the points 0, c_1, c_2, 1.
std::array<double, 3> calc_lagrange(double theta) {
  std::array<double, 3> l{};
  for (std::size_t i = 0; i < 3; ++i) {
    l[i] = theta / kNodes[i];
    for (std::size_t j = 0; j < 3; ++j)
      if (j != i) l[i] *= (theta - kNodes[j]) / (kNodes[i] - kNodes[j]);
  }
  return l;
}

bool is_same_step(double a, double b) { return std::abs(a - b) <= 1e-9 * std::abs(b); }

}  // namespace

void RadauStages::resize(std::size_t n) {
  n_ = n;
  for (Stage* stage : {&z_, &w_, &residual_, &old_z_})
    for (auto& v : *stage) v.assign(n, 0.0);
  for (auto* v : {&y0_, &f0_, &y_, &y_dot_, &y1_, &slope_, &old_y0_}) v->assign(n, 0.0);
  complex_.assign(n, {});
  newton_.resize(n);
  forget();
}

void RadauStages::forget() {
  has_old_ = false;
  derivatives_valid_ = derivatives_current_ = false;
  factored_h_ = 0.0;
  newton_.forget_rate();
}

NewtonResult RadauStages::attempt(DaeProblem& dae, double t0, double t1, double h,
                                  std::span<const double> y0, std::span<const double> f0,
                                  const DaeNorm& norm, const NewtonRules& rules,
                                  StepperCounts& counts) {
  t0_ = t0;
  t1_ = t1;
  h_ = h;
  std::copy(y0.begin(), y0.end(), y0_.begin());
  std::copy(f0.begin(), f0.end(), f0_.begin());
  NewtonResult result = NewtonResult::diverged;
  bool again = true;
  while (again) {
    again = false;
    result = prepare_matrices(dae, counts);
    if (result != NewtonResult::converged) break;
    predict();
    result = iterate(dae, norm, rules, counts);
    if (result == NewtonResult::converged || derivatives_current_) break;
    derivatives_valid_ = false;  // those of an earlier point: once more with fresh ones
    again = true;
  }
  if (result != NewtonResult::converged) {
    ++counts.newton_failures;
    return result;
  }
  for (std::size_t i = 0; i < n_; ++i) {
    y1_[i] = y0_[i] + z_[2][i];
    slope_[i] =
        (kInverseA[2][0] * z_[0][i] + kInverseA[2][1] * z_[1][i] + kInverseA[2][2] * z_[2][i]) / h_;
  }
  return result;
}

NewtonResult RadauStages::prepare_matrices(DaeProblem& dae, StepperCounts& counts) {
  if (!derivatives_valid_) {
    ++counts.derivatives;
    if (!dae.eval_derivatives(t0_, y0_, f0_)) return NewtonResult::undefined;
    derivatives_valid_ = derivatives_current_ = true;
    factored_h_ = 0.0;
    newton_.forget_rate();
  }
  if (is_same_step(factored_h_, h_)) return NewtonResult::converged;
  counts.factorizations += 2;
  factored_h_ = 0.0;
  if (!dae.factorize(kGamma / h_) || !dae.factorize(kAlphaBeta / h_)) return NewtonResult::singular;
  factored_h_ = h_;
  return NewtonResult::converged;
}

// [RD.3]
void RadauStages::predict() {
  for (std::size_t stage = 0; stage < 3; ++stage) {
    std::vector<double>& z = z_[stage];
    if (has_old_) {
      const std::array l = calc_lagrange((t0_ - old_t0_ + kNodes[stage] * h_) / old_h_);
      for (std::size_t i = 0; i < n_; ++i)
        z[i] = l[0] * old_z_[0][i] + l[1] * old_z_[1][i] + (l[2] - 1.0) * old_z_[2][i];
    } else {
      for (std::size_t i = 0; i < n_; ++i) z[i] = kNodes[stage] * h_ * f0_[i];
    }
  }
  for (std::size_t row = 0; row < 3; ++row) {
    const auto& t = kInverseT[row];
    for (std::size_t i = 0; i < n_; ++i)
      w_[row][i] = t[0] * z_[0][i] + t[1] * z_[1][i] + t[2] * z_[2][i];
  }
}

NewtonResult RadauStages::iterate(DaeProblem& dae, const DaeNorm& norm, const NewtonRules& rules,
                                  StepperCounts& counts) {
  newton_.begin(rules);
  while (true) {
    if (!eval_residuals(dae, counts)) return NewtonResult::undefined;
    const NewtonMonitor::Verdict verdict = newton_.judge(improve(dae, norm));
    if (verdict == NewtonMonitor::Verdict::converged) return NewtonResult::converged;
    if (verdict == NewtonMonitor::Verdict::diverged) return NewtonResult::diverged;
  }
}

// [RD.1]
bool RadauStages::eval_residuals(DaeProblem& dae, StepperCounts& counts) {
  bool ok = true;
  for (std::size_t stage = 0; stage < 3 && ok; ++stage) {
    const auto& a = kInverseA[stage];
    for (std::size_t i = 0; i < n_; ++i) {
      y_[i] = y0_[i] + z_[stage][i];
      y_dot_[i] = (a[0] * z_[0][i] + a[1] * z_[1][i] + a[2] * z_[2][i]) / h_;
    }
    ++counts.evaluations;
    const double t = stage == 2 ? t1_ : t0_ + kNodes[stage] * h_;
    ok = dae.eval_residual(t, y_, y_dot_, residual_[stage]) && find_nonfinite(residual_[stage]) < 0;
    if (!ok || stage == 2) newton_.record(residual_[stage]);
  }
  return ok;
}

// [RD.2]; returns the size of the increment of w.
double RadauStages::improve(DaeProblem& dae, const DaeNorm& norm) {
  for (std::size_t i = 0; i < n_; ++i) {
    const double r[] = {residual_[0][i], residual_[1][i], residual_[2][i]};
    double transformed[3];
    for (std::size_t row = 0; row < 3; ++row) {
      const auto& t = kInverseT[row];
      transformed[row] = -(t[0] * r[0] + t[1] * r[1] + t[2] * r[2]);
    }
    residual_[0][i] = transformed[0];
    complex_[i] = {transformed[1], transformed[2]};
  }
  dae.solve(std::span(residual_[0]));
  dae.solve(std::span(complex_));
  for (std::size_t i = 0; i < n_; ++i) {
    residual_[1][i] = complex_[i].real();
    residual_[2][i] = complex_[i].imag();
  }
  double sum = 0.0;
  for (std::size_t row = 0; row < 3; ++row) {
    const double size = norm.calc_newton(residual_[row]);
    sum += size * size;
    for (std::size_t i = 0; i < n_; ++i) w_[row][i] += residual_[row][i];
  }
  for (std::size_t stage = 0; stage < 3; ++stage) {
    const auto& t = kT[stage];
    for (std::size_t i = 0; i < n_; ++i)
      z_[stage][i] = t[0] * w_[0][i] + t[1] * w_[1][i] + t[2] * w_[2][i];
  }
  return std::sqrt(sum / 3.0);
}

bool RadauStages::eval_error_residual(DaeProblem& dae, std::span<const double> y,
                                      std::span<double> error, StepperCounts& counts) {
  for (std::size_t i = 0; i < n_; ++i) {
    y_dot_[i] =
        -(kErrorWeights[0] * z_[0][i] + kErrorWeights[1] * z_[1][i] + kErrorWeights[2] * z_[2][i]) /
        h_;
  }
  ++counts.evaluations;
  if (!dae.eval_residual(t0_, y, y_dot_, error) || find_nonfinite(error) >= 0) return false;
  dae.solve(error);
  for (double& e : error) e = -e;
  return true;
}

bool RadauStages::calc_error(DaeProblem& dae, std::span<double> error, StepperCounts& counts) {
  return eval_error_residual(dae, y0_, error, counts);
}

bool RadauStages::filter_error(DaeProblem& dae, std::span<double> error, StepperCounts& counts) {
  for (std::size_t i = 0; i < n_; ++i) y_[i] = y0_[i] + error[i];
  return eval_error_residual(dae, y_, error, counts);
}

void RadauStages::keep() {
  std::swap(old_z_, z_);
  std::swap(old_y0_, y0_);
  old_h_ = h_;
  old_t0_ = t0_;
  has_old_ = true;
  derivatives_current_ = false;
  if (newton_.is_slow()) derivatives_valid_ = false;
}

void RadauStages::interpolate(double theta, std::span<double> y) const {
  const std::array l = calc_lagrange(theta);
  for (std::size_t i = 0; i < n_; ++i)
    y[i] = old_y0_[i] + l[0] * old_z_[0][i] + l[1] * old_z_[1][i] + l[2] * old_z_[2][i];
}

}  // namespace driftless
