#include "driftless/formulations/rigid_motions.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

using Matrix3 = Eigen::Matrix3d;
using Vector3d = Eigen::Vector3d;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

Matrix3 cross_matrix(const Vector3d& a) {
  Matrix3 m;
  m << 0.0, -a.z(), a.y(), a.z(), 0.0, -a.x(), -a.y(), a.x(), 0.0;
  return m;
}

Vector3d cross(const Vector3d& a, const Vector3d& b) { return cross_matrix(a) * b; }

Matrix3 find_axes(ConstVectorRef q, int first) {
  const double w = q[first], x = q[first + 1], y = q[first + 2], z = q[first + 3];
  const double s = 2.0 / (w * w + x * x + y * y + z * z);
  Matrix3 R;
  R << 1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y),  //
      s * (x * y + w * z), 1.0 - s * (x * x + z * z), s * (y * z - w * x),   //
      s * (x * z - w * y), s * (y * z + w * x), 1.0 - s * (x * x + y * y);
  return R;
}

Matrix6 find_adjoint(ConstVectorRef delta, int shift, int turn) {
  Matrix6 ad = Matrix6::Zero();
  const Matrix3 of_turn = cross_matrix(delta.segment<3>(turn));
  ad.topLeftCorner<3, 3>() = ad.bottomRightCorner<3, 3>() = of_turn;
  ad.topRightCorner<3, 3>() = cross_matrix(delta.segment<3>(shift));
  return ad;
}

/// [SE3.3] by its series, which converges for every δ.
Matrix6 find_tangent(const Matrix6& ad) {
  Matrix6 sum = Matrix6::Identity();
  Matrix6 term = Matrix6::Identity();
  for (int k = 1; k < 60; ++k) {
    term = -(term * ad).eval() / (k + 1.0);
    sum += term;
    if (term.cwiseAbs().maxCoeff() < 1e-17 * sum.cwiseAbs().maxCoeff()) break;
  }
  return sum;
}

/// V(δθ), the corner of the tangent of -δ.
Matrix3 find_screw(ConstVectorRef delta, int turn) {
  const Matrix3 of_turn = cross_matrix(delta.segment<3>(turn));
  Matrix3 sum = Matrix3::Identity();
  Matrix3 term = Matrix3::Identity();
  for (int k = 1; k < 60; ++k) {
    term = (term * of_turn).eval() / (k + 1.0);
    sum += term;
    if (term.cwiseAbs().maxCoeff() < 1e-17) break;
  }
  return sum;
}

}  // namespace

RigidMotions::RigidMotions(MechProblem& base, const SystemInfo& info)
    : base_(base),
      step_(Vector::Zero(info.nv)),
      mass_(Matrix::Zero(info.nv, info.nv)),
      jacobian_(Matrix::Zero(info.row_count(), info.nv)),
      residual_(Vector::Zero(info.nv)),
      block_(Matrix::Zero(info.nv, 3)) {
  for (const BodyInfo& body : info.bodies)
    if (body.turns == 3)
      bodies_.push_back({body.coordinate, body.coordinate + 3, body.rate, body.rate + 3});
}

// ---- between both velocities -------------------------------------------------------------------------------

void RigidMotions::set_world(const MechPoint& point) const {
  world_ = point;
  for (const Place& body : bodies_) {
    const Matrix3 R = find_axes(point.q, body.p);
    const Vector3d U = point.v.segment<3>(body.shift);
    const Vector3d W = point.v.segment<3>(body.turn);
    world_.v.segment<3>(body.shift) = R * U;
    if (point.v_dot.size() > 0)
      world_.v_dot.segment<3>(body.shift) =
          R * (Vector3d(point.v_dot.segment<3>(body.shift)) + cross(W, U));
  }
}

void RigidMotions::read(std::span<const double> y, MechPoint& point) const {
  base_.read(y, point);
  for (const Place& body : bodies_)
    point.v.segment<3>(body.shift) =
        (find_axes(point.q, body.p).transpose() * point.v.segment<3>(body.shift)).eval();
}

void RigidMotions::write(const MechPoint& point, std::span<double> y) const {
  set_world(point);
  base_.write(world_, y);
}

void RigidMotions::write_acceleration(const MechPoint& point, std::span<double> slopes) const {
  set_world(point);
  base_.write_acceleration(world_, slopes);
}

bool RigidMotions::find_motion(MechPoint& point) {
  set_world(point);
  if (!base_.find_motion(world_)) return false;
  point.v_dot = world_.v_dot;
  point.lambda = world_.lambda;
  for (const Place& body : bodies_) {
    const Vector3d U = point.v.segment<3>(body.shift);
    const Vector3d W = point.v.segment<3>(body.turn);
    const Vector3d a = world_.v_dot.segment<3>(body.shift);
    point.v_dot.segment<3>(body.shift) = find_axes(point.q, body.p).transpose() * a - cross(W, U);
  }
  return true;
}

void RigidMotions::solve_change(ConstVectorRef b, VectorRef change) {
  base_.solve_change(b, change);  // at the q of the last find_motion
  for (const Place& body : bodies_)
    change.segment<3>(body.shift) =
        (find_axes(world_.q, body.p).transpose() * change.segment<3>(body.shift)).eval();
}

void RigidMotions::eval_quadratures(const MechPoint& point, std::span<double> slopes) {
  set_world(point);
  base_.eval_quadratures(world_, slopes);
}

// ---- the equations -----------------------------------------------------------------------------------------

/// [SE3.4]
bool RigidMotions::eval_point(const MechPoint& point, MechTerms& terms) {
  set_world(point);
  if (!base_.eval_point(world_, terms)) return false;
  mass_ = terms.mass;
  jacobian_ = terms.jacobian;
  residual_ = terms.residual;
  for (const Place& body : bodies_) {
    const Matrix3 R = find_axes(point.q, body.p);
    terms.residual.segment<3>(body.shift) =
        (R.transpose() * terms.residual.segment<3>(body.shift)).eval();
    terms.jacobian.middleCols<3>(body.shift) = jacobian_.middleCols<3>(body.shift) * R;
  }
  return true;
}

/// [SE3.5]; at the point of the last eval_point.
bool RigidMotions::eval_derivatives(const MechPoint& point, MechDerivatives& out) {
  set_world(point);
  if (!base_.eval_derivatives(world_, out)) return false;
  StateSlopes& states = out.states;
  for (const Place& body : bodies_) {
    const Matrix3 R = find_axes(point.q, body.p);
    const Vector3d U = point.v.segment<3>(body.shift);
    const Vector3d W = point.v.segment<3>(body.turn);
    const Vector3d a = Vector3d(point.v_dot.segment<3>(body.shift)) + cross(W, U);
    const Matrix3 E1 = -R * cross_matrix(U);
    const auto C_shift = out.damping.middleCols<3>(body.shift);
    const auto M_shift = mass_.middleCols<3>(body.shift);
    out.stiffness.middleCols<3>(body.turn) += C_shift * E1 - M_shift * (R * cross_matrix(a)).eval();
    out.rho_q.middleCols<3>(body.turn) += jacobian_.middleCols<3>(body.shift) * E1;
    states.rate_q.middleCols<3>(body.turn) += states.rate_v.middleCols<3>(body.shift) * E1;
    const auto turn_columns = [&](Matrix& matrix) {
      if (matrix.rows() == 0) return;
      block_.topRows(matrix.rows()) = matrix.middleCols<3>(body.shift);
      matrix.middleCols<3>(body.shift) = block_.topRows(matrix.rows()) * R;
    };
    block_.conservativeResize(std::max(block_.rows(), out.rho_q.rows()), 3);
    for (Matrix* matrix :
         {&out.stiffness, &out.damping, &out.rho_q, &states.rate_q, &states.rate_v})
      turn_columns(*matrix);
    out.damping.middleCols<3>(body.shift) += M_shift * (R * cross_matrix(W)).eval();
    out.damping.middleCols<3>(body.turn) += M_shift * E1;
  }
  for (const Place& body : bodies_) {
    const Matrix3 R = find_axes(point.q, body.p);
    for (Matrix* matrix : {&out.stiffness, &out.damping, &states.residual_c})
      matrix->middleRows<3>(body.shift) =
          (R.transpose() * matrix->middleRows<3>(body.shift)).eval();
    out.stiffness.block<3, 3>(body.shift, body.turn) +=
        cross_matrix(R.transpose() * residual_.segment<3>(body.shift));
  }
  return true;
}

// ---- the manifold ------------------------------------------------------------------------------------------

/// [SE3.2]
void RigidMotions::retract(VectorRef q, ConstVectorRef delta) const {
  step_ = delta;
  for (const Place& body : bodies_)
    step_.segment<3>(body.shift) =
        find_axes(q, body.p) * (find_screw(delta, body.turn) * delta.segment<3>(body.shift));
  base_.retract(q, step_);
}

void RigidMotions::find_increment(ConstVectorRef from, ConstVectorRef to, VectorRef delta) const {
  base_.find_increment(from, to, delta);
  for (const Place& body : bodies_) {
    const Matrix3 V = find_screw(delta, body.turn);
    const Vector3d shift =
        find_axes(from, body.p).transpose() * Vector3d(delta.segment<3>(body.shift));
    // V⁻¹ by its cofactors
    Matrix3 cofactors;
    cofactors.row(0) = cross(V.col(1), V.col(2)).transpose();
    cofactors.row(1) = cross(V.col(2), V.col(0)).transpose();
    cofactors.row(2) = cross(V.col(0), V.col(1)).transpose();
    const double determinant = cofactors.row(0) * V.col(0);
    delta.segment<3>(body.shift) = cofactors * shift / determinant;
  }
}

void RigidMotions::eval_tangent(ConstVectorRef delta, Matrix& tangent) const {
  base_.eval_tangent(delta, tangent);
  for (const Place& body : bodies_) {
    const Matrix6 T = find_tangent(find_adjoint(delta, body.shift, body.turn));
    tangent.block<3, 3>(body.shift, body.shift) = T.topLeftCorner<3, 3>();
    tangent.block<3, 3>(body.shift, body.turn) = T.topRightCorner<3, 3>();
    tangent.block<3, 3>(body.turn, body.turn) = T.bottomRightCorner<3, 3>();
  }
}

void RigidMotions::eval_bracket(ConstVectorRef v, ConstVectorRef w, VectorRef bracket) const {
  bracket.setZero();
  for (const Place& body : bodies_) {
    const Vector3d U = v.segment<3>(body.shift), W = v.segment<3>(body.turn);
    const Vector3d u = w.segment<3>(body.shift), o = w.segment<3>(body.turn);
    bracket.segment<3>(body.shift) = cross(W, u) + cross(U, o);
    bracket.segment<3>(body.turn) = cross(W, o);
  }
}

}  // namespace driftless
