// The decompositions against matrices that are put together from known parts.

#include "driftless/math/decompositions.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace driftless {
namespace {

double largest(const Matrix& A) { return A.cwiseAbs().maxCoeff(); }

class Decompositions : public testing::Test {
 protected:
  std::mt19937 random_{20120516};

  double uniform() { return std::uniform_real_distribution<double>(-1.0, 1.0)(random_); }
  Vector random_vector(Eigen::Index n) {
    Vector x(n);
    for (double& value : x) value = uniform();
    return x;
  }
  /// Apply the same random reflections to all columns.
  void reflect(Matrix& A) {
    for (int k = 0; k < 6; ++k) {
      const Vector w = random_vector(A.rows()).normalized();
      for (Eigen::Index j = 0; j < A.cols(); ++j) {
        const double share = 2.0 * w.dot(A.col(j));
        A.col(j) -= share * w;
      }
    }
  }
  /// A matrix with these singular values.
  Matrix make(Eigen::Index rows, Eigen::Index cols, const Vector& sigma) {
    Matrix A = Matrix::Zero(rows, cols);
    A.diagonal().head(sigma.size()) = sigma;
    reflect(A);
    Matrix turned = A.transpose();
    reflect(turned);
    return turned.transpose();
  }
};

TEST_F(Decompositions, SingularValuesOfAnyShape) {
  for (int trial = 0; trial < 60; ++trial) {
    const Eigen::Index rows = 1 + trial % 11;
    const Eigen::Index cols = 1 + trial * 7 % 13;
    Vector sigma(std::min(rows, cols));
    for (Eigen::Index i = 0; i < sigma.size(); ++i)
      sigma[i] = 3.0 * std::pow(0.2, static_cast<double>(i));  // down to 1e-7
    if (trial % 5 == 0) sigma[sigma.size() - 1] = 0.0;
    const Vector found = find_singular_values(make(rows, cols, sigma));
    ASSERT_EQ(found.size(), sigma.size());
    EXPECT_LE(max_abs(found - sigma), 2e-15 * 3.0) << rows << " x " << cols;
  }
  EXPECT_EQ(find_singular_values(Matrix(0, 3)).size(), 0);
}

TEST_F(Decompositions, SingularValuesOfALargeMatrix) {
  const Vector sigma = Vector::LinSpaced(120, 2.0, 1e-3);
  EXPECT_LE(max_abs(find_singular_values(make(120, 150, sigma)) - sigma), 1e-13);
}

TEST_F(Decompositions, SingularDirectionsOfALargeMatrix) {
  Vector sigma = Vector::LinSpaced(120, 2.0, 1e-3);
  sigma.tail(30).setZero();
  for (const Matrix& A : {make(120, 150, sigma), make(150, 120, sigma)}) {
    const SingularDirections found = find_singular_directions(A);
    EXPECT_LE(largest(found.left * found.values.asDiagonal() * found.right.transpose() - A), 1e-13);
    const Vector b = random_vector(A.rows());
    const Vector x = solve_least_norm(A, b, 1e-8);
    EXPECT_LE(max_abs(A.transpose() * (b - A * x)), 1e-10);
    EXPECT_LE(max_abs(x - A.transpose() * solve_least_norm(A.transpose(), x, 1e-8)), 1e-10);
  }
}

// The four conditions of Moore and Penrose in the form of a solution: what is left is perpendicular to the range, and
// the solution to the kernel.
TEST_F(Decompositions, LeastNormSolutionOfAnyShapeAndRank) {
  for (int trial = 0; trial < 60; ++trial) {
    const Eigen::Index rows = 1 + trial % 11;
    const Eigen::Index cols = 1 + trial * 7 % 13;
    const Eigen::Index rank = 1 + trial % std::min(rows, cols);
    Vector sigma = Vector::Zero(std::min(rows, cols));
    for (Eigen::Index i = 0; i < rank; ++i) sigma[i] = 2.0 / static_cast<double>(1 + i);
    if (rank < sigma.size()) sigma[rank] = 1e-10;  // below the tolerance: left out
    const Matrix A = make(rows, cols, sigma);
    const Vector b = random_vector(rows);
    const Vector x = solve_least_norm(A, b, 1e-8);
    EXPECT_LE(max_abs(A.transpose() * (b - A * x)), 1e-9) << rows << " x " << cols;
    EXPECT_LE(x.norm(), b.norm() * static_cast<double>(rank)) << rows << " x " << cols;
    const Vector again = solve_least_norm(A, Vector(A * x), 1e-8);
    EXPECT_LE(max_abs(again - x), 1e-8);
    EXPECT_LE(max_abs(x - A.transpose() * solve_least_norm(A.transpose(), x, 1e-8)), 1e-9)
        << "a part of x lies in the kernel";
  }
  EXPECT_EQ(solve_least_norm(Matrix(0, 3), Vector(0)), Vector(Vector::Zero(3)));
}

TEST_F(Decompositions, LeftNullSpaceIsPerpendicularToTheColumns) {
  const Matrix A = make(7, 5, Vector{{2.0, 1.0, 0.5, 0.0, 0.0}});
  const Matrix null_space = find_left_null_space(A, 3);
  ASSERT_EQ(null_space.cols(), 4);
  EXPECT_LE(largest(null_space.transpose() * A), 1e-14);
  EXPECT_LE(largest(null_space.transpose() * null_space - Matrix::Identity(4, 4)), 1e-14);
}

TEST_F(Decompositions, CommonSenseIsThatOfTheDeterminants) {
  for (int trial = 0; trial < 20; ++trial) {
    const Matrix A = make(4, 4, Vector{{2.0, 1.0, 0.5, 0.3}});
    const Matrix B = make(4, 4, Vector{{1.0, 0.9, 0.4, 0.1}});
    const int expected = A.determinant() * B.determinant() > 0.0 ? 1 : -1;
    EXPECT_EQ(find_common_sense(A, B), expected);
    Matrix redundant_a(5, 4), redundant_b(5, 4);
    redundant_a << A, A.row(0) - A.row(2);
    redundant_b << B, B.row(0) - B.row(2);
    EXPECT_EQ(find_common_sense(redundant_a, redundant_b), expected);
  }
  const Matrix A = make(3, 5, Vector{{2.0, 1.0, 0.5}});
  EXPECT_EQ(find_common_sense(A, A), 1);
  EXPECT_EQ(find_common_sense(A, Matrix::Zero(3, 5)), 0);
  Matrix mirrored = A;
  mirrored.row(1) *= -1.0;
  EXPECT_EQ(find_common_sense(A, mirrored), -1);
}

TEST_F(Decompositions, EigenvaluesOfARotationWithDecay) {
  Matrix A{{-1.0, 2.0, 0.0}, {-2.0, -1.0, 0.0}, {0.3, 0.7, -4.0}};
  const auto values = find_eigenvalues(A);
  ASSERT_EQ(values.size(), 3U);
  EXPECT_NEAR(std::abs(values[0] - std::complex<double>(-1.0, 2.0)), 0.0, 1e-14);
  EXPECT_NEAR(std::abs(values[1] - std::complex<double>(-1.0, -2.0)), 0.0, 1e-14);
  EXPECT_NEAR(std::abs(values[2] - std::complex<double>(-4.0, 0.0)), 0.0, 1e-14);
}

TEST_F(Decompositions, ModesDiagonaliseBothMatrices) {
  const Matrix M = make(4, 4, Vector{{3.0, 2.0, 1.0, 0.5}});
  const Matrix mass = M * M.transpose();
  const Matrix K = make(4, 4, Vector{{5.0, 1.0, 0.2, 0.0}});
  const Matrix stiffness = K * K.transpose();
  Vector omega_squared;
  Matrix modes;
  ASSERT_TRUE(find_modes(mass, stiffness, omega_squared, modes));
  EXPECT_LE(largest(modes.transpose() * mass * modes - Matrix::Identity(4, 4)), 1e-12);
  const Matrix diagonal = omega_squared.asDiagonal();
  EXPECT_LE(largest(modes.transpose() * stiffness * modes - diagonal), 1e-11);
  EXPECT_NEAR(omega_squared[0], 0.0, 1e-12);
}

}  // namespace
}  // namespace driftless
