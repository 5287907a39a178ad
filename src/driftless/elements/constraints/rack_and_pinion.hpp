#pragma once
// Rack and pinion: a shift in proportion to an angle, over all turns.

#include <cmath>

#include "driftless/base/fields.hpp"
#include "driftless/elements/law.hpp"
#include "driftless/elements/wheels.hpp"

namespace driftless {

struct RackAndPinion {
  static constexpr std::string_view kName = "rack_and_pinion";
  static constexpr std::string_view kSummary = "a shift in proportion to an angle, 1 row";
  static constexpr bool kInPlane = true;
  static constexpr Attachment kAttachment = Attachment::measures;

  std::vector<MeasureName> of;
  double radius = 0.0;
  std::optional<double> offset;

  Wheels wheels() const { return {.radii = {std::abs(radius)}}; }

  static constexpr auto fields() {
    return std::make_tuple(
        field("of", &RackAndPinion::of, "",
              "the pinion's angle and the rack's shift, such as [\"A.angle\", \"B.position\"]",
              kNeeded),
        field("radius", &RackAndPinion::radius, "m",
              "of the pinion: shift per radian; negative: the other way", kNotZero),
        field("offset", &RackAndPinion::offset, "m",
              "shift minus radius times angle; left out: as drawn"));
  }
};

Relation make_relation(const RackAndPinion& spec, LawScope& scope);

}  // namespace driftless
