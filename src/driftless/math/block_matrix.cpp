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

const Matrix& BlockMatrix::dense() const {
  if (whole_) return values_;
  if (fill_) {
    dense_.resize(rows_, columns_);
    fill_(dense_);
    return dense_;
  }
  dense_.setZero(rows_, columns_);
  for (const Block& block : blocks_) {
    dense_.block(block.row, block.column, block.rows, block.columns) = map(block);
  }
  return dense_;
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

void set_values(const Matrix& whole, BlockMatrix& A) {
  assert(whole.rows() == A.rows() && whole.cols() == A.columns());
  for (const Block& block : A.blocks()) {
    Eigen::Map<Matrix>(A.data() + block.first, block.rows, block.columns) =
        whole.block(block.row, block.column, block.rows, block.columns);
  }
}

}  // namespace driftless
