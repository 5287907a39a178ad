#include "driftless/assembly/start.hpp"

#include <gtest/gtest.h>

#include "driftless/assembly/quadratic_system_test.hpp"

namespace driftless {
namespace {

using namespace driftless::testing;

// Two rods, O - (q0, q1) - (q2, q3), of lengths 1 and 2.
QuadraticSystem make_chain(const Matrix& mass = Matrix::Identity(4, 4)) {
  return {mass, {make_rod("first", 4, 0, -1, 1.0), make_rod("second", 4, 2, 0, 2.0)}};
}

double find_phi(const System& system, const State& s) {
  const auto ws = system.make_workspace();
  system.eval_configuration(s.t, s.q, *ws);
  return max_abs(ws->phi);
}

double find_rho(const System& system, const State& s) {
  const auto ws = system.make_workspace();
  system.eval_configuration(s.t, s.q, *ws);
  system.eval_motion(s.t, s.q, s.v, *ws);
  return max_abs(ws->velocity_residual);
}

TEST(Start, ConsistentStateIsNotTouched) {
  const QuadraticSystem system = make_chain();
  State s = make_state({0.6, 0.8, 0.6 + 2.0 * std::cos(0.3), 0.8 + 2.0 * std::sin(0.3)},
                       {0.8, -0.6, 0.8, -0.6});
  const State before = s;
  const StartReport report = make_consistent(system, s);
  EXPECT_TRUE(report.success);
  EXPECT_TRUE(report.changes.empty());
  EXPECT_EQ(report.position_iterations, 0);
  EXPECT_EQ(s.q, before.q);  // bit for bit
  EXPECT_EQ(s.v, before.v);
}

TEST(Start, GuessesMoveFirst) {
  const QuadraticSystem system = make_chain();
  State s = make_state({0.6, 0.0, 0.5, 2.5}, {1.0, 0.0, 0.0, 0.0});
  const GivenFlags given{{true, false, true, false}, {true, false, false, false}};
  s.q[1] = 0.5;
  const StartReport report = make_consistent(system, s, given);
  ASSERT_TRUE(report.success) << report.message;
  EXPECT_FALSE(report.moved_given);
  EXPECT_EQ(s.q[0], 0.6);
  EXPECT_EQ(s.q[2], 0.5);
  EXPECT_EQ(s.v[0], 1.0);
  EXPECT_NEAR(s.q[1], 0.8, 1e-14);
  EXPECT_LE(find_phi(system, s), 1e-15);
  EXPECT_LE(find_rho(system, s), 1e-14);
  ASSERT_FALSE(report.changes.empty());
  EXPECT_EQ(report.changes[0].name, "q1");
  EXPECT_EQ(report.changes[0].from, 0.5);
  EXPECT_EQ(report.changes[0].to, s.q[1]);
  EXPECT_GT(report.phi_before, 0.1);
  EXPECT_LE(report.phi_after, 1e-15);
}

TEST(Start, GivenValuesMoveOnlyIfTheyMust) {
  const QuadraticSystem system = make_chain();
  State s =
      make_state({0.7, 0.9, 0.5, 2.5}, {0.0, 0.0, 0.0, 0.0});  // the first rod is too long as given
  const StartReport report = make_consistent(system, s, {{true, true, true, false}, {}});
  ASSERT_TRUE(report.success) << report.message;
  EXPECT_TRUE(report.moved_given);
  EXPECT_NE(s.q[0], 0.7);
  EXPECT_LE(find_phi(system, s), 1e-14);
}

// A heavy point and a light one on one rod: the light one gives way, in the ratio of the masses.
TEST(Start, LeastChangeInTheMassMetric) {
  Matrix mass = Matrix::Identity(4, 4);
  mass.topLeftCorner(2, 2) *= 9.0;
  const QuadraticSystem system(mass, {make_rod("rod", 4, 2, 0, 1.0)});
  State s = make_state({0.0, 0.0, 1.1, 0.0}, {0.0, 0.0, 1.0, 0.0});
  ASSERT_TRUE(make_consistent(system, s).success);
  EXPECT_NEAR(s.q[0], 0.01, 1e-12);
  EXPECT_NEAR(s.q[2], 1.01, 1e-12);
  EXPECT_NEAR(s.v[0], 0.1, 1e-12);
  EXPECT_NEAR(s.v[2], 0.1, 1e-12);
}

// q0 = 0 is wanted: the step is along M⁻¹ (1, 0), which moves q1 as well.
TEST(Start, LeastChangeWithCoupledMasses) {
  Matrix mass(2, 2);
  mass << 2, 1, 1, 3;
  const QuadraticSystem system(mass, {make_plane("wall", Vector::Unit(2, 0), 0.0)});
  State s = make_state({0.6, 0.0}, {0.3, 0.0});
  ASSERT_TRUE(make_consistent(system, s).success);
  EXPECT_NEAR(s.q[0], 0.0, 1e-15);
  EXPECT_NEAR(s.q[1], 0.2, 1e-14);
  EXPECT_NEAR(s.v[1], 0.1, 1e-14);
}

TEST(Start, SingularMassMatrixAndRedundantRows) {
  Matrix mass = Matrix::Identity(4, 4);
  mass(3, 3) = 0.0;
  QuadraticSystem system = make_chain(mass);
  auto rows = system.positions;
  rows.push_back(rows[1]);
  rows.back().name = "again";
  const QuadraticSystem redundant(mass, rows);
  State s = make_state({0.7, 0.6, 2.0, 1.5}, {0.3, -0.2, 0.1, 1.0});
  const StartReport report = make_consistent(redundant, s);
  ASSERT_TRUE(report.success) << report.message;
  EXPECT_LE(find_phi(redundant, s), 1e-14);
  EXPECT_LE(find_rho(redundant, s), 1e-14);
}

TEST(Start, ContradictionIsNamed) {
  auto rows = make_chain().positions;
  rows.push_back(make_rod("other", 4, 2, 0, 2.5));
  const QuadraticSystem system(Matrix::Identity(4, 4), rows);
  State s = make_state({0.7, 0.6, 2.0, 1.5}, {0.0, 0.0, 0.0, 0.0});
  const State before = s;
  const StartReport report = make_consistent(system, s);
  EXPECT_FALSE(report.success);
  EXPECT_TRUE(report.worst_row == "second" || report.worst_row == "other") << report.worst_row;
  EXPECT_GT(std::abs(report.worst_residual), 0.5);
  EXPECT_EQ(report.contradictory, (std::vector<std::string>{"second", "other"}));
  EXPECT_TRUE(
      report.message.starts_with("the constraints cannot be met at the start: 'second' and "
                                 "'other' contradict each other (the residual stays at "))
      << report.message;
  EXPECT_EQ(report.suggestion, "remove or correct one of 'second' and 'other'");
  EXPECT_EQ(s.q, before.q);
}

TEST(Start, ContradictionOfThreeRowsNamesAllOfThem) {
  // q0 + q1 = 3, where q0 = 1 and q1 = 1; q2 = 0 has nothing to do with it.
  const Vector x = Vector::Unit(4, 0), y = Vector::Unit(4, 1);
  const QuadraticSystem system(
      Matrix::Identity(4, 4),
      {make_plane("first", x, -1.0), make_plane("second", y, -1.0),
       make_plane("free", Vector::Unit(4, 2), 0.0), make_plane("sum", 5.0 * (x + y), -15.0)});
  State s = make_state({0.7, 0.6, 2.0, 1.5}, {0.0, 0.0, 0.0, 0.0});
  const StartReport report = make_consistent(system, s);
  EXPECT_FALSE(report.success);
  EXPECT_EQ(report.contradictory, (std::vector<std::string>{"first", "second", "sum"}));
}

TEST(Start, ContradictionOfVelocitiesNamesBoth) {
  const Vector x = Vector::Unit(4, 0);
  const QuadraticSystem system(Matrix::Identity(4, 4), {make_plane("wall", x, 0.0)},
                               {{"drive", Matrix::Zero(4, 4), x, -0.5, 0.0},
                                {"free", Matrix::Zero(4, 4), Vector::Unit(4, 1), 0.0, 0.0}});
  State s = make_state({0.0, 0.6, 2.0, 1.5}, {0.0, 0.0, 0.0, 0.0});
  const StartReport report = make_consistent(system, s);
  EXPECT_FALSE(report.success);
  EXPECT_EQ(report.contradictory, (std::vector<std::string>{"wall", "drive"}));
  EXPECT_NE(report.message.find("the velocity residual stays at"), std::string::npos)
      << report.message;
}

TEST(Start, OutOfReachIsNotAContradiction) {
  auto rows = make_chain().positions;
  const Vector x = Vector::Unit(4, 2);
  rows.push_back(make_plane("wall", x, -4.0));  // q2 = 4, but the chain reaches 3
  const QuadraticSystem system(Matrix::Identity(4, 4), rows);
  State s = make_state({0.7, 0.6, 2.0, 1.5}, {0.0, 0.0, 0.0, 0.0});
  const StartReport report = make_consistent(system, s);
  EXPECT_FALSE(report.success);
  EXPECT_NE(report.suggestion.find("dimensions"), std::string::npos) << report.suggestion;
}

// |v| = 2 and a moving plane: velocities by Newton's method.
TEST(Start, NonlinearVelocityRows) {
  const QuadraticRow speed{"speed", 2.0 * Matrix::Identity(4, 4), Vector::Zero(4), -4.0, 0.0};
  const QuadraticSystem system(Matrix::Identity(4, 4),
                               {make_plane("lift", Vector::Unit(4, 1), 0.0, -0.5)}, {speed});
  State s = make_state({0.0, 0.1, 0.0, 0.0}, {1.0, 0.0, 0.3, 0.0});
  const StartReport report = make_consistent(system, s);
  ASSERT_TRUE(report.success) << report.message;
  EXPECT_NEAR(s.v[1], 0.5, 1e-14);
  EXPECT_NEAR(s.v.norm(), 2.0, 1e-14);
  EXPECT_NEAR(s.q[1], 0.0, 1e-15);
}

TEST(Start, KeepGivenOnlyReports) {
  const QuadraticSystem system = make_chain();
  State s = make_state({0.7, 0.6, 2.0, 1.5}, {1.0, 0.0, 0.0, 0.0});
  const State before = s;
  const StartReport report =
      make_consistent(system, s, {{false, false, false, false}, {}}, {.keep_given = true});
  EXPECT_TRUE(report.success);
  EXPECT_EQ(s.q, before.q);
  EXPECT_EQ(s.v, before.v);
  EXPECT_DOUBLE_EQ(report.phi_after, find_phi(system, s));
  EXPECT_DOUBLE_EQ(report.rho_after, find_rho(system, s));
  EXPECT_GT(report.rho_after, 1.0);
}

TEST(Start, NotFinite) {
  QuadraticSystem system = make_chain();
  system.positions[1].d = std::numeric_limits<double>::quiet_NaN();
  State s = make_state({0.7, 0.6, 2.0, 1.5}, {0.0, 0.0, 0.0, 0.0});
  const StartReport report = make_consistent(system, s);
  EXPECT_FALSE(report.success);
  EXPECT_EQ(report.worst_row, "second");
  EXPECT_NE(report.message.find("no finite"), std::string::npos);
}

TEST(Start, ValuesBeyondTheRangeAreRefused) {
  const QuadraticSystem system = make_chain();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const bool keep : {false, true}) {
    for (const double value : {1e200, -1e308, infinity, std::nan("")}) {
      State s = make_state({0.7, 0.6, 2.0, 1.5}, {0.0, 0.0, 0.0, 0.0});
      s.q[2] = value;
      StartReport report = make_consistent(system, s, {}, {.keep_given = keep});
      EXPECT_FALSE(report.success);
      EXPECT_TRUE(report.message.starts_with("the start value q2 = ")) << report.message;
      EXPECT_EQ(report.suggestion, "give a value between -1e+150 and 1e+150");
      s = make_state({0.7, 0.6, 2.0, 1.5}, {0.0, 0.0, 0.0, 0.0});
      s.v[1] = value;
      report = make_consistent(system, s, {}, {.keep_given = keep});
      EXPECT_FALSE(report.success);
      EXPECT_TRUE(report.message.starts_with("the start value q1' = ")) << report.message;
    }
  }
}

// The tolerance of [START.2] is infinite there, too; nothing must be called met by it.
TEST(Start, AnInfiniteResidualIsNeverMet) {
  QuadraticSystem system(Matrix::Identity(2, 2), {make_rod("first", 2, 0, -1, 1.0)});
  system.positions[0].A *= 1e30;
  State s = make_state({1e140, 0.6}, {0.0, 0.0});
  const StartReport report = make_consistent(system, s);
  EXPECT_FALSE(report.success);
  EXPECT_EQ(report.message, "constraint 'first' has no finite residual at the start");
  EXPECT_EQ(report.suggestion,
            "change the start values, the largest of which is q0 = 1e+140: the expression is not "
            "defined there");
}

}  // namespace
}  // namespace driftless
