#pragma once
// Stops: limits of a joint's coordinate as one-sided springs and dampers.

#include "driftless/base/fields.hpp"
#include "driftless/elements/forces/force.hpp"

namespace driftless {

struct Stop {
  static constexpr std::string_view kName = "stop";
  static constexpr std::string_view kSummary =
      "limits of a measure, as springs and dampers that only push";
  static constexpr Attachment kAttachment = Attachment::measures;

  MeasureName of;
  std::optional<double> low;
  std::optional<double> high;
  double stiffness = 0.0;
  double damping = 0.0;
  double depth = 0.0;

  static constexpr auto fields() {
    return std::make_tuple(
        field("of", &Stop::of, "", "what is limited, such as \"A.angle\" or \"B.position\"",
              kNeeded),
        field("low", &Stop::low, "<coordinate>", "lowest value; left out: none"),
        field("high", &Stop::high, "<coordinate>", "highest value; left out: none"),
        field("stiffness", &Stop::stiffness, "<effort>/<coordinate>",
              "of the stop, per depth of intrusion", kPositive),
        field("damping", &Stop::damping, "<effort>*s/<coordinate>", "of the stop", kNotNegative),
        field("depth", &Stop::depth, "<coordinate>",
              "depth at which the damping is fully there, from 0 at the limit; 0: at once",
              kNotNegative));
  }
};

ScalarForce make_law(const Stop& spec, LawScope& scope);

}  // namespace driftless
