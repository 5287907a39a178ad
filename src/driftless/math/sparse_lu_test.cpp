#include "driftless/math/sparse_lu.hpp"

#include <random>

#include <gtest/gtest.h>

namespace driftless {
namespace {

/// A saddle point of a chain: a tridiagonal block with rows that couple neighbours, and zeros on the diagonal.
template <class S, class Number>
Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic> make_chain(int n, Number number) {
  Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic> A;
  A.setZero(2 * n - 1, 2 * n - 1);
  for (int i = 0; i < n; ++i) {
    A(i, i) = S(3.0) + number();
    if (i > 0) A(i, i - 1) = number();
    if (i + 1 < n) A(i, i + 1) = number();
  }
  for (int k = 0; k + 1 < n; ++k) {
    A(n + k, k) = A(k, n + k) = S(1.0) + number();
    A(n + k, k + 1) = A(k + 1, n + k) = S(-1.0) + number();
  }
  return A;
}

template <class S>
void write(const Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>& A, SparseLu<S>& lu) {
  lu.clear();
  for (Eigen::Index j = 0; j < A.cols(); ++j) {
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      if (A(i, j) == S(0.0)) continue;
      lu.add(i, j, S(0.25) * A(i, j));  // in two parts, which are added
      lu.add(i, j, S(0.75) * A(i, j));
    }
  }
}

template <class S, class Number>
void check_chains(Number number) {
  SparseLu<S> lu;
  lu.resize(79);
  for (int trial = 0; trial < 5; ++trial) {
    const auto A = make_chain<S>(40, number);
    write<S>(A, lu);
    ASSERT_TRUE(lu.factorize());
    Eigen::Matrix<S, Eigen::Dynamic, 1> x(79);
    for (auto& value : x) value = number();
    Eigen::Matrix<S, Eigen::Dynamic, 1> b = A * x;
    lu.solve(b);
    EXPECT_LE((b - x).cwiseAbs().maxCoeff(), 1e-10);
  }
  EXPECT_EQ(lu.analyses(), 1);
}

TEST(SparseLu, SolvesSaddlePointsWithOneAnalysis) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> in(-0.3, 0.3);
  check_chains<double>([&] { return in(random); });
  check_chains<std::complex<double>>([&] { return std::complex<double>(in(random), in(random)); });
}

TEST(SparseLu, KeepsThePatternWhereEntriesVanishAndGrowsItWhereTheyCome) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> in(-0.3, 0.3);
  SparseLu<double> lu;
  lu.resize(19);
  Matrix A = make_chain<double>(10, [&] { return in(random); });
  write<double>(A, lu);
  ASSERT_TRUE(lu.factorize());
  const Eigen::Index entries = lu.entries();
  A(3, 4) = 0.0;
  write<double>(A, lu);
  ASSERT_TRUE(lu.factorize());
  EXPECT_EQ(lu.analyses(), 1);
  EXPECT_EQ(lu.entries(), entries);
  A(0, 9) = 0.2;
  write<double>(A, lu);
  ASSERT_TRUE(lu.factorize());
  EXPECT_EQ(lu.analyses(), 1);
  EXPECT_EQ(lu.entries(), entries + 1);
  const Vector x = Vector::LinSpaced(19, -1.0, 2.0);
  Vector b = A * x;
  lu.solve(b);
  EXPECT_LE(max_abs(b - x), 1e-11);
  for (int i = 0; i < 19; ++i)
    for (int j = 0; j < 19; j += 2) A(i, j) += i == j ? 4.0 : 0.3 * in(random);
  write<double>(A, lu);
  ASSERT_TRUE(lu.factorize());
  EXPECT_EQ(lu.analyses(), 2);  // the pattern has more than doubled
  b = A * x;
  lu.solve(b);
  EXPECT_LE(max_abs(b - x), 1e-11);
}

TEST(SparseLu, ChoosesRowsAnewWhereAPivotBecomesSmall) {
  for (const bool grouped : {false, true}) {
    SparseLu<double> lu;
    lu.resize(3, grouped ? std::vector<int>{0, 1, 0} : std::vector<int>{});
    Matrix A(3, 3);
    A << 2.0, 0.5, 0.1, 0.5, 2.0, 0.2, 0.3, 0.1, 2.0;
    for (int k = 0; k < 2; ++k) {
      write<double>(A, lu);
      ASSERT_TRUE(lu.factorize());
    }
    EXPECT_EQ(lu.pivotings(), 1);
    for (int i = 0; i < 3; ++i) A(i, i) = 1e-9;
    write<double>(A, lu);
    ASSERT_TRUE(lu.factorize());
    EXPECT_EQ(lu.pivotings(), 2);
    EXPECT_EQ(lu.analyses(), 1);
    const Vector x = Vector::LinSpaced(3, -1.0, 2.0);
    Vector b = A * x;
    lu.solve(b);
    EXPECT_LE(max_abs(b - x), 1e-12);
  }
}

TEST(SparseLu, CostsAsMuchPerUnknownWhateverTheirNumber) {
  const auto count = [](int n) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> in(-0.3, 0.3);
    SparseLu<double> lu;
    lu.resize(2 * n - 1);
    write<double>(make_chain<double>(n, [&] { return in(random); }), lu);
    EXPECT_TRUE(lu.factorize());
    return static_cast<double>(lu.factor_entries()) / n;
  };
  EXPECT_NEAR(count(400) / count(40), 1.0, 0.1);
}

TEST(SparseLu, RefusesSingularMatrices) {
  SparseLu<double> lu;
  lu.resize(3);
  lu.clear();
  lu.add(0, 0, 1.0);
  lu.add(1, 1, 1.0);
  lu.add(2, 0, 1.0);
  EXPECT_FALSE(lu.factorize());
}

}  // namespace
}  // namespace driftless
