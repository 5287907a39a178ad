// Derivatives in joint coordinates: direction after direction, by lines along which the tree and what acts on it move.

#include "driftless/mechanism/joint_system_class.hpp"

namespace driftless {

void JointSystem::eval_invariant_gradients(double t, ConstVectorRef q, ConstVectorRef v,
                                           Workspace& base) const {
  JointWorkspace& ws = down_to_joints(base);
  move_bodies(q, v, ws);
  make_slopes(ws);
  open_->eval_configuration(t, ws.body_q, *ws.open);
  open_->eval_velocity(t, ws.body_q, ws.body_v, *ws.open);
  open_->eval_invariants(t, ws.body_q, ws.body_v, *ws.open);
  open_->eval_invariant_gradients(t, ws.body_q, ws.body_v, *ws.open);
  ws.invariant_t = ws.open->invariant_t;
  const int m = info_.velocity_rows;
  for (int k = 0; k < info_.nv; ++k) {  // [JSY.3]
    ws.direction.setZero();
    ws.direction[k] = 1.0;
    bodies_.find_velocities(ws.direction, ws.tree, ws.bodies, ws.body_v_dot);
    ws.change.setZero();
    slopes_.eval({q, v, ws.change, &ws.direction}, ws.slopes, ws.velocity_change,
                 ws.acceleration_change);
    ws.invariant_q.col(k).noalias() = ws.open->invariant_q * ws.body_v_dot;
    ws.invariant_q.col(k).noalias() += ws.open->invariant_v * ws.velocity_change;
    if (m == 0) continue;
    ws.velocity_rows_q.col(k).noalias() = ws.open->velocity_rows_q * ws.body_v_dot;
    ws.open->jacobian.multiply(ws.velocity_change, ws.row_values);
    ws.velocity_rows_q.col(k) += ws.row_values.tail(m);
  }
}

void JointSystem::eval_jacobian_rate(double t, ConstVectorRef q, ConstVectorRef w, Workspace& base,
                                     BlockMatrix& rate) const {
  JointWorkspace& ws = down_to_joints(base);
  make_slopes(ws);
  place_bodies(q, ws);
  ws.direction = w;
  bodies_.find_velocities(w, ws.tree, ws.bodies, ws.body_v);
  open_->eval_configuration(t, ws.body_q, *ws.open);
  open_->eval_jacobian_rate(t, ws.body_q, ws.body_v, *ws.open, ws.body_rate);
  ws.change.setZero();
  slopes_.eval({q, w, ws.change, &ws.direction}, ws.slopes, ws.velocity_change,
               ws.acceleration_change);
  for (const Strip& strip : rate.strips()) {
    for (int i = strip.row; i < std::min(strip.row + strip.rows, info_.position_rows); ++i) {
      read_row(ws.open->jacobian, i, ws.body_row);
      read_row(ws.body_rate, i, ws.force_change);
      slopes_.eval_force(ws.body_row, ws.force_change, ws.slopes, ws.change);
      for (int b = strip.first_block; b < strip.first_block + strip.blocks; ++b) {
        const Block& block = rate.blocks()[static_cast<std::size_t>(b)];
        for (int j = 0; j < block.columns; ++j) {
          rate.data()[block.first + j * block.rows + i - strip.row] = ws.change[block.column + j];
        }
      }
    }
  }
}

// [JSY.4]
void JointSystem::eval_linearization(const Moment& moment, Workspace& base,
                                     Linearization& out) const {
  JointWorkspace& ws = down_to_joints(base);
  make_slopes(ws);
  if (ws.of_bodies.stiffness.rows() == 0) ws.of_bodies = open_->make_linearization();
  set_moment(moment, ws);
  open_->eval_configuration(moment.t, ws.body_q, *ws.open);
  open_->eval_motion(moment.t, ws.body_q, ws.body_v, *ws.open);
  open_->eval_linearization({moment.t, ws.body_q, ws.body_v, ws.body_v_dot, moment.lambda},
                            *ws.open, ws.of_bodies);
  ws.open->mass.multiply(ws.body_v_dot, ws.body_force);
  ws.body_force -= ws.open->force;
  ws.open->jacobian.add_transposed(moment.lambda, 1.0, ws.body_force);
  for (int k = 0; k < info_.nv; ++k) {
    ws.direction.setZero();
    ws.direction[k] = 1.0;
    bodies_.find_velocities(ws.direction, ws.tree, ws.bodies, ws.body_row);
    slopes_.eval({moment.q, moment.v, moment.v_dot, &ws.direction}, ws.slopes, ws.velocity_change,
                 ws.acceleration_change);
    ws.force_change.setZero();
    add_product(ws.of_bodies.stiffness, ws.body_row, ws.force_change);
    add_product(ws.of_bodies.damping, ws.velocity_change, ws.force_change);
    add_product(ws.open->mass, ws.acceleration_change, ws.force_change);
    slopes_.eval_force(ws.body_force, ws.force_change, ws.slopes, ws.change);
    out.stiffness.whole().col(k) = ws.change;
    auto residual = out.residual_q.whole().col(k);
    residual.setZero();
    add_product(ws.of_bodies.residual_q, ws.body_row, residual);
    add_product(ws.open->jacobian, ws.velocity_change, residual);
    if (info_.nc > 0) {
      out.states.rate_q.col(k).noalias() = ws.of_bodies.states.rate_q * ws.body_row;
      out.states.rate_q.col(k).noalias() += ws.of_bodies.states.rate_v * ws.velocity_change;
      out.states.rate_v.col(k).noalias() = ws.of_bodies.states.rate_v * ws.body_row;
    }
    slopes_.eval({moment.q, moment.v, moment.v_dot, nullptr, &ws.direction}, ws.slopes,
                 ws.velocity_change, ws.acceleration_change);
    ws.force_change.setZero();
    add_product(ws.of_bodies.damping, ws.velocity_change, ws.force_change);
    add_product(ws.open->mass, ws.acceleration_change, ws.force_change);
    slopes_.eval_force(ws.body_force, ws.force_change, ws.slopes, ws.change);
    out.damping.whole().col(k) = ws.change;
  }
  for (int k = 0; k < info_.nc; ++k) {
    ws.body_row = ws.of_bodies.states.residual_c.col(k);
    ws.change.setZero();
    bodies_.add_force(ws.body_row, 1.0, ws.tree, ws.bodies, ws.change);
    out.states.residual_c.col(k) = ws.change;
  }
  out.states.rate_c = ws.of_bodies.states.rate_c;
}

/// (dM/dt) v = d(Vᵀ M_b V v) along v, and for turns about axes of a body, which turn themselves, ω×(M v).
void JointSystem::add_momentum_rate(double /*t*/, ConstVectorRef q, ConstVectorRef v,
                                    Workspace& base, VectorRef force) const {
  JointWorkspace& ws = down_to_joints(base);
  make_slopes(ws);
  move_bodies(q, v, ws);
  ws.direction = v;
  ws.change.setZero();
  slopes_.eval({q, v, ws.change, &ws.direction}, ws.slopes, ws.velocity_change,
               ws.acceleration_change);
  ws.open->mass.multiply(ws.body_v, ws.body_force);
  ws.open->mass.multiply(ws.velocity_change, ws.force_change);
  slopes_.eval_force(ws.body_force, ws.force_change, ws.slopes, ws.change);
  force += ws.change;
  recursion_.multiply(v, ws.tree, ws.change);
  for (const TreeBody& tree : spanning_.tree) {
    if (!has_quaternion(tree.kind)) continue;
    const int at = tree.v + count_rates(tree.kind) - 3;
    const Vector3 turn = cross(Vector3{v[at], v[at + 1], v[at + 2]},
                               Vector3{ws.change[at], ws.change[at + 1], ws.change[at + 2]});
    force[at] += turn.x;
    force[at + 1] += turn.y;
    force[at + 2] += turn.z;
  }
}

}  // namespace driftless
