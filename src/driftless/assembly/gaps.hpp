#pragma once
// How far joints and constraints are from closed, in lengths and angles.

#include <string>
#include <vector>

#include "driftless/system/system.hpp"

namespace driftless {

struct Gap {
  std::string element;
  double metres = 0.0;
  double radians = 0.0;

  /// For comparing gaps: a radian counts as much as a metre.
  double size() const { return metres + radians; }
};

/// One per element of the system, in its order; none if it has none or its rows have no units.
std::vector<Gap> find_gaps(const SystemInfo& info, ConstVectorRef phi, ConstMatrixRef jacobian);

/// "12.3 mm", "4.1 deg", "12.3 mm and 4.1 deg".
std::string describe_gap(const Gap& gap);

}  // namespace driftless
