#pragma once
// A bushing: an elastic bearing with a full matrix of stiffness and one of damping.

#include "driftless/base/fields.hpp"
#include "driftless/elements/forces/force.hpp"

namespace driftless {

struct Bushing {
  static constexpr std::string_view kName = "bushing";
  static constexpr std::string_view kSummary =
      "elastic bearing: stiffness and damping of three shifts and three turns";

  MatrixField stiffness;
  MatrixField damping;

  static constexpr auto fields() {
    return std::make_tuple(
        field("stiffness", &Bushing::stiffness, "",
              "6 x 6, or its diagonal: N/m for shifts along x, y, z, N*m/rad for turns about them; "
              "in the plane 3 x 3: x, y, angle"),
        field("damping", &Bushing::damping, "", "likewise, N*s/m and N*m*s/rad; left out: none"));
  }
};

ForceParts make_force(const Bushing& spec, LawScope& scope);

}  // namespace driftless
