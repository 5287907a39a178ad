#include "driftless/math/range_projection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless {
namespace {

constexpr double kSmallSquare = 1e-11;  // ε
constexpr int kFewPasses = 3;
constexpr int kMostPasses = 8;

/// Rows of a strip stay together, and columns of a block of them.
std::vector<int> group_unknowns(const BlockMatrix& A) {
  const int rows = A.rows();
  std::vector<int> groups(static_cast<std::size_t>(rows + A.columns()), -1);
  int count = 0;
  for (const Strip& strip : A.strips()) {
    std::fill_n(groups.begin() + strip.row, strip.rows, count);
    ++count;
  }
  for (const Block& block : A.blocks()) {
    const auto first = groups.begin() + rows + block.column;
    if (std::any_of(first, first + block.columns, [](int group) { return group >= 0; })) continue;
    std::fill_n(first, block.columns, count);
    ++count;
  }
  for (int& group : groups)
    if (group < 0) group = count++;
  return groups;
}

}  // namespace

RangeProjection::RangeProjection(const BlockMatrix& pattern, int sparse_from)
    : is_sparse_(!pattern.is_whole() && pattern.rows() >= sparse_from),
      outside_(Vector::Zero(pattern.rows())),
      qr_(is_sparse_ ? 0 : pattern.rows(), is_sparse_ ? 0 : pattern.columns()) {
  const int rows = pattern.rows(), columns = pattern.columns();
  if (!is_sparse_) return;
  lu_.resize(rows + columns, group_unknowns(pattern));
  scale_ = Vector::Zero(columns);
  right_ = Vector::Zero(rows + columns);
}

bool RangeProjection::set(const BlockMatrix& A, int rank) {
  if (!A.is_finite()) return false;
  if (is_sparse_) return factorize(A);
  qr_.values() = A.dense();
  qr_.factorize(std::numeric_limits<double>::infinity());
  reached_ = 0;
  while (reached_ < std::min(rank, qr_.steps()) && qr_.pivot(reached_) != 0.0) ++reached_;
  return true;
}

void RangeProjection::project(VectorRef y) {
  outside_ = y;
  remove_reached(kMostPasses);
  // What is left of y is taken away from it: better than a sum of parts, if y is reached already.
  y -= outside_;
}

Vector RangeProjection::find_outside(ConstVectorRef y) {
  outside_ = y;
  remove_reached(kFewPasses);
  return outside_;
}

void RangeProjection::remove_reached(int passes) {
  if (!is_sparse_) {
    qr_.apply_transposed(outside_.data());
    outside_.head(reached_).setZero();
    qr_.apply(outside_.data());
    return;
  }
  const double round_off = 1e-14 * outside_.norm();
  for (int pass = 0; pass < passes; ++pass) {
    right_.head(outside_.size()) = outside_;
    right_.tail(scale_.size()).setZero();
    lu_.solve(right_);
    const double change = (right_.head(outside_.size()) - outside_).norm();
    outside_ = right_.head(outside_.size());
    if (change <= round_off) break;
  }
}

// [RPR.1]
bool RangeProjection::factorize(const BlockMatrix& A) {
  const int rows = A.rows();
  scale_.setZero();
  for (const Block& block : A.blocks())
    for (int j = 0; j < block.columns; ++j)
      scale_[block.column + j] +=
          Eigen::Map<const Vector>(A.data() + block.first + j * block.rows, block.rows)
              .squaredNorm();
  for (double& scale : scale_) scale = scale > 0.0 ? 1.0 / std::sqrt(scale) : 0.0;
  lu_.clear();
  for (int i = 0; i < rows; ++i) lu_.add(i, i, 1.0);
  for (int j = 0; j < A.columns(); ++j) lu_.add(rows + j, rows + j, -kSmallSquare);
  for (const Block& block : A.blocks()) {
    const double* value = A.data() + block.first;
    for (int j = 0; j < block.columns; ++j) {
      for (int i = 0; i < block.rows; ++i, ++value) {
        const int row = block.row + i, column = block.column + j;
        const double entry = *value * scale_[column];
        lu_.add(row, rows + column, entry);
        lu_.add(rows + column, row, entry);
      }
    }
  }
  return lu_.factorize();
}

}  // namespace driftless
