#pragma once
// Velocity: any equation between rates, measures of position and time (nonholonomic).

#include "driftless/base/fields.hpp"
#include "driftless/elements/law.hpp"

namespace driftless {

struct Velocity {
  static constexpr std::string_view kName = "velocity";
  static constexpr std::string_view kSummary =
      "an equation between rates, measures of position and t, 1 row of velocity";
  static constexpr bool kInPlane = true;
  static constexpr Attachment kAttachment = Attachment::measures;

  Formula equation;

  static constexpr auto fields() {
    return std::make_tuple(
        field("equation", &Velocity::equation, "",
              "stays 0, such as \"cart.x'*sin(cart.angle) - cart.y'*cos(cart.angle)\"", kNeeded));
  }
};

Relation make_relation(const Velocity& spec, LawScope& scope);

}  // namespace driftless
