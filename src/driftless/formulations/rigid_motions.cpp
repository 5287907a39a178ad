#include "driftless/formulations/rigid_motions.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "driftless/formulations/mech_field.hpp"

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
      tangent_(make_identity(info, 6)),
      residual_(Vector::Zero(info.nv)) {
  for (const BodyInfo& body : info.bodies)
    if (body.turns == 3 && body.rates == 6)  // a ball joint's turns have no shift beside them
      bodies_.push_back({body.coordinate, body.coordinate + 3, body.rate, body.rate + 3});
  turned_.resize(bodies_.size());
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

template <class Visit>
void RigidMotions::for_each_part(const BlockMatrix& A, Visit visit) const {
  for (const Block& block : A.blocks()) {
    if (block.rows == 0) continue;
    auto body = std::lower_bound(bodies_.begin(), bodies_.end(), block.column,
                                 [](const Place& each, int rate) { return each.shift < rate; });
    for (; body != bodies_.end() && body->shift < block.column + block.columns; ++body)
      visit(block.row, block.rows, static_cast<std::size_t>(body - bodies_.begin()));
  }
}

void RigidMotions::set_turned(const MechPoint& point) {
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const Place& body = bodies_[k];
    const Vector3d U = point.v.segment<3>(body.shift);
    const Vector3d W = point.v.segment<3>(body.turn);
    const Vector3d a = Vector3d(point.v_dot.segment<3>(body.shift)) + cross(W, U);
    Turned& turned = turned_[k];
    turned.R = find_axes(point.q, body.p);
    turned.E1 = -turned.R * cross_matrix(U);
    turned.E2 = -turned.R * cross_matrix(a);
    turned.E4 = turned.R * cross_matrix(W);
  }
}

/// [SE3.4]
bool RigidMotions::eval_point(const MechPoint& point, MechTerms& terms) {
  set_world(point);
  if (!base_.eval_point(world_, terms)) return false;
  mass_.take(terms.mass);
  jacobian_.take(terms.jacobian);
  residual_ = terms.residual;
  set_turned(point);
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    auto shift = terms.residual.segment<3>(bodies_[k].shift);
    shift = (turned_[k].R.transpose() * shift).eval();
  }
  for_each_part(jacobian_, [&](int row, int rows, std::size_t k) {
    const int shift = bodies_[k].shift;
    terms.jacobian.part(row, shift, rows, 3) =
        std::as_const(jacobian_).part(row, shift, rows, 3).lazyProduct(turned_[k].R);
  });
  return true;
}

void RigidMotions::turn_rates(StateSlopes& states) const {
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const Place& body = bodies_[k];
    const Turned& turned = turned_[k];
    for (Eigen::Index i = 0; i < states.count(); ++i) {
      auto rate_q = states.rate_q.row(i);
      auto rate_v = states.rate_v.row(i);
      rate_q.segment<3>(body.turn) += rate_v.segment<3>(body.shift) * turned.E1;
      rate_q.segment<3>(body.shift) = (rate_q.segment<3>(body.shift) * turned.R).eval();
      rate_v.segment<3>(body.shift) = (rate_v.segment<3>(body.shift) * turned.R).eval();
    }
    if (states.count() > 0)
      states.residual_c.middleRows<3>(body.shift) =
          (turned.R.transpose() * states.residual_c.middleRows<3>(body.shift)).eval();
  }
}

/// [SE3.5]; at the point of the last eval_point.
bool RigidMotions::eval_derivatives(const MechPoint& point, MechDerivatives& out) {
  set_world(point);
  if (!base_.eval_derivatives(world_, out)) return false;
  set_turned(point);
  turn_rates(out.states);
  const auto turn_columns = [&](BlockMatrix& A, int row, int rows, std::size_t k) {
    auto shift = A.part(row, bodies_[k].shift, rows, 3);
    for (int i = 0; i < rows; ++i) shift.row(i) = (shift.row(i) * turned_[k].R).eval();
  };
  for_each_part(out.stiffness, [&](int row, int rows, std::size_t k) {
    const Place& body = bodies_[k];
    out.stiffness.part(row, body.turn, rows, 3) +=
        out.damping.part(row, body.shift, rows, 3).lazyProduct(turned_[k].E1);
    turn_columns(out.stiffness, row, rows, k);
    turn_columns(out.damping, row, rows, k);
  });
  for_each_part(mass_, [&](int row, int rows, std::size_t k) {
    const Place& body = bodies_[k];
    const auto shift = std::as_const(mass_).part(row, body.shift, rows, 3);
    out.stiffness.part(row, body.turn, rows, 3) += shift.lazyProduct(turned_[k].E2);
    out.damping.part(row, body.shift, rows, 3) += shift.lazyProduct(turned_[k].E4);
    out.damping.part(row, body.turn, rows, 3) += shift.lazyProduct(turned_[k].E1);
  });
  for_each_part(out.rho_q,
                [&](int row, int rows, std::size_t k) { turn_columns(out.rho_q, row, rows, k); });
  for_each_part(jacobian_, [&](int row, int rows, std::size_t k) {
    const Place& body = bodies_[k];
    out.rho_q.part(row, body.turn, rows, 3) +=
        std::as_const(jacobian_).part(row, body.shift, rows, 3).lazyProduct(turned_[k].E1);
  });
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const Place& body = bodies_[k];
    const Matrix3 back = turned_[k].R.transpose();
    for (BlockMatrix* matrix : {&out.stiffness, &out.damping}) {
      const Strip& strip = *matrix->find_strip(body.shift);
      for (int b = strip.first_block; b < strip.first_block + strip.blocks; ++b) {
        const Block& block = matrix->blocks()[static_cast<std::size_t>(b)];
        auto rows = matrix->part(body.shift, block.column, 3, block.columns);
        for (int j = 0; j < block.columns; ++j) rows.col(j) = (back * rows.col(j)).eval();
      }
    }
    out.stiffness.part(body.shift, body.turn, 3, 3) +=
        cross_matrix(back * residual_.segment<3>(body.shift));
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

void RigidMotions::eval_tangent(ConstVectorRef delta, BlockMatrix& tangent) const {
  for (const Place& body : bodies_)
    tangent.part(body.shift, body.shift, 6, 6) =
        find_tangent(find_adjoint(delta, body.shift, body.turn));
}

void RigidMotions::eval_bracket(ConstVectorRef v, ConstVectorRef w, VectorRef bracket) const {
  base_.eval_bracket(v, w, bracket);
  for (const Place& body : bodies_) {
    const Vector3d U = v.segment<3>(body.shift), W = v.segment<3>(body.turn);
    const Vector3d u = w.segment<3>(body.shift), o = w.segment<3>(body.turn);
    bracket.segment<3>(body.shift) = cross(W, u) + cross(U, o);
    bracket.segment<3>(body.turn) = cross(W, o);
  }
}

}  // namespace driftless
