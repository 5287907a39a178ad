#pragma once
// Universal joint: common origin; a cross turns about x of frame 0 and about y of frame 1. Straight shafts lie along z.

#include "driftless/base/fields.hpp"
#include "driftless/elements/joints/joint.hpp"

namespace driftless {

struct Universal {
  static constexpr std::string_view kName = "universal";
  static constexpr std::string_view kSummary =
      "two crossed pins (Hooke, Cardan): x of the first frame, y of the second, 4 rows";
  static constexpr bool kInPlane = false;
  static constexpr std::string_view kOneSided = "the pins are x of frame 0 and y of frame 1";

  static constexpr auto fields() { return std::make_tuple(); }
};

JointParts make_joint(const Universal& spec, Space space);

}  // namespace driftless
