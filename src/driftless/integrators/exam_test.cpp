// The exam of the integrators: every name in all_integrators() is examined by being there.
//
// Orders are slopes of the largest error over a whole run, not of the error at its end: a zero of
// the error there would feign a higher order.

#include <algorithm>
#include <cstring>
#include <iostream>

#include <gtest/gtest.h>

#include "driftless/integrators/exam_problems_test.hpp"

namespace driftless::exam {
namespace {

class IntegratorExam : public testing::TestWithParam<IntegratorInfo> {
 protected:
  const IntegratorInfo& info() const { return GetParam(); }
  /// That it shows with fixed steps. With variable order it is not below that of its start.
  int order() const { return info().variable_order && !info().implicit ? 8 : info().order; }
  /// Of the largest error between steps: the polynomial of radau5 has errors h^4.
  int dense_order() const { return info().name == "radau5" ? 4 : order(); }
  /// Fixed steps are of one order only, and that is order().
  bool has_one_order() const { return !info().variable_order || info().implicit; }
  std::unique_ptr<Stepper> make_fixed(double h) const {
    return make_stepper(info().name, {.step = h}, false);
  }
};

class AdaptiveIntegratorExam : public IntegratorExam {};
/// What adaptive and fixed steps have in common.
class AdaptableIntegratorExam : public IntegratorExam {};

enum class Steps { fixed, adaptive, both };  // that it takes
std::vector<IntegratorInfo> list(Steps steps) {
  std::vector<IntegratorInfo> infos;
  for (const IntegratorInfo& info : all_integrators()) {
    if (info.second_order) continue;  // examined on mechanical systems
    if (info.only_adaptive && steps != Steps::adaptive) continue;
    if (info.adaptive || steps == Steps::fixed) infos.push_back(info);
  }
  return infos;
}

std::string find_name(const testing::TestParamInfo<IntegratorInfo>& info) {
  return std::string(info.param.name);
}

INSTANTIATE_TEST_SUITE_P(All, IntegratorExam, testing::ValuesIn(list(Steps::fixed)), find_name);
INSTANTIATE_TEST_SUITE_P(All, AdaptiveIntegratorExam, testing::ValuesIn(list(Steps::adaptive)),
                         find_name);
INSTANTIATE_TEST_SUITE_P(All, AdaptableIntegratorExam, testing::ValuesIn(list(Steps::both)),
                         find_name);

struct Orders {
  double at_steps = 0.0;
  double dense = 0.0;
};

// h falls by sqrt(2) until the error comes near rounding or the run gets long; the slope is that of
// the last four runs, the nearest to the limit h -> 0 that double precision shows.
Orders measure(ExamProblem& problem, const IntegratorInfo& info, bool project) {
  Vector steps, errors, dense_errors;
  // Implicit methods need steps for which Newton's method converges; the orbit of backward Euler falls into the centre if
  // they are long.
  const double density = !info.implicit ? 1.0 : info.order == 1 ? 80.0 : 4.0;
  for (double n = density * problem.t_end; n <= 6000.0; n *= std::sqrt(2.0)) {
    const double h = problem.t_end / std::round(n);
    const auto stepper = make_stepper(info.name, {.step = h}, false);
    const ExamRun r = run_exam(problem, *stepper, {.project = project, .dense = true});
    EXPECT_TRUE(r.ok);
    if (r.error < (info.implicit ? 3e-13 : 3e-14) + 5e-17 * n) break;
    steps.push_back(h);
    errors.push_back(r.error);
    dense_errors.push_back(r.dense_error);
  }
  const auto keep = [](Vector& v) { v.erase(v.begin(), v.end() - 4); };
  keep(steps), keep(errors), keep(dense_errors);
  const Orders orders{calc_slope(steps, errors), calc_slope(steps, dense_errors)};
  std::cout << "    " << info.name << " on " << problem.name << (project ? ", projected" : "")
            << ": order " << orders.at_steps << ", between steps " << orders.dense << " (errors "
            << errors.front() << " to " << errors.back() << ")\n";
  return orders;
}

TEST_P(IntegratorExam, ObservedOrder) {
  Orders lowest{100.0, 100.0};
  for (ExamProblem& problem : make_order_problems()) {
    const Orders orders = measure(problem, info(), false);
    EXPECT_GE(orders.at_steps, order() - 0.2) << problem.name;
    EXPECT_GE(orders.dense, dense_order() - 0.2) << problem.name << ", dense output";
    lowest = {std::min(lowest.at_steps, orders.at_steps), std::min(lowest.dense, orders.dense)};
  }
  if (!has_one_order()) return;
  EXPECT_LE(lowest.at_steps, order() + 0.2);
  EXPECT_LE(lowest.dense, dense_order() + 0.2);
}

TEST_P(IntegratorExam, ProjectionAfterEachStepKeepsTheOrder) {
  ExamProblem problem = make_pendulum();
  const Orders orders = measure(problem, info(), true);
  EXPECT_GE(orders.at_steps, order() - 0.2);
  EXPECT_GE(orders.dense, dense_order() - 0.2);
}

TEST_P(IntegratorExam, PolynomialsAreIntegratedExactly) {
  const int p = order();
  for (int degree = 0; degree < p; ++degree) {
    ExamProblem problem = make_monomial(degree);
    EXPECT_LT(run_exam(problem, *make_fixed(0.05)).error, 2e-15 * (degree + 1)) << problem.name;
  }
  if (!has_one_order()) return;
  // Kutta's weights are Simpson's, those of hem4 Radau's: exact for one degree more.
  const bool is_better = info().name == "kutta3" || info().name == "hem4";
  ExamProblem problem = make_monomial(is_better ? p + 1 : p);
  EXPECT_GT(run_exam(problem, *make_fixed(0.1)).error, 1e-13) << "exact beyond its order?";
}

TEST_P(IntegratorExam, DenseOutputMeetsBothEndsAlsoAfterACorrection) {
  ExamProblem problem = make_pendulum();
  const auto stepper = make_fixed(0.05);
  double t = 0.0;
  Vector y = problem.exact(0.0);
  Vector at(2), near(2);
  ASSERT_TRUE(stepper->start(problem, t, y, 1.0));
  for (int i = 0; i < 19; ++i) {
    const Vector y_old = y;
    const Vector f_old(stepper->slope().begin(), stepper->slope().end());
    ASSERT_EQ(stepper->step(problem, t, y, 1.0).status, StepStatus::ok);
    ASSERT_TRUE(stepper->interpolate(problem, 0.5, at));  // must leave nothing behind
    y[0] += 1e-3;  // large enough to see an end that is not the corrected one
    ASSERT_TRUE(stepper->accept(problem, t, y, Change::corrected));

    ASSERT_TRUE(stepper->interpolate(problem, 0.0, at));
    EXPECT_EQ(at, y_old);
    ASSERT_TRUE(stepper->interpolate(problem, 1.0, at));
    EXPECT_EQ(at, y);
    Vector f(2);
    problem.eval(t, y, f);
    // Implicit methods keep the slope of the end that they found.
    const Vector slope(stepper->slope().begin(), stepper->slope().end());
    EXPECT_LE(calc_max_difference(slope, f), info().implicit ? 2e-3 : 0.0);
    if (info().name == "backward_euler") continue;  // a straight line
    const double d = 1e-6;                          // slopes at both ends, by differences
    ASSERT_TRUE(stepper->interpolate(problem, d, near));
    EXPECT_NEAR((near[0] - y_old[0]) / (d * 0.05), f_old[0], 1e-4);
    ASSERT_TRUE(stepper->interpolate(problem, 1.0 - d, near));
    EXPECT_NEAR((y[0] - near[0]) / (d * 0.05), f[0], 1e-4);
  }
}

TEST_P(IntegratorExam, StepsEndExactlyWhereTheyShould) {
  ExamProblem problem = make_monomial(0);
  problem.t_end = 1000.0;
  const auto stepper = make_fixed(0.01);
  double t = 0.0;
  Vector y{0.0};
  ASSERT_TRUE(stepper->start(problem, t, y, 1000.0));
  for (int n = 1; n <= 100000; ++n) {
    ASSERT_EQ(stepper->step(problem, t, y, 1000.0).status, StepStatus::ok);
    ASSERT_TRUE(stepper->accept(problem, t, y, Change::unchanged));
    ASSERT_EQ(t, n == 100000 ? 1000.0 : n * 0.01);
  }
  EXPECT_EQ(stepper->counts().steps, 100000);
  EXPECT_NEAR(y[0], 1000.0, 1e-9);

  // A rest is a shorter step; there is nothing to do at t_end.
  const StepReport rest = stepper->step(problem, t, y, 1000.004);
  EXPECT_EQ(t, 1000.004);
  EXPECT_NEAR(rest.h, 0.004, 1e-12);
  ASSERT_TRUE(stepper->accept(problem, t, y, Change::unchanged));
  EXPECT_EQ(stepper->step(problem, t, y, 1000.004).h, 0.0);
  EXPECT_EQ(stepper->step(problem, t, y, 1001.0).h, 0.01);
  EXPECT_NEAR(t, 1000.014, 1e-12);
}

TEST_P(IntegratorExam, ShortenedLastStepKeepsTheOrder) {
  for (const double t_end : {3.0, 3.0123}) {
    ExamProblem problem = make_pendulum();
    problem.t_end = t_end;
    Vector steps, errors;
    for (const double h : {0.04, 0.02, 0.01}) {
      double t = 0.0;
      Vector y = problem.exact(0.0);
      const auto stepper = make_fixed(h);
      ASSERT_TRUE(stepper->start(problem, t, y, t_end));
      while (t < t_end) {  // with stops on the way, none of them on the grid
        const double stop = std::min(t_end, 1.0 + std::floor(t + 1e-12) + 0.017 * h);
        ASSERT_EQ(stepper->step(problem, t, y, stop).status, StepStatus::ok);
        ASSERT_TRUE(stepper->accept(problem, t, y, Change::unchanged));
      }
      EXPECT_EQ(t, t_end);
      steps.push_back(h);
      errors.push_back(calc_max_difference(y, problem.exact(t_end)) + 1e-15);
    }
    if (errors.back() > 1e-12) {
      EXPECT_GE(calc_slope(steps, errors), order() - 0.35);
    }
  }
}

TEST_P(IntegratorExam, RepeatsBitByBit) {
  ExamProblem problem = make_kepler();
  const auto stepper = make_fixed(0.013);
  const ExamRun first = run_exam(problem, *stepper, {.dense = true});
  const ExamRun again =
      run_exam(problem, *stepper, {.dense = false});  // dense output must not change the path
  const ExamRun other = run_exam(problem, *make_fixed(0.013), {.dense = true});
  ASSERT_TRUE(first.ok && again.ok && other.ok);
  for (const ExamRun* r : {&again, &other}) {
    EXPECT_EQ(std::memcmp(first.y.data(), r->y.data(), sizeof(double) * first.y.size()), 0);
  }
  EXPECT_EQ(first.dense_error, other.dense_error);
}

TEST_P(IntegratorExam, UndefinedFieldStopsAFixedStep) {
  ExamProblem problem = make_monomial(0);
  problem.field = [](double t, std::span<const double>, std::span<double> f) {
    f[0] = 1.0;
    return t < 0.55;
  };
  const auto stepper = make_fixed(0.1);
  double t = 0.0;
  Vector y{0.0};
  ASSERT_TRUE(stepper->start(problem, t, y, 1.0));
  while (t < 0.45) {
    ASSERT_EQ(stepper->step(problem, t, y, 1.0).status, StepStatus::ok);
    ASSERT_TRUE(stepper->accept(problem, t, y, Change::unchanged));
  }
  const Vector y_before = y;
  StepReport report = stepper->step(problem, t, y, 1.0);
  if (GetParam().implicit) {  // halves its steps while that helps
    while (report.status == StepStatus::ok && t < 1.0) {
      ASSERT_TRUE(stepper->accept(problem, t, y, Change::unchanged));
      report = stepper->step(problem, t, y, 1.0);
    }
    EXPECT_EQ(report.status, StepStatus::eval_failed);
    EXPECT_GE(t, 0.5);
    EXPECT_LT(t, 0.55);
  } else if (report.status == StepStatus::ok) {  // all stages were before: the end tells
    EXPECT_FALSE(stepper->accept(problem, t, y, Change::unchanged));
  } else {
    EXPECT_EQ(report.status, StepStatus::eval_failed);
    EXPECT_EQ(y, y_before);
    EXPECT_EQ(t, 0.5);
  }

  problem.field = [](double, std::span<const double>, std::span<double>) { return false; };
  EXPECT_FALSE(make_fixed(0.1)->start(problem, 0.0, y, 1.0));
  problem.field = [](double, std::span<const double>, std::span<double> f) {
    f[0] = std::nan("");  // a problem that does not notice
    return true;
  };
  EXPECT_FALSE(make_fixed(0.1)->start(problem, 0.0, y, 1.0));
}

TEST_P(IntegratorExam, BeginStepComesBeforeEachStepWithItsSlope) {
  ExamProblem problem = make_pendulum();
  int calls = 0;
  double last_t = -1.0;
  problem.on_begin_step = [&](double t, double h, std::span<const double> y,
                              std::span<const double> f) {
    EXPECT_GT(h, 0.0);
    last_t = t;
    if (++calls == 1) return;  // start: no slope yet
    ASSERT_EQ(f.size(), 2u);
    Vector expected(2);
    problem.eval(t, y, expected);
    EXPECT_LE(calc_max_difference(f, expected), info().implicit ? 0.2 : 0.0);
  };
  const auto stepper = make_fixed(0.1);
  double t = 0.0;
  Vector y = problem.exact(0.0);
  ASSERT_TRUE(stepper->start(problem, t, y, 1.0));
  for (int n = 0; n < 8; ++n) {
    const double t_old = t;
    stepper->step(problem, t, y, 1.0);
    EXPECT_EQ(last_t, t_old);
    EXPECT_EQ(calls, n + 2);
    stepper->accept(problem, t, y, n % 2 ? Change::corrected : Change::unchanged);
  }
}

TEST_P(IntegratorExam, NewChartForgetsTheOldOne) {
  // After each step y is written in another unit. A method that mixes slopes of two charts is far
  // off.
  ExamProblem problem = make_pendulum();
  double unit = 1.0;
  problem.field = [&](double, std::span<const double> y, std::span<double> f) {
    f[0] = y[1];
    f[1] = -unit * std::sin(y[0] / unit);
    return true;
  };
  const auto stepper = make_fixed(0.01);
  double t = 0.0;
  Vector y = problem.exact(0.0);
  Vector between(2);
  ASSERT_TRUE(stepper->start(problem, t, y, 3.0));
  for (int n = 0; t < 3.0; ++n) {
    ASSERT_EQ(stepper->step(problem, t, y, 3.0).status, StepStatus::ok);
    EXPECT_TRUE(stepper->interpolate(problem, 0.5, between));  // samples before the chart changes
    const bool change = n % 7 == 3;
    if (change) {
      const double factor = unit == 1.0 ? 10.0 : 0.1;
      unit *= factor;
      for (double& x : y) x *= factor;
    }
    ASSERT_TRUE(stepper->accept(problem, t, y, change ? Change::new_chart : Change::unchanged));
    EXPECT_EQ(stepper->interpolate(problem, 0.5, between), !change);
    EXPECT_TRUE(stepper->interpolate(problem, 1.0, between));
    EXPECT_EQ(between, y);
  }
  const Vector exact = problem.exact(3.0);
  const double tolerance = order() == 1 ? 0.05 : 2e-4;
  EXPECT_NEAR(y[0] / unit, exact[0], tolerance);
  EXPECT_NEAR(y[1] / unit, exact[1], tolerance);
}

TEST_P(AdaptiveIntegratorExam, ErrorFallsWithTheTolerance) {
  for (ExamProblem& problem : make_order_problems()) {
    Vector tolerances, errors;
    for (int digits = 5; digits <= 10; ++digits) {
      const double tol = std::pow(10.0, -digits);
      const auto stepper = make_stepper(info().name, {.step = 0.0, .rtol = tol, .atol = tol}, true);
      const ExamRun r = run_exam(problem, *stepper, {.dense = true});
      ASSERT_TRUE(r.ok);
      tolerances.push_back(tol);
      errors.push_back(r.error);
      EXPECT_LT(r.error, 200.0 * tol) << problem.name;
      EXPECT_LT(r.dense_error, 300.0 * tol) << problem.name;
    }
    const double slope = calc_slope(tolerances, errors);
    std::cout << "    " << info().name << " on " << problem.name << ": error ~ tolerance^" << slope
              << " (" << errors.front() << " .. " << errors.back() << ")\n";
    EXPECT_GE(slope, 0.8) << problem.name;
    EXPECT_LE(slope, 1.2) << problem.name;
  }
}

// With atol = 1 and next to no rtol the report's error is the estimate itself; radau5 compares it with
// another atol, [R5.1].
TEST_P(AdaptableIntegratorExam, EstimateFallsWithItsOrder) {
  ExamProblem problem = make_kepler();
  Vector steps, estimates, truths;
  for (double h = order() >= 8 ? 0.4 : 0.2; steps.size() < 4; h *= 0.5) {
    const auto stepper = make_stepper(info().name, {.step = h, .rtol = 1e-14, .atol = 1.0}, true);
    double t = 0.0;
    Vector y = problem.exact(t);
    ASSERT_TRUE(stepper->start(problem, t, y, problem.t_end));
    const StepReport report = stepper->step(problem, t, y, problem.t_end);
    ASSERT_EQ(report.h, h);
    steps.push_back(h);
    const double atol = info().name == "radau5" ? 0.3 * std::pow(1e-14, -0.2) : 1.0;
    estimates.push_back(report.error * atol);
    if (info().implicit) {  // Newton's method stopped at the tolerance
      y = problem.exact(0.0);
      t = 0.0;
      const auto fixed = make_fixed(h);
      ASSERT_TRUE(fixed->start(problem, t, y, problem.t_end));
      fixed->step(problem, t, y, problem.t_end);
    }
    truths.push_back(calc_max_difference(y, problem.exact(t)) + 1e-17);
  }
  // Variable order begins with order 1; the estimate of radau5 is of order 3.
  const int expected = info().variable_order ? 2 : dense_order();
  std::cout << "    " << info().name << ": estimate falls with h^" << calc_slope(steps, estimates)
            << '\n';
  EXPECT_NEAR(calc_slope(steps, estimates), expected, 0.2);
  for (std::size_t i = 0; i < steps.size(); ++i) EXPECT_GT(estimates[i], 0.1 * truths[i]);
}

// The polynomial itself, one step from the exact solution: h^{q+1} at mid-step for dense output of
// order q.
TEST_P(AdaptableIntegratorExam, DenseOutputHasItsOrderWithinOneStep) {
  ExamProblem problem = make_kepler();
  Vector steps, errors, y_mid(4);
  for (double h = order() >= 8 ? 0.4 : 0.1; steps.size() < 4; h /= std::sqrt(2.0)) {
    const auto stepper = make_fixed(h);
    double t = 0.0;
    Vector y = problem.exact(t);
    ASSERT_TRUE(stepper->start(problem, t, y, problem.t_end));
    ASSERT_EQ(stepper->step(problem, t, y, problem.t_end).status, StepStatus::ok);
    ASSERT_TRUE(stepper->accept(problem, t, y, Change::unchanged));
    ASSERT_TRUE(stepper->interpolate(problem, 0.3, y_mid));
    steps.push_back(h);
    errors.push_back(calc_max_difference(y_mid, problem.exact(0.3 * h)));
  }
  const auto tableau = find_tableau(info().name);
  // BDF begins with the stages of radau5
  const int q = tableau ? tableau->dense_order : order() >= 8 ? 7 : info().implicit ? 3 : 4;
  EXPECT_NEAR(calc_slope(steps, errors), q + 1, 0.2) << errors.front() << " to " << errors.back();
}

TEST_P(AdaptiveIntegratorExam, ProjectionKeepsTheTolerance) {
  ExamProblem problem = make_pendulum();
  problem.t_end = 30.0;
  const auto stepper = make_stepper(info().name, {.step = 0.0, .rtol = 1e-9, .atol = 1e-9}, true);
  const ExamRun r = run_exam(problem, *stepper, {.project = true, .dense = true});
  ASSERT_TRUE(r.ok);
  EXPECT_LT(r.error, 1e-7);
  EXPECT_LT(r.dense_error, 1e-7);
}

TEST_P(AdaptiveIntegratorExam, RepeatsBitByBit) {
  ExamProblem problem = make_kepler();
  const auto stepper = make_stepper(info().name, {.step = 0.0}, true);
  const ExamRun first = run_exam(problem, *stepper, {.dense = true});
  const ExamRun again = run_exam(problem, *stepper, {});
  ASSERT_TRUE(first.ok && again.ok);
  EXPECT_EQ(std::memcmp(first.y.data(), again.y.data(), sizeof(double) * first.y.size()), 0);
  EXPECT_EQ(first.steps, again.steps);
}

}  // namespace
}  // namespace driftless::exam
