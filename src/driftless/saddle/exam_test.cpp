// The saddle engines against an independent solution by singular values, on regular, redundant, near-singular and
// singular rows, with mass ratios up to 1e12. Engines are enrolled in `all_engines`.

#include <functional>
#include <random>

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include "driftless/math/decompositions.hpp"
#include "driftless/saddle/saddle.hpp"

namespace driftless {
namespace {

struct EngineCase {
  const char* name;
  std::function<std::unique_ptr<SaddleEngine>(int, int)> make;
};

std::vector<EngineCase> all_engines() {
  return {{"dense", [](int size, int rows) { return make_dense_saddle(size, rows); }}};
}

class SaddleExam : public testing::TestWithParam<EngineCase> {
 protected:
  std::mt19937 random_{20120516};

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  Matrix random_matrix(int rows, int cols) {
    Matrix A(rows, cols);
    for (Eigen::Index k = 0; k < A.size(); ++k) A.data()[k] = uniform(-1, 1);
    return A;
  }
  Vector random_vector(int n) { return random_matrix(n, 1).col(0); }
  /// Symmetric positive definite with masses between 1/ratio and ratio.
  Matrix random_mass(int n, double ratio) {
    const Matrix A = random_matrix(n, n);
    Matrix M = A * A.transpose() + 0.5 * Matrix::Identity(n, n);
    Vector d(n);
    for (int i = 0; i < n; ++i) d[i] = std::pow(ratio, uniform(-0.5, 0.5));
    return d.asDiagonal() * M * d.asDiagonal();
  }
};

struct Solution {
  Vector x, lambda;
};

/// [SAD.1], [SAD.2] word for word: rows scaled to length 1 in the mass metric, pseudoinverse by singular values.
Solution solve_by_definition(const Matrix& M, const Matrix& G, const Vector& f, const Vector& b,
                             double tolerance) {
  const Eigen::LLT<Matrix> llt(M);
  const Matrix L = llt.matrixL();
  Matrix C = L.triangularView<Eigen::Lower>().solve(G.transpose()).transpose();
  Vector d = C.rowwise().norm();
  Vector scaled = b;
  for (Eigen::Index i = 0; i < d.size(); ++i) {
    if (d[i] == 0.0) continue;
    C.row(i) /= d[i];
    scaled[i] /= d[i];
  }
  const Vector free = L.triangularView<Eigen::Lower>().solve(f);
  Solution solution;
  Vector change = Vector::Zero(free.size());
  solution.lambda = Vector::Zero(b.size());
  if (b.size() > 0) {
    const double relative = tolerance / find_singular_values(C)[0];
    change = solve_least_norm(C, Vector(scaled - C * free), relative);
    solution.lambda = -solve_least_norm(C.transpose(), change, relative);
  }
  const Vector w = free + change;
  solution.x = L.transpose().triangularView<Eigen::Upper>().solve(w);
  for (Eigen::Index i = 0; i < d.size(); ++i)
    solution.lambda[i] = d[i] == 0.0 ? 0.0 : solution.lambda[i] / d[i];
  return solution;
}

Solution solve_with(SaddleEngine& engine, const Vector& f, const Vector& b) {
  Solution solution{Vector::Zero(f.size()), Vector::Zero(b.size())};
  engine.solve(f, b, solution.x, solution.lambda);
  return solution;
}

void expect_close(const Vector& a, const Vector& b, double tolerance, const char* what) {
  const double scale = std::max({1.0, max_abs(a), max_abs(b)});
  EXPECT_LE(max_abs(a - b), tolerance * scale) << what;
}

TEST_P(SaddleExam, SolvesRegularSystems) {
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + trial % 9;
    const int m = trial % (n + 1);
    const Matrix M = random_mass(n, trial % 3 == 0 ? 1.0 : 1e6);
    const Matrix G = random_matrix(m, n);
    const Vector f = random_vector(n);
    const Vector b = random_vector(m);
    const auto engine = GetParam().make(n, m);
    ASSERT_TRUE(engine->factorize(M, true, G, 1e-12));
    EXPECT_EQ(engine->rank(), m);
    const Solution solution = solve_with(*engine, f, b);
    const double scale = 1.0 + max_abs(f) + (M * solution.x).cwiseAbs().maxCoeff();
    EXPECT_LE(max_abs(M * solution.x + G.transpose() * solution.lambda - f), 1e-8 * scale);
    if (m > 0) {
      EXPECT_LE(max_abs(G * solution.x - b), 1e-7 * (1.0 + max_abs(solution.x)));
    }
  }
}

/// By singular values: rows of length 1 in the mass metric.
Vector find_row_singular_values(const Matrix& M, const Matrix& G) {
  const Eigen::LLT<Matrix> llt(M);
  const Matrix L = llt.matrixL();
  Matrix C = L.triangularView<Eigen::Lower>().solve(G.transpose()).transpose();
  for (Eigen::Index i = 0; i < C.rows(); ++i) C.row(i) /= C.row(i).norm();
  return find_singular_values(C);
}

TEST_P(SaddleExam, KnowsTheSmallestSingularValue) {
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 3 + trial % 9;
    const int rank = 1 + trial % n;
    const bool redundant = trial % 3 == 0;
    const int m = redundant ? rank + 1 + trial % 4 : rank;
    const Matrix M = random_mass(n, 100.0);
    Matrix G = random_matrix(m, rank) * random_matrix(rank, n);
    if (!redundant && rank > 1 && trial % 4 == 0)  // near a singular pose
      G.row(1) = G.row(0) + std::pow(10.0, uniform(-8, -2)) * G.row(1);
    const auto engine = GetParam().make(n, m);
    ASSERT_TRUE(engine->factorize(M, true, G, 1e-5));
    const double expected = find_row_singular_values(M, G)[rank - 1];
    EXPECT_NEAR(engine->calc_singular_value(M, G, rank), expected, 1e-7 * expected + 1e-13)
        << trial;
  }
  const auto none = GetParam().make(2, 0);
  ASSERT_TRUE(none->factorize(Matrix(Matrix::Identity(2, 2)), true, Matrix(0, 2), 1e-5));
  EXPECT_EQ(none->calc_singular_value(Matrix(Matrix::Identity(2, 2)), Matrix(0, 2), 0), 1.0);
}

TEST_P(SaddleExam, GivesTheLeastNormForRedundantRows) {
  for (int trial = 0; trial < 100; ++trial) {
    const int n = 4 + trial % 5;
    const int rank = 1 + trial % (n - 1);
    const int m = rank + 1 + trial % 4;
    const Matrix M = random_mass(n, 100.0);
    const Matrix G = random_matrix(m, rank) * random_matrix(rank, n);
    const Vector f = random_vector(n);
    const Vector b = G * random_vector(n);
    const auto engine = GetParam().make(n, m);
    ASSERT_TRUE(engine->factorize(M, true, G, 1e-9));
    const Solution expected = solve_by_definition(M, G, f, b, 1e-9);
    const Solution solution = solve_with(*engine, f, b);
    EXPECT_EQ(engine->rank(), rank);
    EXPECT_EQ(engine->truncated(), 0) << "redundancy by structure is no singular pose";
    expect_close(solution.x, expected.x, 1e-7, "x");
    expect_close(solution.lambda, expected.lambda, 1e-6, "lambda");
    EXPECT_LE(max_abs(G * solution.x - b), 1e-7 * (1 + max_abs(b)));
  }
}

TEST_P(SaddleExam, LeavesOutWhatIsBelowTheTolerance) {
  // Two rows that meet at the angle eps: one direction has the singular value ~ eps.
  for (const double eps : {1e-2, 1e-4, 1e-6, 1e-8, 0.0}) {
    Matrix G = Matrix::Zero(2, 3);
    G << 1, 0, 0, std::cos(eps), std::sin(eps), 0;
    const Matrix M = Vector(Eigen::Vector3d(1.0, 2.0, 3.0)).asDiagonal();
    const Vector f = Eigen::Vector3d(1, 2, 3);
    const Vector b = Eigen::Vector2d(0.3, 0.1);
    const auto engine = GetParam().make(3, 2);
    ASSERT_TRUE(engine->factorize(M, true, G, 1e-3));
    const Solution solution = solve_with(*engine, f, b);
    const Solution expected = solve_by_definition(M, G, f, b, 1e-3);
    expect_close(solution.x, expected.x, 1e-9, "x");
    EXPECT_EQ(engine->rank(), eps > 2e-3 ? 2 : 1);
  }
}

TEST_P(SaddleExam, DoesNotDependOnTheUnitOfARow) {
  const Matrix M = random_mass(5, 10.0);
  const Matrix base = random_matrix(2, 5);
  Matrix G(3, 5);
  G << base, base.row(0) + base.row(1);
  const Vector f = random_vector(5);
  const Vector b = G * random_vector(5);
  const Vector unit = Eigen::Vector3d(1e3, 1e-4, 7.0);
  const auto engine = GetParam().make(5, 3);
  ASSERT_TRUE(engine->factorize(M, true, G, 1e-6));
  const Solution plain = solve_with(*engine, f, b);
  const Matrix scaled = unit.asDiagonal() * G;
  ASSERT_TRUE(engine->factorize(M, false, scaled, 1e-6));
  const Solution other = solve_with(*engine, f, unit.cwiseProduct(b));
  expect_close(plain.x, other.x, 1e-11, "x");
  expect_close(plain.lambda, unit.cwiseProduct(other.lambda), 1e-11, "lambda");
}

TEST_P(SaddleExam, KeepsLongStraightChainsWhole) {
  // Rods along a line: the smallest singular value falls as 1/N, but every row has a large part of its own.
  const int n = 300;
  const Matrix M = Matrix::Identity(n, n);
  Matrix G = Matrix::Zero(n, n);
  for (int i = 0; i < n; ++i) {
    G(i, i) = 1.0;
    if (i > 0) G(i, i - 1) = -1.0;
  }
  const Vector f = Vector::Zero(n);
  const Vector b = Vector::Ones(n);
  const auto engine = GetParam().make(n, n);
  ASSERT_TRUE(engine->factorize(M, true, G, 0.03));
  EXPECT_EQ(engine->rank(), n);
  const Solution solution = solve_with(*engine, f, b);
  EXPECT_NEAR(solution.x[n - 1], n, 1e-8);
}

/// n loops side by side, each of two rows that are an angle of about δ apart.
Matrix make_ladder(int n, double delta) {
  Matrix G = Matrix::Zero(2 * n, 2 * n + 1);
  for (int k = 0; k < n; ++k) {
    G(2 * k, n + 1 + k) = 1.0;
    G(2 * k + 1, n + 1 + k) = 1.0;
    G(2 * k + 1, k) = -delta;
    G(2 * k + 1, k + 1) = delta;
  }
  return G;
}

TEST_P(SaddleExam, LeavesOutAllLoopsOfALadderOrNone) {
  // Their singular values reach from δ/n to δ, but all loops are equally far from singular.
  const double tolerance = 0.01;
  for (const int n : {1, 2, 5, 20, 32}) {
    const Matrix M = Matrix::Identity(2 * n + 1, 2 * n + 1);
    const auto engine = GetParam().make(2 * n + 1, 2 * n);
    for (const double factor : {8.0, 4.0, 2.0}) {
      ASSERT_TRUE(engine->factorize(M, true, make_ladder(n, factor * tolerance), tolerance));
      EXPECT_EQ(engine->rank(), 2 * n) << factor;
    }
    for (const double factor : {0.6, 0.1, 1e-4}) {
      ASSERT_TRUE(engine->factorize(M, true, make_ladder(n, factor * tolerance), tolerance));
      EXPECT_EQ(engine->truncated(), n) << factor;
    }
  }
}

TEST_P(SaddleExam, ComparesALoopByItsSingularValueWhicheverRowComesLast) {
  // Of the row that comes last much more may be its own: as many times as its part in the direction is less than 1.
  const Vector parts = (Vector(5) << 0.2, 0.5, 0.5, 0.5, 0.45).finished().normalized();
  const double tolerance = 1e-3;
  const Matrix M = Matrix::Identity(6, 6);
  for (const double factor : {0.7, 1.5}) {
    Matrix G = Matrix::Identity(6, 6);
    G.row(5).head(5) = parts;
    G(5, 5) = factor * tolerance * std::sqrt(2.0);
    for (int last = 0; last < 6; ++last) {
      Matrix turned = G;
      turned.row(last).swap(turned.row(5));
      const auto engine = GetParam().make(6, 6);
      ASSERT_TRUE(engine->factorize(M, true, turned, tolerance));
      EXPECT_EQ(engine->truncated(), factor < 1.0 ? 1 : 0) << last << ' ' << factor;
    }
  }
}

TEST_P(SaddleExam, AcceptsMassThatIsDefiniteOnTheFreeMotionsOnly) {
  Matrix M = Matrix::Zero(3, 3);
  M(0, 0) = 2.0;
  M(1, 1) = 3.0;  // the third coordinate has no mass, but a constraint holds it
  Matrix G(1, 3);
  G << 0, 1, 1;
  const auto engine = GetParam().make(3, 1);
  ASSERT_TRUE(engine->factorize(M, true, G, 1e-9));
  const Vector f = Eigen::Vector3d(2, 6, 0);
  const Vector b = Vector::Constant(1, 0.5);
  const Solution solution = solve_with(*engine, f, b);
  EXPECT_LE(max_abs(M * solution.x + G.transpose() * solution.lambda - f), 1e-10);
  EXPECT_NEAR(solution.x[1] + solution.x[2], 0.5, 1e-10);

  Matrix loose(1, 3);
  loose << 0, 1, 0;  // nothing holds the massless coordinate
  EXPECT_FALSE(GetParam().make(3, 1)->factorize(M, true, loose, 1e-9));
}

TEST_P(SaddleExam, HandlesNoRowsZeroRowsAndMoreRowsThanColumns) {
  const Matrix M = random_mass(3, 1.0);
  const Vector f = random_vector(3);
  {
    const auto engine = GetParam().make(3, 0);
    ASSERT_TRUE(engine->factorize(M, true, Matrix(0, 3), 1e-9));
    const Solution solution = solve_with(*engine, f, Vector(0));
    EXPECT_LE(max_abs(M * solution.x - f), 1e-12);
    EXPECT_EQ(engine->rank(), 0);
  }
  {
    Matrix G = Matrix::Zero(2, 3);
    G(1, 0) = 1.0;
    const auto engine = GetParam().make(3, 2);
    ASSERT_TRUE(engine->factorize(M, true, G, 1e-9));
    const Solution solution = solve_with(*engine, f, Eigen::Vector2d(0.0, 0.25));
    EXPECT_EQ(engine->rank(), 1);
    EXPECT_NEAR(solution.x[0], 0.25, 1e-12);
    EXPECT_EQ(solution.lambda[0], 0.0);
  }
  {
    const Matrix G = random_matrix(5, 3);
    const Vector b = G * random_vector(3);
    const auto engine = GetParam().make(3, 5);
    ASSERT_TRUE(engine->factorize(M, true, G, 1e-9));
    const Solution solution = solve_with(*engine, f, b);
    EXPECT_EQ(engine->rank(), 3);
    EXPECT_LE(max_abs(G * solution.x - b), 1e-10);
  }
}

TEST_P(SaddleExam, MeasuresHowMuchRowsTurn) {
  Matrix G(1, 2);
  G << 2, 0;
  Matrix rate(1, 2);
  rate << 0, 3;
  const Matrix M = Vector(Eigen::Vector2d(4.0, 9.0)).asDiagonal();
  const auto engine = GetParam().make(2, 1);
  ASSERT_TRUE(engine->factorize(M, true, G, 1e-9));
  EXPECT_NEAR(engine->find_row_change(rate, 1), (3.0 / 3.0) / (2.0 / 2.0), 1e-14);
}

TEST_P(SaddleExam, MeasuresItInTheMassMetricOfAllRowsAndOfTheFirst) {
  for (int trial = 0; trial < 40; ++trial) {
    const int n = 3 + trial % 12, m = 2 + trial % (n - 2);
    Matrix M = random_mass(n, 10.0);
    if (trial % 4 == 0) M = Matrix(M.diagonal().asDiagonal());
    Matrix G = random_matrix(m, n);
    G.leftCols(m) += 4.0 * Matrix::Identity(m, m);  // for most trials far from depending
    const Matrix rate = random_matrix(m, n), inverse = M.inverse();
    const auto engine = GetParam().make(n, m);
    ASSERT_TRUE(engine->factorize(M, true, G, 1e-9));
    for (const int rows : {m, m - 1}) {
      double largest = 0.0;
      for (int i = 0; i < rows; ++i) {
        const auto length = [&](const Matrix& of) {
          return of.row(i).dot(inverse * of.row(i).transpose());
        };
        largest = std::max(largest, length(rate) / length(G));
      }
      EXPECT_NEAR(engine->find_row_change(rate, rows), std::sqrt(largest), 1e-9);
    }
    const Vector f = random_vector(n), b = random_vector(m);  // what is factorised stays
    EXPECT_LE(max_abs(G * solve_with(*engine, f, b).x - b), 1e-10);
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, SaddleExam, testing::ValuesIn(all_engines()),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(RowReport, NamesTheLaterRowAsRedundantAndKnowsUniqueReactions) {
  Matrix G(4, 3);
  G << 1, 0, 0,  //
      0, 1, 0,   //
      2, 0, 0,   // repeats the first
      0, 0, 1;
  const RowReport report = find_row_report(Matrix(Matrix::Identity(3, 3)), G);
  EXPECT_EQ(report.rank, 3);
  EXPECT_EQ(report.redundant, std::vector<int>{2});
  EXPECT_EQ(report.unique_reaction, (std::vector<bool>{false, true, false, true}));
}

TEST(RowReport, NamesTheRowOfWhichLeastIsLeftOfThoseThatNearlyRepeatOthers) {
  Matrix G(3, 2);
  G << 1, 0,     //
      1, 0.001,  // nearly the first
      0, 1;
  EXPECT_EQ(find_row_report(Matrix(Matrix::Identity(2, 2)), G).redundant, std::vector<int>{1});
}

TEST(RowReport, KnowsRowsOfNothingThatMoves) {
  const RowReport report = find_row_report(Matrix(0, 0), Matrix(2, 0));
  EXPECT_EQ(report.rank, 0);
  EXPECT_EQ(report.redundant, (std::vector<int>{0, 1}));
  EXPECT_EQ(report.unique_reaction, (std::vector<bool>{false, false}));
}

}  // namespace
}  // namespace driftless
