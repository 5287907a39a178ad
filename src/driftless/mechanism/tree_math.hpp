#pragma once
// Small algebra of the tree's recursions: world axes, one reference point per body (the origin of its tree frame).
//
// A motion is (α, a): angular acceleration and acceleration of the origin; a wrench is (n, f): torque about the origin
// and force. Inertia, of a body or of all that hangs on it, is a symmetric map from one to the other,
//
//   n = A α + B a           a rigid body of mass m, with its centre at c from the origin and J about the origin:
//   f = Bᵀ α + C a          A = J, B = m [c×], C = m 1                                                             [TRM.1]
//
// in 6 + 9 + 6 numbers. A point at r from the parent's origin moves with a = a_p + α×r, so that seen from the parent
//
//   f_p = f,  n_p = n + r×f,  C_p = C,  B_p = B + [r×]C,  A_p = A + K + Kᵀ,  K = [r×](B + ½[r×]C)ᵀ                  [TRM.2]
//
// No rotation occurs: with axes of the bodies each of the three blocks would have to be turned at each joint. With one
// reference point for all, the shift would go, too, but J about a point 10⁴ bodies away has lost eight digits.

#include <algorithm>

#include "driftless/math/vec3.hpp"

namespace driftless {

template <class S>
Vec3<S> turn(const Axes<S>& axes, const Vec3<S>& local) {
  return {axes.x.x * local.x + axes.y.x * local.y + axes.z.x * local.z,
          axes.x.y * local.x + axes.y.y * local.y + axes.z.y * local.z,
          axes.x.z * local.x + axes.y.z * local.y + axes.z.z * local.z};
}
template <class S>
Vec3<S> turn_back(const Axes<S>& axes, const Vec3<S>& world) {
  return {dot(axes.x, world), dot(axes.y, world), dot(axes.z, world)};
}

/// A symmetric matrix.
struct Symmetric3 {
  double xx = 0.0, xy = 0.0, xz = 0.0, yy = 0.0, yz = 0.0, zz = 0.0;

  Vector3 operator*(const Vector3& a) const {
    return {xx * a.x + xy * a.y + xz * a.z, xy * a.x + yy * a.y + yz * a.z,
            xz * a.x + yz * a.y + zz * a.z};
  }
  Symmetric3& operator+=(const Symmetric3& other) {
    xx += other.xx;
    xy += other.xy;
    xz += other.xz;
    yy += other.yy;
    yz += other.yz;
    zz += other.zz;
    return *this;
  }
  /// + factor·a aᵀ
  void add_square(double factor, const Vector3& a) {
    const Vector3 b = factor * a;
    xx += b.x * a.x;
    xy += b.x * a.y;
    xz += b.x * a.z;
    yy += b.y * a.y;
    yz += b.y * a.z;
    zz += b.z * a.z;
  }
};

/// R S Rᵀ
inline Symmetric3 turn(const Axes<double>& r, const Symmetric3& s) {
  const Vector3 x = turn(r, Vector3{s.xx, s.xy, s.xz});  // columns of R S
  const Vector3 y = turn(r, Vector3{s.xy, s.yy, s.yz});
  const Vector3 z = turn(r, Vector3{s.xz, s.yz, s.zz});
  return {x.x * r.x.x + y.x * r.y.x + z.x * r.z.x, x.x * r.x.y + y.x * r.y.y + z.x * r.z.y,
          x.x * r.x.z + y.x * r.y.z + z.x * r.z.z, x.y * r.x.y + y.y * r.y.y + z.y * r.z.y,
          x.y * r.x.z + y.y * r.y.z + z.y * r.z.z, x.z * r.x.z + y.z * r.y.z + z.z * r.z.z};
}

struct TreeMotion {
  Vector3 angular;
  Vector3 linear;
};
struct TreeWrench {
  Vector3 torque;
  Vector3 force;

  TreeWrench& operator+=(const TreeWrench& other) {
    torque = torque + other.torque;
    force = force + other.force;
    return *this;
  }
};

/// [TRM.1]
struct TreeInertia {
  Symmetric3 a;
  Axes<double> b;  ///< by columns
  Symmetric3 c;
  double removed = 0.0;  ///< the largest that joints have taken of A: its rounding stays behind

  TreeInertia() = default;
  TreeInertia(double mass, const Vector3& moment, const Symmetric3& inertia)
      : a(inertia),
        b{{0.0, moment.z, -moment.y}, {-moment.z, 0.0, moment.x}, {moment.y, -moment.x, 0.0}},
        c{mass, 0.0, 0.0, mass, 0.0, mass} {}

  TreeWrench operator*(const TreeMotion& m) const {
    return {a * m.angular + turn(b, m.linear), turn_back(b, m.angular) + c * m.linear};
  }
  TreeInertia& operator+=(const TreeInertia& other) {
    a += other.a;
    b.x = b.x + other.b.x;
    b.y = b.y + other.b.y;
    b.z = b.z + other.b.z;
    c += other.c;
    removed = std::max(removed, other.removed);
    return *this;
  }
  /// - factor·U Uᵀ
  void remove_square(double factor, const TreeWrench& u) {
    a.add_square(-factor, u.torque);
    b.x = b.x - (factor * u.force.x) * u.torque;
    b.y = b.y - (factor * u.force.y) * u.torque;
    b.z = b.z - (factor * u.force.z) * u.torque;
    c.add_square(-factor, u.force);
  }
  /// Seen from a point at -r. [TRM.2]
  void shift(const Vector3& r) {
    const Vector3 x = cross(r, Vector3{c.xx, c.xy, c.xz});
    const Vector3 y = cross(r, Vector3{c.xy, c.yy, c.yz});
    const Vector3 z = cross(r, Vector3{c.xz, c.yz, c.zz});
    const Axes<double> h{b.x + 0.5 * x, b.y + 0.5 * y, b.z + 0.5 * z};
    const Vector3 k1 = cross(r, Vector3{h.x.x, h.y.x, h.z.x});
    const Vector3 k2 = cross(r, Vector3{h.x.y, h.y.y, h.z.y});
    const Vector3 k3 = cross(r, Vector3{h.x.z, h.y.z, h.z.z});
    a.xx += 2.0 * k1.x;
    a.xy += k2.x + k1.y;
    a.xz += k3.x + k1.z;
    a.yy += 2.0 * k2.y;
    a.yz += k3.y + k2.z;
    a.zz += 2.0 * k3.z;
    b = {b.x + x, b.y + y, b.z + z};
  }
  /// The same of C alone, whatever A and B are.
  void shift_mass(const Vector3& r) {
    b = {cross(r, Vector3{c.xx, c.xy, c.xz}), cross(r, Vector3{c.xy, c.yy, c.yz}),
         cross(r, Vector3{c.xz, c.yz, c.zz})};
    const Vector3 k1 = cross(r, Vector3{b.x.x, b.y.x, b.z.x});
    const Vector3 k2 = cross(r, Vector3{b.x.y, b.y.y, b.z.y});
    const Vector3 k3 = cross(r, Vector3{b.x.z, b.y.z, b.z.z});
    a = {k1.x, k1.y, k1.z, k2.y, k2.z, k3.z};
  }
};

inline double dot(const TreeMotion& m, const TreeWrench& w) {
  return dot(m.angular, w.torque) + dot(m.linear, w.force);
}

}  // namespace driftless
