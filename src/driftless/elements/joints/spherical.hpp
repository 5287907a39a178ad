#pragma once
// Spherical joint: common origin.

#include "driftless/base/fields.hpp"
#include "driftless/elements/joints/joint.hpp"

namespace driftless {

struct Spherical {
  static constexpr std::string_view kName = "spherical";
  static constexpr std::string_view kSummary = "a ball in a socket: a common point, 3 rows";
  static constexpr bool kInPlane = false;

  static constexpr auto fields() { return std::make_tuple(); }
};

JointParts make_joint(const Spherical& spec, Space space);

}  // namespace driftless
