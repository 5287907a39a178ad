#include "driftless/saddle/cholesky.hpp"

#include <cmath>

#include "driftless/math/kernels.hpp"

namespace driftless {
namespace {

// Pivots below this part of their own diagonal entry count as zero mass.
constexpr double kZeroMass = 1e-13;

}  // namespace

bool CholeskyFactor::factorize(ConstMatrixRef mass) {
  const double largest = n_ > 0 ? mass.diagonal().cwiseAbs().maxCoeff() : 0.0;
  diagonal_ = true;
  for (int j = 0; j < n_ && diagonal_; ++j) {
    for (int i = j + 1; i < n_; ++i) {
      if (mass(i, j) != 0.0) {
        diagonal_ = false;
        break;
      }
    }
  }
  for (int j = 0; j < n_; ++j) {
    double pivot = mass(j, j);
    if (!diagonal_) pivot -= lower_.row(j).head(j).squaredNorm();
    // Relative to its own entry for mass ratios of 1e12, relative to the largest for true zeros.
    if (!(pivot > kZeroMass * std::abs(mass(j, j))) || !(pivot > 1e-30 * largest)) return false;
    lower_(j, j) = std::sqrt(pivot);
    inverse_[j] = 1.0 / lower_(j, j);
    if (diagonal_) continue;
    for (int i = j + 1; i < n_; ++i) {
      lower_(i, j) = (mass(i, j) - lower_.row(i).head(j).dot(lower_.row(j).head(j))) / lower_(j, j);
    }
  }
  return true;
}

void CholeskyFactor::substitute(double* values) const {
  for (int j = 0; j < n_; ++j) {
    values[j] *= inverse_[j];
    if (values[j] != 0.0)
      add_scaled(-values[j], lower_.data() + j * n_ + j + 1, values + j + 1,
                 static_cast<std::size_t>(n_ - j - 1));
  }
}

void CholeskyFactor::substitute_transposed(double* values) const {
  for (int j = n_ - 1; j >= 0; --j) {
    const double rest =
        kernels::calc_dot(lower_.data() + j * n_ + j + 1, values + j + 1, n_ - j - 1);
    values[j] = (values[j] - rest) * inverse_[j];
  }
}

}  // namespace driftless
