#include "driftless/saddle/cholesky.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/math/kernels.hpp"

namespace driftless {
namespace {

// Pivots below this part of their own diagonal entry count as zero mass.
constexpr double kZeroMass = 1e-13;
// Likewise in the best order: entries are rounded themselves, as 1 - u² of a rod along an axis is.
constexpr double kZeroInOrder = 1e-11;

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
  bool is_doubtful = false;
  double least = 1.0;  // of the pivots before, relative to their entries
  for (int j = 0; j < n_; ++j) {
    double pivot = mass(j, j);
    if (!diagonal_) pivot -= lower_.row(j).head(j).squaredNorm();
    // Relative to its own entry for mass ratios of 1e12, relative to the largest for true zeros.
    if (!(pivot > kZeroMass * std::abs(mass(j, j))) || !(pivot > 1e-30 * largest)) return false;
    is_doubtful = is_doubtful || pivot * least < kZeroInOrder * mass(j, j);
    least = std::min(least, pivot / mass(j, j));
    lower_(j, j) = std::sqrt(pivot);
    inverse_[j] = 1.0 / lower_(j, j);
    if (diagonal_) continue;
    for (int i = j + 1; i < n_; ++i) {
      lower_(i, j) = (mass(i, j) - lower_.row(i).head(j).dot(lower_.row(j).head(j))) / lower_(j, j);
    }
  }
  return !is_doubtful || !is_singular(mass);
}

bool CholeskyFactor::is_singular(ConstMatrixRef mass) {
  for (int j = 0; j < n_; ++j)
    for (int i = 0; i < n_; ++i)
      scaled_(i, j) = mass(i, j) / std::sqrt(mass(i, i)) / std::sqrt(mass(j, j));
  for (int k = 0; k < n_; ++k) {
    Eigen::Index largest = 0;
    const double pivot = scaled_.diagonal().maxCoeff(&largest);
    if (!(pivot > kZeroInOrder)) return true;
    for (int j = 0; j < n_; ++j) {
      if (j == largest) continue;
      const double part = scaled_(largest, j) / pivot;
      if (part != 0.0) scaled_.col(j) -= part * scaled_.col(largest);
    }
    scaled_.row(largest).setZero();
    scaled_.col(largest).setZero();
    scaled_(largest, largest) = -1.0;  // is done
  }
  return false;
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
