#pragma once
// A spring and a damper about a joint's axis.

#include "driftless/base/fields.hpp"
#include "driftless/elements/forces/force.hpp"

namespace driftless {

struct TorsionSpring {
  static constexpr std::string_view kName = "torsion_spring";
  static constexpr std::string_view kSummary = "spring and damper of an angle, over all turns";
  static constexpr Attachment kAttachment = Attachment::measures;

  MeasureName of;
  double stiffness = 0.0;
  double damping = 0.0;
  std::optional<double> angle;
  Formula law;

  static constexpr auto fields() {
    return std::make_tuple(
        field("of", &TorsionSpring::of, "", "the angle, such as \"A.angle\"", kNeeded),
        field("stiffness", &TorsionSpring::stiffness, "N*m/rad", "torque per radian", kNotNegative),
        field("damping", &TorsionSpring::damping, "N*m*s/rad", "torque per angular velocity",
              kNotNegative),
        field("angle", &TorsionSpring::angle, "rad",
              "angle without torque; left out: the angle in the drawing pose"),
        field("law", &TorsionSpring::law, "N*m",
              "further torque in N*m against the turn, an expression of stretch, rate, t and "
              "measures: \"50*stretch^3\""));
  }
};

ScalarForce make_law(const TorsionSpring& spec, LawScope& scope);

}  // namespace driftless
