#pragma once
// A matrix that is zero outside of dense blocks whose places are fixed once: the Jacobian of a mechanism, where an element
// has a block of columns for each body that it touches, or a mass matrix with a block per body. A matrix without such
// structure is one block, the whole. What asks for all entries takes `dense`; what must cost no more than there are
// blocks goes strip by strip: a strip is a set of adjacent rows with the same blocks.

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

  void set_zero() { values_.setZero(); }
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

  /// All entries; valid until the next call, or until values change if the matrix is one block.
  const Matrix& dense() const;

  double find_row_norm(int index) const;
  bool is_row_finite(int index) const;
  bool is_finite() const { return values_.allFinite(); }
  /// y = A x, of the first y.size() rows, which end with a strip.
  void multiply(ConstVectorRef x, VectorRef y) const;
  /// The rows of one strip of y = A x.
  void multiply_strip(int strip, const double* x, double* y) const;
  /// y += factor Aᵀ x, of the first x.size() rows, which end with a strip.
  void add_transposed(ConstVectorRef x, double factor, VectorRef y) const;

 private:
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
  Fill fill_;
  Product product_;
};

/// A with the values of `whole`; nothing outside of the blocks may differ from zero.
void set_values(const Matrix& whole, BlockMatrix& A);

}  // namespace driftless
