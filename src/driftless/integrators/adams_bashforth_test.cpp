// The weights, the start and the history of the Adams-Bashforth methods.

#include "driftless/integrators/adams_bashforth.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "driftless/base/error.hpp"
#include "driftless/integrators/exam_problems_test.hpp"

namespace driftless::exam {
namespace {

TEST(AdamsBashforth, WeightsIntegratePolynomialsAndNoMore) {
  for (int k = 1; k <= 5; ++k) {
    const std::span<const double> beta = find_adams_bashforth_weights(k);
    ASSERT_EQ(static_cast<int>(beta.size()), k);
    for (int m = 0; m <= k; ++m) {
      double sum = 0.0;
      for (int j = 0; j < k; ++j) sum += beta[static_cast<std::size_t>(j)] * std::pow(-j, m);
      const double defect = std::abs(sum - 1.0 / (m + 1));
      if (m < k) {
        EXPECT_LT(defect, 1e-13) << k << ", degree " << m;
      } else {
        EXPECT_GT(defect, 1e-2) << k;
      }
    }
  }
}

// Two steps of RK4, then the formula: AB3 computed by hand beside the stepper.
TEST(AdamsBashforth, Ab3BeginsWithTwoStepsOfRk4) {
  ExamProblem problem = make_pendulum();
  const double h = 0.1;
  const auto rk4 = make_stepper("rk4", {.step = h}, false);
  const auto ab3 = make_stepper("ab3", {.step = h}, false);
  double t = 0.0, s = 0.0;
  Vector y = problem.exact(0.0), z = y;
  std::vector<Vector> f;
  ASSERT_TRUE(rk4->start(problem, s, z, 6.0));
  ASSERT_TRUE(ab3->start(problem, t, y, 6.0));
  f.emplace_back(ab3->slope().begin(), ab3->slope().end());
  for (int n = 1; n <= 6; ++n) {
    const Vector y_old = y;
    ab3->step(problem, t, y, 6.0);
    ASSERT_TRUE(ab3->accept(problem, t, y, Change::unchanged));
    if (n <= 2) {
      rk4->step(problem, s, z, 6.0);
      ASSERT_TRUE(rk4->accept(problem, s, z, Change::unchanged));
      EXPECT_EQ(y, z) << "start step " << n;
    } else {
      const std::size_t m = f.size() - 1;
      for (std::size_t i = 0; i < 2; ++i) {
        const double sum = 23.0 / 12 * f[m][i] - 16.0 / 12 * f[m - 1][i] + 5.0 / 12 * f[m - 2][i];
        EXPECT_NEAR(y[i], y_old[i] + h * sum, 1e-15);
      }
    }
    f.emplace_back(ab3->slope().begin(), ab3->slope().end());
  }
  // start, two RK4 steps of 4 (the end's slope included), four of 1
  EXPECT_EQ(ab3->counts().evaluations, 1 + 2 * 4 + 4);
}

long count_evaluations_of_step(Stepper& stepper, ExamProblem& problem, double& t, Vector& y,
                               double t_end, Change change) {
  const long before = stepper.counts().evaluations;
  EXPECT_EQ(stepper.step(problem, t, y, t_end).status, StepStatus::ok);
  EXPECT_TRUE(stepper.accept(problem, t, y, change));
  return stepper.counts().evaluations - before;
}

TEST(AdamsBashforth, HistorySurvivesCorrectionsAndNothingElse) {
  for (int order = 2; order <= 5; ++order) {
    ExamProblem problem = make_pendulum();
    const auto stepper = make_adams_bashforth(order, {.step = 0.1});
    double t = 0.0;
    Vector y = problem.exact(0.0);
    ASSERT_TRUE(stepper->start(problem, t, y, 6.0));
    const int stages = order <= 4 ? 4 : 6;
    const auto expect_start = [&](double t_end) {
      for (int n = 0; n < order - 1; ++n) {
        EXPECT_EQ(count_evaluations_of_step(*stepper, problem, t, y, t_end, Change::corrected),
                  stages);
      }
      EXPECT_EQ(count_evaluations_of_step(*stepper, problem, t, y, t_end, Change::corrected), 1);
    };
    expect_start(6.0);
    count_evaluations_of_step(*stepper, problem, t, y, 6.0, Change::new_chart);
    expect_start(6.0);
    // A step cut short is a starter step, and the steps after it are no longer equally spaced.
    EXPECT_EQ(count_evaluations_of_step(*stepper, problem, t, y, t + 0.05, Change::unchanged),
              stages);
    expect_start(6.0);
  }
}

TEST(AdamsBashforth, RefusesOtherOrders) {
  EXPECT_THROW(make_adams_bashforth(1, {.step = 0.1}), ModelError);
  EXPECT_THROW(make_adams_bashforth(6, {.step = 0.1}), ModelError);
  EXPECT_THROW(make_adams_bashforth(3, {.step = 0.0}), ModelError);
}

}  // namespace
}  // namespace driftless::exam
