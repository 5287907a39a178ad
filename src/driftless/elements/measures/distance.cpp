// [PTD.1]: smooth also where the points meet.

#include "driftless/elements/measures/distance.hpp"

#include "driftless/elements/forces/point_distance.hpp"

namespace driftless {

MeasureParts make_measure(const DistanceMeasure& /*spec*/, Space /*space*/) {
  return {make_frame_function(PointDistance{}), {{.suffix = "", .unit = "m", .least = 0.0}}};
}

}  // namespace driftless
