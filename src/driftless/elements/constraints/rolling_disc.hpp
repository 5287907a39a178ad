#pragma once
// Rolling disc: a disc, coin or wheel with a sharp rim on a plane, or in the plane on a line.

#include "driftless/base/fields.hpp"
#include "driftless/elements/law.hpp"
#include "driftless/elements/wheels.hpp"

namespace driftless {

struct RollingDisc {
  static constexpr std::string_view kName = "rolling_disc";
  static constexpr std::string_view kSummary =
      "a disc or wheel rolls on a plane without slip, 1 row and 2 rows of velocity (1 in the "
      "plane)";
  static constexpr bool kInPlane = true;

  double radius = 0.0;

  Wheels wheels() const { return {.radii = {radius}}; }

  static constexpr auto fields() {
    return std::make_tuple(field("radius", &RollingDisc::radius, "m",
                                 "of the rim, about the second body's z axis", kPositive));
  }
};

Relation make_relation(const RollingDisc& spec, LawScope& scope);

}  // namespace driftless
