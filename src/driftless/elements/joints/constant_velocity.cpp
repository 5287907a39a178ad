// The shafts leave the common point along -z0 and z1. What couples them (balls, levers) touches both in the plane that
// bisects them, with the normal m = (z0 + z1)/|z0 + z1|. By symmetry the reflection S = I - 2mmᵀ in that plane carries
// one half onto the other: it maps -z0 to z1, x0 to x1 and y0 to y1. Therefore
//
//   x1 = x0 - 2 (m·x0) m,  y1 = y0 - 2 (m·y0) m                                                                  [CVJ.1]
//   y0·x1 = -2 (m·x0)(m·y0) = x0·y1                                                                              [CVJ.2]
//
// With the unit quaternion (w, i, j, k) of R0ᵀR1, y0·x1 - x0·y1 = 4wk and z0·z1 = 2(w² + k²) - 1. The joint is k = 0: one
// rotation about an axis perpendicular to z0, by the bend β, cos(β/2) = w; that is [CVJ.1]. The rows are: the origins meet,
// p1 - p0 = 0; and the twist, in radians where it is small,
//
//   (y0·x1 - x0·y1) / √(2 + 2 z0·z1) = 2wk / √(w² + k²) = 0                                                      [CVJ.3]
//
// which near k = 0 is 2k times the sign of w: its slope does not fade as the shafts fold onto each other, w = 0. With 4wk
// alone the slope there is zero, every half turn holds as well, and a motion that comes by leaves the joint for one of
// them. Near the fold, 4 (w² + k²) < 2e-3, round-off in [CVJ.3] grows as 1/w, in its second rate as 1/w³, but i² + j² is
// nearly 1, and 2k times a sign is
//
//   2ik = (z0·x1 + x0·z1)/2  or  2jk = (z0·y1 + y0·z1)/2,  the one with the larger factor,  i² - j² = (x0·x1 - y0·y1)/2
//   divided by |i| or |j|,  4i² = 1 + x0·x1 - y0·y1 - z0·z1,  4j² = 1 - x0·x1 + y0·y1 - z0·z1                    [CVJ.4]
//
// The sign is lost on the way through the fold, and with it that of the multiplier, but no reaction. It must be: k changes
// its sign on the way round a full turn about a perpendicular axis, which ends in the pose where it began.
//
// Equal speed: where k = 0, the rate of [CVJ.3] is (ω1 - ω0)·m, since x1 × y0 - y1 × x0 = z0 + z1. Shafts in bearings,
// ω0 = Ω0 z0 and ω1 = Ω1 z1, give (Ω1 - Ω0) cos(β/2) = 0.                                                          [CVJ.5]
//
// Rejected: the twist 2 atan2(k, w) = atan2(y0·x1 - x0·y1, x0·x1 + y0·y1), which has no slope at z1 = -z0.
// No coordinates: the bend has no derivative at the straight pose, and its direction none at all there.

#include "driftless/elements/joints/constant_velocity.hpp"

#include <cassert>

#include "driftless/elements/joints/nearest_pose.hpp"

namespace driftless {
namespace {

/// 2k times a sign: [CVJ.3], and [CVJ.4] at the fold.
template <class S>
S find_twist(const Axes<S>& a, const Axes<S>& b) {
  using std::sqrt;
  constexpr double kFold = 2e-3;  // 4 (w² + k²)
  const S bisector = 2.0 + 2.0 * dot(a.z, b.z);
  if (find_value(bisector) > kFold) return (dot(a.y, b.x) - dot(a.x, b.y)) / sqrt(bisector);
  const S difference = dot(a.x, b.x) - dot(a.y, b.y);
  const S rest = 1.0 - dot(a.z, b.z);
  return find_value(difference) >= 0.0 ? (dot(a.z, b.x) + dot(a.x, b.z)) / sqrt(rest + difference)
                                       : (dot(a.z, b.y) + dot(a.y, b.z)) / sqrt(rest - difference);
}

struct ConstantVelocityRows {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 4;
  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    const Vec3<S> gap = find_gap(f);
    out[0] = gap.x;
    out[1] = gap.y;
    out[2] = gap.z;
    out[3] = find_twist(f[0].axes, f[1].axes);
  }
};

/// With the same bend and the twist 2 atan2(k, w) taken out.
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
