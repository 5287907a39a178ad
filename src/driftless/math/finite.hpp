#pragma once

#include "driftless/math/linear.hpp"

namespace driftless {

/// Whether all are finite. x·0 is 0 for these alone; four sums that do not wait for each other, no branch.
inline bool is_all_finite(const double* x, Eigen::Index n) {
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  Eigen::Index i = 0;
  for (; i + 4 <= n; i += 4) {
    for (int k = 0; k < 4; ++k) sum[k] += 0.0 * x[i + k];
  }
  for (; i < n; ++i) sum[0] += 0.0 * x[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]) == 0.0;
}
inline bool is_all_finite(const Vector& x) { return is_all_finite(x.data(), x.size()); }

}  // namespace driftless
