#pragma once
// The place of a point of a body.

#include "driftless/base/fields.hpp"
#include "driftless/elements/measures/measure.hpp"

namespace driftless {

struct PointMeasure {
  static constexpr std::string_view kName = "point";
  static constexpr std::string_view kSummary =
      "a body's point in the world: NAME.x, NAME.y, NAME.z, with ' their rates, with '' their "
      "accelerations";
  static constexpr bool kInPlane = true;
  static constexpr Attachment kAttachment = Attachment::one_frame;

  static constexpr auto fields() { return std::make_tuple(); }
};

MeasureParts make_measure(const PointMeasure& spec, Space space);

}  // namespace driftless
