// With (a, b, c) = p1 - p0 along the axes of frame 0, and the pitch h, the advance in one turn,
//
//   a = b = 0                           the origin of frame 1 is on the axis                                     [SCR.1]
//   x0·z1 = y0·z1 = 0                   the axes are parallel                                                    [SCR.2]
//   angle = atan2(y0·x1, x0·x1) + 2π n                                                                           [SCR.3]
//   c - h angle / 2π = 0                                                                                         [SCR.4]
//   position = c                                                                                                 [SCR.5]
//
// The pose does not know the turns: 2π n is the row's turn input, which belongs to the coordinate `angle`. Without it the
// nut would jump by h each time the angle passes π.
// Rejected for [SCR.4]: sin(2π c/h - angle) = 0, which needs no turns, but holds on every thread at once and oscillates
// in c with the period h: Newton's method lands on any of them.
// Singular: x1 along z0, where [SCR.3] has no angle; it is a quarter turn off the axis and violates [SCR.2] by 1.

#include "driftless/elements/joints/screw.hpp"

#include <cassert>
#include <numbers>

#include "driftless/elements/joints/shaft.hpp"

namespace driftless {
namespace {

struct ScrewRows {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 5;
  static constexpr int kTurns = 1;

  double advance = 0.0;  ///< h/2π, m/rad

  template <class S>
  void operator()(const Frame<S>* f, const double* turns, S* out) const {
    const Vec3<S> shift = find_shift(f);
    out[0] = shift.x;
    out[1] = shift.y;
    out[2] = dot(f[0].axes.x, f[1].axes.z);
    out[3] = dot(f[0].axes.y, f[1].axes.z);
    out[4] = shift.z - advance * (find_angle(f) + turns[0]);
  }
};

}  // namespace

JointParts make_joint(const Screw& spec, [[maybe_unused]] Space space) {
  assert(space == Space::space);
  JointParts parts;
  parts.joint_form = JointForm::screw;
  parts.advance = spec.pitch / (2.0 * std::numbers::pi);
  parts.find_nearest = find_nearest_on_shaft;
  parts.rows = make_frame_function(ScrewRows{spec.pitch / (2.0 * std::numbers::pi)});
  parts.row_names = {"x", "y", "tilt_x", "tilt_y", "advance"};
  parts.coordinates = make_frame_function(ShaftCoordinates{});
  parts.coordinate_info = {{"angle", "rate", "rad", true},
                           {"position", "speed", "m", false, 2.0 * std::numbers::pi / spec.pitch}};
  return parts;
}

}  // namespace driftless
