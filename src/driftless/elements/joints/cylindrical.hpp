#pragma once
// Cylindrical joint: common z axis.

#include "driftless/base/fields.hpp"
#include "driftless/elements/joints/joint.hpp"

namespace driftless {

struct Cylindrical {
  static constexpr std::string_view kName = "cylindrical";
  static constexpr std::string_view kSummary = "turns about its axis and slides along it, 4 rows";
  static constexpr bool kInPlane = false;

  static constexpr auto fields() { return std::make_tuple(); }
};

JointParts make_joint(const Cylindrical& spec, Space space);

}  // namespace driftless
