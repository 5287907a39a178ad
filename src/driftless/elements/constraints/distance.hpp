#pragma once
// Distance: the origins stay a given length apart.

#include "driftless/base/fields.hpp"
#include "driftless/elements/constraints/constraint.hpp"

namespace driftless {

struct Distance {
  static constexpr std::string_view kName = "distance";
  static constexpr std::string_view kSummary =
      "a massless rod with ball ends between the two origins, 1 row";
  static constexpr bool kInPlane = true;

  double length = 0.0;

  static constexpr auto fields() {
    return std::make_tuple(field("length", &Distance::length, "m",
                                 "distance of the origins; for none use a spherical joint",
                                 kPositive));
  }
};

ConstraintParts make_constraint(const Distance& spec, Space space);

}  // namespace driftless
