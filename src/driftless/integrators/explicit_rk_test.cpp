// Step control, failures and evaluation counts of the Runge-Kutta engine; a tableau of the user's
// own.

#include "driftless/integrators/explicit_rk.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "driftless/base/error.hpp"
#include "driftless/integrators/exam_problems_test.hpp"

namespace driftless::exam {
namespace {

ExamProblem make_blow_up() {  // y' = y^2, y = 1/(1 - t)
  ExamProblem p;
  p.t_end = 2.0;
  p.field = [](double, std::span<const double> y, std::span<double> f) {
    f[0] = y[0] * y[0];
    return std::isfinite(f[0]);
  };
  p.exact = [](double t) { return Vector{1.0 / (1.0 - t)}; };
  return p;
}

class AdaptiveRk : public testing::TestWithParam<const char*> {
 protected:
  std::unique_ptr<Stepper> make(StepControl control) const {
    return make_stepper(GetParam(), control, true);
  }
};

INSTANTIATE_TEST_SUITE_P(Both, AdaptiveRk, testing::Values("dopri5", "dop853"));

TEST_P(AdaptiveRk, BlowUpEndsWithAStatus) {
  ExamProblem problem = make_blow_up();
  const auto stepper = make({.step = 0.0, .rtol = 1e-8, .atol = 1e-8});
  double t = 0.0;
  Vector y{1.0};
  ASSERT_TRUE(stepper->start(problem, t, y, 2.0));
  StepReport report;
  for (int n = 0; n < 10000 && report.status == StepStatus::ok; ++n) {
    report = stepper->step(problem, t, y, 2.0);
    if (report.status == StepStatus::ok) {
      ASSERT_TRUE(stepper->accept(problem, t, y, Change::unchanged));
    }
  }
  EXPECT_NE(report.status, StepStatus::ok);
  EXPECT_EQ(report.status, StepStatus::step_too_small);
  EXPECT_EQ(report.worst_component, 0);
  EXPECT_NEAR(t, 1.0, 1e-6);
  EXPECT_TRUE(std::isfinite(y[0]));
}

TEST_P(AdaptiveRk, UndefinedStagesShortenTheStep) {
  // Not defined beyond y = 1, which the solution 1 - exp(-t) only approaches: long steps fall over
  // the edge.
  ExamProblem problem = make_monomial(0);
  long refused = 0;
  problem.field = [&](double, std::span<const double> y, std::span<double> f) {
    f[0] = 1.0 - y[0];
    refused += y[0] > 1.0;
    return y[0] <= 1.0;
  };
  const auto stepper = make({.step = 5.0, .rtol = 1e-6, .atol = 1e-6});
  double t = 0.0;
  Vector y{0.0};
  ASSERT_TRUE(stepper->start(problem, t, y, 8.0));
  StepReport report = stepper->step(problem, t, y, 8.0);
  EXPECT_EQ(report.status, StepStatus::ok);
  EXPECT_GT(refused, 0);
  EXPECT_GE(report.rejected, 1);
  EXPECT_EQ(stepper->counts().rejected, report.rejected);
  while (t < 8.0) {
    ASSERT_TRUE(stepper->accept(problem, t, y, Change::unchanged));
    ASSERT_EQ(stepper->step(problem, t, y, 8.0).status, StepStatus::ok);
  }
  EXPECT_NEAR(y[0], 1.0 - std::exp(-8.0), 1e-5);
}

TEST_P(AdaptiveRk, AWallEndsWithEvalFailed) {
  ExamProblem problem = make_monomial(0);
  problem.field = [](double t, std::span<const double>, std::span<double> f) {
    f[0] = 1.0;
    return t <= 0.5;
  };
  const auto stepper = make({.step = 0.1});
  double t = 0.0;
  Vector y{0.0};
  ASSERT_TRUE(stepper->start(problem, t, y, 1.0));
  StepReport report;
  while ((report = stepper->step(problem, t, y, 1.0)).status == StepStatus::ok) {
    if (!stepper->accept(problem, t, y, Change::unchanged)) break;
  }
  if (report.status != StepStatus::ok) {
    EXPECT_EQ(report.status, StepStatus::eval_failed);
  }
  EXPECT_GT(t, 0.4);
  EXPECT_LT(t, 0.75);
}

TEST_P(AdaptiveRk, EndsAtTheEndWithoutSlivers) {
  for (const double t_end : {0.5, 1.0 / 3.0, 17.3, 6.0}) {
    ExamProblem problem = make_pendulum();
    problem.t_end = t_end;
    const auto stepper = make({.step = 0.0});
    double t = 0.0;
    Vector y = problem.exact(0.0);
    ASSERT_TRUE(stepper->start(problem, t, y, t_end));
    double h_old = 0.0, h = 0.0;
    while (t < t_end) {
      const double t_old = t;
      h_old = h;
      h = stepper->step(problem, t, y, t_end).h;
      ASSERT_GT(t, t_old);
      ASSERT_TRUE(stepper->accept(problem, t, y, Change::unchanged));
    }
    EXPECT_EQ(t, t_end);
    EXPECT_GT(h, 1e-3 * h_old);
  }
}

// Stops on the way are steps cut short; the controller must not creep away from each of them.
TEST_P(AdaptiveRk, StopsDoNotShortenTheStepsAfterThem) {
  ExamProblem problem = make_pendulum();
  problem.t_end = 40.0;
  const auto smooth = make({.step = 0.0, .rtol = 1e-9, .atol = 1e-9});
  ASSERT_TRUE(run_exam(problem, *smooth).ok);
  const auto stopped = make({.step = 0.0, .rtol = 1e-9, .atol = 1e-9});
  double t = 0.0;
  Vector y = problem.exact(0.0);
  ASSERT_TRUE(stopped->start(problem, t, y, 40.0));
  for (int stop = 1; stop <= 8; ++stop) {
    while (t < 5.0 * stop) {
      ASSERT_EQ(stopped->step(problem, t, y, 5.0 * stop).status, StepStatus::ok);
      ASSERT_TRUE(stopped->accept(problem, t, y, Change::unchanged));
    }
    EXPECT_EQ(t, 5.0 * stop);
  }
  EXPECT_LE(stopped->counts().steps, smooth->counts().steps + 2 * 8);
}

TEST_P(AdaptiveRk, MaxStepIsABound) {
  ExamProblem problem = make_monomial(0);
  problem.t_end = 1.004;
  const auto stepper = make({.step = 0.0, .max_step = 0.1});
  double t = 0.0;
  Vector y{0.0};
  ASSERT_TRUE(stepper->start(problem, t, y, problem.t_end));
  while (t < problem.t_end) {
    EXPECT_LE(stepper->step(problem, t, y, problem.t_end).h, 0.1);
    ASSERT_TRUE(stepper->accept(problem, t, y, Change::unchanged));
  }
  EXPECT_LE(stepper->counts().steps, 16);
}

TEST_P(AdaptiveRk, ComponentsWithoutWeightDoNotCount) {
  // A fast quadrature beside a pendulum: with weight 0 it must not change a single step.
  const auto count_steps = [&](bool with_quadrature, double weight) {
    ExamProblem problem = make_pendulum();
    const ExamProblem pendulum = problem;
    if (with_quadrature) {
      problem.field = [pendulum](double t, std::span<const double> y, std::span<double> f) {
        f[2] = 100.0 * std::cos(50.0 * t);
        return pendulum.field(t, y, f);
      };
      problem.exact = [pendulum](double t) {
        Vector y = pendulum.exact(t);
        y.push_back(2.0 * std::sin(50.0 * t));
        return y;
      };
      problem.weights = {1.0, 1.0, weight};
    }
    const auto stepper = make({.step = 0.0});
    EXPECT_TRUE(run_exam(problem, *stepper).ok);
    return stepper->counts().steps;
  };
  const long alone = count_steps(false, 0.0);
  EXPECT_EQ(count_steps(true, 0.0), alone);
  EXPECT_GT(count_steps(true, 1.0), 2 * alone);
}

// Hairer's first step is not invariant to the unit of time: with slow motion it begins too
// carefully and grows by 10 per step, with fast motion it is rejected once or twice. Both cost
// little.
TEST_P(AdaptiveRk, FirstStepIsFoundAcrossScales) {
  for (const double rate : {1e-6, 1.0, 1e6}) {
    ExamProblem problem = make_monomial(0);
    problem.t_end = 10.0 / rate;
    problem.field = [rate](double, std::span<const double> y, std::span<double> f) {
      f[0] = -rate * y[0];
      return true;
    };
    const auto stepper = make({.step = 0.0, .rtol = 1e-6, .atol = 1e-9});
    double t = 0.0;
    Vector y{1.0};
    ASSERT_TRUE(stepper->start(problem, t, y, problem.t_end));
    const StepReport first = stepper->step(problem, t, y, problem.t_end);
    EXPECT_LE(first.rejected, 2);
    EXPECT_GT(first.h * rate, 1e-7);
    EXPECT_NEAR(y[0], std::exp(-rate * first.h), 1e-6);
    while (t < problem.t_end) {
      ASSERT_TRUE(stepper->accept(problem, t, y, Change::unchanged));
      ASSERT_EQ(stepper->step(problem, t, y, problem.t_end).status, StepStatus::ok);
    }
    EXPECT_LE(stepper->counts().steps, 60);
  }
}

long count_evaluations(const char* name, bool adaptive, Change change, bool dense) {
  ExamProblem problem = make_pendulum();
  const auto stepper = make_stepper(name, {.step = 0.1, .rtol = 1e-3, .atol = 1e-3}, adaptive);
  double t = 0.0;
  Vector y = problem.exact(0.0), between(2);
  stepper->start(problem, t, y, 6.0);
  const long before = stepper->counts().evaluations;
  EXPECT_EQ(before, 1);
  const StepReport report = stepper->step(problem, t, y, 6.0);
  EXPECT_EQ(report.rejected, 0);
  EXPECT_TRUE(stepper->accept(problem, t, y, change));
  for (int i = 1; dense && i < 10; ++i) stepper->interpolate(problem, 0.1 * i, between);
  return stepper->counts().evaluations - before;
}

TEST(ExplicitRk, EvaluatesNoMoreThanItMust) {
  for (const Change change : {Change::unchanged, Change::corrected}) {
    EXPECT_EQ(count_evaluations("euler", false, change, true), 1);
    EXPECT_EQ(count_evaluations("rk4", false, change, true), 4);
    EXPECT_EQ(count_evaluations("dopri5", false, change, true), 6);
    EXPECT_EQ(count_evaluations("dop853", false, change, false), 12);
    EXPECT_EQ(count_evaluations("dop853", false, change, true), 15);
    EXPECT_EQ(count_evaluations("dop853", true, change, true), 15);
  }
  EXPECT_EQ(count_evaluations("dopri5", true, Change::unchanged, true), 6);
  EXPECT_EQ(count_evaluations("dopri5", true, Change::corrected, true), 7);
}

TEST(ExplicitRk, SamplesBeforeAcceptCostNothingIfNothingIsCorrected) {
  ExamProblem problem = make_pendulum();
  const auto stepper = make_stepper("rk4", {.step = 0.1}, false);
  double t = 0.0;
  Vector y = problem.exact(0.0), before(2), after(2);
  ASSERT_TRUE(stepper->start(problem, t, y, 6.0));
  stepper->step(problem, t, y, 6.0);
  ASSERT_TRUE(stepper->interpolate(problem, 0.4, before));
  ASSERT_TRUE(stepper->accept(problem, t, y, Change::unchanged));
  ASSERT_TRUE(stepper->interpolate(problem, 0.4, after));
  EXPECT_EQ(before, after);
  EXPECT_EQ(stepper->counts().evaluations, 5);
}

/// y' = cos t, but for a short while around a time, of which it tells.
class Spike : public ExamProblem {
 public:
  Spike(double at, double height) {
    t_end = 3.0;
    exact = [](double t) { return Vector{std::sin(t)}; };
    field = [=, this](double t, std::span<const double>, std::span<double> f) {
      const bool is_beside = std::abs(t - at) < 1e-4;
      jump_ = is_beside                 ? JumpNear::reached
              : jump_ == JumpNear::none ? JumpNear::none
                                        : JumpNear::passed;
      f[0] = std::cos(t) + (is_beside ? height : 0.0);
      return true;
    };
    on_begin_step = [this](double, double h, std::span<const double>, std::span<const double>) {
      jump_ = JumpNear::none;
      sizes.push_back(h);
    };
  }
  JumpNear find_jump() const override { return jump_; }

  Vector sizes;  // of the attempts

 private:
  JumpNear jump_ = JumpNear::none;
};

// [SC.4]: a first step of 0.05 has a stage at 0.3 of it in dopri5 and at 0.25 in dop853.
TEST_P(AdaptiveRk, StepsOverAJumpBesideAStage) {
  const double part = std::string(GetParam()) == "dopri5" ? 0.3 : 0.25;
  Spike problem(0.05 * part, 1.0);
  const auto stepper = make({.step = 0.05, .rtol = 1e-8, .atol = 1e-8});
  EXPECT_LT(run_exam(problem, *stepper).error, 1e-7);
  ASSERT_GE(problem.sizes.size(), 4U);
  EXPECT_EQ(problem.sizes[1], 0.05);
  EXPECT_NEAR(problem.sizes[2], 0.9 * 0.05, 1e-15);
  EXPECT_GE(problem.sizes[3], 0.9 * 0.05) << "behind it";
}

TEST_P(AdaptiveRk, EndsNoStepBesideAJump) {
  Spike problem(0.05, 1e-12);
  const auto stepper = make({.step = 0.05, .rtol = 1e-8, .atol = 1e-8});
  EXPECT_LT(run_exam(problem, *stepper).error, 1e-7);
  EXPECT_EQ(problem.sizes[1], 0.05);
  EXPECT_NEAR(problem.sizes[2], 0.9 * 0.05, 1e-15) << "although its error is small";
}

/// y₁' = cos t, and y₂, which is 0 and set to 0 after each step, with a slope that for a while no step can follow.
class Corrected : public ExamProblem {
 public:
  explicit Corrected(double roughness) {
    t_end = 3.0;
    exact = [](double t) { return Vector{std::sin(t), 0.0}; };
    field = [=](double t, std::span<const double>, std::span<double> f) {
      f[0] = std::cos(t);
      f[1] = std::abs(t - 1.5) < 0.2 ? roughness * std::cos(1e6 * t) : 0.0;
      return true;
    };
    project = [](std::span<double> y) { y[1] = 0.0; };
  }
  void drop_corrected(double, std::span<const double>, std::span<double> error) override {
    if (is_known) error[1] = 0.0;
  }

  bool is_known = true;
};

// [SC.5]
TEST_P(AdaptiveRk, IsNotStoppedByErrorsThatAreCorrected) {
  const StepControl control{.rtol = 1e-10, .atol = 1e-10};
  Corrected smooth(0.0), rough(3e-6), unknown(3e-6);
  unknown.is_known = false;
  const auto count = [&](Corrected& problem) {
    const auto stepper = make(control);
    EXPECT_LT(run_exam(problem, *stepper, {.project = true}).error, 1e-8);
    return stepper->counts().evaluations;
  };
  const long evaluations = count(smooth);
  EXPECT_GT(count(unknown), 3 * evaluations);
  EXPECT_LT(count(rough), 2 * evaluations);
}

TEST(ExplicitRk, RunsATableauOfTheUsersOwn) {
  // Bogacki and Shampine (1989), 3(2), FSAL.
  const Tableau bogacki_shampine{.name = "bs23",
                                 .order = 3,
                                 .error_order = 2,
                                 .a = {{}, {1.0 / 2}, {0.0, 3.0 / 4}, {2.0 / 9, 1.0 / 3, 4.0 / 9}},
                                 .b = {2.0 / 9, 1.0 / 3, 4.0 / 9, 0.0},
                                 .c = {0.0, 1.0 / 2, 3.0 / 4, 1.0},
                                 .e = {-5.0 / 72, 1.0 / 12, 1.0 / 9, -1.0 / 8},
                                 .fsal = true};
  ExamProblem problem = make_pendulum();
  Vector steps, errors;
  for (const double h : {0.05, 0.025, 0.0125}) {
    const auto stepper = make_explicit_rk(bogacki_shampine, {.step = h}, false);
    steps.push_back(h);
    errors.push_back(run_exam(problem, *stepper).error);
  }
  EXPECT_NEAR(calc_slope(steps, errors), 3.0, 0.2);
  const auto adaptive =
      make_explicit_rk(bogacki_shampine, {.step = 0.0, .rtol = 1e-7, .atol = 1e-7}, true);
  EXPECT_LT(run_exam(problem, *adaptive).error, 1e-5);

  Tableau wrong = bogacki_shampine;
  wrong.b[0] = 1.0 / 9;
  EXPECT_THROW(make_explicit_rk(wrong, {.step = 0.1}, false), ModelError);
  EXPECT_THROW(make_explicit_rk(make_kutta3_tableau(), {.step = 0.1}, true), ModelError);
}

}  // namespace
}  // namespace driftless::exam
