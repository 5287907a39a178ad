#pragma once
// Revolute joint: common origin, common z axis.

#include "driftless/base/fields.hpp"
#include "driftless/elements/joints/joint.hpp"

namespace driftless {

struct Revolute {
  static constexpr std::string_view kName = "revolute";
  static constexpr std::string_view kSummary =
      "a hinge: turns about its axis, 5 rows (2 in the plane)";
  static constexpr bool kInPlane = true;

  static constexpr auto fields() { return std::make_tuple(); }
};

JointParts make_joint(const Revolute& spec, Space space);

}  // namespace driftless
