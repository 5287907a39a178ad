#pragma once
// Small dense systems, without allocation: LU with row pivoting, and Cholesky in place.

#include <vector>

#include "driftless/math/linear.hpp"

namespace driftless {

/// A x = b in place, A symmetric; its lower triangle is overwritten. False: A is not positive definite.
bool solve_definite(MatrixRef A, VectorRef x);

class DenseLu {
 public:
  /// For matrices of up to this size. Allocates.
  void resize(Eigen::Index largest);

  /// False if a pivot vanishes.
  bool factorize(ConstMatrixRef A);
  Eigen::Index size() const { return n_; }

  /// A x = b in place.
  void solve(VectorRef x) const;
  /// Aᵀ x = b in place.
  void solve_transposed(VectorRef x) const;

 private:
  Matrix lu_;
  std::vector<Eigen::Index> row_;  // row k was exchanged with this one
  Eigen::Index n_ = 0;
};

}  // namespace driftless
