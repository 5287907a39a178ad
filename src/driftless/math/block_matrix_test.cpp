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
  A.multiply(Vector(Vector::Ones(2)), y);
  EXPECT_TRUE(y.isApprox(whole.rowwise().sum(), 1e-15));
}

/// Blocks of two bodies with 3 and 2 rates, all pairs or the diagonal.
BlockMatrix make_pairs(bool diagonal, unsigned seed) {
  std::vector<BlockPlace> places{{0, 0, 3, 3}, {3, 3, 2, 2}};
  if (!diagonal) places.insert(places.end(), {{0, 3, 3, 2}, {3, 0, 2, 3}});
  BlockMatrix A(6, 6, places);  // the last row and column are empty
  std::srand(seed);
  Eigen::Map<Vector>(A.data(), A.count()) = Vector::Random(A.count());
  return A;
}

TEST(BlockMatrix, HasEntriesAndPartsInItsBlocks) {
  BlockMatrix A = make_pairs(false, 3);
  const Matrix all = A.dense();
  EXPECT_EQ(A.at(4, 1), all(4, 1));
  EXPECT_EQ(Matrix(A.part(3, 1, 2, 2)), all.block(3, 1, 2, 2));
  EXPECT_TRUE(A.has(2, 4));
  EXPECT_FALSE(A.has(5, 0));
  EXPECT_FALSE(A.has(0, 5));
  A.column(4, 2.0)[1] += 0.5;
  EXPECT_EQ(A.at(1, 4), all(1, 4) + 1.0);
  BlockMatrix B, none(0, 6, std::vector<BlockPlace>{});
  B.take(A);
  EXPECT_EQ(B.dense(), A.dense());
  EXPECT_FALSE(B.is_whole());
  B.take(none);
  EXPECT_EQ(B.rows(), 0);
  EXPECT_EQ(B.columns(), 6);
}

TEST(BlockMatrix, MultipliesByBlocksOnADiagonal) {
  const BlockMatrix T = make_pairs(true, 5);
  for (const bool whole : {false, true}) {
    const BlockMatrix A = whole ? BlockMatrix(make_pairs(false, 7).dense()) : make_pairs(false, 7);
    BlockMatrix product = A;
    multiply_right(A, T, 2.0, product);
    const Matrix expected = 2.0 * A.dense() * T.dense();
    EXPECT_LE((product.dense() - expected).topLeftCorner(6, 5).norm(), 1e-14);
    multiply_left_transposed(T, A, product);
    EXPECT_LE((product.dense() - T.dense().transpose() * A.dense()).topRows(5).norm(), 1e-14);
    product = A;
    add_scaled(T, -3.0, product);
    EXPECT_LE((product.dense() - A.dense() + 3.0 * T.dense()).norm(), 1e-14);
  }
  const Vector x = Vector::LinSpaced(6, 1.0, 2.0);
  Vector b = T.dense().transpose() * x;
  ASSERT_TRUE(solve_block_diagonal_transposed(T, b));
  EXPECT_LE((b - x).head(5).norm(), 1e-12);
}

}  // namespace
}  // namespace driftless
