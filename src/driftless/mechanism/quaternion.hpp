#pragma once
// Quaternions (w, x, y, z) that carry rotations: turned by increments about their own axes.

#include <cmath>

namespace driftless {

/// a∘b; `out` may be one of them.
inline void multiply_quaternions(const double* a, const double* b, double* out) {
  const double w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
  const double x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
  const double y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
  const double z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
  out[0] = w;
  out[1] = x;
  out[2] = y;
  out[3] = z;
}

/// To length 1, but for rounding; one that has it stays the same bit for bit.
inline void normalize_quaternion(double* q) {
  constexpr double kRounding = 4e-15;
  const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  if (std::abs(square - 1.0) <= kRounding) return;
  const double scale = 1.0 / std::sqrt(square);
  for (int k = 0; k < 4; ++k) q[k] *= scale;
}

/// q' = q∘(0, ω)/2
inline void find_quaternion_rate(const double* q, const double* angular, double* q_dot) {
  const double half[4] = {0.0, 0.5 * angular[0], 0.5 * angular[1], 0.5 * angular[2]};
  multiply_quaternions(q, half, q_dot);
}

/// q turned by a rotation vector about its own axes, of length 1 afterwards.
inline void retract_quaternion(double* q, const double* turn) {
  const double angle = std::sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]);
  // sin(a/2)/a, by its series where the quotient would lose digits
  const double scale = angle < 1e-4 ? 0.5 - angle * angle / 48.0 : std::sin(0.5 * angle) / angle;
  const double rotation[4] = {std::cos(0.5 * angle), scale * turn[0], scale * turn[1],
                              scale * turn[2]};
  multiply_quaternions(q, rotation, q);
  normalize_quaternion(q);
}

/// The rotation vector that takes `from` to `to`, of at most pi.
inline void find_quaternion_increment(const double* from, const double* to, double* delta) {
  const double inverse[4] = {from[0], -from[1], -from[2], -from[3]};
  double turn[4];
  multiply_quaternions(inverse, to, turn);
  const double sine = std::sqrt(turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3]);
  const double half = std::atan2(sine, std::abs(turn[0]));
  const double scale = (turn[0] < 0.0 ? -2.0 : 2.0) * (sine > 1e-9 ? half / sine : 1.0);
  for (int k = 0; k < 3; ++k) delta[k] = scale * turn[k + 1];
}

}  // namespace driftless
