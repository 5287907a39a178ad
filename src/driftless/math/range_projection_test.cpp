#include "driftless/math/range_projection.hpp"

#include <limits>

#include <Eigen/QR>
#include <gtest/gtest.h>

namespace driftless {
namespace {

Vector find_projected(const BlockMatrix& A, int rank, Vector y, int sparse_from = 80) {
  RangeProjection projection(A, sparse_from);
  EXPECT_TRUE(projection.set(A, rank));
  projection.project(y);
  return y;
}

TEST(RangeProjection, KeepsTheProductWithTheTransposeAndGivesTheLeastNorm) {
  std::srand(7);
  for (const auto& [rows, columns, rank] :
       {std::tuple{6, 9, 4}, std::tuple{9, 6, 6}, std::tuple{5, 5, 2}, std::tuple{20, 12, 9}}) {
    const Matrix A = Matrix::Random(rows, rank) * Matrix::Random(rank, columns);
    const Vector y = Vector::Random(rows);
    const Vector least = find_projected(A, rank, y);
    EXPECT_LT((A.transpose() * (least - y)).norm(), 1e-12 * A.norm());
    // Least: orthogonal to every change that Aᵀ does not see.
    const Vector change = y - least;
    EXPECT_LT(std::abs(least.dot(change)), 1e-12);
    EXPECT_LT(least.norm(), y.norm());
    EXPECT_LT((find_projected(A, rank, least) - least).norm(), 1e-14);
  }
}

// Round-off may count a row too many.
TEST(RangeProjection, HasNoMoreDirectionsThanColumns) {
  std::srand(3);
  const Matrix A = Matrix::Random(7, 3);
  const Vector y = Vector::Random(7);
  EXPECT_LT((find_projected(A, 5, y) - find_projected(A, 3, y)).norm(), 1e-14);
}

TEST(RangeProjection, LeavesNothingWhereThereIsNoColumn) {
  EXPECT_EQ(find_projected(Matrix(3, 0), 0, Vector::Ones(3)).norm(), 0.0);
}

/// A ring of bodies with three rates, five rows between neighbours; columns of very different sizes. Rows of every third
/// pair say the same as the pair before but for `misfit`.
BlockMatrix make_ring(int bodies, double misfit) {
  std::vector<BlockPlace> places;
  for (int k = 0; k < bodies; ++k) {
    const int next = (k + 1) % bodies;
    places.push_back({5 * k, 3 * std::min(k, next), 5, 3});
    places.push_back({5 * k, 3 * std::max(k, next), 5, 3});
  }
  BlockMatrix ring(5 * bodies, 3 * bodies, places);
  for (const Block& block : ring.blocks()) {
    auto part = ring.part(block.row, block.column, 5, 3);
    part = Matrix::Random(5, 2) * Matrix::Random(2, 3);  // two rows of each body's are its own
    part.bottomRows(1) = part.topRows(1) + misfit * Matrix::Random(1, 3);
    part.col(2) *= 1e3;
  }
  return ring;
}

TEST(RangeProjection, IsTheSameForManyRowsOfWhichEachTouchesFewColumns) {
  std::srand(11);
  for (const double misfit : {0.0, 1e-9}) {
    const BlockMatrix ring = make_ring(30, misfit);
    const Vector y = Vector::Random(ring.rows());
    Eigen::ColPivHouseholderQR<Matrix> qr(ring.dense());
    qr.setThreshold(1e-6);
    const int rank = static_cast<int>(qr.rank());
    EXPECT_LT(rank, ring.rows());
    const Vector dense = find_projected(ring, rank, y, ring.rows() + 1);
    const Vector sparse = find_projected(ring, rank, y, 0);
    EXPECT_LT((sparse - dense).norm(), misfit > 0.0 ? 1e-6 : 1e-11);
    EXPECT_LT((ring.dense().transpose() * (sparse - y)).norm(), 1e-8 * ring.dense().norm());
    RangeProjection projection(ring, 0);
    projection.set(ring, rank);
    EXPECT_LT((projection.find_outside(y) - (y - dense)).norm(), 1e-6);
  }
}

TEST(RangeProjection, IsRefusedForMatricesThatAreNotFinite) {
  BlockMatrix ring = make_ring(4, 0.0);
  ring.data()[5] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(RangeProjection(ring, 0).set(ring, 10));
  EXPECT_FALSE(RangeProjection(ring, 100).set(ring, 10));
}

}  // namespace
}  // namespace driftless
