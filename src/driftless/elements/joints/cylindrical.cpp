// With (a, b, c) = p1 - p0 along the axes of frame 0,
//
//   a = b = 0                           the origin of frame 1 is on the axis                                     [CYL.1]
//   x0·z1 = y0·z1 = 0                   the axes are parallel                                                    [CYL.2]
//   angle = atan2(y0·x1, x0·x1), position = c                                                                    [CYL.3]
//
// Rejected for [CYL.1] and [CYL.2]: p1 - p0 parallel to z0 and to z1 by cross products, six rows of rank four. Nothing is
// singular on the joint's poses; [CYL.2] also holds with the axes opposed, as for the revolute joint.

#include "driftless/elements/joints/cylindrical.hpp"

#include <cassert>

#include "driftless/elements/joints/shaft.hpp"
#include "driftless/elements/pair_scalars.hpp"

namespace driftless {
namespace {

using CylindricalRows = PairFunction<Shift<Axis::x>, Shift<Axis::y>, Product<Axis::x, Axis::z>,
                                     Product<Axis::y, Axis::z>>;

}  // namespace

JointParts make_joint(const Cylindrical& /*spec*/, [[maybe_unused]] Space space) {
  assert(space == Space::space);
  JointParts parts;
  parts.joint_form = JointForm::cylindrical;
  parts.find_nearest = find_nearest_on_shaft;
  parts.rows = make_frame_function(CylindricalRows{});
  parts.row_names = {"x", "y", "tilt_x", "tilt_y"};
  parts.coordinates = make_frame_function(ShaftCoordinates{});
  parts.coordinate_info = {{"angle", "rate", "rad", true}, {"position", "speed", "m", false}};
  return parts;
}

}  // namespace driftless
