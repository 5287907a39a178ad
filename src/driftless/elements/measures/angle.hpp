#pragma once
// The angle between the x axes of two frames about the first one's z axis.

#include "driftless/base/fields.hpp"
#include "driftless/elements/measures/measure.hpp"

namespace driftless {

struct AngleMeasure {
  static constexpr std::string_view kName = "angle";
  static constexpr std::string_view kSummary =
      "angle of the second body against the first about an axis, over all turns: NAME, NAME', "
      "NAME''";
  static constexpr bool kInPlane = true;
  static constexpr bool kHasPlace = false;  // directions alone: `at` may be left out

  static constexpr auto fields() { return std::make_tuple(); }
};

MeasureParts make_measure(const AngleMeasure& spec, Space space);

}  // namespace driftless
