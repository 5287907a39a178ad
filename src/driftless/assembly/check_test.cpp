#include "driftless/assembly/check.hpp"

#include <gtest/gtest.h>

#include "driftless/assembly/quadratic_system_test.hpp"

namespace driftless {
namespace {

using namespace driftless::testing;

using Names = std::vector<std::string>;

State make_chain_state() {
  return make_state({0.6, 0.8, 0.6 + 2.0 * std::cos(0.3), 0.8 + 2.0 * std::sin(0.3)},
                    {0.8, -0.6, 0.8, -0.6});
}

std::vector<QuadraticRow> make_rows() {
  return {make_rod("first", 4, 0, -1, 1.0), make_rod("second", 4, 2, 0, 2.0)};
}

TEST(Check, RegularSystem) {
  const QuadraticSystem system(Matrix::Identity(4, 4), make_rows());
  const CheckReport report = check_system(system, make_chain_state());
  EXPECT_TRUE(report.ok());
  EXPECT_TRUE(report.warnings.empty()) << report.warnings.front();
  EXPECT_EQ(report.rank, 2);
  EXPECT_EQ(report.dof, 2);
  EXPECT_TRUE(report.redundant.empty());
  EXPECT_TRUE(report.unmet.empty());
  EXPECT_TRUE(report.mass_definite);
  EXPECT_TRUE(report.derivatives_ok);
  ASSERT_EQ(report.singular_values.size(), 2);
  // Unit rows: the squares add up to their number.
  EXPECT_NEAR(report.singular_values.squaredNorm(), 2.0, 1e-12);
}

TEST(Check, NamesRedundantRows) {
  auto rows = make_rows();
  rows.push_back(rows[0]);
  rows.back().name = "again";
  rows.back().A *= 1e4;  // the row's scale must not matter
  rows.back().d *= 1e4;
  const QuadraticSystem system(Matrix::Identity(4, 4), rows);
  const CheckReport report = check_system(system, make_chain_state());
  EXPECT_EQ(report.rank, 2);
  EXPECT_EQ(report.dof, 2);
  EXPECT_EQ(report.redundant, Names{"again"});
  EXPECT_TRUE(report.inconsistent.empty());
  EXPECT_EQ(report.warnings.size(), 1U);
}

TEST(Check, ContradictingRowIsInconsistent) {
  auto rows = make_rows();
  rows.push_back(make_rod("longer", 4, 0, -1, 1.5));
  const QuadraticSystem system(Matrix::Identity(4, 4), rows);
  const CheckReport report = check_system(system, make_chain_state());
  EXPECT_EQ(report.redundant, Names{"longer"});
  EXPECT_EQ(report.inconsistent, Names{"longer"});
  EXPECT_EQ(report.unmet, Names{"longer"});
  EXPECT_NEAR(report.max_phi, 1.25, 1e-12);
  EXPECT_EQ(report.warnings.back(),
            "rows contradict each other at the start: 'first' and 'longer'");
}

TEST(LongCheck, StraightChainHasFullRank) {
  constexpr int kRods = 30;
  std::vector<QuadraticRow> rows;
  Vector q(2 * kRods);
  for (int k = 0; k < kRods; ++k) {
    rows.push_back(make_rod("rod" + std::to_string(k), 2 * kRods, 2 * k, 2 * k - 2, 1.0));
    q[2 * k] = k + 1.0;
    q[2 * k + 1] = 0.0;
  }
  const QuadraticSystem system(Matrix::Identity(2 * kRods, 2 * kRods), rows);
  const CheckReport report = check_system(system, {0.0, q, Vector::Zero(2 * kRods)});
  EXPECT_EQ(report.rank, kRods);
  EXPECT_TRUE(report.redundant.empty());
  EXPECT_TRUE(report.warnings.empty());
}

CheckReport check_nearly_tangent(double off) {
  std::vector<QuadraticRow> rows = make_rows();
  Vector normal = Vector::Zero(4);
  normal[0] = 1.2;
  normal[1] = 1.6 + off;
  rows.push_back(make_plane("tangent", normal, -(0.6 * 1.2 + 0.8 * (1.6 + off))));
  return check_system(QuadraticSystem(Matrix::Identity(4, 4), rows), make_chain_state());
}

TEST(Check, NearlySingularStartIsReported) {
  const CheckReport report = check_nearly_tangent(2e-4);
  EXPECT_EQ(report.rank, 3);
  EXPECT_LT(report.smallest_singular_value, 1e-4);
  EXPECT_EQ(report.warnings.size(), 1U);
}

TEST(Check, RowsThatDifferByLessThanTheToleranceOfARunAreRedundant) {
  const CheckReport report = check_nearly_tangent(1e-7);
  EXPECT_EQ(report.rank, 2);
  EXPECT_EQ(report.redundant, Names{"tangent"});
}

TEST(Check, MassMatrix) {
  Matrix mass = Matrix::Identity(4, 4);
  mass(0, 0) = 0.0;  // (q0, q1) hangs on a rod that is not vertical: the constraint determines q0'
  CheckReport report = check_system(QuadraticSystem(mass, make_rows()), make_chain_state());
  EXPECT_FALSE(report.mass_definite);
  EXPECT_TRUE(report.mass_definite_on_tangent);
  EXPECT_TRUE(report.ok());
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_TRUE(report.warnings[0].starts_with(
      "the mass matrix is singular, 'q0' having no inertia of its own"))
      << report.warnings[0];
  mass(1, 1) = 0.0;
  mass(2, 2) = mass(3, 3) = 0.0;
  report = check_system(QuadraticSystem(mass, make_rows()), make_chain_state());
  EXPECT_FALSE(report.mass_definite_on_tangent);
  EXPECT_FALSE(report.ok());
  EXPECT_EQ(report.without_inertia, (Names{"q0", "q1", "q2", "q3"}));
  // Units do not matter: kilograms beside milligrams.
  mass = Eigen::Vector4d(1e-12, 1e-12, 1.0, 1.0).asDiagonal();
  EXPECT_TRUE(check_system(QuadraticSystem(mass, make_rows()), make_chain_state()).mass_definite);
}

TEST(Check, NamesCoordinatesWithoutInertia) {
  const auto errors = [](const Matrix& mass) {
    return check_system(QuadraticSystem(mass, {}), make_chain_state()).errors;
  };
  Matrix mass = Eigen::Vector4d(3.0, 0.0, 1.0, 0.0).asDiagonal();
  EXPECT_EQ(errors(mass), Names{"the mass matrix is singular along a motion that the constraints "
                                "allow: 'q1' and 'q3' have no inertia"});
  // q1 + q2 moves a mass, q1 - q2 does not: no row of the matrix is zero.
  mass = Eigen::Vector4d(3.0, 1.0, 1.0, 1.0).asDiagonal();
  mass(1, 2) = mass(2, 1) = 1.0;
  EXPECT_EQ(errors(mass), Names{"the mass matrix is singular along a motion that the constraints "
                                "allow: 'q1' and 'q2' have no inertia"});
}

TEST(Check, NamesCoordinatesOfNegativeInertia) {
  const auto check = [](const Matrix& mass) {
    return check_system(QuadraticSystem(mass, {}), make_chain_state());
  };
  Matrix mass = Eigen::Vector4d(3.0, 1.0, -0.25, 1.0).asDiagonal();
  EXPECT_EQ(check(mass).errors, Names{"the inertia of 'q2' is -0.25: it must be greater than 0"});
  EXPECT_EQ(check(mass).negative_inertia, Names{"q2"});
  mass(2, 2) = 1.0;
  mass(2, 3) = mass(3, 2) = 2.0;
  EXPECT_EQ(
      check(mass).errors,
      Names{"the mass matrix is indefinite: 'q2' and 'q3' are coupled more strongly than their "
            "own inertias allow, so a motion of them has negative kinetic energy"});
  EXPECT_EQ(check(mass).negative_inertia, (Names{"q2", "q3"}));
}

TEST(Check, FindsWrongDerivatives) {
  const auto find_wrong = [](const QuadraticSystem& system) {
    Names wrong;
    for (const DerivativeCheck& check : check_system(system, make_chain_state()).derivatives)
      if (check.error > kDerivativeTolerance) wrong.push_back(check.what);
    return wrong;
  };
  QuadraticSystem system(Matrix::Identity(4, 4), make_rows(),
                         {{"speed", 2.0 * Matrix::Identity(4, 4), Vector::Zero(4), -4.0, 0.5}});
  EXPECT_TRUE(find_wrong(system).empty());
  system.wrong_gamma = 1e-4;
  EXPECT_EQ(find_wrong(system), Names{"acceleration of the constraints (gamma, G)"});
  system.wrong_gamma = 0.0;
  system.wrong_force = 1e-3;
  EXPECT_EQ(find_wrong(system), Names{"energy balance of the forces"});
  system.wrong_force = 0.0;
  system.wrong_rate = 1e-4;
  EXPECT_EQ(find_wrong(system), Names{"rate of the Jacobian"});
}

}  // namespace
}  // namespace driftless
