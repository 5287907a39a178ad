#pragma once
// Point on circle: the origin of frame 1 on the circle about the origin of frame 0 with the normal z.

#include "driftless/base/fields.hpp"
#include "driftless/elements/constraints/constraint.hpp"

namespace driftless {

struct PointOnCircle {
  static constexpr std::string_view kName = "point_on_circle";
  static constexpr std::string_view kSummary =
      "a point of the second body on a circle of the first, 2 rows (1 in the plane)";
  static constexpr bool kInPlane = true;
  static constexpr std::string_view kOneSided = "the circle is in frame 0, the point in frame 1";

  double radius = 0.0;

  static constexpr auto fields() {
    return std::make_tuple(
        field("radius", &PointOnCircle::radius, "m", "of the circle", kPositive));
  }
};

ConstraintParts make_constraint(const PointOnCircle& spec, Space space);

}  // namespace driftless
