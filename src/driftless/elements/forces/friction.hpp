#pragma once
// Friction along a joint's coordinate: viscous, and dry with a regularised velocity.

#include "driftless/base/fields.hpp"
#include "driftless/elements/forces/force.hpp"

namespace driftless {

struct Friction {
  static constexpr std::string_view kName = "friction";
  static constexpr std::string_view kSummary = "viscous and dry friction along a measure";
  static constexpr Attachment kAttachment = Attachment::measures;

  MeasureName of;
  double viscous = 0.0;
  double dry = 0.0;
  double speed = 0.0;

  static constexpr auto fields() {
    return std::make_tuple(
        field("of", &Friction::of, "", "where it rubs, such as \"A.angle\" or \"B.position\"",
              kNeeded),
        field("viscous", &Friction::viscous, "<effort>*s/<coordinate>", "torque or force per rate",
              kNotNegative),
        field("dry", &Friction::dry, "<effort>", "torque or force when sliding", kNotNegative),
        field("speed", &Friction::speed, "<coordinate>/s",
              "rate at which dry friction has grown to 76 % of it; needed with dry", kNotNegative));
  }
};

ScalarForce make_law(const Friction& spec, LawScope& scope);

}  // namespace driftless
