// A massless cross has two perpendicular pins through its centre: one turns in body 0, along x0, the other in body 1,
// along y1.
//
//   p1 - p0 = 0                         the origins meet                                                         [UNI.1]
//   x0·y1 = 0                           the pins are perpendicular                                               [UNI.2]
//
// The cross has the axes (x0, y1, x0 × y1), so R0ᵀR1 = Rx(angle1) Ry(angle2) with
//
//   angle1 = atan2(z0·y1, y0·y1)        of the cross in body 0, about x0                                         [UNI.3]
//   angle2 = atan2(x0·z1, x0·x1)        of body 1 on the cross, about y1                                         [UNI.4]
//
// At zero angles the frames coincide and both shafts are along z.
// Rejected for [UNI.2]: the angle between the pins less π/2; the same set, but no derivative at parallel pins.
// Singular: nothing on the joint's poses, since the gradient x0 × y1 of [UNI.2] is a unit vector there. It vanishes at
// parallel pins. Each pair of arguments in [UNI.3], [UNI.4] has length 1 where [UNI.2] holds.

#include "driftless/elements/joints/universal.hpp"

#include <cassert>

#include "driftless/elements/joints/nearest_pose.hpp"

namespace driftless {
namespace {

struct UniversalRows {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 4;
  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    const Vec3<S> gap = find_gap(f);
    out[0] = gap.x;
    out[1] = gap.y;
    out[2] = gap.z;
    out[3] = dot(f[0].axes.x, f[1].axes.y);
  }
};

struct Angles {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 2;
  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    using std::atan2;
    out[0] = atan2(dot(f[0].axes.z, f[1].axes.y), dot(f[0].axes.y, f[1].axes.y));
    out[1] = atan2(dot(f[0].axes.x, f[1].axes.z), dot(f[0].axes.x, f[1].axes.x));
  }
};

/// y1 into the plane across x0, as little as possible; from along x0 about z1. Every pose at which [UNI.2] holds is the
/// joint's.
Frame<double> find_nearest_universal(const Frame<double>* f) {
  const Vector3 across = cross(f[0].axes.x, f[1].axes.y);
  const double sine = norm(across);
  const double lean = std::atan2(dot(f[0].axes.x, f[1].axes.y), sine);
  const Vector3 axis = sine > 1e-12 ? (1.0 / sine) * across : f[1].axes.z;
  return {f[0].origin, turn_axes(lean * axis, f[1].axes), f[1].angle};
}

}  // namespace

JointParts make_joint(const Universal& /*spec*/, [[maybe_unused]] Space space) {
  assert(space == Space::space);
  JointParts parts;
  parts.joint_form = JointForm::universal;
  parts.find_nearest = find_nearest_universal;
  parts.rows = make_frame_function(UniversalRows{});
  parts.form = {true, {{0, 1}}};
  parts.row_names = {"x", "y", "z", "pins"};
  parts.coordinates = make_frame_function(Angles{});
  parts.coordinate_info = {{"angle1", "rate1", "rad", true}, {"angle2", "rate2", "rad", true}};
  return parts;
}

}  // namespace driftless
