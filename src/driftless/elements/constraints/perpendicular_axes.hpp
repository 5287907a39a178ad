#pragma once
// Perpendicular axes: z of both frames; in the plane, where z is the normal, x of both.

#include "driftless/base/fields.hpp"
#include "driftless/elements/constraints/constraint.hpp"

namespace driftless {

struct PerpendicularAxes {
  static constexpr std::string_view kName = "perpendicular_axes";
  static constexpr std::string_view kSummary =
      "an axis of the second body perpendicular to one of the first, 1 row";
  static constexpr bool kInPlane = true;
  static constexpr bool kHasPlace = false;  // directions alone: `at` may be left out

  static constexpr auto fields() { return std::make_tuple(); }
};

ConstraintParts make_constraint(const PerpendicularAxes& spec, Space space);

}  // namespace driftless
