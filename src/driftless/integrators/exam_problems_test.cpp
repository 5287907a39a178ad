// The exam's problems themselves: their exact solutions are checked against their equations.

#include "driftless/integrators/exam_problems_test.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace driftless::exam {
namespace {

// The largest |d exact/dt - f(t, exact)| over the interval, by central differences of order 4.
double calc_defect(ExamProblem& problem) {
  double worst = 0.0;
  const double d = 1e-3;
  for (int i = 1; i < 40; ++i) {
    const double t = problem.t_end * i / 40.0;
    const Vector y = problem.exact(t);
    Vector f(y.size());
    EXPECT_TRUE(problem.eval(t, y, f));
    const Vector a = problem.exact(t - 2 * d), b = problem.exact(t - d), c = problem.exact(t + d),
                 e = problem.exact(t + 2 * d);
    for (std::size_t j = 0; j < y.size(); ++j) {
      const double slope = (a[j] - 8 * b[j] + 8 * c[j] - e[j]) / (12 * d);
      worst = std::max(worst, std::abs(slope - f[j]));
    }
  }
  return worst;
}

}  // namespace

bool ExamProblem::eval_residual(double t, std::span<const double> y, std::span<const double> y_dot,
                                std::span<double> residual) {
  const bool ok = field(t, y, residual);
  for (std::size_t i = 0; i < y.size(); ++i) residual[i] = y_dot[i] - residual[i];
  return ok;
}

bool ExamProblem::eval_derivatives(double t, std::span<const double> y, std::span<const double>) {
  const std::size_t n = y.size();
  if (!field(t, y, f_)) return false;
  std::copy(y.begin(), y.end(), probe_.begin());
  for (std::size_t j = 0; j < n; ++j) {
    const double d = 1e-7 * (1.0 + std::abs(y[j]));
    probe_[j] = y[j] + d;
    if (!field(t, probe_, f_probe_)) return false;
    probe_[j] = y[j];
    for (std::size_t i = 0; i < n; ++i) {
      f_y_[i * n + j] = -(f_probe_[i] - f_[i]) / d;
      f_y_dot_[i * n + j] = i == j ? 1.0 : 0.0;
    }
  }
  return true;
}

bool ExamProblem::find_slopes(double t, std::span<double> y, std::span<double> y_dot) {
  if (n_ != y.size()) {
    resize(y.size());
    for (Vector* v : {&probe_, &f_, &f_probe_}) v->assign(y.size(), 0.0);
  }
  return field(t, y, y_dot);
}

SnCn calc_sn_cn(double u, double k) {
  double a[12], c[12];
  a[0] = 1.0;
  c[0] = k;
  double b = std::sqrt(1.0 - k * k);
  int n = 0;
  while (c[n] > 1e-17 && n < 11) {
    a[n + 1] = 0.5 * (a[n] + b);
    c[n + 1] = 0.5 * (a[n] - b);
    b = std::sqrt(a[n] * b);
    ++n;
  }
  double phi = std::ldexp(a[n] * u, n);
  for (; n > 0; --n) phi = 0.5 * (phi + std::asin(c[n] * std::sin(phi) / a[n]));
  return {std::sin(phi), std::cos(phi)};
}

ExamProblem make_pendulum() {
  ExamProblem p;
  p.name = "pendulum";
  p.t_end = 6.0;
  const double k = 0.7;
  p.field = [](double, std::span<const double> y, std::span<double> f) {
    f[0] = y[1];
    f[1] = -std::sin(y[0]);
    return true;
  };
  p.exact = [k](double t) {
    const SnCn s = calc_sn_cn(t, k);
    return Vector{2.0 * std::asin(k * s.sn), 2.0 * k * s.cn};
  };
  p.project = [k](std::span<double> y) {
    for (int i = 0; i < 2; ++i) {
      const double excess = 0.5 * y[1] * y[1] + 1.0 - std::cos(y[0]) - 2.0 * k * k;
      const double g0 = std::sin(y[0]), g1 = y[1];
      const double s = excess / (g0 * g0 + g1 * g1);
      y[0] -= s * g0;
      y[1] -= s * g1;
    }
  };
  return p;
}

ExamProblem make_kepler() {
  ExamProblem p;
  p.name = "kepler";
  p.t_end = 5.0;
  const double e = 0.1;
  p.field = [](double, std::span<const double> y, std::span<double> f) {
    const double r2 = y[0] * y[0] + y[1] * y[1];
    const double r3 = r2 * std::sqrt(r2);
    f[0] = y[2];
    f[1] = y[3];
    f[2] = -y[0] / r3;
    f[3] = -y[1] / r3;
    return r3 > 0.0;
  };
  p.exact = [e](double t) {
    double u = t;
    for (int i = 0; i < 50; ++i) u -= (u - e * std::sin(u) - t) / (1.0 - e * std::cos(u));
    const double b = std::sqrt(1.0 - e * e);
    const double r = 1.0 - e * std::cos(u);
    return Vector{std::cos(u) - e, b * std::sin(u), -std::sin(u) / r, b * std::cos(u) / r};
  };
  return p;
}

ExamProblem make_witch() {
  ExamProblem p;
  p.name = "witch";
  p.t_end = 2.0;
  p.field = [](double t, std::span<const double> y, std::span<double> f) {
    f[0] = -2.0 * t * y[0] * y[0];
    return true;
  };
  p.exact = [](double t) { return Vector{1.0 / (1.0 + t * t)}; };
  return p;
}

std::vector<ExamProblem> make_order_problems() {
  return {make_pendulum(), make_kepler(), make_witch()};
}

ExamProblem make_monomial(int degree) {
  ExamProblem p;
  p.name = "t^" + std::to_string(degree);
  p.t_end = 1.0;
  p.field = [degree](double t, std::span<const double>, std::span<double> f) {
    f[0] = (degree + 1) * std::pow(t, degree);
    return true;
  };
  p.exact = [degree](double t) { return Vector{std::pow(t, degree + 1)}; };
  return p;
}

double calc_max_difference(std::span<const double> a, std::span<const double> b) {
  double worst = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

ExamRun run_exam(ExamProblem& problem, Stepper& stepper, RunOptions options) {
  ExamRun result;
  double t = 0.0;
  Vector y = problem.exact(0.0);
  Vector between(y.size());
  result.ok = stepper.start(problem, t, y, problem.t_end);
  while (result.ok && t < problem.t_end) {
    const double t_old = t;
    const StepReport report = stepper.step(problem, t, y, problem.t_end);
    result.ok = report.status == StepStatus::ok;
    if (!result.ok) break;
    if (options.project) problem.project(y);
    result.ok =
        stepper.accept(problem, t, y, options.project ? Change::corrected : Change::unchanged);
    result.error = std::max(result.error, calc_max_difference(y, problem.exact(t)));
    for (const double theta : {0.2, 0.45, 0.7, 0.9}) {
      if (!options.dense) break;
      result.ok = result.ok && stepper.interpolate(problem, theta, between);
      const double e = calc_max_difference(between, problem.exact(t_old + theta * report.h));
      result.dense_error = std::max(result.dense_error, e);
    }
  }
  result.steps = stepper.counts().steps;
  result.y = y;
  return result;
}

double calc_slope(const Vector& steps, const Vector& errors) {
  const auto n = static_cast<double>(steps.size());
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const double x = std::log(steps[i]), y = std::log(errors[i]);
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

TEST(ExamProblems, ExactSolutionsSolveTheirEquations) {
  for (ExamProblem& problem : make_order_problems()) {
    EXPECT_LT(calc_defect(problem), 1e-9) << problem.name;
  }
  ExamProblem monomial = make_monomial(3);
  EXPECT_LT(calc_defect(monomial), 1e-9);
}

TEST(ExamProblems, ProjectionLeavesTheExactSolutionAlone) {
  ExamProblem problem = make_pendulum();
  Vector y = problem.exact(2.2);
  problem.project(y);
  EXPECT_LT(calc_max_difference(y, problem.exact(2.2)), 1e-15);
  y[0] += 0.1;
  problem.project(y);
  EXPECT_NEAR(0.5 * y[1] * y[1] + 1.0 - std::cos(y[0]), 2.0 * 0.7 * 0.7, 1e-4);
}

}  // namespace driftless::exam
