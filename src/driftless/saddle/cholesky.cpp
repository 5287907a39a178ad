#include "driftless/saddle/cholesky.hpp"

#include <cmath>

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
    if (diagonal_) continue;
    for (int i = j + 1; i < n_; ++i) {
      lower_(i, j) = (mass(i, j) - lower_.row(i).head(j).dot(lower_.row(j).head(j))) / lower_(j, j);
    }
  }
  return true;
}

void CholeskyFactor::solve(VectorRef x) const {
  if (diagonal_) {
    x.array() /= lower_.diagonal().array();
    return;
  }
  for (int j = 0; j < n_; ++j) {
    x[j] /= lower_(j, j);
    if (x[j] != 0.0) x.tail(n_ - j - 1) -= x[j] * lower_.col(j).tail(n_ - j - 1);
  }
}

void CholeskyFactor::solve_transposed(VectorRef x) const {
  if (diagonal_) {
    x.array() /= lower_.diagonal().array();
    return;
  }
  for (int j = n_ - 1; j >= 0; --j) {
    x[j] = (x[j] - lower_.col(j).tail(n_ - j - 1).dot(x.tail(n_ - j - 1))) / lower_(j, j);
  }
}

}  // namespace driftless
