#pragma once
// Point on line: the origin of frame 1 on the z axis of frame 0; in the plane, where z is the normal, on its x axis.

#include "driftless/base/fields.hpp"
#include "driftless/elements/constraints/constraint.hpp"

namespace driftless {

struct PointOnLine {
  static constexpr std::string_view kName = "point_on_line";
  static constexpr std::string_view kSummary =
      "a point of the second body on a line of the first, 2 rows (1 in the plane)";
  static constexpr bool kInPlane = true;
  static constexpr std::string_view kOneSided = "the line is in frame 0, the point in frame 1";

  static constexpr auto fields() { return std::make_tuple(); }
};

ConstraintParts make_constraint(const PointOnLine& spec, Space space);

}  // namespace driftless
