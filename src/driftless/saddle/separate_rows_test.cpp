#include "driftless/saddle/separate_rows.hpp"

#include <gtest/gtest.h>

#include "driftless/saddle/random_test.hpp"

namespace driftless {
namespace {

class SeparateRowsExam : public RandomExam {
 protected:
  Matrix random_matrix(int rows, int columns) {
    return Eigen::Map<const Matrix>(random_vector(rows * columns).data(), rows, columns);
  }
  Matrix make_mass(int n, bool is_diagonal) {
    if (is_diagonal)
      return random_vector(n).cwiseAbs2().asDiagonal().toDenseMatrix() + Matrix::Identity(n, n);
    const Matrix A = random_matrix(n, n);
    return A * A.transpose() + Matrix::Identity(n, n);
  }
};

// What [SEP.1] promises, of every number of rows: M x + Gᵀλ = f and G x = b, in matrices that are longer than their rows.
TEST_F(SeparateRowsExam, SolveTheSaddlePoint) {
  int solved = 0;
  for (int m = 1; m <= SeparateRows::kMostRows; ++m) {
    for (int trial = 0; trial < 40; ++trial) {
      const int n = m + 1 + pick(8);
      const Matrix M = make_mass(n, trial % 2 == 0);
      const Matrix stored = random_matrix(m + pick(3), n);
      const Matrix G = stored.topRows(m);
      CholeskyFactor lower(n);
      ASSERT_TRUE(lower.factorize(M));
      SeparateRows rows(m, n);
      if (!rows.factorize(lower, stored.data(), stored.outerStride())) continue;
      ++solved;
      const bool has_forces = trial % 3 != 0;
      const Vector f = has_forces ? random_vector(n) : Vector::Zero(n);
      const Vector b = random_vector(m);
      Vector x = Vector::Ones(n), lambda = Vector::Ones(m);
      rows.solve(lower, f.data(), b.data(), x.data(), lambda.data());
      EXPECT_LE(max_abs(G * x - b), 1e-12 * (1.0 + max_abs(x))) << m;
      EXPECT_LE(max_abs(M * x + G.transpose() * lambda - f), 1e-11 * (1.0 + max_abs(lambda))) << m;
      Matrix R = Matrix::Zero(m, m);
      rows.find_triangle(R);
      for (int i = 0; i < m; ++i) {
        EXPECT_NEAR(R.col(i).norm(), 1.0, 1e-12);
        EXPECT_GE(R(i, i), rows.smallest_pivot() - 1e-12);
      }
      EXPECT_NEAR(R.diagonal().minCoeff(), rows.smallest_pivot(), 1e-12);
    }
  }
  EXPECT_GT(solved, 100);
}

TEST_F(SeparateRowsExam, RowsThatNearlyDependOrAreZeroAreLeftToOthers) {
  for (int m = 1; m <= SeparateRows::kMostRows; ++m) {
    const int n = m + 2;
    CholeskyFactor lower(n);
    ASSERT_TRUE(lower.factorize(Matrix::Identity(n, n)));
    SeparateRows rows(m, n);
    Matrix G = Matrix::Identity(m, n);
    EXPECT_TRUE(rows.factorize(lower, G.data(), G.outerStride()));
    EXPECT_EQ(rows.smallest_pivot(), 1.0);
    const int last = m - 1;
    if (m > 1) {
      G.row(last) = G.row(0) + 0.3 * G.row(last);  // its own part is 0.287
      EXPECT_FALSE(rows.factorize(lower, G.data(), G.outerStride()));
      G.row(last) *= 1e-3;  // whatever its unit
      EXPECT_FALSE(rows.factorize(lower, G.data(), G.outerStride()));
    }
    G.row(last).setZero();
    EXPECT_FALSE(rows.factorize(lower, G.data(), G.outerStride()));
  }
}

}  // namespace
}  // namespace driftless
