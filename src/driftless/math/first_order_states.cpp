#include "driftless/math/first_order_states.hpp"

#include <cmath>

namespace driftless {

void StateSlopes::set_zero() {
  for (Matrix* matrix : {&residual_c, &rate_q, &rate_v, &rate_c}) matrix->setZero();
}

bool StateSlopes::all_finite() const {
  return residual_c.allFinite() && rate_q.allFinite() && rate_v.allFinite() && rate_c.allFinite();
}

template <class S>
void StateElimination<S>::resize(Eigen::Index nv, Eigen::Index nc) {
  pivots_ = row_ = VectorS::Zero(nc);
  matrix_ = MatrixS::Zero(nc, nc);
  lu_.resize(nc);
  forces_ = MatrixS::Zero(nv, nc);
}

template <class S>
bool StateElimination<S>::factorize(const StateSlopes& slopes, S a) {
  const Eigen::Index nc = slopes.count();
  if (nc == 0) return true;
  diagonal_ = true;
  for (Eigen::Index k = 0; k < nc; ++k) {
    for (Eigen::Index i = 0; i < nc; ++i) {
      matrix_(i, k) = S(-slopes.rate_c(i, k));
      diagonal_ = diagonal_ && (i == k || slopes.rate_c(i, k) == 0.0);
    }
    matrix_(k, k) += a;
    pivots_[k] = matrix_(k, k);
    if (diagonal_ && !(std::abs(pivots_[k]) > 0.0)) return false;
  }
  if (!diagonal_ && !lu_.factorize(matrix_)) return false;
  for (Eigen::Index i = 0; i < forces_.rows(); ++i) {
    if (slopes.residual_c.row(i).isZero(0.0)) {  // most forces act on few rates
      forces_.row(i).setZero();
      continue;
    }
    for (Eigen::Index k = 0; k < nc; ++k) row_[k] = S(slopes.residual_c(i, k));
    if (diagonal_) {
      row_ = row_.cwiseQuotient(pivots_);
    } else {
      lu_.solve_transposed(row_);
    }
    forces_.row(i) = row_.transpose();
  }
  return true;
}

template <class S>
void StateElimination<S>::add_to(const StateSlopes& slopes, MatrixS& stiffness,
                                 MatrixS& damping) const {
  const auto add = [&](const Matrix& rates, MatrixS& matrix) {
    for (Eigen::Index k = 0; k < slopes.count(); ++k) {
      for (Eigen::Index j = 0; j < rates.cols(); ++j)
        if (rates(k, j) != 0.0) matrix.col(j) += S(rates(k, j)) * forces_.col(k);
    }
  };
  add(slopes.rate_q, stiffness);
  add(slopes.rate_v, damping);
}

template <class S>
void StateElimination<S>::add_to(const StateSlopes& slopes, BlockMatrix& stiffness,
                                 BlockMatrix& damping) const {
  const auto add = [&](const Matrix& rates, BlockMatrix& matrix) {
    for (Eigen::Index k = 0; k < slopes.count(); ++k) {
      for (Eigen::Index j = 0; j < rates.cols(); ++j) {
        if (rates(k, j) == 0.0) continue;
        for_each_force(k, [&](Eigen::Index i, S force) {
          matrix.at(static_cast<int>(i), static_cast<int>(j)) += std::real(force) * rates(k, j);
        });
      }
    }
  };
  add(slopes.rate_q, stiffness);
  add(slopes.rate_v, damping);
}

template <class S>
void StateElimination<S>::add_turn(const StateSlopes& slopes, const VectorS& delta,
                                   VectorS& s) const {
  for (Eigen::Index k = 0; k < s.size(); ++k)
    for (Eigen::Index j = 0; j < delta.size(); ++j) s[k] += slopes.rate_q(k, j) * delta[j];
}

template <class S>
void StateElimination<S>::subtract_from(const VectorS& s, Eigen::Ref<VectorS> right) const {
  for (Eigen::Index k = 0; k < s.size(); ++k) right -= s[k] * forces_.col(k);
}

template <class S>
void StateElimination<S>::solve(const StateSlopes& slopes, const VectorS& delta, const VectorS& dv,
                                VectorS& s) const {
  for (Eigen::Index k = 0; k < s.size(); ++k) {
    for (Eigen::Index j = 0; j < slopes.rate_q.cols(); ++j)
      s[k] += slopes.rate_q(k, j) * delta[j] + slopes.rate_v(k, j) * dv[j];
  }
  if (diagonal_) {
    s = s.cwiseQuotient(pivots_);
  } else {
    lu_.solve(s);
  }
}

template class StateElimination<double>;
template class StateElimination<std::complex<double>>;

}  // namespace driftless
