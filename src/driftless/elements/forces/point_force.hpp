#pragma once
// A force and a torque on one body, by formulas.

#include "driftless/base/fields.hpp"
#include "driftless/elements/forces/force.hpp"

namespace driftless {

struct PointForce {
  static constexpr std::string_view kName = "point_force";
  static constexpr std::string_view kSummary =
      "force at a point of a body and torque on it, by numbers or formulas";
  static constexpr Attachment kAttachment = Attachment::one_frame;

  FormulaVector force;
  FormulaVector torque;
  Choice axes{{"world", "body"}, "world"};

  static constexpr auto fields() {
    return std::make_tuple(
        field("force", &PointForce::force, "N",
              "in N, one expression of t and measures per axis: [0, \"-5*t\", 0]"),
        field("torque", &PointForce::torque, "N*m",
              "in N*m, likewise; in the plane one expression"),
        field("axes", &PointForce::axes, "",
              "of force and torque: \"world\" (default), or \"body\", which turn with it"));
  }
};

ForceParts make_force(const PointForce& spec, LawScope& scope);

}  // namespace driftless
