#include "bench/peers/planar.hpp"

#include <cmath>

namespace bench {

int PlanarModel::rows() const {
  int count = 0;
  for (const PlanarJoint& joint : joints) count += joint.kind == RowKind::pin_x ? 2 : 1;
  return count;
}

std::vector<double> PlanarModel::find_end(const double* q) const {
  if (shows_angle) return {q[2]};
  const double c = std::cos(q[2]), s = std::sin(q[2]);
  return {q[0] + c * shown_x - s * shown_y, q[1] + s * shown_x + c * shown_y};
}

PlanarSystem::PlanarSystem(PlanarModel model) : model_(std::move(model)), rows_(model_.rows()) {
  for (const PlanarBody& body : model_.bodies)
    inverse_mass_.insert(inverse_mass_.end(), {1 / body.mass, 1 / body.mass, 1 / body.inertia});
  ends_.resize(model_.joints.size());
  int row = 0;
  for (const PlanarJoint& joint : model_.joints) {
    const int a = 3 * joint.a, b = 3 * joint.b;
    switch (joint.kind) {
      case RowKind::rod:
        pattern_.insert(pattern_.end(), {{row, b}, {row, b + 1}});
        ++row;
        break;
      case RowKind::height:
        pattern_.insert(pattern_.end(), {{row, b + 1}, {row, b + 2}});
        ++row;
        break;
      default:
        for (int axis = 0; axis < 2; ++axis, ++row) {
          if (joint.a >= 0) pattern_.insert(pattern_.end(), {{row, a + axis}, {row, a + 2}});
          pattern_.insert(pattern_.end(), {{row, b + axis}, {row, b + 2}});
        }
    }
  }
}

void PlanarSystem::set_angles(const double* q) {
  std::vector<double>::size_type k = 0;
  for (const PlanarJoint& joint : model_.joints) {
    Ends& ends = ends_[k++];
    ends.ax = joint.ax;
    ends.ay = joint.ay;
    if (joint.a >= 0) {
      const double c = std::cos(q[3 * joint.a + 2]), s = std::sin(q[3 * joint.a + 2]);
      ends.ax = c * joint.ax - s * joint.ay;
      ends.ay = s * joint.ax + c * joint.ay;
    }
    const double c = std::cos(q[3 * joint.b + 2]), s = std::sin(q[3 * joint.b + 2]);
    ends.bx = c * joint.bx - s * joint.by;
    ends.by = s * joint.bx + c * joint.by;
  }
  if (model_.spring_body >= 0) {
    const double angle = q[3 * model_.spring_body + 2];
    const double c = std::cos(angle), s = std::sin(angle);
    spring_ex_ = c * model_.spring_x - s * model_.spring_y;
    spring_ey_ = s * model_.spring_x + c * model_.spring_y;
  }
}

void PlanarSystem::eval_jacobian(const double* q, double* values) const {
  for (std::size_t k = 0; k < ends_.size(); ++k) {
    const PlanarJoint& joint = model_.joints[k];
    const Ends& e = ends_[k];
    if (joint.kind == RowKind::rod) {
      *values++ = q[3 * joint.b];
      *values++ = q[3 * joint.b + 1];
    } else if (joint.kind == RowKind::height) {
      *values++ = 1;
      *values++ = e.bx;
    } else {
      if (joint.a >= 0) *values++ = -1, *values++ = e.ay;
      *values++ = 1, *values++ = -e.by;
      if (joint.a >= 0) *values++ = -1, *values++ = -e.ax;
      *values++ = 1, *values++ = e.bx;
    }
  }
}

void PlanarSystem::eval_phi(const double* q, double* phi) const {
  for (std::size_t k = 0; k < ends_.size(); ++k) {
    const PlanarJoint& joint = model_.joints[k];
    const Ends& e = ends_[k];
    const double* b = q + 3 * joint.b;
    if (joint.kind == RowKind::rod) {
      *phi++ = (b[0] * b[0] + b[1] * b[1] - joint.bx * joint.bx) / 2;
    } else if (joint.kind == RowKind::height) {
      *phi++ = b[1] + e.by;
    } else {
      const double x = joint.a >= 0 ? q[3 * joint.a] : 0, y = joint.a >= 0 ? q[3 * joint.a + 1] : 0;
      *phi++ = b[0] + e.bx - x - e.ax;
      *phi++ = b[1] + e.by - y - e.ay;
    }
  }
}

void PlanarSystem::eval_gamma(const double* v, double* gamma) const {
  for (std::size_t k = 0; k < ends_.size(); ++k) {
    const PlanarJoint& joint = model_.joints[k];
    const Ends& e = ends_[k];
    const double* b = v + 3 * joint.b;
    if (joint.kind == RowKind::rod) {
      *gamma++ = -(b[0] * b[0] + b[1] * b[1]);
      continue;
    }
    const double wb = b[2] * b[2];
    const double wa = joint.a >= 0 ? v[3 * joint.a + 2] * v[3 * joint.a + 2] : 0;
    if (joint.kind != RowKind::height) *gamma++ = wb * e.bx - wa * e.ax;
    *gamma++ = wb * e.by - wa * e.ay;
  }
}

void PlanarSystem::eval_force(const double* q, double* force) const {
  for (std::size_t k = 0; k < model_.bodies.size(); ++k) {
    force[3 * k] = force[3 * k + 2] = 0;
    force[3 * k + 1] = -model_.bodies[k].mass * model_.gravity;
  }
  if (model_.torque_body >= 0) force[3 * model_.torque_body + 2] += model_.torque;
  if (model_.spring_body < 0) return;
  double* f = force + 3 * model_.spring_body;
  const double* p = q + 3 * model_.spring_body;
  const double x = p[0] + spring_ex_ - model_.anchor_x, y = p[1] + spring_ey_ - model_.anchor_y;
  const double length = std::hypot(x, y);
  const double pull = -model_.stiffness * (length - model_.length) / length;
  f[0] += pull * x;
  f[1] += pull * y;
  f[2] += pull * (spring_ex_ * y - spring_ey_ * x);
}

double PlanarSystem::find_energy(const double* q, const double* v) const {
  double energy = 0;
  for (std::size_t k = 0; k < model_.bodies.size(); ++k) {
    const PlanarBody& body = model_.bodies[k];
    const double* w = v + 3 * k;
    energy += body.mass * (w[0] * w[0] + w[1] * w[1]) / 2 + body.inertia * w[2] * w[2] / 2 +
              body.mass * model_.gravity * q[3 * k + 1];
  }
  if (model_.torque_body >= 0) energy -= model_.torque * q[3 * model_.torque_body + 2];
  if (model_.spring_body >= 0) {
    const double* p = q + 3 * model_.spring_body;
    const double c = std::cos(p[2]), s = std::sin(p[2]);
    const double x = p[0] + c * model_.spring_x - s * model_.spring_y - model_.anchor_x;
    const double y = p[1] + s * model_.spring_x + c * model_.spring_y - model_.anchor_y;
    const double stretch = std::hypot(x, y) - model_.length;
    energy += model_.stiffness * stretch * stretch / 2;
  }
  return energy;
}

void PlanarSystem::eval_stiffness(const double* q, const double* l, bool with_force,
                                  double* blocks) const {
  std::fill(blocks, blocks + 9 * model_.bodies.size(), 0.0);
  for (std::size_t k = 0; k < ends_.size(); ++k) {
    const PlanarJoint& joint = model_.joints[k];
    const Ends& e = ends_[k];
    double* b = blocks + 9 * joint.b;
    if (joint.kind == RowKind::rod) {
      b[0] += l[0];
      b[4] += l[0];
      ++l;
    } else if (joint.kind == RowKind::height) {
      b[8] -= l[0] * e.by;
      ++l;
    } else {
      b[8] -= l[0] * e.bx + l[1] * e.by;
      if (joint.a >= 0) blocks[9 * joint.a + 8] += l[0] * e.ax + l[1] * e.ay;
      l += 2;
    }
  }
  if (!with_force || model_.spring_body < 0) return;
  // Q = -k (1 - l0/r) (d, e' . d), d = p + e - anchor: with f = k (1 - l0/r), g = k l0/r^3,
  // -dQ = (f 1 + g d dᵀ) on displacements of the end, and f e'' . d for the turn.
  double* b = blocks + 9 * model_.spring_body;
  const double* p = q + 3 * model_.spring_body;
  const double x = p[0] + spring_ex_ - model_.anchor_x, y = p[1] + spring_ey_ - model_.anchor_y;
  const double r = std::hypot(x, y);
  const double f = model_.stiffness * (1 - model_.length / r);
  const double g = model_.stiffness * model_.length / (r * r * r);
  const double t[3] = {x, y, spring_ex_ * y - spring_ey_ * x};  // d . (1, 1, e')
  const double u[2][3] = {{1, 0, -spring_ey_}, {0, 1, spring_ex_}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      b[3 * i + j] += f * (u[0][i] * u[0][j] + u[1][i] * u[1][j]) + g * t[i] * t[j];
  b[8] -= f * (spring_ex_ * x + spring_ey_ * y);
}

void PlanarSystem::eval_velocity_slope(const double* v, double* values) const {
  for (std::size_t k = 0; k < ends_.size(); ++k) {
    const PlanarJoint& joint = model_.joints[k];
    const Ends& e = ends_[k];
    const double* b = v + 3 * joint.b;
    if (joint.kind == RowKind::rod) {
      *values++ = b[0];
      *values++ = b[1];
      continue;
    }
    const double wa = joint.a >= 0 ? v[3 * joint.a + 2] : 0;
    if (joint.kind != RowKind::height) {
      if (joint.a >= 0) *values++ = 0, *values++ = e.ax * wa;
      *values++ = 0, *values++ = -e.bx * b[2];
      if (joint.a >= 0) *values++ = 0, *values++ = e.ay * wa;
    }
    *values++ = 0, *values++ = -e.by * b[2];
  }
}

}  // namespace bench
