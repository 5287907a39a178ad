#pragma once
// Belt: two pulleys that a belt, a chain or a cable without stretch and slip connects.

#include "driftless/base/fields.hpp"
#include "driftless/elements/law.hpp"
#include "driftless/elements/wheels.hpp"

namespace driftless {

struct Belt {
  static constexpr std::string_view kName = "belt";
  static constexpr std::string_view kSummary =
      "two pulleys with a belt that neither stretches nor slips, 1 row";
  static constexpr bool kInPlane = true;
  static constexpr Attachment kAttachment = Attachment::measures;

  std::vector<MeasureName> of;
  double first_radius = 0.0;
  double second_radius = 0.0;
  bool crossed = false;
  std::optional<double> offset;

  Wheels wheels() const {
    return {.radii = {first_radius, second_radius}, .belt = true, .crossed = crossed};
  }

  static constexpr auto fields() {
    return std::make_tuple(
        field("of", &Belt::of, "", "the two angles, such as [\"A.angle\", \"B.angle\"]", kNeeded),
        field("first_radius", &Belt::first_radius, "m", "of the first pulley", kPositive),
        field("second_radius", &Belt::second_radius, "m", "of the second pulley", kPositive),
        field("crossed", &Belt::crossed, "", "true: a crossed belt, the pulleys turn oppositely"),
        field("offset", &Belt::offset, "m",
              "belt run onto the second pulley minus belt off the first; left out: as drawn"));
  }
};

Relation make_relation(const Belt& spec, LawScope& scope);

}  // namespace driftless
