#pragma once
// Bodies as the System sees them, and frames fixed on them.
//
// A body's state is the place of its mass centre and the orientation of its axes, so that the mass matrix is constant
// and block-diagonal:
//
//   in the plane   q = (x, y, angle)            v = (x', y', angle')             M = diag(m, m, J)                [BDY.1]
//   in space       q = (x, y, z, quaternion)    v = (x', y', z', ω in body axes) M = diag(m, m, m, J)             [BDY.2]
//   point mass     q = (x, y) or (x, y, z)      v = q'
//
// The quaternion (w, x, y, z) turns body axes into world axes, R = R(q/|q|), with q' = q∘(0, ω)/2. Its length is no
// degree of freedom: it drifts by the integrator's error, nothing depends on it, and `normalize` resets it after each
// step. With ω in body axes the inertia terms are -ω × Jω alone; in world axes M would change with the pose.

#include <cmath>
#include <string>

#include "driftless/math/linear.hpp"
#include "driftless/math/vec3.hpp"

namespace driftless {

enum class BodyKind { plane_body, space_body, plane_point, space_point };

struct Body {
  std::string name;
  BodyKind kind = BodyKind::space_body;
  double mass = 0.0;
  Matrix inertia;  ///< about the mass centre, body axes (3 x 3); in the plane only (2, 2) counts
  int q = 0;       ///< first coordinate
  int v = 0;       ///< first velocity

  bool in_plane() const { return kind == BodyKind::plane_body || kind == BodyKind::plane_point; }
  bool is_point() const { return kind == BodyKind::plane_point || kind == BodyKind::space_point; }
  int nq() const;
  int nv() const;
};

/// Where a body is and how it moves.
struct BodyState {
  Vector3 position;
  Axes<double> axes{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  double angle = 0.0;  ///< in the plane
  Vector3 velocity;
  Vector3 angular;  ///< world axes
};

/// Of a body that is no rigid one in the plane, from its own coordinates.
void find_other_pose(const Body& body, const double* p, BodyState& state);
/// Of a rigid body in the plane, from its coordinates and cosine and sine of its angle. What it has along z is never
/// touched.
inline void set_plane_pose(const double* p, double cosine, double sine, BodyState& state) {
  state.position.x = p[0];
  state.position.y = p[1];
  state.angle = p[2];
  state.axes.x.x = state.axes.y.y = cosine;
  state.axes.x.y = sine;
  state.axes.y.x = -sine;
}
/// Fills the pose of `state` and leaves how it moves alone.
inline void find_pose(const Body& body, ConstVectorRef q, BodyState& state) {
  const double* p = q.data() + body.q;
  if (body.kind != BodyKind::plane_body) return find_other_pose(body, p, state);
  set_plane_pose(p, std::cos(p[2]), std::sin(p[2]), state);
}
BodyState find_pose(const Body& body, ConstVectorRef q);
/// Fills velocity and angular of `state`, whose pose is there.
void find_velocity(const Body& body, ConstVectorRef v, BodyState& state);
/// q' from v.
void map_body_velocity(const Body& body, ConstVectorRef q, ConstVectorRef v, VectorRef q_dot);
/// q moved by a velocity-like increment.
void retract_body(const Body& body, VectorRef q, ConstVectorRef delta);
/// The increment by which retract_body takes `from` to `to`; a turn of at most pi.
void find_body_increment(const Body& body, ConstVectorRef from, ConstVectorRef to, VectorRef delta);
void normalize_body(const Body& body, VectorRef q);

double find_kinetic_energy(const Body& body, ConstVectorRef v);

/// The coordinates of a body in this pose.
void set_pose(const Body& body, const BodyState& state, VectorRef q);

/// Quaternion (w, x, y, z) of a rotation matrix, w >= 0.
void find_quaternion(const Axes<double>& axes, double* quaternion);

/// A frame fixed on a body, or on the ground (body < 0, offset and axes then in the world).
struct BodyFrame {
  int body = -1;
  Vector3 offset;  ///< from the mass centre, body axes
  Axes<double> axes{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  double angle = 0.0;  ///< of axes.x in body axes; in the plane
};

}  // namespace driftless
