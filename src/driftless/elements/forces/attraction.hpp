#pragma once
// Attraction of two point masses.

#include "driftless/base/fields.hpp"
#include "driftless/elements/forces/force.hpp"

namespace driftless {

struct Attraction {
  static constexpr std::string_view kName = "attraction";
  static constexpr std::string_view kSummary =
      "two points attract each other by the inverse square of their distance";

  std::optional<double> strength;

  static constexpr auto fields() {
    return std::make_tuple(
        field("strength", &Attraction::strength, "N*m^2",
              "force at 1 m; left out: that of gravity, 6.6743e-11 N*m^2/kg^2 times both masses"));
  }
};

ScalarForce make_law(const Attraction& spec, LawScope& scope);

}  // namespace driftless
