// With (a, b, c) = p1 - p0 along the axes of frame 0,
//
//   a = b = 0                           the origin of frame 1 is on the axis                                     [PRI.1]
//   x0·z1 = y0·z1 = 0                   the axes are parallel                                                    [PRI.2]
//   y0·x1 = 0                           no turn about the axis                                                   [PRI.3]
//   position = c                                                                                                 [PRI.4]
//
// [PRI.2] and [PRI.3] hold at four orientations: the common one and the half turns about x0, y0, z0. The rows are regular
// at each of them, and no motion that keeps the rows leads from one to another.
// Rejected: the vector part of R0ᵀR1. It is symmetric in the frames, but vanishes at every half turn: a two-parameter set
// on which its rows are singular.
// In the plane, where the axis is x:
//
//   b = 0, angle1 - angle0 = 0, position = a                                                                     [PRI.5]
//
// The angles count turns: a frame wound up by a whole turn does not satisfy [PRI.5]. In exchange the row is linear and
// has no second solution.

#include "driftless/elements/joints/prismatic.hpp"

#include "driftless/elements/joints/nearest_pose.hpp"
#include "driftless/elements/pair_scalars.hpp"

namespace driftless {
namespace {

using PrismaticRows = PairFunction<Shift<Axis::x>, Shift<Axis::y>, Product<Axis::x, Axis::z>,
                                   Product<Axis::y, Axis::z>, Product<Axis::y, Axis::x>>;

using PrismaticPosition = PairFunction<Shift<Axis::z>>;

using PlanePrismaticRows = PairFunction<Shift<Axis::y>, PlaneTurn>;

using PlanePosition = PairFunction<Shift<Axis::x>>;

Frame<double> find_nearest_prismatic(const Frame<double>* f) {
  return {keep_shift(f, false, false, true), f[0].axes, f[1].angle};
}

}  // namespace

JointParts make_joint(const Prismatic& /*spec*/, Space space) {
  JointParts parts;
  parts.joint_form = JointForm::prismatic;
  if (space == Space::plane) {
    parts.rows = make_frame_function(PlanePrismaticRows{});
    parts.row_names = {"y", "turn"};
    parts.coordinates = make_frame_function(PlanePosition{});
  } else {
    parts.find_nearest = find_nearest_prismatic;
    parts.rows = make_frame_function(PrismaticRows{});
    parts.row_names = {"x", "y", "tilt_x", "tilt_y", "turn"};
    parts.coordinates = make_frame_function(PrismaticPosition{});
  }
  parts.coordinate_info = {{"position", "speed", "m", false}};
  return parts;
}

}  // namespace driftless
