#pragma once
// Fixed joint: the frames coincide.

#include "driftless/base/fields.hpp"
#include "driftless/elements/joints/joint.hpp"

namespace driftless {

struct Fixed {
  static constexpr std::string_view kName = "fixed";
  static constexpr std::string_view kSummary =
      "no motion between the frames, 6 rows (3 in the plane)";
  static constexpr bool kInPlane = true;

  static constexpr auto fields() { return std::make_tuple(); }
};

JointParts make_joint(const Fixed& spec, Space space);

}  // namespace driftless
