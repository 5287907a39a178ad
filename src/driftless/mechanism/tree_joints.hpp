#pragma once
// Joints of the tree: how a joint's coordinates carry a body.
//
// E are the world axes of the joint's frame on the parent; the body's own tree frame is the joint's frame on its side. A
// joint gives the axes R of the body, the shift s of its origin from that of E, and the columns (w, u) of
//
//   ω - ω_p = Σ w_j v_j         velocity of the origin, as seen from the parent = Σ u_j v_j                        [TRJ.1]
//
//   revolute      R = E Rz(q)               s = 0                     w = z
//   prismatic     R = E                     s = q z                   u = z
//   screw         R = E Rz(q)               s = h q z                 w = z, u = h z
//   cylindrical   R = E Rz(q1)              s = q0 z                  u0 = z;  w1 = z
//   slot          R = E Rz(q1)              s = q0 x_E                u0 = x_E;  w1 = z
//   planar        R = E Rz(q2)              s = q0 x_E + q1 y_E       u0 = x_E;  u1 = y_E;  w2 = z
//   slot_back     R = E Rz(-q1)             s = -q0 x_R               u0 = -x_R;  (w1, u1) = (-z, -z×s)
//   planar_back   R = E Rz(-q2)             s = -q0 x_R - q1 y_R      u0 = -x_R;  u1 = -y_R;  (w2, u2) = (-z, -z×s)
//   universal     R = E Rx(q0) Ry(q1)       s = 0                     w0 = x_E;  w1 = y_R
//   spherical     R = E R(quaternion)       s = 0                     w = R: v is ω - ω_p along the body's axes
//   free          R = E R(quaternion)       s = E (q0, q1, q2)        u = E;  w = R
//   shift         R = E                     s = E (q0, q1, q2)        u = E        shift_plane: of q0, q1
//   fixed         R = E                     s = 0
//
// Shifts come before turns, as in a body's absolute coordinates. The two `back` forms are those of a joint whose coordinates are measured from the body to its parent. The others need
// none: turned over about x (of a universal joint: about the diagonal) both frames give the same form again.
//
// With v' = 0, and seen from the parent, ω and the origin's velocity still change where a column turns with the body:
//
//   universal     (w0 × w1) v0 v1;        spherical, free: ω×ω = 0
//   ..._back      w×(2 Σ u_j v_j + u_w v_w) v_w, w the column that turns, j the others: Coriolis, centripetal     [TRJ.2]

#include <cmath>
#include <type_traits>

#include "driftless/mechanism/tree_math.hpp"

namespace driftless {

enum class TreeJointKind {
  revolute,
  prismatic,
  screw,
  cylindrical,
  slot,
  planar,
  slot_back,
  planar_back,
  universal,
  spherical,
  free,
  shift,
  shift_plane,
  fixed
};

constexpr int count_coordinates(TreeJointKind kind) {
  switch (kind) {
    case TreeJointKind::revolute:
    case TreeJointKind::prismatic:
    case TreeJointKind::screw: return 1;
    case TreeJointKind::cylindrical:
    case TreeJointKind::slot:
    case TreeJointKind::slot_back:
    case TreeJointKind::universal:
    case TreeJointKind::shift_plane: return 2;
    case TreeJointKind::planar:
    case TreeJointKind::planar_back:
    case TreeJointKind::shift: return 3;
    case TreeJointKind::spherical: return 4;
    case TreeJointKind::free: return 7;
    case TreeJointKind::fixed: return 0;
  }
  return 0;
}

constexpr bool has_quaternion(TreeJointKind kind) {
  return kind == TreeJointKind::spherical || kind == TreeJointKind::free;
}

constexpr int count_rates(TreeJointKind kind) {
  return count_coordinates(kind) - (has_quaternion(kind) ? 1 : 0);
}

namespace tree_joints {

template <class S>
Axes<S> turn_z(const Axes<S>& e, const S& cosine, const S& sine) {
  return {cosine * e.x + sine * e.y, cosine * e.y - sine * e.x, e.z};
}
template <class S>
Axes<S> turn_z(const Axes<S>& e, const S& angle) {
  using std::cos;
  using std::sin;
  return turn_z(e, S(cos(angle)), S(sin(angle)));
}

template <class S>
Axes<S> turn_quaternion(const Axes<S>& e, const S* q) {
  const S& w = q[0];
  const S& x = q[1];
  const S& y = q[2];
  const S& z = q[3];
  const S s = 2.0 / (w * w + x * x + y * y + z * z);
  const Vec3<S> first{1.0 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)};
  const Vec3<S> second{s * (x * y - w * z), 1.0 - s * (x * x + z * z), s * (y * z + w * x)};
  const Vec3<S> third{s * (x * z + w * y), s * (y * z - w * x), 1.0 - s * (x * x + y * y)};
  return {turn(e, first), turn(e, second), turn(e, third)};
}

/// Where a body is with respect to its joint's frame on the parent.
template <class S>
struct Placement {
  Axes<S> axes;
  Vec3<S> shift;
};

template <TreeJointKind kind, class S>
inline Placement<S> place(const Axes<S>& e, const S* q, double advance) {
  using K = TreeJointKind;
  Vec3<S> none{};
  if constexpr (kind == K::revolute) return {turn_z(e, q[0]), none};
  if constexpr (kind == K::prismatic) return {e, q[0] * e.z};
  if constexpr (kind == K::screw) return {turn_z(e, q[0]), (advance * q[0]) * e.z};
  if constexpr (kind == K::cylindrical) return {turn_z(e, q[1]), q[0] * e.z};
  if constexpr (kind == K::slot) return {turn_z(e, q[1]), q[0] * e.x};
  if constexpr (kind == K::planar) return {turn_z(e, q[2]), q[0] * e.x + q[1] * e.y};
  if constexpr (kind == K::slot_back) {
    const Axes<S> r = turn_z(e, S(-q[1]));
    return {r, -(q[0] * r.x)};
  }
  if constexpr (kind == K::planar_back) {
    const Axes<S> r = turn_z(e, S(-q[2]));
    return {r, -(q[0] * r.x + q[1] * r.y)};
  }
  if constexpr (kind == K::universal) {
    using std::cos;
    using std::sin;
    const S c0 = cos(q[0]);
    const S s0 = sin(q[0]);
    const S c1 = cos(q[1]);
    const S s1 = sin(q[1]);
    const Vec3<S> y = c0 * e.y + s0 * e.z;
    const Vec3<S> z = c0 * e.z - s0 * e.y;
    return {{c1 * e.x - s1 * z, y, c1 * z + s1 * e.x}, none};
  }
  if constexpr (kind == K::spherical) return {turn_quaternion(e, q), none};
  if constexpr (kind == K::free) {
    return {turn_quaternion(e, q + 3), turn(e, Vec3<S>{q[0], q[1], q[2]})};
  }
  if constexpr (kind == K::shift) return {e, turn(e, Vec3<S>{q[0], q[1], q[2]})};
  if constexpr (kind == K::shift_plane) return {e, q[0] * e.x + q[1] * e.y};
  return {e, none};
}

/// The columns of [TRJ.1]. Those of a joint that only turns or only slides have zeros for the other part.
template <TreeJointKind kind, class S>
inline void find_columns(const Axes<S>& e, const Placement<S>& at, double advance, Vec3<S>* w,
                         Vec3<S>* u) {
  using K = TreeJointKind;
  for (int j = 0; j < count_rates(kind); ++j) w[j] = u[j] = Vec3<S>{};
  const Axes<S>& r = at.axes;
  if constexpr (kind == K::revolute) w[0] = e.z;
  if constexpr (kind == K::prismatic) u[0] = e.z;
  if constexpr (kind == K::screw) {
    w[0] = e.z;
    u[0] = S(advance) * e.z;
  }
  if constexpr (kind == K::cylindrical) {
    u[0] = e.z;
    w[1] = e.z;
  }
  if constexpr (kind == K::slot) {
    u[0] = e.x;
    w[1] = e.z;
  }
  if constexpr (kind == K::planar) {
    u[0] = e.x;
    u[1] = e.y;
    w[2] = e.z;
  }
  if constexpr (kind == K::slot_back || kind == K::planar_back) {
    constexpr int kTurn = count_rates(kind) - 1;
    u[0] = -r.x;
    if constexpr (kind == K::planar_back) u[1] = -r.y;
    w[kTurn] = -e.z;
    u[kTurn] = cross(w[kTurn], at.shift);
  }
  if constexpr (kind == K::universal) {
    w[0] = e.x;
    w[1] = r.y;
  }
  if constexpr (kind == K::spherical) {
    w[0] = r.x;
    w[1] = r.y;
    w[2] = r.z;
  }
  if constexpr (kind == K::free) {
    u[0] = e.x;
    u[1] = e.y;
    u[2] = e.z;
    w[3] = r.x;
    w[4] = r.y;
    w[5] = r.z;
  }
  if constexpr (kind == K::shift || kind == K::shift_plane) {
    u[0] = e.x;
    u[1] = e.y;
    if constexpr (kind == K::shift) u[2] = e.z;
  }
}

template <class S>
struct Change {
  Vec3<S> angular;
  Vec3<S> linear;
};

/// [TRJ.2]
template <TreeJointKind kind, class S>
inline Change<S> find_bias(const Vec3<S>* w, const Vec3<S>* u, const S* v) {
  using K = TreeJointKind;
  if constexpr (kind == K::universal) return {(v[0] * v[1]) * cross(w[0], w[1]), {}};
  if constexpr (kind == K::slot_back || kind == K::planar_back) {
    constexpr int kTurn = count_rates(kind) - 1;
    Vec3<S> slide = v[0] * u[0];
    if constexpr (kind == K::planar_back) slide = slide + v[1] * u[1];
    return {{}, v[kTurn] * cross(w[kTurn], S(2.0) * slide + v[kTurn] * u[kTurn])};
  }
  return {};
}

/// Calls use(std::integral_constant<TreeJointKind, kind>).
template <class Use>
inline void with_kind(TreeJointKind kind, Use&& use) {
  using K = TreeJointKind;
  switch (kind) {
    case K::revolute: return use(std::integral_constant<K, K::revolute>{});
    case K::prismatic: return use(std::integral_constant<K, K::prismatic>{});
    case K::screw: return use(std::integral_constant<K, K::screw>{});
    case K::cylindrical: return use(std::integral_constant<K, K::cylindrical>{});
    case K::slot: return use(std::integral_constant<K, K::slot>{});
    case K::planar: return use(std::integral_constant<K, K::planar>{});
    case K::slot_back: return use(std::integral_constant<K, K::slot_back>{});
    case K::planar_back: return use(std::integral_constant<K, K::planar_back>{});
    case K::universal: return use(std::integral_constant<K, K::universal>{});
    case K::spherical: return use(std::integral_constant<K, K::spherical>{});
    case K::free: return use(std::integral_constant<K, K::free>{});
    case K::shift: return use(std::integral_constant<K, K::shift>{});
    case K::shift_plane: return use(std::integral_constant<K, K::shift_plane>{});
    case K::fixed: return use(std::integral_constant<K, K::fixed>{});
  }
}

}  // namespace tree_joints
}  // namespace driftless
