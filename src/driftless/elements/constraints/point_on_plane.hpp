#pragma once
// Point on plane: the origin of frame 1 in the plane z = 0 of frame 0.

#include "driftless/base/fields.hpp"
#include "driftless/elements/constraints/constraint.hpp"

namespace driftless {

struct PointOnPlane {
  static constexpr std::string_view kName = "point_on_plane";
  static constexpr std::string_view kSummary =
      "a point of the second body in a plane of the first, 1 row";
  static constexpr bool kInPlane = false;
  static constexpr std::string_view kOneSided = "the plane is in frame 0, the point in frame 1";

  static constexpr auto fields() { return std::make_tuple(); }
};

ConstraintParts make_constraint(const PointOnPlane& spec, Space space);

}  // namespace driftless
