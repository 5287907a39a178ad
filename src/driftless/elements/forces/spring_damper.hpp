#pragma once
// A spring and a damper in the line between two points.

#include "driftless/base/fields.hpp"
#include "driftless/elements/forces/force.hpp"

namespace driftless {

struct SpringDamper {
  static constexpr std::string_view kName = "spring_damper";
  static constexpr std::string_view kSummary = "spring and damper in the line between two points";

  double stiffness = 0.0;
  double damping = 0.0;
  std::optional<double> length;
  Formula law;

  static constexpr auto fields() {
    return std::make_tuple(
        field("stiffness", &SpringDamper::stiffness, "N/m", "force per metre of stretch",
              kNotNegative),
        field("damping", &SpringDamper::damping, "N*s/m", "force per speed of stretching",
              kNotNegative),
        field("length", &SpringDamper::length, "m",
              "length without force; left out: the length in the drawing pose", kNotNegative),
        field("law", &SpringDamper::law, "N",
              "further pull in N, an expression of stretch, rate, t and measures: "
              "\"50*stretch^3\""));
  }
};

ScalarForce make_law(const SpringDamper& spec, LawScope& scope);

}  // namespace driftless
