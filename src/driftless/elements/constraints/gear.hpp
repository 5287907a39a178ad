#pragma once
// Gear: two angles that turn in a fixed ratio, over all turns.

#include <cmath>

#include "driftless/base/fields.hpp"
#include "driftless/elements/law.hpp"
#include "driftless/elements/wheels.hpp"

namespace driftless {

struct Gear {
  static constexpr std::string_view kName = "gear";
  static constexpr std::string_view kSummary = "two angles turn in a fixed ratio, 1 row";
  static constexpr bool kInPlane = true;
  static constexpr Attachment kAttachment = Attachment::measures;

  std::vector<MeasureName> of;
  double ratio = 0.0;
  std::optional<double> offset;

  Wheels wheels() const {
    return {.radii = {std::abs(ratio), 1.0}, .touch = true, .inside = ratio > 0};
  }

  static constexpr auto fields() {
    return std::make_tuple(
        field("of", &Gear::of, "", "the two angles, such as [\"A.angle\", \"B.angle\"]", kNeeded),
        field("ratio", &Gear::ratio, "",
              "turns of the second per turn of the first; negative: opposed, as outer gears are",
              kNotZero),
        field("offset", &Gear::offset, "rad",
              "second angle minus ratio times first; left out: as drawn"));
  }
};

Relation make_relation(const Gear& spec, LawScope& scope);

}  // namespace driftless
