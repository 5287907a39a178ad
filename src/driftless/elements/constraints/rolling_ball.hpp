#pragma once
// Rolling ball: a ball on a plane.

#include "driftless/base/fields.hpp"
#include "driftless/elements/law.hpp"
#include "driftless/elements/wheels.hpp"

namespace driftless {

struct RollingBall {
  static constexpr std::string_view kName = "rolling_ball";
  static constexpr std::string_view kSummary =
      "a ball rolls on a plane without slip, 1 row and 2 rows of velocity";
  static constexpr bool kInPlane = false;

  double radius = 0.0;

  Wheels wheels() const { return {.radii = {radius}, .ball = true}; }

  static constexpr auto fields() {
    return std::make_tuple(field("radius", &RollingBall::radius, "m",
                                 "of the ball about the second body's point", kPositive));
  }
};

Relation make_relation(const RollingBall& spec, LawScope& scope);

}  // namespace driftless
