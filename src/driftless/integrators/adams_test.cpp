// What is special about Adams with variable step and order; all else is in the exam.

#include "driftless/integrators/adams.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "driftless/integrators/exam_problems_test.hpp"

namespace driftless::exam {
namespace {

struct AdamsRun {
  int highest_order = 0;
  double error = 0.0;
  StepperCounts counts;
};

/// `change`: what happens to y after each step; with `corrected` it moves by `push`.
AdamsRun run_adams(double tolerance, Change change = Change::unchanged, double push = 0.0) {
  ExamProblem problem = make_kepler();
  const auto stepper = make_adams({.step = 0.0, .rtol = tolerance, .atol = tolerance}, true);
  double t = 0.0;
  Vector y = problem.exact(t);
  AdamsRun run;
  EXPECT_TRUE(stepper->start(problem, t, y, problem.t_end));
  while (t < problem.t_end) {
    const StepReport report = stepper->step(problem, t, y, problem.t_end);
    EXPECT_EQ(report.status, StepStatus::ok);
    if (report.status != StepStatus::ok) break;
    run.highest_order = std::max(run.highest_order, report.order);
    if (change == Change::corrected) y[0] += push * (stepper->counts().steps % 2 == 0 ? 1 : -1);
    EXPECT_TRUE(stepper->accept(problem, t, y, change));
    run.error = std::max(run.error, calc_max_difference(y, problem.exact(t)));
  }
  run.counts = stepper->counts();
  return run;
}

TEST(Adams, TheOrderGrowsWithTheTolerance) {
  const AdamsRun coarse = run_adams(1e-3);
  const AdamsRun fine = run_adams(1e-12);
  EXPECT_LE(coarse.highest_order, 8);
  EXPECT_GE(fine.highest_order, 9);
  EXPECT_LE(fine.highest_order, 12);
  EXPECT_LT(fine.error, 1e-9);
}

TEST(Adams, TwoEvaluationsPerStepAndOneMorePerRejection) {
  for (const double tolerance : {1e-4, 1e-7, 1e-10}) {
    const StepperCounts counts = run_adams(tolerance).counts;
    EXPECT_EQ(counts.evaluations, 2 + 2 * counts.steps + counts.rejected);  // 2: for the first step
  }
}

TEST(Adams, FewStepsAreTriedInVain) {
  for (const double tolerance : {1e-4, 1e-7, 1e-10}) {
    const StepperCounts counts = run_adams(tolerance).counts;
    EXPECT_LT(counts.rejected, counts.steps / 10) << tolerance;
  }
}

TEST(Adams, CorrectionsOfTheSizeOfTheErrorCostNothing) {
  const AdamsRun untouched = run_adams(1e-8);
  const AdamsRun same = run_adams(1e-8, Change::corrected, 0.0);
  const AdamsRun pushed = run_adams(1e-8, Change::corrected, 1e-9);
  const AdamsRun restarted = run_adams(1e-8, Change::new_chart);
  EXPECT_EQ(same.counts.steps, untouched.counts.steps);
  EXPECT_LE(pushed.counts.steps, 2 * untouched.counts.steps);
  EXPECT_GE(restarted.counts.steps, 20 * untouched.counts.steps) << "order 1 all the way";
}

}  // namespace
}  // namespace driftless::exam
