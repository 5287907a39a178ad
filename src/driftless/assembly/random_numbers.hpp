#pragma once
// Random numbers that are the same on every machine, unlike those of the standard library's distributions.

#include <cmath>
#include <random>

#include "driftless/math/linear.hpp"

namespace driftless {

/// In [-1, 1).
inline double draw_number(std::mt19937_64& random) {
  return std::ldexp(static_cast<double>(random() >> 11), -52) - 1.0;
}

inline Vector draw_vector(Eigen::Index n, std::mt19937_64& random) {
  Vector values(n);
  for (double& value : values) value = draw_number(random);
  return values;
}

}  // namespace driftless
