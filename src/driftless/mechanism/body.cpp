#include "driftless/mechanism/body.hpp"

#include <cmath>

#include "driftless/mechanism/quaternion.hpp"

namespace driftless {

int Body::nq() const {
  switch (kind) {
    case BodyKind::plane_body: return 3;
    case BodyKind::space_body: return 7;
    case BodyKind::plane_point: return 2;
    case BodyKind::space_point: return 3;
  }
  return 0;
}

int Body::nv() const { return kind == BodyKind::space_body ? 6 : nq(); }

namespace {

Axes<double> find_axes(double w, double x, double y, double z) {
  const double s = 2.0 / (w * w + x * x + y * y + z * z);
  return {{1.0 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)},
          {s * (x * y - w * z), 1.0 - s * (x * x + z * z), s * (y * z + w * x)},
          {s * (x * z + w * y), s * (y * z - w * x), 1.0 - s * (x * x + y * y)}};
}

}  // namespace

BodyState find_pose(const Body& body, ConstVectorRef q) {
  BodyState state;
  find_pose(body, q, state);
  return state;
}

void find_other_pose(const Body& body, const double* p, BodyState& state) {
  state.position = {p[0], p[1], body.in_plane() ? 0.0 : p[2]};
  if (body.kind == BodyKind::space_body) {
    state.axes = find_axes(p[3], p[4], p[5], p[6]);
  }
}

void find_velocity(const Body& body, ConstVectorRef v, BodyState& state) {
  const double* p = v.data() + body.v;
  state.velocity = {p[0], p[1], body.in_plane() ? 0.0 : p[2]};
  state.angular = {};
  if (body.kind == BodyKind::plane_body) {
    state.angular = {0.0, 0.0, p[2]};
  } else if (body.kind == BodyKind::space_body) {
    state.angular = apply(state.axes, {p[3], p[4], p[5]});
  }
}

void map_body_velocity(const Body& body, ConstVectorRef q, ConstVectorRef v, VectorRef q_dot) {
  const int shifts = body.kind == BodyKind::space_body ? 3 : body.nv();
  q_dot.segment(body.q, shifts) = v.segment(body.v, shifts);
  if (body.kind != BodyKind::space_body) return;
  find_quaternion_rate(q.data() + body.q + 3, v.data() + body.v + 3, q_dot.data() + body.q + 3);
}

void retract_body(const Body& body, VectorRef q, ConstVectorRef delta) {
  const int shifts = body.kind == BodyKind::space_body ? 3 : body.nv();
  q.segment(body.q, shifts) += delta.segment(body.v, shifts);
  if (body.kind != BodyKind::space_body) return;
  retract_quaternion(q.data() + body.q + 3, delta.data() + body.v + 3);
}

void find_body_increment(const Body& body, ConstVectorRef from, ConstVectorRef to,
                         VectorRef delta) {
  const int shifts = body.kind == BodyKind::space_body ? 3 : body.nv();
  delta.segment(body.v, shifts) = to.segment(body.q, shifts) - from.segment(body.q, shifts);
  if (body.kind != BodyKind::space_body) return;
  find_quaternion_increment(from.data() + body.q + 3, to.data() + body.q + 3,
                            delta.data() + body.v + 3);
}

void normalize_body(const Body& body, VectorRef q) {
  if (body.kind == BodyKind::space_body) normalize_quaternion(q.data() + body.q + 3);
}

void set_pose(const Body& body, const BodyState& state, VectorRef q) {
  double* p = q.data() + body.q;
  p[0] = state.position.x;
  p[1] = state.position.y;
  if (body.kind == BodyKind::plane_body) p[2] = state.angle;
  if (!body.in_plane()) p[2] = state.position.z;
  if (body.kind == BodyKind::space_body) find_quaternion(state.axes, p + 3);
}

// By the largest of the four squares (Shepperd 1978), so that no small number is divided by.
void find_quaternion(const Axes<double>& axes, double* quaternion) {
  const Vector3& a = axes.x;  // columns of R
  const Vector3& b = axes.y;
  const Vector3& c = axes.z;
  const double trace = a.x + b.y + c.z;
  double w = 1.0 + trace;
  double x = 1.0 + 2.0 * a.x - trace;
  double y = 1.0 + 2.0 * b.y - trace;
  double z = 1.0 + 2.0 * c.z - trace;
  if (w >= x && w >= y && w >= z) {
    x = b.z - c.y;
    y = c.x - a.z;
    z = a.y - b.x;
  } else if (x >= y && x >= z) {
    w = b.z - c.y;
    y = b.x + a.y;
    z = c.x + a.z;
  } else if (y >= z) {
    w = c.x - a.z;
    x = b.x + a.y;
    z = c.y + b.z;
  } else {
    w = a.y - b.x;
    x = c.x + a.z;
    y = c.y + b.z;
  }
  const double scale = (w < 0.0 ? -1.0 : 1.0) / std::sqrt(w * w + x * x + y * y + z * z);
  quaternion[0] = scale * w;
  quaternion[1] = scale * x;
  quaternion[2] = scale * y;
  quaternion[3] = scale * z;
}

double find_kinetic_energy(const Body& body, ConstVectorRef v) {
  const int shifts = body.in_plane() ? 2 : 3;
  double twice = 0.0;
  for (int i = 0; i < shifts; ++i) twice += body.mass * v[body.v + i] * v[body.v + i];
  if (body.kind == BodyKind::plane_body) {
    twice += body.inertia(2, 2) * v[body.v + 2] * v[body.v + 2];
  }
  if (body.kind == BodyKind::space_body) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j)
        twice += body.inertia(i, j) * v[body.v + 3 + i] * v[body.v + 3 + j];
    }
  }
  return 0.5 * twice;
}

}  // namespace driftless
