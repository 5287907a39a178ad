#pragma once
// Three-dimensional vectors and matrices, as plain as they can be.

#include <cmath>

namespace bench {

struct Vec3 {
  double x = 0.0, y = 0.0, z = 0.0;
};
inline Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec3 operator*(double s, Vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
inline double dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3 cross(Vec3 a, Vec3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// By columns.
struct Mat3 {
  Vec3 x, y, z;
};
inline Vec3 operator*(const Mat3& m, Vec3 a) { return a.x * m.x + a.y * m.y + a.z * m.z; }
inline Vec3 transpose_times(const Mat3& m, Vec3 a) {
  return {dot(m.x, a), dot(m.y, a), dot(m.z, a)};
}
inline Mat3 operator*(const Mat3& a, const Mat3& b) { return {a * b.x, a * b.y, a * b.z}; }
inline Mat3 operator+(const Mat3& a, const Mat3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Mat3 operator-(const Mat3& a, const Mat3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Mat3 transpose(const Mat3& m) {
  return {{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}};
}
/// s a bᵀ
inline Mat3 outer(double s, Vec3 a, Vec3 b) {
  return {(s * b.x) * a, (s * b.y) * a, (s * b.z) * a};
}
/// a x M
inline Mat3 cross(Vec3 a, const Mat3& m) { return {cross(a, m.x), cross(a, m.y), cross(a, m.z)}; }
/// R M Rᵀ
inline Mat3 turn(const Mat3& r, const Mat3& m) { return (r * m) * transpose(r); }
/// The upper triangle, mirrored: round-off must not make a symmetric matrix unsymmetric, which would grow along a chain.
inline Mat3 mirror(const Mat3& m) {
  return {{m.x.x, m.y.x, m.z.x}, {m.y.x, m.y.y, m.z.y}, {m.z.x, m.z.y, m.z.z}};
}
inline Mat3 inverse_symmetric(const Mat3& m) {
  const Vec3 a = cross(m.y, m.z), b = cross(m.z, m.x), c = cross(m.x, m.y);
  const double s = 1.0 / dot(m.x, a);
  return {s * a, s * b, s * c};
}
inline Mat3 make_turn_about(bool z_axis, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  if (z_axis) return {{c, s, 0}, {-s, c, 0}, {0, 0, 1}};
  return {{c, 0, -s}, {0, 1, 0}, {s, 0, c}};
}

struct Quaternion {
  double w = 1.0;
  Vec3 v;
};
inline Mat3 make_turn(const Quaternion& q) {
  const double w = q.w, x = q.v.x, y = q.v.y, z = q.v.z;
  return {{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
          {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
          {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}};
}
inline Quaternion make_quaternion(bool z_axis, double angle) {
  const double s = std::sin(angle / 2);
  return {std::cos(angle / 2), z_axis ? Vec3{0, 0, s} : Vec3{0, s, 0}};
}

}  // namespace bench
