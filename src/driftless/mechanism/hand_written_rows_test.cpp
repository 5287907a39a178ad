// Rows that are written out by hand (pair_rows.hpp, rod_rows.hpp) against the same rows by their functions, in random states
// that keep nothing closed.

#include <gtest/gtest.h>

#include "driftless/mechanism/random_tree_test.hpp"

namespace driftless {
namespace {

/// Rods between bodies, points and the ground, in every pairing that there is.
void add_rods(testing::RandomTree& random, MechanismParts& parts) {
  const auto count = static_cast<int>(parts.bodies.size());
  for (int k = 0; k < 3 * count; ++k) {
    const int body = k % count;
    const int other = (body + k / count + 1) % (count + 1);
    const double length = random.number(0.3, 2.0);
    random.add_rod(parts, body, other == count ? -1 : other, length);
  }
}

std::shared_ptr<MechanismParts> by_functions(const MechanismParts& parts) {
  auto copy = std::make_shared<MechanismParts>(parts);
  for (RowBlock& row : copy->rows) {
    row.form = {};
    row.rod_length = 0.0;
  }
  return copy;
}

void expect_near(const Matrix& one, const Matrix& other) {
  ASSERT_EQ(one.size(), other.size());
  if (one.size() == 0) return;
  EXPECT_LE((one - other).cwiseAbs().maxCoeff(), 1e-13 * (1.0 + other.cwiseAbs().maxCoeff()));
}

void compare(unsigned seed, bool plane) {
  testing::RandomTree random(seed, plane);
  const auto parts = random.make(11);
  add_rods(random, *parts);
  const auto by_hand = make_mechanism_system(parts);
  const auto plain = make_mechanism_system(by_functions(*parts));
  const auto ws = by_hand->make_workspace(), expected = plain->make_workspace();
  BlockMatrix rate = ws->jacobian, expected_rate = expected->jacobian;
  for (int trial = 0; trial < 5; ++trial) {
    const Vector q = random.numbers(by_hand->info().nq, 1.5);
    const Vector v = random.numbers(by_hand->info().nv, 2.0);
    const Vector w = random.numbers(by_hand->info().nv, 2.0);
    by_hand->eval_configuration(0.2, q, *ws);
    plain->eval_configuration(0.2, q, *expected);
    expect_near(ws->phi, expected->phi);
    expect_near(ws->jacobian.dense(), expected->jacobian.dense());
    by_hand->eval_velocity(0.2, q, v, *ws);
    plain->eval_velocity(0.2, q, v, *expected);
    expect_near(ws->velocity_residual, expected->velocity_residual);
    by_hand->eval_jacobian_rate(0.2, q, w, *ws, rate);
    plain->eval_jacobian_rate(0.2, q, w, *expected, expected_rate);
    expect_near(rate.dense(), expected_rate.dense());
    by_hand->eval_motion(0.2, q, v, *ws);
    plain->eval_motion(0.2, q, v, *expected);
    expect_near(ws->gamma, expected->gamma);
    expect_near(ws->velocity_residual, expected->velocity_residual);
  }
}

TEST(HandWrittenRows, AreThoseOfTheFunctions) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    compare(seed, false);
    compare(seed, true);
  }
}

}  // namespace
}  // namespace driftless
