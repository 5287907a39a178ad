#pragma once
// y := Q Qᵀ y, Q an orthonormal basis of the range of A: the part of y that A reaches. Q comes from the columns of A by
// Gram-Schmidt, done twice, always with the column of which most is left. Nothing is allocated after the construction.

#include <algorithm>

#include "driftless/math/linear.hpp"

namespace driftless {

/// Of more rows, reactions that are not unique are told as an engine finds them: a projection costs the cube of the size.
inline constexpr int kMostProjectedRows = 1500;

class RangeProjection {
 public:
  RangeProjection(int rows, int columns)
      : rest_(Matrix::Zero(rows, columns)), basis_(Matrix::Zero(rows, std::min(rows, columns))) {}

  /// `rank`: how many directions the range has.
  void apply(ConstMatrixRef A, int rank, VectorRef y) {
    if (A.cols() == 0) {  // nothing is reached, and there is no column to work in
      y.setZero();
      return;
    }
    rest_ = A;
    part_ = 0;
    const Eigen::Index most = std::min<Eigen::Index>(rank, basis_.cols());
    for (; part_ < most; ++part_) {
      Eigen::Index largest = 0;
      if (!(rest_.colwise().squaredNorm().maxCoeff(&largest) > 0.0)) break;
      auto next = basis_.col(part_);
      next = rest_.col(largest);
      remove(next);
      next.normalize();
      for (Eigen::Index j = 0; j < rest_.cols(); ++j) rest_.col(j) -= next.dot(rest_.col(j)) * next;
    }
    // What is left of y beside the basis is taken away from it: better than a sum of parts, if y is reached already.
    Eigen::Map<Vector> outside(rest_.data(), y.size());
    outside = y;
    remove(outside);
    remove(outside);
    y -= outside;
  }

 private:
  template <class Column>
  void remove(Column& column) const {
    for (Eigen::Index k = 0; k < part_; ++k) column -= basis_.col(k).dot(column) * basis_.col(k);
  }

  Matrix rest_, basis_;
  Eigen::Index part_ = 0;  // columns of the basis so far
};

}  // namespace driftless
