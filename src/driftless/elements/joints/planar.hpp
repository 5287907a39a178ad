#pragma once
// Planar joint: the origin of frame 1 in the plane z = 0 of frame 0, common normal.

#include "driftless/base/fields.hpp"
#include "driftless/elements/joints/joint.hpp"

namespace driftless {

struct Planar {
  static constexpr std::string_view kName = "planar";
  static constexpr std::string_view kSummary =
      "a plate on a plane: slides in x and y, turns about z, 3 rows";
  static constexpr bool kInPlane = false;

  static constexpr auto fields() { return std::make_tuple(); }
};

JointParts make_joint(const Planar& spec, Space space);

}  // namespace driftless
