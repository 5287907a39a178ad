// eval_forces against eval_motion: the same Q and γ off the constraints, at any velocity, and ρ left as it was.

#include <gtest/gtest.h>

#include "driftless/mechanism/mechanism_system.hpp"
#include "driftless/mechanism/random_tree_test.hpp"

namespace driftless {
namespace {

double find_distance(const Vector& a, const Vector& b) { return (a - b).cwiseAbs().maxCoeff(); }

TEST(ForcesAlone, AreThoseOfTheWholeMotion) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    const bool plane = seed % 2 == 0;
    testing::RandomTree random(seed, plane);
    const int bodies = 6;
    const auto parts = random.make(bodies);
    const Vector drawn = testing::draw_tree(random, *parts);
    for (int k = 0; k < 2; ++k) random.add_loop(*parts, bodies - 1 - k, k - 1, drawn, 0.1 * k);
    const auto system = make_mechanism_system(parts);
    const Vector q = drawn + random.numbers(system->info().nq, 0.1);
    const auto whole = system->make_workspace(), alone = system->make_workspace();
    for (int turn = 0; turn < 2; ++turn) {  // the second time at the same pose
      const Vector v = random.numbers(system->info().nv, 1.0);
      const Vector other = random.numbers(system->info().nv, 1.0);
      system->eval_configuration(0.3, q, *whole);
      system->eval_motion(0.3, q, v, *whole);
      system->eval_configuration(0.3, q, *alone);
      system->eval_velocity(0.3, q, other, *alone);
      const Vector residual = alone->velocity_residual;
      ASSERT_TRUE(system->eval_forces(0.3, q, v, *alone));
      const double size = 1.0 + max_abs(whole->force) + max_abs(whole->gamma);
      EXPECT_LE(find_distance(alone->force, whole->force), 1e-13 * size) << seed;
      EXPECT_LE(find_distance(alone->gamma, whole->gamma), 1e-13 * size) << seed;
      EXPECT_EQ(find_distance(alone->velocity_residual, residual), 0.0) << seed;
      // γ is what G v' must be for ρ to stay: by a difference along v with v' = 0.
      const double h = 1e-6;
      Vector there = q, back = q;
      system->retract(there, Vector(h * v));
      system->retract(back, Vector(-h * v));
      system->eval_configuration(0.3, there, *whole);
      system->eval_velocity(0.3, there, v, *whole);
      Vector rate = whole->velocity_residual;
      system->eval_configuration(0.3, back, *whole);
      system->eval_velocity(0.3, back, v, *whole);
      rate -= whole->velocity_residual;
      rate /= -2.0 * h;
      EXPECT_LE(find_distance(rate, alone->gamma), 1e-7 * size) << seed;
    }
  }
}

}  // namespace
}  // namespace driftless
