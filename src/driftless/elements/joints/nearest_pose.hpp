#pragma once
// The pose of frame 1 nearest to its own that a joint allows. Rows say where a joint is closed by products of axes, which
// also vanish where an axis is turned over: with the axes of a hinge opposed, with a slider turned by half a turn. Which
// of the poses are the joint's own is said here, once for each type, and by it whoever closes joints
//   - tells a joint that is closed from one whose rows hold by chance,
//   - brings a joint together from any orientation before rows, which turn the wrong way beyond a right angle, count.
//
// In the plane angles count their turns and the rows hold nowhere else: no joint needs it there.

#include <cmath>

#include "driftless/elements/frame_pair.hpp"

namespace driftless {

/// exp(turn×) a
inline Vector3 turn_vector(const Vector3& turn, const Vector3& a) {
  const double angle = norm(turn);
  if (angle == 0.0) return a;
  const Vector3 n = (1.0 / angle) * turn;
  return std::cos(angle) * a + std::sin(angle) * cross(n, a) +
         ((1.0 - std::cos(angle)) * dot(n, a)) * n;
}

inline Axes<double> turn_axes(const Vector3& turn, const Axes<double>& axes) {
  return {turn_vector(turn, axes.x), turn_vector(turn, axes.y), turn_vector(turn, axes.z)};
}

/// The axes of frame 1 turned as little as possible until their z is that of frame 0; from opposed ones about x1.
inline Axes<double> align_axis(const Frame<double>* f) {
  const Vector3& from = f[1].axes.z;
  const Vector3& to = f[0].axes.z;
  const Vector3 across = cross(from, to);
  const double sine = norm(across);
  const double angle = std::atan2(sine, dot(from, to));
  const Vector3 axis = sine > 1e-12 ? (1.0 / sine) * across : f[1].axes.x;
  return turn_axes(angle * axis, f[1].axes);
}

/// The origin of frame 1 along the axes of frame 0, each component kept or not.
inline Vector3 keep_shift(const Frame<double>* f, bool x, bool y, bool z) {
  const Vector3 shift = find_shift(f);
  return f[0].origin + apply(f[0].axes, {x ? shift.x : 0.0, y ? shift.y : 0.0, z ? shift.z : 0.0});
}

}  // namespace driftless
