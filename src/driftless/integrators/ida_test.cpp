// IDA behind the stepper's interface, on constrained mechanical systems: what it converges to, its polynomials, and how it
// fails.

#include "driftless/integrators/ida.hpp"

#include <iostream>
#include <stdexcept>

#include <gtest/gtest.h>

#include "driftless/integrators/mechanical_dae_test.hpp"

namespace driftless::exam {
namespace {

constexpr Form kFormsOfIda[] = {Form::index2, Form::ggl, Form::index1};

TEST(Ida, ErrorFallsWithTheToleranceInAllVariables) {
  const CirclePendulum system{1.37, 0.83, 7.3};
  const Vector start = system.make_start(-1.1, 2.3);
  const std::vector<Vector> reference = calc_reference(system, start, 1.0);
  for (const Form form : kFormsOfIda) {
    Vector tolerances, q, v, lambda;
    for (int half_digits = 8; half_digits <= 18; ++half_digits) {
      const double tol = std::pow(10.0, -0.5 * half_digits);
      MechanicalDae<CirclePendulum> problem(system, form);
      const auto stepper = make_ida({.step = 0.0, .rtol = tol, .atol = tol}, true);
      const MechanicalErrors e = measure_errors(problem, *stepper, start, 1.0, reference);
      ASSERT_TRUE(e.ok);
      EXPECT_LT(e.q, 100.0 * tol);
      tolerances.push_back(tol);
      q.push_back(e.q), v.push_back(e.v), lambda.push_back(e.lambda);
    }
    std::cout << "    " << kFormNames[static_cast<std::size_t>(form)] << ": error ~ tolerance^"
              << calc_slope(tolerances, q) << ", of v ^" << calc_slope(tolerances, v)
              << ", of lambda ^" << calc_slope(tolerances, lambda) << '\n';
    for (const Vector* errors : {&q, &v, &lambda}) {
      EXPECT_GE(calc_slope(tolerances, *errors), 0.8);
      EXPECT_LE(calc_slope(tolerances, *errors), 1.2);
    }
  }
}

TEST(Ida, InterpolatesBetweenItsStepsAsWellAsItSteps) {
  ExamProblem problem = make_kepler();
  const auto stepper = make_ida({.step = 0.0, .rtol = 1e-9, .atol = 1e-9}, true);
  double t = 0.0;
  Vector y = problem.exact(0.0), between(y.size());
  ASSERT_TRUE(stepper->start(problem, t, y, 2.0));
  double at_steps = 0.0, inside = 0.0;
  while (t < 2.0) {
    const double t_old = t;
    ASSERT_EQ(stepper->step(problem, t, y, 2.0).status, StepStatus::ok);
    ASSERT_TRUE(stepper->accept(problem, t, y, Change::unchanged));
    at_steps = std::max(at_steps, calc_max_difference(y, problem.exact(t)));
    for (const double theta : {0.1, 0.37, 0.5, 0.81}) {
      ASSERT_TRUE(stepper->interpolate(problem, theta, between));
      inside = std::max(inside,
                        calc_max_difference(between, problem.exact(t_old + theta * (t - t_old))));
    }
  }
  EXPECT_EQ(t, 2.0);  // exactly
  EXPECT_LT(at_steps, 1e-7);
  EXPECT_LT(inside, 2.0 * at_steps + 1e-8);
}

TEST(Ida, StopsWhereItIsToldAndGoesOn) {
  ExamProblem problem = make_pendulum();
  const auto stepper = make_ida({.step = 0.0, .rtol = 1e-8, .atol = 1e-8}, true);
  double t = 0.0;
  Vector y = problem.exact(0.0);
  ASSERT_TRUE(stepper->start(problem, t, y, 3.0));
  for (const double stop : {0.001, 0.1, 0.1 + 1e-15, 0.7, 0.70000001, 1.9, 3.0}) {
    while (t < stop) {
      ASSERT_EQ(stepper->step(problem, t, y, stop).status, StepStatus::ok) << stop;
      ASSERT_LE(t, stop);
      ASSERT_TRUE(stepper->accept(problem, t, y, Change::unchanged));
    }
    EXPECT_EQ(t, stop);
    EXPECT_LT(calc_max_difference(y, problem.exact(t)), 1e-6) << stop;
  }
  EXPECT_EQ(stepper->step(problem, t, y, 3.0).h, 0.0);  // there is nothing to do
}

TEST(Ida, AnUndefinedFieldIsAStatusWithTheEquation) {
  ExamProblem problem = make_monomial(0);
  problem.field = [](double t, std::span<const double>, std::span<double> f) {
    f[0] = 1.0;
    return t < 0.55;
  };
  const auto stepper = make_ida({.step = 0.0}, true);
  double t = 0.0;
  Vector y{0.0};
  ASSERT_TRUE(stepper->start(problem, t, y, 1.0));
  StepReport report;
  while (report.status == StepStatus::ok && t < 1.0) {
    report = stepper->step(problem, t, y, 1.0);
    if (report.status != StepStatus::ok) break;
    ASSERT_TRUE(stepper->accept(problem, t, y, Change::unchanged));
  }
  EXPECT_EQ(report.status, StepStatus::eval_failed);
  EXPECT_GE(report.rejected, 1);
  EXPECT_LT(t, 0.55);
  EXPECT_GT(t, 0.5);
  EXPECT_GT(stepper->counts().newton_failures, 3);
  EXPECT_LE(stepper->counts().newton_failures, stepper->counts().rejected);
}

// IDA is written in C: what a problem throws must not pass through it.
TEST(Ida, ExceptionsComeOutOnOurSide) {
  ExamProblem problem = make_monomial(0);
  problem.field = [](double t, std::span<const double>, std::span<double> f) {
    if (t > 0.2) throw std::runtime_error("thrown by the field");
    f[0] = 1.0;
    return true;
  };
  const auto stepper = make_ida({.step = 0.0}, true);
  double t = 0.0;
  Vector y{0.0};
  ASSERT_TRUE(stepper->start(problem, t, y, 1.0));
  EXPECT_THROW(
      while (t < 1.0) {
        stepper->step(problem, t, y, 1.0);
        stepper->accept(problem, t, y, Change::unchanged);
      },
      std::runtime_error);
}

// A kink that no step is small enough for: the error test gives up, with the component.
TEST(Ida, AJumpThatCannotBeFollowedIsAStatus) {
  ExamProblem problem = make_monomial(0);
  problem.field = [](double t, std::span<const double>, std::span<double> f) {
    f[0] = t < 0.3 ? 0.0 : 1e12 * std::sin(1e9 * t);
    return true;
  };
  const auto stepper = make_ida({.step = 0.0, .rtol = 1e-10, .atol = 1e-10}, true);
  double t = 0.0;
  Vector y{0.0};
  ASSERT_TRUE(stepper->start(problem, t, y, 1.0));
  StepReport report;
  for (int n = 0; n < 2000 && report.status == StepStatus::ok && t < 1.0; ++n) {
    report = stepper->step(problem, t, y, 1.0);
    if (report.status == StepStatus::ok) stepper->accept(problem, t, y, Change::unchanged);
  }
  if (report.status != StepStatus::ok) {
    EXPECT_EQ(report.status, StepStatus::step_too_small);
    EXPECT_EQ(report.worst_component, 0);
  }
  EXPECT_LT(t, 0.31);
}

TEST(Ida, KeepsTheLargestStep) {
  ExamProblem problem = make_monomial(0);
  const auto stepper = make_ida({.step = 0.0, .max_step = 0.01}, true);
  double t = 0.0;
  Vector y{0.0};
  ASSERT_TRUE(stepper->start(problem, t, y, 1.0));
  while (t < 1.0) {
    const StepReport report = stepper->step(problem, t, y, 1.0);
    ASSERT_EQ(report.status, StepStatus::ok);
    EXPECT_LE(report.h, 0.01 * (1.0 + 1e-12));
    ASSERT_TRUE(stepper->accept(problem, t, y, Change::unchanged));
  }
  EXPECT_GE(stepper->counts().steps, 100);
}

}  // namespace
}  // namespace driftless::exam
