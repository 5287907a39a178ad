#include "driftless/math/block_matrix.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <tuple>
#include <utility>

namespace driftless {

BlockMatrix::BlockMatrix(int rows, int columns)
    : rows_(rows),
      columns_(columns),
      strip_of_(static_cast<std::size_t>(rows), 0),
      values_(Matrix::Zero(rows, columns)) {
  blocks_.push_back({{0, 0, rows, columns}, 0});
  strips_.push_back({0, rows, 0, 1});
}

BlockMatrix::BlockMatrix(int rows, int columns, Fill fill, Product product)
    : rows_(rows),
      columns_(columns),
      whole_(false),
      strip_of_(static_cast<std::size_t>(rows), -1),
      fill_(std::move(fill)),
      product_(std::move(product)) {}

BlockMatrix::BlockMatrix(int rows, int columns, std::vector<BlockPlace> places)
    : rows_(rows), columns_(columns), whole_(false), strip_of_(static_cast<std::size_t>(rows), -1) {
  std::sort(places.begin(), places.end(), [](const BlockPlace& a, const BlockPlace& b) {
    return std::tie(a.row, a.column) < std::tie(b.row, b.column);
  });
  int size = 0;
  for (const BlockPlace& place : places) {
    assert(place.row >= 0 && place.row + place.rows <= rows);
    assert(place.column >= 0 && place.column + place.columns <= columns);
    if (strips_.empty() || strips_.back().row != place.row) {
      strips_.push_back({place.row, place.rows, static_cast<int>(blocks_.size()), 0});
      for (int i = 0; i < place.rows; ++i) {
        strip_of_[static_cast<std::size_t>(place.row + i)] = static_cast<int>(strips_.size()) - 1;
      }
    }
    assert(strips_.back().rows == place.rows);
    ++strips_.back().blocks;
    blocks_.push_back({place, size});
    size += place.rows * place.columns;
  }
  values_ = Matrix::Zero(size, 1);
}

void BlockMatrix::set_zero(int first, int count) {
  for (int row = first; row < first + count; ++row) {
    const int place = strip_of_[static_cast<std::size_t>(row)];
    if (place < 0 || strips_[static_cast<std::size_t>(place)].row != row) continue;
    const Strip& strip = strips_[static_cast<std::size_t>(place)];
    for (int k = strip.first_block; k < strip.first_block + strip.blocks; ++k) {
      const Block& block = blocks_[static_cast<std::size_t>(k)];
      std::fill_n(values_.data() + block.first, block.rows * block.columns, 0.0);
    }
  }
}

double& BlockMatrix::Row::operator[](Eigen::Index column) const {
  const Block* block = first_;
  while (column < block->column || column >= block->column + block->columns) {
    ++block;
    assert(block < last_);
  }
  return data_[block->first + (static_cast<int>(column) - block->column) * block->rows + row_];
}

void BlockMatrix::Row::set_zero() const {
  for (const Block* block = first_; block < last_; ++block) {
    for (int j = 0; j < block->columns; ++j) data_[block->first + j * block->rows + row_] = 0.0;
  }
}

BlockMatrix::Row BlockMatrix::row(int index) {
  const int place = strip_of_[static_cast<std::size_t>(index)];
  if (place < 0) return {nullptr, nullptr, 0, nullptr};
  const Strip& strip = strips_[static_cast<std::size_t>(place)];
  const Block* first = blocks_.data() + strip.first_block;
  return {first, first + strip.blocks, index - strip.row, values_.data()};
}

const Strip* BlockMatrix::find_strip(int row) const {
  const int place = strip_of_[static_cast<std::size_t>(row)];
  return place < 0 ? nullptr : &strips_[static_cast<std::size_t>(place)];
}

const Block* BlockMatrix::find_block(int row, int column) const {
  const Strip* const strip = find_strip(row);
  if (strip == nullptr) return nullptr;
  const Block* const begin = blocks_.data() + strip->first_block;
  const Block* const after =
      std::upper_bound(begin, begin + strip->blocks, column,
                       [](int wanted, const Block& block) { return wanted < block.column; });
  if (after == begin) return nullptr;
  const Block* const found = after - 1;
  return column < found->column + found->columns ? found : nullptr;
}

bool BlockMatrix::has(int row, int column) const { return find_block(row, column) != nullptr; }

double& BlockMatrix::at(int row, int column) {
  const Block* const block = find_block(row, column);
  assert(block != nullptr);
  return values_.data()[block->first + (column - block->column) * block->rows + row - block->row];
}

BlockMatrix::Part BlockMatrix::part(int row, int column, int rows, int columns) {
  const Block* const block = find_block(row, column);
  assert(block != nullptr && row + rows <= block->row + block->rows);
  assert(column + columns <= block->column + block->columns);
  return {&at(row, column), rows, columns, Eigen::OuterStride<>(block->rows)};
}

BlockMatrix::ConstPart BlockMatrix::part(int row, int column, int rows, int columns) const {
  const Block* const block = find_block(row, column);
  assert(block != nullptr && row + rows <= block->row + block->rows);
  assert(column + columns <= block->column + block->columns);
  return {values_.data() + block->first + (column - block->column) * block->rows + row - block->row,
          rows, columns, Eigen::OuterStride<>(block->rows)};
}

void BlockMatrix::take(const BlockMatrix& other) {
  if (other.fill_) {
    if (!whole_ || rows_ != other.rows_ || columns_ != other.columns_)
      *this = BlockMatrix(other.rows_, other.columns_);
    other.fill_(values_);
    return;
  }
  if (rows_ != other.rows_ || columns_ != other.columns_ || whole_ != other.whole_ ||
      blocks_.size() != other.blocks_.size() || values_.size() != other.values_.size()) {
    *this = other;
    dense_.resize(0, 0);
    return;
  }
  values_ = other.values_;
  shares_ = other.shares_;
}

const Matrix& BlockMatrix::dense() const {
  if (whole_) return values_;
  if (fill_) {
    dense_.resize(rows_, columns_);
    fill_(dense_);
    return dense_;
  }
  // Outside of the blocks nothing but zeros is ever written.
  if (dense_.rows() != rows_ || dense_.cols() != columns_) dense_.setZero(rows_, columns_);
  const double* value = values_.data();
  for (const Block& block : blocks_) {
    double* column = dense_.data() + block.column * rows_ + block.row;
    for (int j = 0; j < block.columns; ++j, column += rows_)
      for (int i = 0; i < block.rows; ++i) column[i] = *value++;
  }
  return dense_;
}

Vector BlockMatrix::find_diagonal() const {
  if (whole_ || fill_) return dense().diagonal();
  Vector diagonal = Vector::Zero(rows_);
  for (const Block& block : blocks_) {
    const int first = std::max(block.row, block.column);
    const int end = std::min(block.row + block.rows, block.column + block.columns);
    for (int i = first; i < end; ++i) diagonal[i] = map(block)(i - block.row, i - block.column);
  }
  return diagonal;
}

double BlockMatrix::find_row_norm(int index) const {
  if (whole_) return values_.row(index).norm();
  const int place = strip_of_[static_cast<std::size_t>(index)];
  if (place < 0) return 0.0;
  const Strip& strip = strips_[static_cast<std::size_t>(place)];
  double sum = 0.0;
  for (int k = 0; k < strip.blocks; ++k) {
    const Block& block = blocks_[static_cast<std::size_t>(strip.first_block + k)];
    sum += map(block).row(index - strip.row).squaredNorm();
  }
  return std::sqrt(sum);
}

bool BlockMatrix::is_row_finite(int index) const { return std::isfinite(find_row_norm(index)); }

void BlockMatrix::multiply(ConstVectorRef x, VectorRef y) const {
  if (whole_) {
    y.noalias() = values_.topRows(y.size()) * x;
    return;
  }
  if (product_) return product_(x, y);
  y.setZero();
  for (std::size_t k = 0; k < strips_.size() && strips_[k].row < y.size(); ++k)
    multiply_strip(static_cast<int>(k), x.data(), y.data());
}

void BlockMatrix::multiply_strip(int index, const double* x, double* y) const {
  const Strip& strip = strips_[static_cast<std::size_t>(index)];
  double* out = y + strip.row;
  std::fill_n(out, strip.rows, 0.0);
  for (int k = strip.first_block; k < strip.first_block + strip.blocks; ++k) {
    const Block& block = blocks_[static_cast<std::size_t>(k)];
    const double* value = values_.data() + block.first;
    const double* in = x + block.column;
    for (int j = 0; j < block.columns; ++j) {
      const double factor = in[j];
      for (int i = 0; i < block.rows; ++i) out[i] += factor * *value++;
    }
  }
}

void BlockMatrix::add_transposed(ConstVectorRef x, double factor, VectorRef y) const {
  if (whole_) {
    y.noalias() += factor * (values_.topRows(x.size()).transpose() * x);
    return;
  }
  if (fill_) {
    y.noalias() += factor * (dense().topRows(x.size()).transpose() * x);
    return;
  }
  for (const Block& block : blocks_) {
    if (block.row >= x.size()) break;
    const double* value = values_.data() + block.first;
    const double* in = x.data() + block.row;
    double* out = y.data() + block.column;
    for (int j = 0; j < block.columns; ++j) {
      double sum = 0.0;
      for (int i = 0; i < block.rows; ++i) sum += in[i] * *value++;
      out[j] += factor * sum;
    }
  }
}

void multiply_right(const BlockMatrix& A, const BlockMatrix& T, double factor,
                    BlockMatrix& product) {
  const std::vector<Block>& turns = T.blocks();
  for (const Block& block : A.blocks()) {
    auto turn = std::lower_bound(turns.begin(), turns.end(), block.column,
                                 [](const Block& each, int column) { return each.row < column; });
    for (; turn != turns.end() && turn->row < block.column + block.columns; ++turn) {
      const auto at = block.first + (turn->column - block.column) * block.rows;
      const Eigen::Map<const Matrix> from(A.data() + at, block.rows, turn->columns);
      const Eigen::Map<const Matrix> by(T.data() + turn->first, turn->rows, turn->columns);
      Eigen::Map<Matrix> to(product.data() + at, block.rows, turn->columns);
      if (turn->columns == 1) {
        to = (factor * by(0, 0)) * from;
      } else {
        to = factor * from.lazyProduct(by);
      }
    }
  }
}

void multiply_left_transposed(const BlockMatrix& T, const BlockMatrix& A, BlockMatrix& product) {
  const std::vector<Block>& turns = T.blocks();
  for (const Block& block : A.blocks()) {
    auto turn = std::lower_bound(turns.begin(), turns.end(), block.row,
                                 [](const Block& each, int row) { return each.row < row; });
    const Eigen::Map<const Matrix> from(A.data() + block.first, block.rows, block.columns);
    Eigen::Map<Matrix> to(product.data() + block.first, block.rows, block.columns);
    for (; turn != turns.end() && turn->row < block.row + block.rows; ++turn) {
      const Eigen::Map<const Matrix> by(T.data() + turn->first, turn->rows, turn->columns);
      to.middleRows(turn->row - block.row, turn->rows) =
          by.transpose().lazyProduct(from.middleRows(turn->row - block.row, turn->rows));
    }
  }
}

bool solve_block_diagonal_transposed(const BlockMatrix& T, VectorRef x) {
  using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;
  for (const Block& block : T.blocks()) {
    assert(block.rows == block.columns && block.rows <= 6);
    Small A = Eigen::Map<const Matrix>(T.data() + block.first, block.rows, block.rows).transpose();
    double* const b = x.data() + block.row;
    for (int k = 0; k < block.rows; ++k) {
      int pivot = k;
      for (int i = k + 1; i < block.rows; ++i)
        if (std::abs(A(i, k)) > std::abs(A(pivot, k))) pivot = i;
      if (!(std::abs(A(pivot, k)) > 0.0)) return false;
      if (pivot != k) {
        A.row(k).swap(A.row(pivot));
        std::swap(b[k], b[pivot]);
      }
      for (int i = k + 1; i < block.rows; ++i) {
        const double factor = A(i, k) / A(k, k);
        for (int j = k + 1; j < block.rows; ++j) A(i, j) -= factor * A(k, j);
        b[i] -= factor * b[k];
      }
    }
    for (int k = block.rows; k-- > 0;) {
      for (int j = k + 1; j < block.rows; ++j) b[k] -= A(k, j) * b[j];
      b[k] /= A(k, k);
    }
  }
  return true;
}

void add_scaled(const BlockMatrix& A, double factor, BlockMatrix& to) {
  for (const Block& block : A.blocks()) {
    if (block.rows == 0 || block.columns == 0) continue;
    to.part(block.row, block.column, block.rows, block.columns) +=
        factor * Eigen::Map<const Matrix>(A.data() + block.first, block.rows, block.columns);
  }
}

void set_values(const Matrix& whole, BlockMatrix& A) {
  assert(whole.rows() == A.rows() && whole.cols() == A.columns());
  for (const Block& block : A.blocks()) {
    Eigen::Map<Matrix>(A.data() + block.first, block.rows, block.columns) =
        whole.block(block.row, block.column, block.rows, block.columns);
  }
}

}  // namespace driftless
