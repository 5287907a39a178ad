#pragma once
// The distance of two points.

#include "driftless/base/fields.hpp"
#include "driftless/elements/measures/measure.hpp"

namespace driftless {

struct DistanceMeasure {
  static constexpr std::string_view kName = "distance";
  static constexpr std::string_view kSummary = "distance of two points: NAME, NAME', NAME''";
  static constexpr bool kInPlane = true;

  static constexpr auto fields() { return std::make_tuple(); }
};

MeasureParts make_measure(const DistanceMeasure& spec, Space space);

}  // namespace driftless
