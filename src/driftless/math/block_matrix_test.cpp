#include "driftless/math/block_matrix.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace driftless {
namespace {

/// Two strips of two and one rows; the second row block has a gap of columns.
BlockMatrix make_matrix(Matrix& whole) {
  BlockMatrix A(4, 6, {{0, 0, 2, 2}, {0, 4, 2, 2}, {3, 2, 1, 2}});
  whole = Matrix::Zero(4, 6);
  whole.block(0, 0, 2, 2) << 1, 2, 3, 4;
  whole.block(0, 4, 2, 2) << 5, 6, 7, 8;
  whole.block(3, 2, 1, 2) << 9, 10;
  set_values(whole, A);
  return A;
}

TEST(BlockMatrix, IsTheMatrixOfItsBlocks) {
  Matrix whole;
  BlockMatrix A = make_matrix(whole);
  EXPECT_EQ(A.dense(), whole);
  EXPECT_EQ(A.strips().size(), 2U);
  for (int i = 0; i < 4; ++i) EXPECT_DOUBLE_EQ(A.find_row_norm(i), whole.row(i).norm());
  const Vector x = Vector::LinSpaced(6, -1, 3), y = Vector::LinSpaced(4, 2, -1);
  Vector product = Vector::Constant(4, 7.0), sum = Vector::Constant(6, 7.0);
  A.multiply(x, product);
  EXPECT_TRUE(product.isApprox(whole * x, 1e-15));
  A.add_transposed(y, -2.0, sum);
  EXPECT_TRUE(sum.isApprox(Vector::Constant(6, 7.0) - 2.0 * whole.transpose() * y, 1e-15));
  Vector part = Vector::Constant(2, 7.0);
  A.multiply(x, part);
  EXPECT_TRUE(part.isApprox(whole.topRows(2) * x, 1e-15));
}

TEST(BlockMatrix, IsWrittenRowByRow) {
  Matrix whole;
  BlockMatrix A = make_matrix(whole);
  A.row(1)[5] += 0.5;
  whole(1, 5) += 0.5;
  EXPECT_EQ(A.dense(), whole);
  A.row(0).set_zero();
  whole.row(0).setZero();
  EXPECT_EQ(A.dense(), whole);
  A.set_zero(3, 1);
  whole.row(3).setZero();
  EXPECT_EQ(A.dense(), whole);
  EXPECT_TRUE(A.is_row_finite(1));
  A.row(1)[0] = std::nan("");
  EXPECT_FALSE(A.is_row_finite(1));
  EXPECT_FALSE(A.is_finite());
}

TEST(BlockMatrix, MayBeOneBlock) {
  const Matrix whole = Matrix::Random(3, 2);
  const BlockMatrix A = whole;
  EXPECT_TRUE(A.is_whole());
  EXPECT_EQ(&A.dense(), &A.dense());
  Vector y(3);
  A.multiply(Vector::Ones(2), y);
  EXPECT_TRUE(y.isApprox(whole.rowwise().sum(), 1e-15));
}

}  // namespace
}  // namespace driftless
