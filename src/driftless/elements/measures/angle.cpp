// atan2(y0·x1, x0·x1): the angle of x1's shadow in the plane across z0. In the plane angles count their turns.   [ANG.1]
// Undefined where x1 stands along z0.

#include "driftless/elements/measures/angle.hpp"

#include "driftless/elements/frame_pair.hpp"

namespace driftless {
MeasureParts make_measure(const AngleMeasure& /*spec*/, Space space) {
  if (space == Space::plane) return {make_frame_function(PlanePairAngle{}), {{"", "rad"}}};
  return {make_frame_function(PairAngle{}), {{"", "rad", true}}};
}

}  // namespace driftless
