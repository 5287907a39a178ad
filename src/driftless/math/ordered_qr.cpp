#include "driftless/math/ordered_qr.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/math/kernels.hpp"

namespace driftless {

OrderedQr::OrderedQr(int rows, int columns)
    : n_(rows), m_(columns), steps_(std::min(rows, columns)) {
  values_ = Matrix::Zero(n_, m_);
  householder_ = inverse_pivot_ = Vector::Zero(steps_);
  permutation_.resize(static_cast<std::size_t>(m_));
}

void OrderedQr::factorize(double enough) {
  for (int j = 0; j < m_; ++j) permutation_[static_cast<std::size_t>(j)] = j;
  for (int k = 0; k < steps_; ++k) {
    // Rotated, not swapped: the rows that wait keep their order.
    for (int j = find_next_column(k, enough); j > k; --j) {
      values_.col(j).swap(values_.col(j - 1));
      std::swap(permutation_[static_cast<std::size_t>(j)],
                permutation_[static_cast<std::size_t>(j - 1)]);
    }
    make_reflection(k);
    for (int j = k + 1; j < m_; ++j)
      kernels::reflect(householder_[k], column(k) + k + 1, column(j) + k, n_ - k);
  }
}

/// Which column comes next: the first one, in the order of the rows, of which enough is left; if there is none, the
/// one of which most is left. Taking the largest always would reveal the global singular values instead: on a chain
/// its pivots fall as N^-½, although in the order of the chain they stay at 0.7.
int OrderedQr::find_next_column(int k, double enough) {
  int best = k;
  double best_norm = -1.0;
  for (int j = k; j < m_; ++j) {
    const double* const rest = column(j) + k;
    const double norm = std::sqrt(kernels::calc_dot(rest, rest, n_ - k));
    if (norm >= enough) return j;
    if (norm > best_norm * (1.0 + 1e-9)) {
      best_norm = norm;
      best = j;
    }
  }
  return best;
}

/// The reflection that leaves of column k nothing below its diagonal: 1 - τ u uᵀ, u = (1, tail), in its place.
void OrderedQr::make_reflection(int k) {
  double* const x = column(k) + k;
  const int rest = n_ - k - 1;
  const double below = kernels::calc_dot(x + 1, x + 1, rest);
  if (below <= std::numeric_limits<double>::min()) {
    householder_[k] = 0.0;
    std::fill(x + 1, x + 1 + rest, 0.0);
  } else {
    const double beta = -std::copysign(std::sqrt(x[0] * x[0] + below), x[0]);
    const double inverse = 1.0 / (x[0] - beta);
    householder_[k] = (beta - x[0]) / beta;
    for (int i = 1; i <= rest; ++i) x[i] *= inverse;
    x[0] = beta;
  }
  inverse_pivot_[k] = 1.0 / x[0];
}

void OrderedQr::apply_transposed(double* x) {
  for (int k = 0; k < steps_; ++k)
    kernels::reflect(householder_[k], column(k) + k + 1, x + k, n_ - k);
}

void OrderedQr::apply(double* x) {
  for (int k = steps_ - 1; k >= 0; --k)
    kernels::reflect(householder_[k], column(k) + k + 1, x + k, n_ - k);
}

}  // namespace driftless
