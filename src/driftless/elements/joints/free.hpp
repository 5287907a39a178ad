#pragma once
// Free joint: nothing is constrained; it says in a model that a body is meant to be free.

#include "driftless/base/fields.hpp"
#include "driftless/elements/joints/joint.hpp"

namespace driftless {

struct Free {
  static constexpr std::string_view kName = "free";
  static constexpr std::string_view kSummary = "no row: any motion between the frames";
  static constexpr bool kInPlane = true;

  static constexpr auto fields() { return std::make_tuple(); }
};

JointParts make_joint(const Free& spec, Space space);

}  // namespace driftless
