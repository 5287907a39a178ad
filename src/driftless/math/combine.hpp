#pragma once
// Linear combinations of long rows of numbers, two at a time: loops that compilers leave one by one at -O2 because they do not
// know how long they are. Each component has the sum that a plain loop has, bit for bit.

#include <cstddef>
#include <cstring>

namespace driftless {
namespace combine_parts {

using Pair = double __attribute__((vector_size(16)));

inline Pair load(const double* from) {
  Pair pair;
  std::memcpy(&pair, from, sizeof pair);
  return pair;
}
inline void store(Pair pair, double* to) { std::memcpy(to, &pair, sizeof pair); }

}  // namespace combine_parts

/// y += a x
inline void add_scaled(double a, const double* x, double* y, std::size_t n) {
  using namespace combine_parts;
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    store(load(y + i) + a * load(x + i), y + i);
    store(load(y + i + 2) + a * load(x + i + 2), y + i + 2);
  }
  for (; i < n; ++i) y[i] += a * x[i];
}

/// y = x + a y
inline void scale_and_add(double a, const double* x, double* y, std::size_t n) {
  using namespace combine_parts;
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    store(load(x + i) + a * load(y + i), y + i);
    store(load(x + i + 2) + a * load(y + i + 2), y + i + 2);
  }
  for (; i < n; ++i) y[i] = x[i] + a * y[i];
}

}  // namespace driftless
