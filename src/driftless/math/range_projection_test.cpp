#include "driftless/math/range_projection.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

TEST(RangeProjection, KeepsTheProductWithTheTransposeAndGivesTheLeastNorm) {
  std::srand(7);
  for (const auto& [rows, columns, rank] :
       {std::tuple{6, 9, 4}, std::tuple{9, 6, 6}, std::tuple{5, 5, 2}, std::tuple{20, 12, 9}}) {
    const Matrix A = Matrix::Random(rows, rank) * Matrix::Random(rank, columns);
    const Vector y = Vector::Random(rows);
    Vector least = y;
    RangeProjection projection(rows, columns);
    projection.apply(A, rank, least);
    EXPECT_LT((A.transpose() * (least - y)).norm(), 1e-12 * A.norm());
    // Least: orthogonal to every change that Aᵀ does not see.
    const Vector change = y - least;
    EXPECT_LT(std::abs(least.dot(change)), 1e-12);
    EXPECT_LT(least.norm(), y.norm());
    Vector again = least;
    projection.apply(A, rank, again);
    EXPECT_LT((again - least).norm(), 1e-14);
  }
}

// Round-off may count a row too many.
TEST(RangeProjection, HasNoMoreDirectionsThanColumns) {
  std::srand(3);
  const Matrix A = Matrix::Random(7, 3);
  const Vector y = Vector::Random(7);
  Vector expected = y, found = y;
  RangeProjection(7, 3).apply(A, 3, expected);
  RangeProjection(7, 3).apply(A, 5, found);
  EXPECT_LT((found - expected).norm(), 1e-14);
}

TEST(RangeProjection, LeavesNothingWhereThereIsNoColumn) {
  Vector y = Vector::Ones(3);
  RangeProjection(3, 0).apply(Matrix(3, 0), 0, y);
  EXPECT_EQ(y.norm(), 0.0);
}

}  // namespace
}  // namespace driftless
