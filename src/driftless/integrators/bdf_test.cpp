// BDF and backward Euler on constrained mechanical systems.

#include "driftless/integrators/bdf.hpp"

#include <iostream>

#include <gtest/gtest.h>

#include "driftless/base/error.hpp"
#include "driftless/integrators/mechanical_dae_test.hpp"

namespace driftless::exam {
namespace {

template <class System>
void expect_order(const System& system, const Vector& start, double t_end, int order, int first_n) {
  const std::vector<Vector> reference = calc_reference(system, start, t_end);
  for (const Form form : kForms) {
    const char* name = kFormNames[static_cast<std::size_t>(form)];
    Vector steps, q, v, lambda;
    for (const int n : {first_n, 2 * first_n, 4 * first_n}) {
      MechanicalDae<System> problem(system, form);
      const auto stepper = make_bdf({.step = t_end / n}, false, order);
      const MechanicalErrors e = measure_errors(problem, *stepper, start, t_end, reference);
      ASSERT_TRUE(e.ok) << name << " " << n;
      steps.push_back(t_end / n);
      q.push_back(e.q), v.push_back(e.v), lambda.push_back(e.lambda);
    }
    std::cout << "    order " << order << ", " << name << ": " << calc_slope(steps, q) << ", "
              << calc_slope(steps, v) << ", " << calc_slope(steps, lambda) << '\n';
    EXPECT_NEAR(calc_slope(steps, q), order, 0.3) << name;
    EXPECT_NEAR(calc_slope(steps, v), order, 0.3) << name;
    EXPECT_NEAR(calc_slope(steps, lambda), order, 0.5) << name;  // rounding of size 1e-16/h^2
  }
}

TEST(Bdf, FixedStepsHaveTheirOrderAtEveryIndex) {
  const CirclePendulum pendulum{1.37, 0.83, 7.3};
  const BentSystem bent;
  for (int order = 1; order <= kHighestBdf; ++order) {
    expect_order(pendulum, pendulum.make_start(-1.1, 2.3), 1.0, order, order <= 2 ? 512 : 128);
    expect_order(bent, bent.make_start(), 1.5, order, order <= 2 ? 256 : 48);
  }
}

TEST(Bdf, ErrorFallsWithTheTolerance) {
  const CirclePendulum system{1.37, 0.83, 7.3};
  const Vector start = system.make_start(-1.1, 2.3);
  const std::vector<Vector> reference = calc_reference(system, start, 1.0);
  for (const Form form : kForms) {
    Vector tolerances, q, v;
    for (int digits = 4; digits <= 9; ++digits) {
      const double tol = std::pow(10.0, -digits);
      MechanicalDae<CirclePendulum> problem(system, form);
      const auto stepper = make_stepper("bdf", {.step = 0.0, .rtol = tol, .atol = tol}, true);
      const MechanicalErrors e = measure_errors(problem, *stepper, start, 1.0, reference);
      ASSERT_TRUE(e.ok);
      EXPECT_LT(e.q, 100.0 * tol);
      tolerances.push_back(tol);
      q.push_back(e.q), v.push_back(e.v);
    }
    std::cout << "    " << kFormNames[static_cast<std::size_t>(form)] << ": error ~ tolerance^"
              << calc_slope(tolerances, q) << ", of v ^" << calc_slope(tolerances, v) << '\n';
    for (const Vector* errors : {&q, &v}) {
      EXPECT_GE(calc_slope(tolerances, *errors), 0.8);
      EXPECT_LE(calc_slope(tolerances, *errors), 1.2);
    }
  }
}

/// q'' = -C^T lambda, C q = z(t): Arnold (2017), example 9.
struct DrivenLine {
  static constexpr int nq = 2, ng = 1;
  template <class S>
  void eval_mass(const std::array<S, 2>&, std::array<S, 4>& m) const {
    m = {S(1.0), S(0.0), S(0.0), S(1.0)};
  }
  template <class S>
  void eval_force(const S&, const std::array<S, 2>&, const std::array<S, 2>&,
                  std::array<S, 2>& f) const {
    f = {S(0.0), S(0.0)};
  }
  template <class S>
  void eval_constraint(const S& t, const std::array<S, 2>& q, std::array<S, 1>& g) const {
    using std::sin;
    g[0] = S(a) * q[0] + S(b) * q[1] - sin(S(omega) * t + S(phase));
  }
  Vector make_start(double t = 0.0) const {  // q = C^T z / (C C^T)
    const double angle = omega * t + phase, square = a * a + b * b;
    const double z = std::sin(angle) / square, rate = omega * std::cos(angle) / square;
    return {a * z, b * z, a * rate, b * rate};
  }
  double find_lambda(double t) const {
    return omega * omega * std::sin(omega * t + phase) / (a * a + b * b);
  }

  double a = 0.6, b = -1.1, omega = 1.3, phase = 0.7;
};

// At index 3 a last step h after steps H leaves (1 + H/h)/2 times the multiplier, however small h is.
TEST(BackwardEuler, MultiplierAfterAChangeOfStepIsWrongByTheKnownRatio) {
  const DrivenLine system;
  for (const double ratio : {1.0, 2.0, 5.0, 10.0, 20.0}) {
    const double H = 1e-4, h = H / ratio;
    MechanicalDae<DrivenLine> problem(system, Form::index3);
    const auto stepper = make_stepper("backward_euler", {.step = H}, false);
    double t = 0.0;
    Vector y = problem.complete(t, system.make_start());
    EXPECT_NEAR(y[4], system.find_lambda(0.0), 1e-14);
    const double t_end = 4 * H + h;
    ASSERT_TRUE(stepper->start(problem, t, y, t_end));
    int steps = 0;
    for (; t < t_end; ++steps) {
      ASSERT_EQ(stepper->step(problem, t, y, t_end).status, StepStatus::ok);
      ASSERT_TRUE(stepper->accept(problem, t, y, Change::unchanged));
    }
    EXPECT_EQ(steps, 5);
    EXPECT_NEAR(y[4] / system.find_lambda(t), 0.5 * (1.0 + ratio), 0.002 * ratio);
  }
}

// The same with C = (1, 2), z = sin t, four steps of 1e-3 and one of another size up to t = 1, against values that were
// computed apart from this program; 2: a longer last step.
TEST(BackwardEuler, ChangeOfStepHasThePublishedConstants) {
  const DrivenLine system{.a = 1.0, .b = 2.0, .omega = 1.0, .phase = 0.0};
  const std::pair<double, double> expected[] = {
      {1.0, 0.99936}, {0.5, 1.49936}, {0.1, 5.49859}, {0.01, 50.48897}, {2.0, 0.74920}};
  for (const auto& [ratio, wanted] : expected) {
    const double H = 1e-3;
    MechanicalDae<DrivenLine> problem(system, Form::index3);
    double t = 1.0 - (4.0 + ratio) * H;
    Vector y = problem.complete(t, system.make_start(t));
    for (const auto& [step, count] : {std::pair{H, 4}, std::pair{ratio * H, 1}}) {
      const double t_end = t + count * step;
      const auto stepper = make_stepper("backward_euler", {.step = step}, false);
      ASSERT_TRUE(stepper->start(problem, t, y, t_end));
      for (int k = 0; k < count; ++k) {
        ASSERT_EQ(stepper->step(problem, t, y, t_end).status, StepStatus::ok);
        ASSERT_TRUE(stepper->accept(problem, t, y, Change::unchanged));
      }
    }
    EXPECT_NEAR(t, 1.0, 1e-12);
    EXPECT_NEAR(y[4] / system.find_lambda(t), wanted, 2e-5 * (1.0 + wanted)) << ratio;
  }
}

/// The largest error of the multiplier at the ends of all steps, relative; the one that q and v ask for is right to their
/// errors, which are far smaller.
double find_multiplier_error(const CirclePendulum& system, const Vector& start, double tol,
                             double t_end, double& last) {
  MechanicalDae<CirclePendulum> problem(system, Form::index3);
  const auto stepper = make_stepper("bdf", {.step = 0.0, .rtol = tol, .atol = tol}, true);
  double t = 0.0, largest = 0.0;
  Vector y = problem.complete(t, start);
  const double scale = std::abs(y[4]);
  EXPECT_TRUE(stepper->start(problem, t, y, t_end));
  while (t < t_end) {
    EXPECT_EQ(stepper->step(problem, t, y, t_end).status, StepStatus::ok);
    EXPECT_TRUE(stepper->accept(problem, t, y, Change::unchanged));
    const double right = system.mass * (y[2] * y[2] + y[3] * y[3] - system.gravity * y[1]) /
                         (system.length * system.length);
    last = std::abs(y[4] - right) / scale;
    largest = std::max(largest, last);
  }
  return largest;
}

// From the first step to the last: steps that begin at order 1 would leave the multiplier of index 3 off by a quarter, and
// one step that is short, so as to end where the run does, by more than all before it.
TEST(Bdf, MultipliersOfIndex3FallWithTheToleranceAtEveryStep) {
  const CirclePendulum system{1.37, 0.83, 7.3};
  Vector tolerances, errors;
  for (int digits = 4; digits <= 9; ++digits) {
    const double tol = std::pow(10.0, -digits);
    double largest = 0.0;
    for (const double t_end : {0.93, 0.957, 1.0, 1.031}) {
      double last = 0.0;
      const double all =
          find_multiplier_error(system, system.make_start(-1.1, 2.3), tol, t_end, last);
      largest = std::max(largest, all);
      EXPECT_LT(last, 0.5 * std::pow(10.0, -0.7 * digits)) << tol << " " << t_end;
    }
    EXPECT_LT(largest, 20.0 * std::pow(10.0, -0.8 * digits)) << tol;
    tolerances.push_back(tol);
    errors.push_back(largest);
    std::cout << "    " << tol << ": " << largest << '\n';
  }
  std::cout << "    multipliers ~ tolerance^" << calc_slope(tolerances, errors) << '\n';
  EXPECT_GE(calc_slope(tolerances, errors), 0.8);
  EXPECT_LE(calc_slope(tolerances, errors), 1.2);
}

TEST(Bdf, TakesFewStepsOnStiffEquations) {
  ExamProblem problem = make_monomial(0);
  problem.t_end = 2.0;
  problem.field = [](double t, std::span<const double> y, std::span<double> f) {
    f[0] = -1e6 * (y[0] - std::cos(t)) - std::sin(t);
    return true;
  };
  problem.exact = [](double t) { return Vector{std::cos(t)}; };
  const ExamRun r = run_exam(problem, *make_stepper("bdf", {.step = 0.0}, true), {.dense = true});
  EXPECT_TRUE(r.ok);
  EXPECT_LT(r.steps, 120);
  EXPECT_LT(r.error, 1e-5);
  EXPECT_LT(r.dense_error, 1e-5);
}

TEST(Bdf, ShortensTheStepIfNewtonFails) {
  const CirclePendulum system;
  MechanicalDae<CirclePendulum> problem(system, Form::index3);
  const auto stepper = make_stepper("bdf", {.step = 5.0, .rtol = 1e-2, .atol = 1e-2}, true);
  double t = 0.0;
  Vector y = problem.complete(t, system.make_start(0.6, 1.3));
  ASSERT_TRUE(stepper->start(problem, t, y, 10.0));
  const StepReport report = stepper->step(problem, t, y, 10.0);
  EXPECT_EQ(report.status, StepStatus::ok);
  EXPECT_GT(report.rejected, 0);
  EXPECT_GT(stepper->counts().newton_failures, 0);

  problem.undefined_after = t + 0.1;
  StepReport last;
  while (last.status == StepStatus::ok && t < 10.0) {
    ASSERT_TRUE(stepper->accept(problem, t, y, Change::unchanged));
    last = stepper->step(problem, t, y, 10.0);
  }
  EXPECT_EQ(last.status, StepStatus::eval_failed);
  EXPECT_LE(t, problem.undefined_after);
}

TEST(Bdf, BeginsAgainInANewChart) {
  const BentSystem system;
  const Vector start = system.make_start();
  const std::vector<Vector> reference = calc_reference(system, start, 1.5);
  MechanicalDae<BentSystem> problem(system, Form::ggl);
  const auto stepper = make_stepper("bdf", {.step = 0.0, .rtol = 1e-7, .atol = 1e-7}, true);
  double t = 0.0;
  Vector y = problem.complete(t, start);
  ASSERT_TRUE(stepper->start(problem, t, y, 1.5));
  for (int n = 1; t < 1.5; ++n) {
    ASSERT_EQ(stepper->step(problem, t, y, 1.5).status, StepStatus::ok);
    const bool again = n % 40 == 0;
    ASSERT_TRUE(stepper->accept(problem, t, y, again ? Change::new_chart : Change::unchanged));
    if (again) {
      EXPECT_EQ(stepper->order(), 1);
    }
  }
  EXPECT_LT(calc_max_difference(std::span(y).first(6), std::span(reference.back()).first(6)), 1e-5);
}

TEST(Bdf, RefusesOrdersThatItDoesNotHave) {
  for (const int order : {0, 6}) {
    try {
      make_bdf({.step = 0.1}, false, order);
      FAIL();
    } catch (const ModelError& error) {
      EXPECT_NE(std::string(error.what()).find("max_order"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace driftless::exam
