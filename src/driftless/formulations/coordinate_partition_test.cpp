#include "driftless/formulations/coordinate_partition.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace driftless {
namespace {

class PartitionTrial : public testing::Test {
 protected:
  std::mt19937 random_{20000402};
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  Matrix random_matrix(Eigen::Index rows, Eigen::Index cols) {
    Matrix A(rows, cols);
    for (Eigen::Index k = 0; k < A.size(); ++k) A.data()[k] = uniform(-1.0, 1.0);
    return A;
  }
  /// Diagonal masses over six orders of magnitude.
  Matrix random_mass(Eigen::Index n) {
    Vector d(n);
    for (double& value : d) value = std::pow(10.0, uniform(-3.0, 3.0));
    return d.asDiagonal();
  }
};

TEST_F(PartitionTrial, FindsRankRedundantRowsAndTheNullSpace) {
  for (int trial = 0; trial < 100; ++trial) {
    const int n = 3 + trial % 6;
    const int rank = 1 + trial % (n - 1);
    const int rows = rank + trial % 3;
    const Matrix G = random_matrix(rows, rank) * random_matrix(rank, n);
    const Matrix M = random_mass(n);
    CoordinatePartition partition(rows, rows, n);
    partition.choose(G, M, 1e-9);
    ASSERT_EQ(partition.rank(), rank);
    EXPECT_EQ(partition.independent().size(), static_cast<std::size_t>(n - rank));
    ASSERT_TRUE(partition.factorize(G));
    Matrix B = Matrix::Zero(n, n);
    partition.find_partial_velocities(G, B);
    EXPECT_LE((G * B.leftCols(n - rank)).cwiseAbs().maxCoeff(),
              1e-8 * (1 + B.cwiseAbs().maxCoeff()))
        << "also of the rows set aside";
    EXPECT_LE(partition.find_condition(B, M), 10.0) << "full pivoting";

    const Vector lambda = random_matrix(rows, 1).col(0);
    Vector found = Vector::Zero(rows);
    partition.solve_reactions(Vector(G.transpose() * lambda), found);
    const Vector force = G.transpose() * lambda;
    EXPECT_LE(max_abs(G.transpose() * found - force), 1e-8 * (1 + max_abs(force)));
  }
}

TEST_F(PartitionTrial, DoesNotDependOnUnits) {
  for (int trial = 0; trial < 50; ++trial) {
    const Matrix G = random_matrix(4, 7);
    const Matrix M = random_mass(7);
    CoordinatePartition partition(3, 4, 7), other(3, 4, 7);
    partition.choose(G, M, 1e-9);
    const Vector rates = random_mass(7).diagonal(), rows = random_mass(4).diagonal();
    const Matrix scaled = rows.asDiagonal() * G * rates.asDiagonal();
    const Matrix mass = rates.asDiagonal() * M * rates.asDiagonal();
    other.choose(scaled, mass, 1e-9);
    EXPECT_EQ(partition.dependent(), other.dependent());
    EXPECT_EQ(partition.kept(), other.kept());
  }
}

TEST_F(PartitionTrial, PositionRowsComeFirst) {
  for (int trial = 0; trial < 50; ++trial) {
    Matrix G = random_matrix(5, 8);
    G.topRows(3) *= 1e-3;
    CoordinatePartition partition(3, 5, 8);
    partition.choose(G, Matrix::Identity(8, 8), 1e-9);
    EXPECT_EQ(partition.position_rank(), 3);
    for (int k = 0; k < 3; ++k) EXPECT_LT(partition.kept()[static_cast<std::size_t>(k)], 3);
    ASSERT_TRUE(partition.factorize_position(G));
    const Vector residual = random_matrix(3, 1).col(0);
    Vector change = Vector::Zero(8);
    partition.solve(residual, change);
    EXPECT_LE(max_abs(G.topRows(3) * change - residual), 1e-12);
    EXPECT_EQ((change.array() != 0.0).count(), 3);
  }
}

TEST_F(PartitionTrial, TheLargestEntryMakesARateDependent) {
  const Matrix M = Matrix::Identity(2, 2);
  CoordinatePartition partition(1, 1, 2);
  EXPECT_FALSE(partition.is_chosen());
  partition.choose(Matrix{{1.0, 0.9}}, M, 1e-9);
  EXPECT_EQ(partition.dependent(), std::vector<int>{0});
  partition.choose(Matrix{{1.0, 1.1}}, M, 1e-9);
  EXPECT_EQ(partition.dependent(), std::vector<int>{1});
}

TEST_F(PartitionTrial, PreferredRowsStayUnlessOthersAreMuchBetter) {
  const Matrix M = Matrix::Identity(3, 3);
  const auto choose = [&](double share, const std::vector<bool>& preferred) {
    Matrix G{{1.0, 0.0, 0.0}, {1.0, share, 0.0}, {0.0, 1.0, 0.0}};
    CoordinatePartition partition(3, 3, 3);
    partition.choose(G, M, 1e-9, {}, preferred);
    std::vector<int> kept = partition.kept();
    std::sort(kept.begin(), kept.end());
    return kept;
  };
  EXPECT_EQ(choose(0.9, {}), (std::vector<int>{0, 2}));
  EXPECT_EQ(choose(0.9, {true, true, false}), (std::vector<int>{0, 1}));
  EXPECT_EQ(choose(0.01, {true, true, false}), (std::vector<int>{0, 2}));
  EXPECT_EQ(choose(0.0, {true, true, false}), (std::vector<int>{0, 2})) << "rank before preference";
}

}  // namespace
}  // namespace driftless
