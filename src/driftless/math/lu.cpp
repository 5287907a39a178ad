#include "driftless/math/lu.hpp"

#include <cassert>
#include <cmath>
#include <utility>

namespace driftless {

bool solve_definite(MatrixRef A, VectorRef x) {
  const Eigen::Index n = A.rows();
  for (Eigen::Index k = 0; k < n; ++k) {  // A = L Lᵀ
    if (!(A(k, k) > 0.0)) return false;
    const double root = std::sqrt(A(k, k));
    for (Eigen::Index i = k; i < n; ++i) A(i, k) /= root;
    for (Eigen::Index j = k + 1; j < n; ++j)
      for (Eigen::Index i = j; i < n; ++i) A(i, j) -= A(i, k) * A(j, k);
  }
  for (Eigen::Index k = 0; k < n; ++k) {
    x[k] /= A(k, k);
    for (Eigen::Index i = k + 1; i < n; ++i) x[i] -= A(i, k) * x[k];
  }
  for (Eigen::Index k = n; k-- > 0;) {
    for (Eigen::Index i = k + 1; i < n; ++i) x[k] -= A(i, k) * x[i];
    x[k] /= A(k, k);
  }
  return true;
}

template <class S>
void BasicLu<S>::resize(Eigen::Index largest) {
  lu_ = MatrixS::Zero(largest, largest);
  row_.assign(static_cast<std::size_t>(largest), 0);
}

template <class S>
bool BasicLu<S>::factorize(const Eigen::Ref<const MatrixS>& A) {
  assert(A.rows() == A.cols() && A.rows() <= lu_.rows());
  n_ = A.rows();
  lu_.topLeftCorner(n_, n_) = A;
  for (Eigen::Index k = 0; k < n_; ++k) {
    Eigen::Index pivot = k;
    for (Eigen::Index i = k + 1; i < n_; ++i)
      if (std::abs(lu_(i, k)) > std::abs(lu_(pivot, k))) pivot = i;
    row_[static_cast<std::size_t>(k)] = pivot;
    if (!(std::abs(lu_(pivot, k)) > 0.0)) return false;
    if (pivot != k)
      for (Eigen::Index j = 0; j < n_; ++j) std::swap(lu_(k, j), lu_(pivot, j));
    lu_(k, k) = S(1.0) / lu_(k, k);  // divisions are slow: the reciprocal serves all that follow
    for (Eigen::Index i = k + 1; i < n_; ++i) lu_(i, k) *= lu_(k, k);
    for (Eigen::Index j = k + 1; j < n_; ++j) {
      const S factor = lu_(k, j);
      for (Eigen::Index i = k + 1; i < n_; ++i) lu_(i, j) -= lu_(i, k) * factor;
    }
  }
  return true;
}

template <class S>
void BasicLu<S>::solve(Eigen::Ref<VectorS> x) const {
  assert(x.size() == n_);
  for (Eigen::Index k = 0; k < n_; ++k) std::swap(x[k], x[row_[static_cast<std::size_t>(k)]]);
  for (Eigen::Index k = 0; k < n_; ++k)
    for (Eigen::Index i = k + 1; i < n_; ++i) x[i] -= lu_(i, k) * x[k];
  for (Eigen::Index k = n_; k-- > 0;) {
    x[k] *= lu_(k, k);
    for (Eigen::Index i = 0; i < k; ++i) x[i] -= lu_(i, k) * x[k];
  }
}

template <class S>
void BasicLu<S>::solve_transposed(Eigen::Ref<VectorS> x) const {
  assert(x.size() == n_);
  for (Eigen::Index k = 0; k < n_; ++k) {
    for (Eigen::Index i = 0; i < k; ++i) x[k] -= lu_(i, k) * x[i];
    x[k] *= lu_(k, k);
  }
  for (Eigen::Index k = n_; k-- > 0;)
    for (Eigen::Index i = k + 1; i < n_; ++i) x[k] -= lu_(i, k) * x[i];
  for (Eigen::Index k = n_; k-- > 0;) std::swap(x[k], x[row_[static_cast<std::size_t>(k)]]);
}

template class BasicLu<double>;
template class BasicLu<std::complex<double>>;

}  // namespace driftless
