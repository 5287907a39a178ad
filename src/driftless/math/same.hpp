#pragma once

#include <cstring>

#include "driftless/math/linear.hpp"

namespace driftless {

/// Whether both hold the same bits: what was computed from one need not be computed from the other.
inline bool is_same(ConstVectorRef a, ConstVectorRef b) {
  if (a.size() != b.size()) return false;
  return a.size() == 0 ||  // then there may be nothing to point at
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(double)) == 0;
}

}  // namespace driftless
