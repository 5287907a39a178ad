#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "driftless/math/linear.hpp"

namespace driftless {

/// Whether both hold the same bits: what was computed from one need not be computed from the other.
inline bool is_same(ConstVectorRef a, ConstVectorRef b) {
  constexpr Eigen::Index kLong = 16;  // from here on a call is worth it
  const Eigen::Index n = a.size();
  if (n != b.size()) return false;
  const double *const x = a.data(), *const y = b.data();
  if (n >= kLong) return std::memcmp(x, y, static_cast<std::size_t>(n) * sizeof(double)) == 0;
  for (Eigen::Index k = 0; k < n; ++k)
    if (std::bit_cast<std::uint64_t>(x[k]) != std::bit_cast<std::uint64_t>(y[k])) return false;
  return true;
}

}  // namespace driftless
