#pragma once
// M = L Lᵀ, with a short way for diagonal M. After construction nothing is allocated.

#include "driftless/math/linear.hpp"

namespace driftless {

class CholeskyFactor {
 public:
  explicit CholeskyFactor(int size)
      : n_(size), lower_(Matrix::Zero(size, size)), inverse_(Vector::Zero(size)) {}

  /// False: M is not positive definite.
  bool factorize(ConstMatrixRef mass);
  /// x := L⁻¹ x of a row of a matrix, that is of numbers `stride` apart.
  void solve_row(const double* row, Eigen::Index stride, VectorRef x) const {
    for (int j = 0; j < n_; ++j, row += stride) x[j] = diagonal_ ? *row * inverse_[j] : *row;
    if (!diagonal_) solve(x);
  }
  /// x := L⁻¹ x
  void solve(VectorRef x) const;
  /// x := L⁻ᵀ x
  void solve_transposed(VectorRef x) const;

 private:
  int n_;
  bool diagonal_ = false;
  Matrix lower_;
  Vector inverse_;  // of the diagonal
};

}  // namespace driftless
