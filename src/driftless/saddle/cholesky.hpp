#pragma once
// M = L Lᵀ, with a short way for diagonal M. After construction nothing is allocated.
//
// A pivot is what the columns before it leave of a diagonal entry, and behind a small pivot p rounding of another is 1/p times
// larger: of a slender rod nearly in a plane it passes for mass. So where a pivot is that small, M is eliminated once more with the
// largest pivot first, each relative to its own entry: then rounding stays rounding, and whatever is not above it is none.

#include "driftless/math/linear.hpp"

namespace driftless {

class CholeskyFactor {
 public:
  explicit CholeskyFactor(int size)
      : n_(size),
        lower_(Matrix::Zero(size, size)),
        scaled_(Matrix::Zero(size, size)),
        inverse_(Vector::Zero(size)) {}

  /// False: M is not positive definite.
  bool factorize(ConstMatrixRef mass);
  /// x := L⁻¹ x of a row of a matrix, that is of numbers `stride` apart.
  void solve_row(const double* row, Eigen::Index stride, VectorRef x) const {
    for (int j = 0; j < n_; ++j, row += stride) x[j] = diagonal_ ? *row * inverse_[j] : *row;
    if (!diagonal_) solve(x);
  }
  /// x := L⁻¹ x
  void solve(VectorRef x) const { solve(x.data()); }
  /// x := L⁻ᵀ x
  void solve_transposed(VectorRef x) const { solve_transposed(x.data()); }
  /// The same of n numbers.
  void solve(double* x) const {
    if (!diagonal_) return substitute(x);
    for (int j = 0; j < n_; ++j) x[j] *= inverse_[j];
  }
  void solve_transposed(double* x) const {
    if (!diagonal_) return substitute_transposed(x);
    for (int j = 0; j < n_; ++j) x[j] *= inverse_[j];
  }

  bool is_diagonal() const { return diagonal_; }
  /// Of L, below its diagonal.
  double at(int row, int column) const { return lower_(row, column); }
  /// Of L's diagonal.
  double inverse_pivot(int row) const { return inverse_[row]; }

 private:
  bool is_singular(ConstMatrixRef mass);
  void substitute(double* x) const;
  void substitute_transposed(double* x) const;

  int n_;
  bool diagonal_ = false;
  Matrix lower_;
  Matrix scaled_;   // of is_singular
  Vector inverse_;  // of the diagonal
};

}  // namespace driftless
