// The equations of bodies, frames, rows, laws and forces at an instant.

#include "driftless/mechanism/mechanism_system_class.hpp"
#include "driftless/mechanism/system_layout.hpp"
#include "driftless/mechanism/turn_choice.hpp"

namespace driftless {

void MechanismSystem::eval_configuration(double t, ConstVectorRef q, Workspace& base) const {
  MechanismWorkspace& ws = down_to_bodies(base);
  place(t, q, ws);
  MotionState& motion = ws.motion;
  pairs_.eval(motion, ws.phi.data(), ws.jacobian.data());
  if (!rods_.is_empty()) rods_.eval(motion, ws.phi.data(), ws.jacobian.data());
  set_zero_other_rows(ws.jacobian);
  for (const std::size_t k : other_rows_) {
    const FunctionBlock& block = parts_.rows[k].block;
    kinematics_.eval_jacobian(block, motion, ws.phi.data() + parts_.rows[k].first_row,
                              motion.jacobian.data());
    const std::size_t columns = kTwist * block.frames.size();
    for (int i = 0; i < block.function->outputs(); ++i) {
      kinematics_.add_row(block.frames,
                          motion.jacobian.data() + static_cast<std::size_t>(i) * columns, 1.0,
                          motion, ws.jacobian.row(parts_.rows[k].first_row + i));
    }
  }
  if (has_laws_)
    laws_.eval_position_rows(motion, ws.laws, ws.phi.data() + parts_.frame_rows, parts_.frame_rows,
                             ws.jacobian);
}

void MechanismSystem::eval_velocity(double t, ConstVectorRef q, ConstVectorRef v,
                                    Workspace& base) const {
  MechanismWorkspace& ws = down_to_bodies(base);
  if (has_laws_in_rows()) {
    place(t, q, ws);
    move(v, ws);
    laws_.eval_slopes(ws.laws);
  }
  eval_residual(v, ws);
}

void MechanismSystem::eval_motion(double t, ConstVectorRef q, ConstVectorRef v,
                                  Workspace& base) const {
  MechanismWorkspace& ws = down_to_bodies(base);
  place(t, q, ws);
  move(v, ws);
  if (has_laws_) laws_.eval_slopes(ws.laws);
  eval_residual(v, ws);
  eval_forces(v, ws);
}

bool MechanismSystem::eval_forces(double t, ConstVectorRef q, ConstVectorRef v,
                                  Workspace& base) const {
  if (info_.velocity_rows > 0) return false;  // their γ goes with their G and ρ
  MechanismWorkspace& ws = down_to_bodies(base);
  place(t, q, ws);
  if (kinematics_.needs_twists()) move(v, ws);
  if (has_laws_) laws_.eval_slopes(ws.laws);
  eval_forces(v, ws);
  return true;
}

void MechanismSystem::eval_invariants(double t, ConstVectorRef q, ConstVectorRef v,
                                      Workspace& base) const {
  MechanismWorkspace& ws = down_to_bodies(base);
  place(t, q, ws);
  mass_.multiply(v, ws.momentum);
  ws.invariant_v.row(0) = ws.momentum.transpose();
  ws.invariant[0] =
      0.5 * ws.momentum.dot(v) + forces_.eval_potential(ws.motion, ws.laws, ws.conservative);
  if (parts_.laws.invariants.empty()) return;
  move(v, ws);
  laws_.eval_invariants(ws.motion, ws.laws, ws);
}

void MechanismSystem::eval_invariant_gradients(double t, ConstVectorRef q, ConstVectorRef v,
                                               Workspace& base) const {
  MechanismWorkspace& ws = down_to_bodies(base);
  place(t, q, ws);
  forces_.eval_potential(ws.motion, ws.laws, ws.conservative);
  ws.invariant_q.row(0) = -ws.conservative.transpose();
  move(v, ws);
  ws.invariant_t[0] = find_state_power(ws);
  laws_.eval_invariant_gradients(ws.motion, ws.laws, ws);
  laws_.eval_velocity_partials(ws.motion, ws.laws, ws.velocity_rows_q);
}

void MechanismSystem::eval_power(double t, ConstVectorRef q, ConstVectorRef v,
                                 Workspace& base) const {
  MechanismWorkspace& ws = down_to_bodies(base);
  place(t, q, ws);
  move(v, ws);
  forces_.eval_applied(ws.motion, ws.laws, ws.applied);
  ws.power[0] = ws.applied.dot(v) + find_state_power(ws);
  ws.power_acceleration.setZero();
  laws_.eval_invariant_power(ws.laws, ws);
}

void MechanismSystem::eval_jacobian_rate(double t, ConstVectorRef q, ConstVectorRef w,
                                         Workspace& base, BlockMatrix& rate) const {
  MechanismWorkspace& ws = down_to_bodies(base);
  MotionState& motion = ws.motion;
  place(t, q, ws);
  move(w, ws);
  pairs_.eval_rate(motion, rate.data());
  if (!rods_.is_empty()) rods_.eval_rate(motion, rate.data());
  set_zero_other_rows(rate);
  for (const std::size_t k : other_rows_) {
    const FunctionBlock& block = parts_.rows[k].block;
    kinematics_.eval_jacobian(block, motion, motion.first.data(), motion.jacobian.data());
    kinematics_.eval_jacobian_rate(block, motion, motion.jacobian_rate.data());
    for (int i = 0; i < block.function->outputs(); ++i) {
      const std::size_t at = static_cast<std::size_t>(i) * kTwist * block.frames.size();
      kinematics_.add_row_rate(block.frames, motion.jacobian.data() + at,
                               motion.jacobian_rate.data() + at, 1.0, motion,
                               rate.row(parts_.rows[k].first_row + i));
    }
  }
  laws_.eval_jacobian_rate(motion, ws.laws, parts_.frame_rows, rate);
}

Linearization MechanismSystem::make_linearization() const {
  Linearization out(info_);
  std::vector<BlockPlace> pairs = linearizer_.find_pairs();
  out.stiffness = out.damping = BlockMatrix(info_.nv, info_.nv, std::move(pairs));
  std::vector<BlockPlace> rows = find_row_places(parts_, laws_, info_);
  linearizer_.add_row_places(rows);
  out.residual_q = BlockMatrix(info_.row_count(), info_.nv, std::move(rows));
  return out;
}

void MechanismSystem::eval_linearization(const Moment& moment, Workspace& base,
                                         Linearization& out) const {
  MechanismWorkspace& ws = down_to_bodies(base);
  place_all(moment, ws);
  out.set_zero();
  linearizer_.eval(moment.lambda, ws.motion, ws.laws, ws.linearizer, out);
}

void MechanismSystem::set_zero_other_rows(BlockMatrix& jacobian) const {
  for (const std::size_t k : other_rows_) {
    const RowBlock& row = parts_.rows[k];
    jacobian.set_zero(row.first_row, row.block.function->outputs());
  }
  if (parts_.frame_rows < info_.row_count())
    jacobian.set_zero(parts_.frame_rows, info_.row_count() - parts_.frame_rows);
}

void MechanismSystem::place_all(const Moment& moment, MechanismWorkspace& ws) const {
  place(moment.t, moment.q, ws);
  kinematics_.place(moment.q, ws.motion);
  move(moment.v, ws);
  kinematics_.move(moment.v, ws.motion);
}

void MechanismSystem::place(double t, ConstVectorRef q, MechanismWorkspace& ws) const {
  ws.motion.t = t;
  const bool is_new = kinematics_.place_working(q, ws.motion);
  if (!has_laws_ && needed_counters_.empty()) return;
  laws_.set_states(ws.states, ws.laws);
  // Turns are counted anew even where the pose is the same: they depend on what was accepted.
  if (!is_new && ws.laws_placed == t && needed_counters_.empty()) return;
  for (const int counter : needed_counters_) kinematics_.count_turns(counter, ws.motion);
  laws_.set_position(t, ws.motion, ws.laws);
  ws.laws_placed = t;
  ws.laws_moved = false;
  if (ws.motion.free_turns) choose_turns(parts_, laws_, joint_counters_, ws.motion, ws.laws);
}

double MechanismSystem::find_state_power(MechanismWorkspace& ws) const {
  if (info_.nc == 0) return 0.0;
  laws_.eval_states(ws.laws, ws.state_rate);
  return laws_.state_power(ws.laws);
}

void MechanismSystem::move(ConstVectorRef v, MechanismWorkspace& ws) const {
  if (!kinematics_.move_working(v, ws.motion) && ws.laws_moved) return;
  if (!has_laws_) return;
  laws_.set_velocity(ws.motion, ws.laws);
  ws.laws_moved = true;
}

void MechanismSystem::eval_forces(ConstVectorRef v, MechanismWorkspace& ws) const {
  double* gamma = ws.gamma.data();
  pairs_.eval_gamma(ws.motion, ws.jacobian.data(), v.data(), gamma);
  if (!rods_.is_empty()) rods_.eval_gamma(ws.motion, v.data(), gamma);
  for (const std::size_t k : other_rows_) {
    const RowBlock& row = parts_.rows[k];
    double* out = gamma + row.first_row;
    kinematics_.eval_motion(row.block, ws.motion, ws.motion.first.data(), out);
    for (int i = 0; i < row.block.function->outputs(); ++i) out[i] = -out[i];
  }
  forces_.eval(ws.motion, ws.laws, ws.force);
  if (kinematics_.has_space_bodies()) {
    for (const Body& body : parts_.bodies) add_gyroscopic(body, v, 1.0, ws.force);
  }
  if (!has_laws_) return;
  laws_.set_bias(ws.motion, ws.laws);
  laws_.eval_position_bias(ws.laws, gamma + parts_.frame_rows);
  laws_.eval_velocity_bias(ws.laws, gamma + info_.position_rows);
  for (int k = parts_.frame_rows; k < info_.row_count(); ++k) gamma[k] = -gamma[k];
  laws_.eval_states(ws.laws, ws.state_rate);
}

void MechanismSystem::eval_residual(ConstVectorRef v, MechanismWorkspace& ws) const {
  pairs_.eval_velocity(ws.jacobian.data(), v.data(), ws.velocity_residual.data());
  if (!rods_.is_empty())
    rods_.eval_velocity(ws.jacobian.data(), v.data(), ws.velocity_residual.data());
  for (const int strip : other_strips_)
    ws.jacobian.multiply_strip(strip, v.data(), ws.velocity_residual.data());
  if (info_.has_time_rows) {
    for (int k = parts_.frame_rows; k < info_.position_rows; ++k) {
      ws.velocity_residual[k] += laws_.time_slope(k - parts_.frame_rows, ws.laws);
    }
  }
  if (info_.velocity_rows > 0)
    laws_.eval_velocity_rows(ws.motion, ws.laws, ws.velocity_residual.data() + info_.position_rows,
                             info_.position_rows, ws.jacobian);
}

void MechanismSystem::add_gyroscopic(const Body& body, ConstVectorRef v, double factor,
                                     VectorRef force) {
  if (body.kind != BodyKind::space_body) return;
  const Vector3 w{v[body.v + 3], v[body.v + 4], v[body.v + 5]};
  const Matrix& j = body.inertia;
  const Vector3 momentum{j(0, 0) * w.x + j(0, 1) * w.y + j(0, 2) * w.z,
                         j(1, 0) * w.x + j(1, 1) * w.y + j(1, 2) * w.z,
                         j(2, 0) * w.x + j(2, 1) * w.y + j(2, 2) * w.z};
  const Vector3 torque = cross(momentum, w);
  force[body.v + 3] += factor * torque.x;
  force[body.v + 4] += factor * torque.y;
  force[body.v + 5] += factor * torque.z;
}

}  // namespace driftless
