#pragma once
// Two results compared, column by column.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "driftless/result/result.hpp"

namespace driftless {

struct ColumnDifference {
  enum class Kind { common, only_in_a, only_in_b };
  std::string name;
  std::string unit;
  Kind kind = Kind::common;
  double max =
      0.0;  ///< largest |a - b|; the figures from here on are meaningful for common columns
  double t_max = 0.0;       ///< when
  double rms = 0.0;         ///< sqrt(mean (a - b)²) over the samples compared
  std::size_t samples = 0;  ///< compared: both finite, or equal
  std::size_t skipped = 0;  ///< not comparable: one of them is not finite and they differ
};

/// One entry per column: those of `a` in its order, then those only in `b`; the time itself is left
/// out. Compared at a's times within the common span, b interpolated there where the grids differ.
/// Time is the column "t", else the first column. Throws ModelError if there is no time in common,
/// or time does not go forward. `watch` is told the share that is done, 0 to 1.
std::vector<ColumnDifference> diff_results(const Result& a, const Result& b,
                                           const std::function<void(double)>& watch = {});

}  // namespace driftless
