// The shafts leave the common point along -z0 and z1. What couples them (balls, levers) touches both in the plane that
// bisects them, with the normal m = (z0 + z1)/|z0 + z1|. By symmetry the reflection S = I - 2mmᵀ in that plane carries
// one half onto the other: it maps -z0 to z1, x0 to x1 and y0 to y1. Therefore
//
//   x1 = x0 - 2 (m·x0) m,  y1 = y0 - 2 (m·y0) m                                                                  [CVJ.1]
//   y0·x1 = -2 (m·x0)(m·y0) = x0·y1                                                                              [CVJ.2]
//
// The rows are: the origins meet, p1 - p0 = 0; and y0·x1 - x0·y1 = 0.
//
// Conversely, with the unit quaternion (w, i, j, k) of R0ᵀR1, y0·x1 - x0·y1 = 4wk. The joint is k = 0: one rotation about
// an axis perpendicular to z0, by the bend β, cos(β/2) = w; that is [CVJ.1]. The row also vanishes at w = 0, the half
// turns. The two sets meet only at w = k = 0, z1 = -z0.
//
// Equal speed: where [CVJ.2] holds with k = 0, the row's rate is (ω1 - ω0)·(z0 + z1), since
// x1 × y0 - y1 × x0 = z0 + z1. Shafts in bearings, ω0 = Ω0 z0 and ω1 = Ω1 z1, give (Ω1 - Ω0)(1 + cos β) = 0.          [CVJ.3]
//
// Rejected: the twist 2 atan2(k, w) = atan2(y0·x1 - x0·y1, x0·x1 + y0·y1), which has no second set of solutions but no
// value at z1 = -z0.
// Singular: z1 = -z0, the shafts folded onto each other, where the row's gradient z0 + z1 vanishes. Its length is
// 2 cos(β/2), so no coupling that can be built comes near.
// No coordinates: the bend has no derivative at the straight pose, and its direction none at all there.

#include "driftless/elements/joints/constant_velocity.hpp"

#include <cassert>

#include "driftless/elements/joints/nearest_pose.hpp"

namespace driftless {
namespace {

struct ConstantVelocityRows {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 4;
  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    const Vec3<S> gap = find_gap(f);
    out[0] = gap.x;
    out[1] = gap.y;
    out[2] = gap.z;
    out[3] = dot(f[0].axes.y, f[1].axes.x) - dot(f[0].axes.x, f[1].axes.y);
  }
};

/// With the same bend and the twist 2 atan2(k, w) taken out. Of the half turns at which only the row vanishes, w = 0 and
/// k not 0, it is half a turn.
Frame<double> find_nearest_constant_velocity(const Frame<double>* f) {
  const double sine = dot(f[0].axes.y, f[1].axes.x) - dot(f[0].axes.x, f[1].axes.y);
  const double cosine = dot(f[0].axes.x, f[1].axes.x) + dot(f[0].axes.y, f[1].axes.y);
  const bool is_folded = std::hypot(sine, cosine) < 1e-12;  // no twist there
  const double twist = is_folded ? 0.0 : std::atan2(sine, cosine);
  return {f[0].origin, turn_axes(-twist * f[1].axes.z, f[1].axes), f[1].angle};
}

}  // namespace

JointParts make_joint(const ConstantVelocity& /*spec*/, [[maybe_unused]] Space space) {
  assert(space == Space::space);
  JointParts parts;
  parts.find_nearest = find_nearest_constant_velocity;
  parts.rows = make_frame_function(ConstantVelocityRows{});
  parts.row_names = {"x", "y", "z", "twist"};
  return parts;
}

}  // namespace driftless
