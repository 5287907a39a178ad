// With (a, b, c) = p1 - p0 along the axes of frame 0,
//
//   c = 0                               the origin of frame 1 is in the plane                                    [PLA.1]
//   x0·z1 = y0·z1 = 0                   the normals are parallel                                                 [PLA.2]
//   x = a, y = b, angle = atan2(y0·x1, x0·x1)                                                                    [PLA.3]
//
// Rejected for [PLA.2]: z0·z1 = 1, one row, whose gradient vanishes wherever it holds.
// Nothing is singular on the joint's poses; [PLA.2] also holds with the normals opposed: a plate turned over.

#include "driftless/elements/joints/planar.hpp"

#include <cassert>

#include "driftless/elements/joints/nearest_pose.hpp"
#include "driftless/elements/pair_scalars.hpp"

namespace driftless {
namespace {

using PlanarRows =
    PairFunction<Shift<Axis::z>, Product<Axis::x, Axis::z>, Product<Axis::y, Axis::z>>;

struct PlanarCoordinates {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 3;
  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    const Vec3<S> shift = find_shift(f);
    out[0] = shift.x;
    out[1] = shift.y;
    out[2] = find_angle(f);
  }
};

Frame<double> find_nearest_planar(const Frame<double>* f) {
  return {keep_shift(f, true, true, false), align_axis(f), f[1].angle};
}

}  // namespace

JointParts make_joint(const Planar& /*spec*/, [[maybe_unused]] Space space) {
  assert(space == Space::space);
  JointParts parts;
  parts.joint_form = JointForm::planar;
  parts.find_nearest = find_nearest_planar;
  parts.rows = make_frame_function(PlanarRows{});
  parts.row_names = {"z", "tilt_x", "tilt_y"};
  parts.coordinates = make_frame_function(PlanarCoordinates{});
  parts.coordinate_info = {
      {"x", "x_rate", "m", false}, {"y", "y_rate", "m", false}, {"angle", "rate", "rad", true}};
  return parts;
}

}  // namespace driftless
