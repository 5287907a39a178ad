#include "driftless/math/lu.hpp"

#include <random>

#include <gtest/gtest.h>

namespace driftless {
namespace {

class SmallSystems : public testing::Test {
 protected:
  std::mt19937 random_{20000401};
  Matrix random_matrix(Eigen::Index rows, Eigen::Index cols) {
    Matrix A(rows, cols);
    for (Eigen::Index k = 0; k < A.size(); ++k)
      A.data()[k] = std::uniform_real_distribution<double>(-1.0, 1.0)(random_);
    return A;
  }
};

TEST_F(SmallSystems, LuSolvesBothWays) {
  DenseLu lu;
  lu.resize(9);
  for (int n = 1; n <= 9; ++n) {
    Matrix A = random_matrix(n, n);
    if (n > 1) A(0, 0) = 0.0;  // needs its pivoting
    const Vector x = random_matrix(n, 1).col(0);
    ASSERT_TRUE(lu.factorize(A));
    Vector b = A * x;
    lu.solve(b);
    EXPECT_LE(max_abs(b - x), 1e-11) << n;
    b = A.transpose() * x;
    lu.solve_transposed(b);
    EXPECT_LE(max_abs(b - x), 1e-11) << n;
  }
  EXPECT_FALSE(lu.factorize(Matrix::Zero(2, 2)));
}

TEST_F(SmallSystems, CholeskySolvesAndRefuses) {
  for (int n = 1; n <= 9; ++n) {
    const Matrix F = random_matrix(n, n);
    const Matrix A = F * F.transpose() + 0.1 * Matrix::Identity(n, n);
    const Vector x = random_matrix(n, 1).col(0);
    Matrix work = A;
    Vector b = A * x;
    ASSERT_TRUE(solve_definite(work, b));
    EXPECT_LE(max_abs(b - x), 1e-10) << n;
    work = A;
    work(n - 1, n - 1) = -1.0;
    EXPECT_FALSE(solve_definite(work, b));
  }
}

}  // namespace
}  // namespace driftless
