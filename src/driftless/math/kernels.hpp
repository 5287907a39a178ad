#pragma once
// Sums over columns that are mostly short: a handful of numbers, for which the preparations of a vectorised loop cost
// more than the loop.

#include "driftless/math/combine.hpp"
#include "driftless/math/linear.hpp"

namespace driftless::kernels {

/// From this length on loops are vectorised.
inline constexpr int kLong = 16;

inline double calc_dot(const double* a, const double* b, int n) {
  using Column = Eigen::Map<const Vector>;
  if (n >= kLong) return Column(a, n).dot(Column(b, n));
  double even = 0.0, odd = 0.0;  // two sums that do not wait for each other
  int i = 0;
  for (; i + 1 < n; i += 2) {
    even += a[i] * b[i];
    odd += a[i + 1] * b[i + 1];
  }
  if (i < n) even += a[i] * b[i];
  return even + odd;
}

/// y := (1 - τ u uᵀ) y for u = (1, tail): the reflection of makeHouseholder.
inline void reflect(double tau, const double* tail, double* y, int n) {
  const double factor = tau * (y[0] + calc_dot(tail, y + 1, n - 1));
  y[0] -= factor;
  add_scaled(-factor, tail, y + 1, static_cast<std::size_t>(n - 1));
}

}  // namespace driftless::kernels
