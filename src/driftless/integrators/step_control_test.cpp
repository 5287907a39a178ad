// The clock of fixed steps and the controller of adaptive ones, without a method around them.

#include "driftless/integrators/step_control.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace driftless {
namespace {

TEST(FixedClock, KeepsTheGridWhileStepsAreFull) {
  FixedClock clock;
  clock.start(0.3, 0.1);
  double t = 0.3;
  for (int n = 1; n <= 1000; ++n) {
    const StepTarget target = clock.find_next(t, 1e6);
    EXPECT_EQ(target.t, 0.3 + n * 0.1);
    EXPECT_EQ(target.h, 0.1);
    EXPECT_TRUE(target.full);
    clock.advance(target);
    t = target.t;
  }
}

TEST(FixedClock, TakesASmallRestAlong) {
  FixedClock clock;
  clock.start(0.0, 0.1);
  for (const double rest : {0.1, 0.1 + 0.5e-10, 0.1 - 0.5e-10}) {
    const StepTarget target = clock.find_next(0.0, rest);
    EXPECT_EQ(target.t, rest);
    EXPECT_EQ(target.h, rest);
    EXPECT_EQ(target.full, rest == 0.1);
  }
  EXPECT_EQ(clock.find_next(0.0, 0.1 + 1e-9).t, 0.1);
  EXPECT_EQ(clock.find_next(0.0, 0.04).h, 0.04);
  EXPECT_FALSE(clock.find_next(0.0, 0.04).full);
}

TEST(FixedClock, GoesBackToTheGridAfterParts) {
  FixedClock clock;
  clock.start(0.0, 0.1);
  const StepTarget half = clock.find_next(0.0, 1.0, 1);
  EXPECT_EQ(half.h, 0.05);
  const StepTarget eighth = clock.find_next(0.0, 1.0, 3);
  EXPECT_EQ(eighth.t, 0.0125);
  clock.advance(eighth);
  const StepTarget rest = clock.find_next(eighth.t, 1.0);
  EXPECT_EQ(rest.t, 0.1);
  EXPECT_NEAR(rest.h, 0.0875, 1e-16);
  EXPECT_EQ(clock.find_next(eighth.t, 1.0, 1).t, 0.0125 + 0.5 * rest.h);
  EXPECT_EQ(clock.find_next(eighth.t, 0.05).t, 0.05);  // not beyond the end
  clock.advance(rest);
  EXPECT_EQ(clock.find_next(0.1, 1.0).t, 0.2);
  EXPECT_EQ(clock.find_next(0.1, 1.0).h, 0.1);
}

// Whatever is left, the steps up to the end are of one size, near that of the last one.
TEST(EvenTarget, DividesTheRest) {
  for (double rest = 0.3; rest < 12.0; rest += 0.0371) {
    double t = 0.0, longest = 0.0, shortest = 1e9;
    int steps = 0;
    for (; t < rest; ++steps) {
      const StepTarget target = find_even_target(t, rest, 1.0, 0.0);
      EXPECT_NEAR(target.t - t, target.h, 1e-14 * rest);
      longest = std::max(longest, target.h);
      shortest = std::min(shortest, target.h);
      t = target.t;
    }
    EXPECT_EQ(t, rest);
    EXPECT_LE(longest, 1.01 + 1e-12) << rest;
    EXPECT_GE(shortest, std::min(rest, rest < 8.0 ? 0.5 : 0.85)) << rest;
    EXPECT_LE(steps, std::ceil(rest)) << rest;
  }
  EXPECT_LE(find_even_target(0.0, 2.01, 1.0, 1.0).h, 1.0);  // a bound is a bound
  EXPECT_TRUE(find_even_target(0.0, 100.0, 1.0, 0.0).full);
}

TEST(StepController, FollowsTheError) {
  StepController controller;
  controller.start(0.1, 0.0, 4, 0.0);  // without memory: h 0.9 err^(-1/5)
  const auto step_after = [&](double error) {
    controller.start(0.1, 0.0, 4, 0.0);
    controller.accept(controller.find_next(0.0, 1.0), error);
    return controller.step();
  };
  EXPECT_NEAR(step_after(1.0), 0.09, 1e-15);
  EXPECT_NEAR(step_after(std::pow(0.5, 5)), 0.18, 1e-15);
  EXPECT_NEAR(step_after(1e-12), 1.0, 1e-15) << "at most ten times";
  EXPECT_NEAR(step_after(0.0), 1.0, 1e-15);
}

TEST(StepController, RemembersTheLastError) {
  StepController controller;
  controller.start(0.1, 0.0, 4, 0.04);
  controller.accept({0.1, 0.1, true}, 0.5);
  controller.accept({0.2, 0.1, true}, 0.25);
  EXPECT_NEAR(controller.step(), 0.1 * 0.9 * std::pow(0.25, -0.17) * std::pow(0.5, 0.04), 1e-15);
}

// [SC.3]: err = C h^5 with C doubled from step to step.
TEST(StepController, ExpectsAnErrorThatRisesToGoOnRising) {
  StepController controller;
  controller.start(0.1, 0.0, 4, 0.04, StepController::Memory::of_trend);
  double h = 0.1, C = 0.5 / std::pow(h, 5);
  double error = 0.0;
  for (int k = 0; k < 30; ++k, C *= 2.0) {
    error = C * std::pow(h, 5);
    EXPECT_LE(error, 1.0) << k;
    controller.accept({1.0 + k, h, true}, error);
    h = controller.step();
  }
  EXPECT_NEAR(error, std::pow(0.9, 5), 1e-3);
  // Where it falls, the step grows with care.
  controller.accept({40.0, h, true}, 0.1 * C * std::pow(h, 5));
  EXPECT_LT(controller.step(), 1.5 * h);
}

TEST(StepController, DoesNotGrowAfterARejection) {
  StepController controller;
  controller.start(0.1, 0.0, 4, 0.04);
  controller.reject({0.1, 0.1, true}, 32.0);
  EXPECT_NEAR(controller.step(), 0.1 * 0.9 * std::pow(32.0, -0.17), 1e-15);
  const double h = controller.step();
  controller.accept({h, h, true}, 1e-6);
  EXPECT_EQ(controller.step(), h);
  controller.accept({2 * h, h, true}, 1e-6);
  EXPECT_GT(controller.step(), 2 * h);
}

// [SC.6]
TEST(StepController, GrowsByLittleOnceItHasBegun) {
  StepController controller;
  controller.start(0.001, 0.0, 7, 0.0, StepController::Memory::of_error, 1.5);
  controller.accept({0.001, 0.001, true}, 1e-20);
  EXPECT_NEAR(controller.step(), 0.01, 1e-16);
  controller.accept({0.011, 0.01, true}, 0.02);
  EXPECT_NEAR(controller.step(), 0.01 * 0.9 * std::pow(0.02, -1.0 / 8), 1e-15);
  controller.accept({0.021, 0.01, true}, 1e-20);
  EXPECT_NEAR(controller.step(), 0.015, 1e-16);
}

// [SC.4]
TEST(StepController, GoesOnAsBeforeBehindAJump) {
  StepController controller;
  controller.start(0.1, 0.0, 4, 0.04, StepController::Memory::of_trend);
  controller.accept({0.1, 0.1, true}, 0.5);
  const double calm = controller.step();
  controller.reject_beside({0.1 + calm, calm, true});
  EXPECT_NEAR(controller.step(), 0.9 * calm, 1e-15);
  controller.reject({0.1 + calm, 0.9 * calm, true}, 1e6);
  controller.accept({0.11, 0.01, true}, 0.9, JumpNear::passed);
  EXPECT_EQ(controller.step(), calm);
  // What it was there says nothing of the trend.
  controller.accept({0.11 + calm, calm, true}, 0.5);
  EXPECT_NEAR(controller.step(), calm * 0.9 * std::pow(0.5, -0.17) * std::pow(0.9, 0.04), 1e-15);
}

TEST(StepController, ShrinksAtMostToAFifthAlsoWithoutANumber) {
  for (const double error : {1e30, HUGE_VAL, std::nan("")}) {
    StepController controller;
    controller.start(0.1, 0.0, 4, 0.04);
    controller.reject({0.1, 0.1, true}, error);
    EXPECT_NEAR(controller.step(), 0.02, 1e-16);
  }
  StepController controller;
  controller.start(0.1, 0.0, 4, 0.04);
  controller.reject_undefined({0.1, 0.1, true});
  EXPECT_EQ(controller.step(), 0.025);
  controller.reject_newton({0.1, 0.1, true});
  EXPECT_EQ(controller.step(), 0.05);
}

TEST(StepController, AStepCutShortDoesNotShortenTheNext) {
  StepController controller;
  controller.start(0.1, 0.0, 4, 0.04);
  const StepTarget cut = controller.find_next(0.0, 1e-5);
  EXPECT_EQ(cut.h, 1e-5);
  controller.accept(cut, 1e-20);
  EXPECT_EQ(controller.step(), 0.1);
}

TEST(StepController, EndsInOneStretchWithinItsBound) {
  StepController controller;
  controller.start(0.1, 0.0, 4, 0.04);
  EXPECT_EQ(controller.find_next(0.0, 0.1009).t, 0.1009);
  EXPECT_EQ(controller.find_next(0.0, 0.102).t, 0.1);
  controller.start(0.1, 0.1, 4, 0.04);  // no step above 0.1: two halves
  EXPECT_NEAR(controller.find_next(0.0, 0.1009).h, 0.05045, 1e-15);
}

TEST(StepController, KnowsWhatTimeResolves) {
  StepController controller;
  controller.start(1e-13, 0.0, 4, 0.04);
  EXPECT_FALSE(controller.is_too_small(0.0, 1.0));
  EXPECT_TRUE(controller.is_too_small(0.0, 1000.0));
  EXPECT_TRUE(controller.is_too_small(1000.0, 1000.0));
}

// [SC.5]: 1e-6 across the constraints of a run at 1e-10 ends where it should; at 1e-5 and above nothing is trusted.
TEST(Corrections, AreTrustedWhereTheyAreSmall) {
  EXPECT_TRUE(may_be_corrected(1e4 * 0.99, 1e-10));
  EXPECT_FALSE(may_be_corrected(1e4 * 1.01, 1e-10));
  EXPECT_TRUE(may_be_corrected(9.9, 1e-6));
  EXPECT_FALSE(may_be_corrected(10.1, 1e-6));
  EXPECT_FALSE(may_be_corrected(1.01, 1e-5));
}

}  // namespace
}  // namespace driftless
