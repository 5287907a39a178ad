#pragma once
// Small dense systems, without allocation: LU with row pivoting, real or complex, and Cholesky in place.

#include <complex>
#include <vector>

#include "driftless/math/linear.hpp"

namespace driftless {

/// A x = b in place, A symmetric; its lower triangle is overwritten. False: A is not positive definite.
bool solve_definite(MatrixRef A, VectorRef x);

template <class S>
class BasicLu {
 public:
  using MatrixS = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;
  using VectorS = Eigen::Matrix<S, Eigen::Dynamic, 1>;

  /// For matrices of up to this size. Allocates.
  void resize(Eigen::Index largest);

  /// False if a pivot vanishes.
  bool factorize(const Eigen::Ref<const MatrixS>& A);
  Eigen::Index size() const { return n_; }

  /// A x = b in place.
  void solve(Eigen::Ref<VectorS> x) const;
  /// Aᵀ x = b in place.
  void solve_transposed(Eigen::Ref<VectorS> x) const;

 private:
  MatrixS lu_;
  std::vector<Eigen::Index> row_;  // row k was exchanged with this one
  Eigen::Index n_ = 0;
};

using DenseLu = BasicLu<double>;
using ComplexLu = BasicLu<std::complex<double>>;

}  // namespace driftless
