// RADAU5 on constrained mechanical systems, where its orders are those of the theory (Hairer, Wanner 1996, VII.4 to 6): 5, 3
// and 2 for q, v and lambda at index 3; 5, 5 and 3 at index 2; 5 for all at index 1.

#include "driftless/integrators/radau5.hpp"

#include <cmath>
#include <iostream>
#include <random>

#include <gtest/gtest.h>

#include "driftless/integrators/mechanical_dae_test.hpp"
#include "driftless/integrators/step_control.hpp"

namespace driftless::exam {
namespace {

struct ThreeOrders {
  double q, v, lambda;
};
constexpr ThreeOrders kOrders[] = {{5, 3, 2}, {5, 5, 3}, {5, 5, 3}, {5, 5, 5}};

template <class System>
void expect_orders(const System& system, const Vector& start, double t_end, int first_n) {
  const std::vector<Vector> reference = calc_reference(system, start, t_end);
  for (const Form form : kForms) {
    const auto index = static_cast<std::size_t>(form);
    Vector steps, q, v, lambda;
    for (const int n : {first_n, 2 * first_n, 4 * first_n}) {
      MechanicalDae<System> problem(system, form);
      const auto stepper = make_stepper("radau5", {.step = t_end / n}, false);
      const MechanicalErrors e = measure_errors(problem, *stepper, start, t_end, reference);
      ASSERT_TRUE(e.ok) << kFormNames[index] << " " << n;
      steps.push_back(t_end / n);
      q.push_back(e.q), v.push_back(e.v), lambda.push_back(e.lambda);
    }
    const ThreeOrders seen{calc_slope(steps, q), calc_slope(steps, v), calc_slope(steps, lambda)};
    std::cout << "    " << kFormNames[index] << ": orders " << seen.q << ", " << seen.v << ", "
              << seen.lambda << '\n';
    EXPECT_NEAR(seen.q, kOrders[index].q, 0.25) << kFormNames[index];
    EXPECT_NEAR(seen.v, kOrders[index].v, 0.25) << kFormNames[index];
    EXPECT_NEAR(seen.lambda, kOrders[index].lambda, 0.25) << kFormNames[index];
  }
}

TEST(Radau5, OrdersOnThePendulum) {
  const CirclePendulum system;
  expect_orders(system, system.make_start(0.6, 1.3), 1.0, 32);
}

TEST(Radau5, OrdersOnARandomPendulum) {
  std::mt19937 random(7);
  const auto pick = [&](double a, double b) {
    return std::uniform_real_distribution<double>(a, b)(random);
  };
  for (int trial = 0; trial < 3; ++trial) {
    const CirclePendulum system{pick(0.4, 2.0), pick(0.6, 1.5), pick(5.0, 12.0)};
    expect_orders(system, system.make_start(pick(-1.2, 1.2), pick(-2.0, 2.0)), 1.0, 32);
  }
}

TEST(Radau5, OrdersWithAMassMatrixThatVaries) {
  const BentSystem system;
  expect_orders(system, system.make_start(), 1.5, 16);
}

TEST(Radau5, ErrorFallsWithTheTolerance) {
  const BentSystem system;
  const Vector start = system.make_start();
  const std::vector<Vector> reference = calc_reference(system, start, 1.5);
  for (const Form form : kForms) {
    Vector tolerances, errors;
    for (int digits = 4; digits <= 9; ++digits) {
      const double tol = std::pow(10.0, -digits);
      MechanicalDae<BentSystem> problem(system, form);
      const auto stepper = make_stepper("radau5", {.step = 0.0, .rtol = tol, .atol = tol}, true);
      const MechanicalErrors e = measure_errors(problem, *stepper, start, 1.5, reference);
      ASSERT_TRUE(e.ok);
      EXPECT_LT(e.q, 20.0 * tol);
      EXPECT_LT(stepper->counts().rejected, 20);
      tolerances.push_back(tol);
      errors.push_back(e.q);
    }
    const double slope = calc_slope(tolerances, errors);
    std::cout << "    " << kFormNames[static_cast<std::size_t>(form)] << ": error ~ tolerance^"
              << slope << '\n';
    EXPECT_GE(slope, 0.8);
    EXPECT_LE(slope, 1.2);
  }
}

// What Newton's method leaves open in a step is small enough not to be taken for an error of the next one, which no step is
// short enough for.
TEST(Radau5, LooseTolerancesRunToTheEnd) {
  std::mt19937 random(11);
  const auto pick = [&](double a, double b) {
    return std::uniform_real_distribution<double>(a, b)(random);
  };
  for (int trial = 0; trial < 20; ++trial) {
    const CirclePendulum system{pick(0.4, 2.0), pick(0.6, 1.5), pick(5.0, 12.0)};
    const Vector start = system.make_start(pick(-1.6, 1.6), pick(-2.0, 2.0));
    for (const Form form : kForms) {
      for (const double tol : {1e-2, 3e-3, 1e-3, 3e-4, 1e-4}) {
        MechanicalDae<CirclePendulum> problem(system, form);
        const auto stepper = make_stepper("radau5", {.step = 0.0, .rtol = tol, .atol = tol}, true);
        double t = 0.0;
        Vector y = problem.complete(t, start);
        ASSERT_TRUE(stepper->start(problem, t, y, 10.0));
        while (t < 10.0) {
          ASSERT_EQ(stepper->step(problem, t, y, 10.0).status, StepStatus::ok)
              << kFormNames[static_cast<std::size_t>(form)] << ", tolerance " << tol
              << ", t = " << t;
          ASSERT_TRUE(stepper->accept(problem, t, y, Change::unchanged));
        }
        EXPECT_LT(stepper->counts().rejected, stepper->counts().steps / 2);
      }
    }
  }
}

// At the middle of the middle one of n steps, n odd.
TEST(Radau5, DenseOutputHasItsOrder) {
  const BentSystem system;
  const Vector start = system.make_start();
  const Vector exact = calc_reference(system, start, 1.5)[kCheckpoints / 2 - 1];
  Vector steps, q, lambda;
  for (const int n : {11, 21, 41}) {
    MechanicalDae<BentSystem> problem(system, Form::index2);
    const auto stepper = make_stepper("radau5", {.step = 1.5 / n}, false);
    double t = 0.0;
    Vector y = problem.complete(t, start), middle(y.size());
    ASSERT_TRUE(stepper->start(problem, t, y, 1.5));
    for (int i = 0; i <= n / 2; ++i) {
      ASSERT_EQ(stepper->step(problem, t, y, 1.5).status, StepStatus::ok);
      ASSERT_TRUE(stepper->accept(problem, t, y, Change::unchanged));
    }
    ASSERT_TRUE(stepper->interpolate(problem, 0.5, middle));
    steps.push_back(1.5 / n);
    q.push_back(calc_max_difference(std::span(middle).first(6), std::span(exact).first(6)));
    lambda.push_back(std::abs(middle[6] - exact[6]));
  }
  EXPECT_NEAR(calc_slope(steps, q), 4.0, 0.25);
  EXPECT_NEAR(calc_slope(steps, lambda), 3.0, 0.4);
}

// y' = -L (y - cos t) - sin t, y = cos t. For stiff L the order falls to that of the stages, 3, with a factor 1/L.
TEST(Radau5, KeepsTheOrderOfItsStagesOnStiffEquations) {
  ExamProblem problem = make_monomial(0);
  problem.t_end = 2.0;
  const double L = 1e6;
  problem.field = [L](double t, std::span<const double> y, std::span<double> f) {
    f[0] = -L * (y[0] - std::cos(t)) - std::sin(t);
    return true;
  };
  problem.exact = [](double t) { return Vector{std::cos(t)}; };
  Vector steps, errors;
  for (const double h : {0.4, 0.2, 0.1}) {
    const ExamRun r = run_exam(problem, *make_stepper("radau5", {.step = h}, false));
    ASSERT_TRUE(r.ok);
    EXPECT_LT(r.error, 1e-9);
    steps.push_back(h);
    errors.push_back(r.error);
  }
  EXPECT_NEAR(calc_slope(steps, errors), 3.0, 0.3);
  const ExamRun r = run_exam(problem, *make_stepper("radau5", {.step = 0.0}, true));
  EXPECT_TRUE(r.ok);
  EXPECT_LT(r.steps, 30);
}

TEST(Radau5, HalvesTheStepIfNewtonFails) {
  const CirclePendulum system;
  MechanicalDae<CirclePendulum> problem(system, Form::index3);
  const auto stepper = make_stepper("radau5", {.step = 8.0}, true);
  double t = 0.0;
  Vector y = problem.complete(t, system.make_start(0.6, 1.3));
  ASSERT_TRUE(stepper->start(problem, t, y, 10.0));
  const StepReport report = stepper->step(problem, t, y, 10.0);
  EXPECT_EQ(report.status, StepStatus::ok);
  EXPECT_GT(report.rejected, 0);
  EXPECT_GT(stepper->counts().newton_failures, 0);
  EXPECT_EQ(stepper->counts().rejected, report.rejected);
  EXPECT_EQ(t, report.h);
}

TEST(Radau5, HalvesAFixedStepTooAndGoesBackToTheGrid) {
  const CirclePendulum system;
  MechanicalDae<CirclePendulum> problem(system, Form::index3);
  const auto stepper = make_stepper("radau5", {.step = 8.0}, false);
  double t = 0.0;
  Vector y = problem.complete(t, system.make_start(0.6, 1.3));
  ASSERT_TRUE(stepper->start(problem, t, y, 20.0));
  const StepReport first = stepper->step(problem, t, y, 20.0);
  EXPECT_EQ(first.status, StepStatus::ok);
  EXPECT_GT(first.rejected, 0);
  EXPECT_EQ(first.h, std::ldexp(8.0, -first.rejected));
  EXPECT_EQ(stepper->counts().newton_failures, first.rejected);
  while (t < 8.0) {
    ASSERT_TRUE(stepper->accept(problem, t, y, Change::unchanged));
    ASSERT_EQ(stepper->step(problem, t, y, 20.0).status, StepStatus::ok);
  }
  EXPECT_EQ(t, 8.0);
}

TEST(Radau5, NamesTheEquationIfNoPartOfAFixedStepHasASolution) {
  const CirclePendulum system;
  MechanicalDae<CirclePendulum> problem(system, Form::index3);
  const auto stepper = make_stepper("radau5", {.step = 8.0}, false);
  double t = 0.0;
  Vector y = problem.complete(t, system.make_start(0.6, 1.3));
  const Vector before = y;
  ASSERT_TRUE(stepper->start(problem, t, y, 10.0));
  problem.undefined_after = 1e-4;  // less than 8/1024
  const StepReport report = stepper->step(problem, t, y, 10.0);
  EXPECT_EQ(report.status, StepStatus::eval_failed);
  EXPECT_EQ(report.rejected, kMostHalvings);
  EXPECT_LT(report.worst_component, 5);
  EXPECT_EQ(y, before);
  EXPECT_EQ(t, 0.0);
}

TEST(Radau5, EndsWhereTheResidualIsNotDefined) {
  const CirclePendulum system;
  for (const bool adaptive : {true, false}) {
    MechanicalDae<CirclePendulum> problem(system, Form::ggl);
    problem.undefined_after = 0.255;
    const auto stepper = make_stepper("radau5", {.step = 0.01}, adaptive);
    double t = 0.0;
    Vector y = problem.complete(t, system.make_start(0.6, 1.3));
    ASSERT_TRUE(stepper->start(problem, t, y, 1.0));
    StepReport report;
    while (report.status == StepStatus::ok && t < 1.0) {
      report = stepper->step(problem, t, y, 1.0);
      if (report.status == StepStatus::ok) {
        ASSERT_TRUE(stepper->accept(problem, t, y, Change::unchanged));
      }
    }
    EXPECT_EQ(report.status, StepStatus::eval_failed);
    EXPECT_NEAR(t, 0.255, adaptive ? 1e-9 : 2e-5);
    EXPECT_GT(stepper->counts().newton_failures, 0);
  }
}

TEST(Radau5, ReusesDerivativesAndFactorisations) {
  const CirclePendulum system;
  MechanicalDae<CirclePendulum> problem(system, Form::index2);
  const auto stepper = make_stepper("radau5", {.step = 1e-3}, false);
  double t = 0.0;
  Vector y = problem.complete(t, system.make_start(0.6, 1.3));
  ASSERT_TRUE(stepper->start(problem, t, y, 1.0));
  while (t < 1.0) {
    ASSERT_EQ(stepper->step(problem, t, y, 1.0).status, StepStatus::ok);
    ASSERT_TRUE(stepper->accept(problem, t, y, Change::unchanged));
  }
  EXPECT_LT(stepper->counts().derivatives, 200);
  EXPECT_EQ(stepper->counts().factorizations, problem.factorizations);
  EXPECT_LT(problem.factorizations, 400);
}

TEST(Radau5, TakesImplicitProblemsOnly) {
  class Plain : public OdeProblem {
   public:
    int size() const override { return 1; }
    bool eval(double, std::span<const double>, std::span<double> f) override {
      f[0] = 1.0;
      return true;
    }
  } plain;
  for (const IntegratorInfo& info : all_integrators()) {
    const Vector y{0.0};
    EXPECT_EQ(make_stepper(info.name, {.step = 0.1}, info.only_adaptive)->start(plain, 0.0, y, 1.0),
              !info.implicit && !info.second_order)
        << info.name;
  }
}

}  // namespace
}  // namespace driftless::exam
