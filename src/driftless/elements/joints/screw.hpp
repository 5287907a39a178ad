#pragma once
// Screw joint: common z axis, advance in proportion to the angle over all turns.

#include "driftless/base/fields.hpp"
#include "driftless/elements/joints/joint.hpp"

namespace driftless {

struct Screw {
  static constexpr std::string_view kName = "screw";
  static constexpr std::string_view kSummary =
      "turns about its axis and advances in proportion, 5 rows";
  static constexpr bool kInPlane = false;
  static constexpr std::string_view kUndefinedAt =
      "x of frame 1 along z of frame 0, a quarter turn off the axis: no angle there";

  double pitch = 0.0;

  static constexpr auto fields() {
    return std::make_tuple(
        field("pitch", &Screw::pitch, "m",
              "advance in one turn; negative: a left-hand thread; 0: a revolute joint"));
  }
};

JointParts make_joint(const Screw& spec, Space space);

}  // namespace driftless
