#pragma once
// Maxwell's element: a spring and a damper one behind the other, in the line between two points.

#include "driftless/base/fields.hpp"
#include "driftless/elements/forces/force.hpp"

namespace driftless {

struct Maxwell {
  static constexpr std::string_view kName = "maxwell";
  static constexpr std::string_view kSummary =
      "spring and damper one behind the other, in the line between two points: it holds at first "
      "and gives way with time";

  double stiffness = 0.0;
  double damping = 0.0;
  std::optional<double> length;
  double damper = 0.0;

  static constexpr auto fields() {
    return std::make_tuple(
        field("stiffness", &Maxwell::stiffness, "N/m", "of the spring, per metre of its stretch",
              kPositive),
        field("damping", &Maxwell::damping, "N*s/m",
              "of the damper behind it; damping/stiffness is the time in which a held force fades",
              kPositive),
        field("length", &Maxwell::length, "m",
              "length of both without force, at the start of the damper; left out: the length in "
              "the drawing pose",
              kNotNegative),
        field("damper", &Maxwell::damper, "m",
              "stretch of the damper at the start; NAME.damper is a column of the result"));
  }
};

ScalarForce make_law(const Maxwell& spec, LawScope& scope);

}  // namespace driftless
