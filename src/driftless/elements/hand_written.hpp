#pragma once
// Derivatives written out by hand, of the scalars of which most joints and measures between two frames consist. With
// d = p1 - p0, u fixed in frame 0 and w in frame 1, twists (v, ω) and their changes (a, α),
//
//   product   u·w      J0 = (0, u×w),     J1 = (0, -u×w)                                                           [HND.1]
//                      ' = u'·w + u·w',   '' = u''·w + 2 u'·w' + u·w''
//   shift     u·d      J0 = (-u, u×d),    J1 = (u, 0)                                                              [HND.2]
//                      ' = u'·d + u·d',   '' = u''·d + 2 u'·d' + u·d''
//   half of the square d·d/2   J0 = (-d, 0),  J1 = (d, 0),   ' = d·d',   '' = d'·d' + d·d''                        [HND.3]
//
// where x' = ω×x and x'' = α×x + ω×(ω×x) for what turns with a frame. A function that has them offers
//
//   void jacobian(const Frame<double>* f, double* out, double* J) const;             as FrameFunction::eval_jacobian
//   void motion(const FrameMotion* f, double* first, double* second) const;          as FrameFunction::eval_motion
//   void rate(const Frame<double>* f, const Twist* twists, double* rate) const;      as FrameFunction::eval_jacobian_rate
//
// beside its template; the exam that every element passes compares them with the template's differences.

#include "driftless/elements/frame_function.hpp"

namespace driftless::hand_written {

/// Two frames' part of a row of J: 12 numbers.
inline void write_row(const Vector3& shift0, const Vector3& turn0, const Vector3& shift1,
                      const Vector3& turn1, double* J) {
  const Vector3* parts[] = {&shift0, &turn0, &shift1, &turn1};
  for (int k = 0; k < 4; ++k) {
    J[3 * k] = parts[k]->x;
    J[3 * k + 1] = parts[k]->y;
    J[3 * k + 2] = parts[k]->z;
  }
}

/// A vector, its first and its second change.
struct Moving {
  Vector3 value, first, second;
};
inline Moving turn_with(const FrameMotion& frame, const Vector3& axis) {
  const Vector3 first = cross(frame.velocity.angular, axis);
  return {axis, first,
          cross(frame.acceleration.angular, axis) + cross(frame.velocity.angular, first)};
}
inline Moving find_gap_motion(const FrameMotion* f) {
  return {f[1].pose.origin - f[0].pose.origin, f[1].velocity.linear - f[0].velocity.linear,
          f[1].acceleration.linear - f[0].acceleration.linear};
}
/// Of a·b.
inline void write_dot_motion(const Moving& a, const Moving& b, double* first, double* second) {
  *first = dot(a.first, b.value) + dot(a.value, b.first);
  *second = dot(a.second, b.value) + 2.0 * dot(a.first, b.first) + dot(a.value, b.second);
}

/// [HND.1]
inline void write_product(const Vector3& u, const Vector3& w, double* out, double* J) {
  *out = dot(u, w);
  const Vector3 c = cross(u, w);
  write_row({}, c, {}, -c, J);
}

/// [HND.2], u being an axis of frame 0.
inline void write_shift(const Frame<double>* f, const Vector3& u, double* out, double* J) {
  const Vector3 d = f[1].origin - f[0].origin;
  *out = dot(u, d);
  write_row(-u, cross(u, d), u, {}, J);
}

/// How J of [HND.1] changes.
inline void write_product_rate(const Vector3& u, const Vector3& w, const Twist* twists,
                               double* rate) {
  const Vector3 c = cross(cross(twists[0].angular, u), w) + cross(u, cross(twists[1].angular, w));
  write_row({}, c, {}, -c, rate);
}

/// How J of [HND.2] changes.
inline void write_shift_rate(const Frame<double>* f, const Vector3& u, const Twist* twists,
                             double* rate) {
  const Vector3 d = f[1].origin - f[0].origin;
  const Vector3 d_rate = twists[1].linear - twists[0].linear;
  const Vector3 u_rate = cross(twists[0].angular, u);
  write_row(-u_rate, cross(u_rate, d) + cross(u, d_rate), u_rate, {}, rate);
}

/// factor·[HND.3]
inline void write_half_square(const Frame<double>* f, double factor, double* J) {
  const Vector3 d = factor * (f[1].origin - f[0].origin);
  write_row(-d, {}, d, {}, J);
}

}  // namespace driftless::hand_written
