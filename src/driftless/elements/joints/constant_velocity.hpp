#pragma once
// Constant-velocity joint: common origin; shafts along z that turn equally fast at any bend.

#include "driftless/base/fields.hpp"
#include "driftless/elements/joints/joint.hpp"

namespace driftless {

struct ConstantVelocity {
  static constexpr std::string_view kName = "constant_velocity";
  static constexpr std::string_view kSummary =
      "a homokinetic coupling of two shafts along z: bends, does not twist, 4 rows";
  static constexpr bool kInPlane = false;

  static constexpr auto fields() { return std::make_tuple(); }
};

JointParts make_joint(const ConstantVelocity& spec, Space space);

}  // namespace driftless
