#pragma once
// Prismatic joint: common axis, no turning about it. The axis is z; in the plane, where z is the normal, it is x.

#include "driftless/base/fields.hpp"
#include "driftless/elements/joints/joint.hpp"

namespace driftless {

struct Prismatic {
  static constexpr std::string_view kName = "prismatic";
  static constexpr std::string_view kSummary =
      "a slider: moves along its axis without turning, 5 rows (2 in the plane)";
  static constexpr bool kInPlane = true;

  static constexpr auto fields() { return std::make_tuple(); }
};

JointParts make_joint(const Prismatic& spec, Space space);

}  // namespace driftless
