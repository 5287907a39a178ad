#pragma once

#include <cstring>

#include "driftless/math/linear.hpp"

namespace driftless {

/// Whether all are finite. x·0 is 0 for these alone; sums that do not wait for each other, no branch.
inline bool is_all_finite(const double* x, Eigen::Index n) {
  using Pair = double __attribute__((vector_size(16)));
  const auto load = [](const double* from) {
    Pair pair;
    std::memcpy(&pair, from, sizeof pair);
    return pair;
  };
  Pair a{}, b{};
  for (; n >= 4; n -= 4, x += 4) {
    a += 0.0 * load(x);
    b += 0.0 * load(x + 2);
  }
  double sum = (a[0] + b[0]) + (a[1] + b[1]);
  for (; n > 0; --n, ++x) sum += 0.0 * *x;
  return sum == 0.0;
}
inline bool is_all_finite(const Vector& x) { return is_all_finite(x.data(), x.size()); }

}  // namespace driftless
