#pragma once
// A motor or actuator: a torque or force along a measure, constant or by a formula.

#include "driftless/base/fields.hpp"
#include "driftless/elements/forces/force.hpp"

namespace driftless {

struct Motor {
  static constexpr std::string_view kName = "motor";
  static constexpr std::string_view kSummary =
      "torque on an angle or force along a length, by a number or a formula";
  static constexpr Attachment kAttachment = Attachment::measures;

  MeasureName of;
  Formula torque;
  Formula force;

  static constexpr auto fields() {
    return std::make_tuple(
        field("of", &Motor::of, "", "what it drives, such as \"A.angle\" or \"B.position\"",
              kNeeded),
        field("torque", &Motor::torque, "N*m",
              "on an angle, in N*m: a number or an expression of t and measures"),
        field("force", &Motor::force, "N", "along a length, in N: likewise"));
  }
};

ScalarForce make_law(const Motor& spec, LawScope& scope);

}  // namespace driftless
