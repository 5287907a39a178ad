#pragma once
// A matrix that is zero outside of dense blocks whose places are fixed once: the Jacobian of a mechanism, where an element
// has a block of columns for each body that it touches, or a mass matrix with a block per body. A matrix without such
// structure is one block, the whole. What asks for all entries takes `dense`; what must cost no more than there are
// blocks goes strip by strip: a strip is a set of adjacent rows with the same blocks.

#include <algorithm>
#include <functional>
#include <vector>

#include "driftless/math/linear.hpp"

namespace driftless {

struct BlockPlace {
  int row = 0;
  int column = 0;
  int rows = 0;
  int columns = 0;
};

struct Block : BlockPlace {
  int first = 0;  ///< of its values, column by column, in BlockMatrix::data
};

/// Rows from `row` on that have blocks in the same columns.
struct Strip {
  int row = 0;
  int rows = 0;
  int first_block = 0;
  int blocks = 0;
};

class BlockMatrix {
 public:
  BlockMatrix() = default;
  /// One block, zero.
  BlockMatrix(int rows, int columns);
  /// One block with these values.
  BlockMatrix(const Matrix& whole)  // NOLINT(google-explicit-constructor): any matrix is one
      : BlockMatrix(static_cast<int>(whole.rows()), static_cast<int>(whole.cols())) {
    values_ = whole;
  }
  /// Full, but known by what fills it: the entries are made when all of them, or products, are asked for. No blocks.
  using Fill = std::function<void(Matrix&)>;
  /// y = A x, for less than all entries cost.
  using Product = std::function<void(ConstVectorRef x, VectorRef y)>;
  BlockMatrix(int rows, int columns, Fill fill, Product product);
  /// Zero. Blocks that have a row in common have all rows in common, and no column.
  BlockMatrix(int rows, int columns, std::vector<BlockPlace> places);

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  bool is_whole() const { return whole_; }
  const std::vector<Block>& blocks() const { return blocks_; }
  const std::vector<Strip>& strips() const { return strips_; }

  double* data() { return values_.data(); }
  const double* data() const { return values_.data(); }
  /// Of a matrix that is one block.
  Matrix& whole() { return values_; }

  /// An entry, or a part of one block. It must be there.
  double& at(int row, int column);
  using Part = Eigen::Map<Matrix, 0, Eigen::OuterStride<>>;
  using ConstPart = Eigen::Map<const Matrix, 0, Eigen::OuterStride<>>;
  Part part(int row, int column, int rows, int columns);
  ConstPart part(int row, int column, int rows, int columns) const;
  /// Whether there is a block with this entry.
  bool has(int row, int column) const;
  /// The strip with this row; null: the row is empty.
  const Strip* find_strip(int row) const;

  /// Calls visit(column, value) for the entries of a row's blocks.
  template <class Visit>
  void for_each_in_row(int row, Visit visit) const {
    const Strip* const strip = find_strip(row);
    if (strip == nullptr) return;
    for (int k = strip->first_block; k < strip->first_block + strip->blocks; ++k) {
      const Block& block = blocks_[static_cast<std::size_t>(k)];
      const double* value = values_.data() + block.first + (row - block.row);
      for (int j = 0; j < block.columns; ++j, value += block.rows) visit(block.column + j, *value);
    }
  }

  /// One column, to be written entry by entry.
  class Column {
   public:
    Column(BlockMatrix& matrix, int column, double factor = 1.0)
        : matrix_(matrix), column_(column), factor_(factor) {}
    class Entry {
     public:
      Entry(double& value, double factor) : value_(value), factor_(factor) {}
      void operator+=(double change) const { value_ += factor_ * change; }

     private:
      double& value_;
      double factor_;
    };
    Entry operator[](int row) const { return {matrix_.at(row, column_), factor_}; }

   private:
    BlockMatrix& matrix_;
    int column_;
    double factor_;
  };
  /// What is added to its entries is multiplied by the factor.
  Column column(int index, double factor = 1.0) { return {*this, index, factor}; }

  void set_zero() { values_.setZero(); }
  /// The values of a matrix with the same blocks. One without blocks takes the blocks, too; one that is known by what
  /// fills it becomes whole.
  void take(const BlockMatrix& other);
  /// Rows from `first` on, whole strips.
  void set_zero(int first, int count);

  /// One row, to be written entry by entry; a column outside of its blocks must not be asked for.
  class Row {
   public:
    Row(const Block* first, const Block* last, int row, double* data)
        : first_(first), last_(last), row_(row), data_(data) {}
    double& operator[](Eigen::Index column) const;
    void set_zero() const;

   private:
    const Block* first_;
    const Block* last_;
    int row_;  // within the strip
    double* data_;
  };
  Row row(int index);

  /// Of the terms that a row's entries are sums of, the part that is left, in [0, 1]; 1 unless it was set. What compares
  /// rows with each other scales them to this length instead of 1 (drawn_rank.hpp).
  double find_share(int row) const { return shares_.size() > 0 ? shares_[row] : 1.0; }
  const Vector& shares() const { return shares_; }  ///< empty: all are 1
  void set_share(int row, double share) {
    if (shares_.size() == 0) shares_ = Vector::Ones(rows_);
    shares_[row] = share;
  }
  void set_shares(const Vector& shares) { shares_ = shares; }

  /// All entries; valid until the next call, or until values change if the matrix is one block.
  const Matrix& dense() const;

  /// Of a square matrix.
  Vector find_diagonal() const;
  double find_row_norm(int index) const;
  bool is_row_finite(int index) const;
  bool is_finite() const { return values_.allFinite(); }
  double find_largest() const { return values_.size() > 0 ? values_.cwiseAbs().maxCoeff() : 0.0; }
  /// Of all entries: those in blocks.
  Eigen::Index count() const { return values_.size(); }
  /// y = A x, of the first y.size() rows, which end with a strip.
  void multiply(ConstVectorRef x, VectorRef y) const;
  /// The rows of one strip of y = A x.
  void multiply_strip(int strip, const double* x, double* y) const;
  /// y += factor Aᵀ x, of the first x.size() rows, which end with a strip.
  void add_transposed(ConstVectorRef x, double factor, VectorRef y) const;

 private:
  const Block* find_block(int row, int column) const;
  Eigen::Map<const Matrix> map(const Block& block) const {
    return {values_.data() + block.first, block.rows, block.columns};
  }

  int rows_ = 0;
  int columns_ = 0;
  bool whole_ = true;
  std::vector<Block> blocks_;
  std::vector<Strip> strips_;
  std::vector<int> strip_of_;  // per row; -1: none
  Matrix values_;              // rows x columns if it is one block, else one column
  mutable Matrix dense_;
  Vector shares_;  // per row, or empty
  Fill fill_;
  Product product_;
};

/// A T, T with square blocks on its diagonal; each lies within a block of A. `product` has the blocks of A.
void multiply_right(const BlockMatrix& A, const BlockMatrix& T, double factor,
                    BlockMatrix& product);

/// Tᵀ A likewise.
void multiply_left_transposed(const BlockMatrix& T, const BlockMatrix& A, BlockMatrix& product);
/// Tᵀ x = b in place, T with square blocks on its diagonal. False: one is singular.
bool solve_block_diagonal_transposed(const BlockMatrix& T, VectorRef x);
/// to += factor A, whose blocks lie within those of `to`.
void add_scaled(const BlockMatrix& A, double factor, BlockMatrix& to);

/// y += A x for numbers of any kind.
template <class X, class Y>
void add_product(const BlockMatrix& A, const X& x, Y&& y) {
  for (const Block& block : A.blocks()) {
    const double* value = A.data() + block.first;
    for (int j = 0; j < block.columns; ++j) {
      const auto factor = x[block.column + j];
      for (int i = 0; i < block.rows; ++i) y[block.row + i] += *value++ * factor;
    }
  }
}

/// y -= Aᵀ x, of the first x.size() rows, which end with a strip.
template <class X, class Y>
void subtract_transposed(const BlockMatrix& A, const X& x, Y&& y) {
  for (const Block& block : A.blocks()) {
    const int rows = std::min(block.rows, static_cast<int>(x.size()) - block.row);
    if (rows <= 0) break;
    const double* value = A.data() + block.first;
    for (int j = 0; j < block.columns; ++j, value += block.rows)
      for (int i = 0; i < rows; ++i) y[block.column + j] -= value[i] * x[block.row + i];
  }
}

/// A with the values of `whole`; nothing outside of the blocks may differ from zero.
void set_values(const Matrix& whole, BlockMatrix& A);

}  // namespace driftless
