#include "driftless/integrators/bdf_history.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace driftless {

void BdfHistory::resize(std::size_t n) {
  n_ = n;
  phi_.assign(kRows * n, 0.0);
  star_.assign(kRows * n, 0.0);
  known_ = 0;
}

void BdfHistory::begin(std::span<const double> y, std::span<const double> slope, double h) {
  psi_ = next_psi_ = {};
  known_ = 1;
  std::copy(y.begin(), y.end(), row(phi_, 1).begin());
  if (slope.empty()) return;
  known_ = 2;
  psi_[1] = h;
  const std::span<double> difference = row(phi_, 2);
  for (std::size_t i = 0; i < n_; ++i) difference[i] = h * slope[i];
}

void BdfHistory::predict(double h, int k, std::span<double> y, std::span<double> slope) {
  assert(k < known_ && k + 2 < kRows);
  k_ = k;
  beta_[1] = alpha_[1] = sigma_[1] = 1.0;
  gamma_[1] = 0.0;
  next_psi_ = psi_;
  double psi = h;  // psi_{i-1}(n+1)
  for (int i = 2; i <= k + 1; ++i) {
    next_psi_[at(i - 1)] = psi;
    beta_[at(i)] = beta_[at(i - 1)] * psi / psi_[at(i - 1)];
    psi = psi_[at(i - 1)] + h;
    alpha_[at(i)] = h / psi;
    sigma_[at(i)] = (i - 1) * sigma_[at(i - 1)] * alpha_[at(i)];
    gamma_[at(i)] = gamma_[at(i - 1)] + alpha_[at(i - 1)] / h;
  }
  next_psi_[at(k + 1)] = psi;
  leading_ = 0.0;
  for (int i = 1; i <= k; ++i) leading_ += 1.0 / (i * h);

  std::fill(y.begin(), y.end(), 0.0);
  std::fill(slope.begin(), slope.end(), 0.0);
  for (int i = k + 1; i >= 1; --i) {
    const std::span<const double> phi = row(phi_, i);
    const std::span<double> star = row(star_, i);
    for (std::size_t c = 0; c < n_; ++c) {
      star[c] = beta_[at(i)] * phi[c];
      y[c] += star[c];
      slope[c] += gamma_[at(i)] * star[c];
    }
  }
}

double BdfHistory::find_error_factor() const {
  double sum = 0.0;  // of alpha_i - 1/i
  for (int i = 1; i <= k_; ++i) sum += alpha_[at(i)] - 1.0 / i;
  return std::max(alpha_[at(k_ + 1)], std::abs(alpha_[at(k_ + 1)] + sum));
}

void BdfHistory::extend(std::span<const double> y, std::span<const double> miss) {
  const int k = k_;
  std::copy(miss.begin(), miss.end(), row(phi_, k + 2).begin());
  for (int i = k + 1; i >= 1; --i) {
    const std::span<const double> star = row(star_, i);
    const std::span<const double> above = row(phi_, i + 1);
    const std::span<double> phi = row(phi_, i);
    for (std::size_t c = 0; c < n_; ++c) phi[c] = star[c] + above[c];
  }
  std::copy(y.begin(), y.end(), row(phi_, 1).begin());
  psi_ = next_psi_;
  known_ = k + 2;
}

void BdfHistory::interpolate(double offset, std::span<double> y) const {
  std::copy_n(row(phi_, 1).begin(), n_, y.begin());
  double c = 1.0;
  double factor = offset / psi_[1];
  for (int i = 2; i <= k_ + 1; ++i) {
    c *= factor;
    factor = (offset + psi_[at(i - 1)]) / psi_[at(i)];
    const std::span<const double> phi = row(phi_, i);
    for (std::size_t j = 0; j < n_; ++j) y[j] += c * phi[j];
  }
}

}  // namespace driftless
