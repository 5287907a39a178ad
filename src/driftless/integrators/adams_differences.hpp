#pragma once
// The differences of Adams's formulas: adams.cpp [AD.1].

#include <cstddef>
#include <span>
#include <vector>

#include "driftless/integrators/adams_coefficients.hpp"

namespace driftless {

/// n numbers in each of a few rows.
class AdamsDifferences {
 public:
  void resize(std::size_t n) {
    n_ = n;
    values_.assign(n * kAdamsRows, 0.0);
  }
  std::span<double> operator[](int row) {
    return std::span(values_).subspan(static_cast<std::size_t>(row) * n_, n_);
  }

 private:
  std::size_t n_ = 0;
  std::vector<double> values_;
};

}  // namespace driftless
