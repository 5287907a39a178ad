#pragma once
// Slot joint: the origin of frame 1, the pin, on the x axis of frame 0, the slot; common direction z.

#include "driftless/base/fields.hpp"
#include "driftless/elements/joints/joint.hpp"

namespace driftless {

struct Slot {
  static constexpr std::string_view kName = "slot";
  static constexpr std::string_view kSummary =
      "a pin in a slot: slides along x of the first frame and turns about z, 4 rows (1 in the "
      "plane)";
  static constexpr bool kInPlane = true;
  static constexpr std::string_view kOneSided = "the slot is in frame 0, the pin in frame 1";

  static constexpr auto fields() { return std::make_tuple(); }
};

JointParts make_joint(const Slot& spec, Space space);

}  // namespace driftless
