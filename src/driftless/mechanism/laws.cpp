#include "driftless/mechanism/laws.hpp"

#include <algorithm>

namespace driftless {

// ---- evaluation --------------------------------------------------------------------------------------

void Laws::eval(const LawTape& tape, const std::vector<double>& variables,
                LawWorkspace::TapeSpace& space) {
  if (tape.size() > 0) tape.tape().eval(variables, space.out, space.scratch);
}

const std::vector<int>& Laws::frames_of(const LawScalar& scalar) const {
  const auto block = static_cast<std::size_t>(scalar.block);
  return scalar.is_velocity ? parts_.velocities[block].frames : parts_.functions[block].frames;
}

const double* Laws::jacobian_of(int scalar, const LawWorkspace& ws) const {
  const LawScalar& s = parts_.laws.scalars[static_cast<std::size_t>(scalar)];
  const std::size_t columns = kTwist * frames_of(s).size();
  const auto place = static_cast<std::size_t>(place_[static_cast<std::size_t>(scalar)]);
  return ws.jacobians[place].data() + static_cast<std::size_t>(s.output) * columns;
}

template <class Entries>
void Laws::add_scalar(int scalar, double factor, const MotionState& state, const LawWorkspace& ws,
                      Entries&& row) const {
  const LawScalar& s = parts_.laws.scalars[static_cast<std::size_t>(scalar)];
  kinematics_.add_row(frames_of(s), jacobian_of(scalar, ws), factor, state, row);
}

void Laws::set_position(double t, MotionState& state, LawWorkspace& ws) const {
  ws.variables[0] = t;
  for (std::size_t k = 0; k < functions_.size(); ++k) {
    const FunctionBlock& block = parts_.functions[static_cast<std::size_t>(functions_[k])];
    kinematics_.eval_jacobian(block, state, state.first.data(), ws.jacobians[k].data());
    for (const int i : members_[k]) {
      const LawScalar& s = parts_.laws.scalars[static_cast<std::size_t>(i)];
      const double turns = s.counter < 0 ? 0.0 : state.turns[static_cast<std::size_t>(s.counter)];
      ws.variables[static_cast<std::size_t>(LawParts::value_of(i))] =
          state.first[static_cast<std::size_t>(s.output)] + turns;
    }
  }
}

void Laws::set_velocity(MotionState& state, LawWorkspace& ws) const {
  for (std::size_t k = 0; k < functions_.size() + velocities_.size(); ++k) {
    const bool is_velocity = k >= functions_.size();
    if (is_velocity) {
      const int block = velocities_[k - functions_.size()];
      kinematics_.eval_velocity(parts_.velocities[static_cast<std::size_t>(block)], state,
                                state.first.data(), ws.jacobians[k].data());
    } else {
      const FunctionBlock& block = parts_.functions[static_cast<std::size_t>(functions_[k])];
      kinematics_.eval_motion(block, state, state.first.data(), state.second.data());
    }
    for (const int i : members_[k]) {
      const auto index = static_cast<std::size_t>(i);
      const auto output = static_cast<std::size_t>(parts_.laws.scalars[index].output);
      ws.variables[static_cast<std::size_t>(LawParts::rate_of(i))] = state.first[output];
      if (!is_velocity) ws.bias[index] = state.second[output];
    }
  }
}

void Laws::set_bias(MotionState& state, LawWorkspace& ws) const {
  for (std::size_t k = 0; k < velocities_.size(); ++k) {
    kinematics_.eval_velocity_rate(parts_.velocities[static_cast<std::size_t>(velocities_[k])],
                                   state, state.first.data());
    for (const int i : members_[functions_.size() + k]) {
      const auto index = static_cast<std::size_t>(i);
      ws.bias[index] = state.first[static_cast<std::size_t>(parts_.laws.scalars[index].output)];
    }
  }
}

// ---- rows ------------------------------------------------------------------------------------------

void Laws::eval_position_rows(const MotionState& state, LawWorkspace& ws, double* phi,
                              int first_row, BlockMatrix& jacobian) const {
  eval_slopes(ws);
  for (std::size_t k = 0; k < position_rows_.size(); ++k) {
    phi[k] = ws.position.out[k];
    for (const RowTerm& term : position_rows_[k].terms) {
      add_scalar(term.scalar, ws.position.out[static_cast<std::size_t>(term.partial)], state, ws,
                 jacobian.row(first_row + static_cast<int>(k)));
    }
  }
}

const std::vector<double>& Laws::eval_asked(LawWorkspace& ws) const {
  eval(asked_tape_, ws.variables, ws.asked);
  return ws.asked.out;
}

std::vector<int> Laws::find_frames(bool velocity_row, int row) const {
  std::vector<int> frames;
  const Row& each = (velocity_row ? velocity_rows_ : position_rows_)[static_cast<std::size_t>(row)];
  for (const RowTerm& term : each.terms) {
    const auto& more = frames_of(parts_.laws.scalars[static_cast<std::size_t>(term.scalar)]);
    frames.insert(frames.end(), more.begin(), more.end());
  }
  return frames;
}

double Laws::time_slope(int row, const LawWorkspace& ws) const {
  return ws.position.out[position_rows_.size() + static_cast<std::size_t>(row)];
}

double Laws::rate_slope(int row, const LawWorkspace& ws) const {
  double slope = 0.0;
  for (const RowTerm& term : velocity_rows_[static_cast<std::size_t>(row)].terms) {
    slope += ws.velocity.out[static_cast<std::size_t>(term.partial)] *
             ws.variables[static_cast<std::size_t>(LawParts::rate_of(term.scalar))];
  }
  return slope;
}

void Laws::eval_velocity_rows(const MotionState& state, LawWorkspace& ws, double* psi,
                              int first_row, BlockMatrix& jacobian) const {
  eval(velocity_tape_, ws.variables, ws.velocity);
  for (std::size_t k = 0; k < velocity_rows_.size(); ++k) {
    psi[k] = ws.velocity.out[k];
    const auto row = jacobian.row(first_row + static_cast<int>(k));
    row.set_zero();
    for (const RowTerm& term : velocity_rows_[k].terms) {
      add_scalar(term.scalar, ws.velocity.out[static_cast<std::size_t>(term.partial)], state, ws,
                 row);
    }
  }
}

void Laws::eval_position_bias(LawWorkspace& ws, double* bias) const {
  eval(position_motion_tape_, ws.variables, ws.position_motion);
  for (std::size_t k = 0; k < position_rows_.size(); ++k) {
    bias[k] = ws.position_motion.out[k];
    for (const RowTerm& term : position_rows_[k].terms) {
      bias[k] += ws.position.out[static_cast<std::size_t>(term.partial)] *
                 ws.bias[static_cast<std::size_t>(term.scalar)];
    }
  }
}

void Laws::eval_velocity_bias(LawWorkspace& ws, double* bias) const {
  eval(velocity_motion_tape_, ws.variables, ws.velocity_motion);
  for (std::size_t k = 0; k < velocity_rows_.size(); ++k) {
    bias[k] = ws.velocity_motion.out[k];
    for (const RowTerm& term : velocity_rows_[k].terms) {
      bias[k] += ws.velocity.out[static_cast<std::size_t>(term.partial)] *
                 ws.bias[static_cast<std::size_t>(term.scalar)];
    }
  }
}

void Laws::eval_jacobian_rate(MotionState& state, LawWorkspace& ws, int first_row,
                              BlockMatrix& rate) const {
  if (position_rows_.empty()) return;
  eval_slopes(ws);
  eval(partial_rate_tape_, ws.variables, ws.partial_rates);
  for (std::size_t k = 0; k < functions_.size(); ++k) {
    kinematics_.eval_jacobian_rate(parts_.functions[static_cast<std::size_t>(functions_[k])], state,
                                   ws.rates[k].data());
  }
  std::size_t partial = 0;
  for (std::size_t k = 0; k < position_rows_.size(); ++k) {
    const auto row = rate.row(first_row + static_cast<int>(k));
    for (const RowTerm& term : position_rows_[k].terms) {
      const LawScalar& s = parts_.laws.scalars[static_cast<std::size_t>(term.scalar)];
      const std::size_t columns = kTwist * frames_of(s).size();
      const auto place = static_cast<std::size_t>(place_[static_cast<std::size_t>(term.scalar)]);
      add_scalar(term.scalar, ws.partial_rates.out[partial++], state, ws, row);
      kinematics_.add_row_rate(
          frames_of(s), jacobian_of(term.scalar, ws),
          ws.rates[place].data() + static_cast<std::size_t>(s.output) * columns,
          ws.position.out[static_cast<std::size_t>(term.partial)], state, row);
    }
  }
}

// d(J v)/dq along each unit velocity: rarely wanted, so taken one by one.
template <class Entries>
void Laws::add_rate_change(int scalar, double factor, MotionState& state, LawWorkspace& ws,
                           Entries&& row) const {
  const LawScalar& s = parts_.laws.scalars[static_cast<std::size_t>(scalar)];
  const auto output = static_cast<std::size_t>(s.output);
  const Vector v = state.v;
  const auto nv = v.size();
  Vector unit = Vector::Zero(nv);
  Vector change = Vector::Zero(nv);
  for (Eigen::Index i = 0; i < nv; ++i) {
    unit[i] = 1.0;
    if (s.is_velocity) {
      kinematics_.eval_velocity_change(parts_.velocities[static_cast<std::size_t>(s.block)], unit,
                                       state, state.first.data());
      change[i] = state.first[output];
    } else {
      const FunctionBlock& block = parts_.functions[static_cast<std::size_t>(s.block)];
      const std::size_t columns = kTwist * block.frames.size();
      Vector entries = Vector::Zero(nv);
      kinematics_.move(unit, state);
      kinematics_.eval_jacobian_rate(block, state, state.jacobian_rate.data());
      kinematics_.add_row_rate(block.frames, jacobian_of(scalar, ws),
                               state.jacobian_rate.data() + output * columns, 1.0, state, entries);
      change[i] = entries.dot(v);
    }
    unit[i] = 0.0;
  }
  kinematics_.move(v, state);
  for (Eigen::Index i = 0; i < nv; ++i) row[i] += factor * change[i];
}

void Laws::eval_velocity_partials(MotionState& state, LawWorkspace& ws, Matrix& partials) const {
  if (velocity_rows_.empty()) return;
  partials.setZero();
  eval(velocity_tape_, ws.variables, ws.velocity);
  eval(velocity_partial_tape_, ws.variables, ws.velocity_partials);
  for (std::size_t k = 0; k < velocity_rows_.size(); ++k) {
    auto row = partials.row(static_cast<Eigen::Index>(k));
    for (const RowTerm& term : velocity_values_[k].terms) {
      add_scalar(term.scalar, ws.velocity_partials.out[static_cast<std::size_t>(term.partial)],
                 state, ws, row);
    }
    for (const RowTerm& term : velocity_rows_[k].terms) {
      add_rate_change(term.scalar, ws.velocity.out[static_cast<std::size_t>(term.partial)], state,
                      ws, row);
    }
  }
}

Wrench Laws::find_row_wrench(bool velocity_row, int row, int frame, const LawWorkspace& ws) const {
  const Row& each = (velocity_row ? velocity_rows_ : position_rows_)[static_cast<std::size_t>(row)];
  const std::vector<double>& out = velocity_row ? ws.velocity.out : ws.position.out;
  Wrench wrench{};
  for (const RowTerm& term : each.terms) {
    const LawScalar& s = parts_.laws.scalars[static_cast<std::size_t>(term.scalar)];
    const std::vector<int>& frames = frames_of(s);
    const double* g = jacobian_of(term.scalar, ws);
    const double slope = out[static_cast<std::size_t>(term.partial)];
    for (std::size_t j = 0; j < frames.size(); ++j, g += kTwist) {
      if (frames[j] != frame) continue;
      wrench += {slope * Vector3{g[0], g[1], g[2]}, slope * Vector3{g[3], g[4], g[5]}};
    }
  }
  return wrench;
}

// ---- forces ------------------------------------------------------------------------------------------

double Laws::eval_potential(const MotionState& state, LawWorkspace& ws, Vector& force) const {
  eval(potential_tape_, ws.variables, ws.potential);
  const std::size_t count = potential_forces_.size();
  double energy = 0.0;
  for (std::size_t k = 0; k < count; ++k) {
    energy += ws.potential.out[k];
    const auto index = static_cast<std::size_t>(potential_forces_[k]);
    add_scalar(parts_.laws.forces[index].scalar, -ws.potential.out[count + k], state, ws, force);
  }
  return energy;
}

void Laws::eval_applied(const MotionState& state, LawWorkspace& ws, Vector& force) const {
  eval(applied_tape_, ws.variables, ws.applied);
  for (std::size_t k = 0; k < applied_forces_.size(); ++k) {
    const auto index = static_cast<std::size_t>(applied_forces_[k]);
    add_scalar(parts_.laws.forces[index].scalar, ws.applied.out[k], state, ws, force);
  }
}

const double* Laws::eval_inputs(LawWorkspace& ws) const {
  eval(input_tape_, ws.variables, ws.inputs);
  return ws.inputs.out.data();
}

double Laws::effort(int force, const LawWorkspace& ws) const {
  const int potential = potential_place_[static_cast<std::size_t>(force)];
  const int applied = applied_place_[static_cast<std::size_t>(force)];
  double effort = 0.0;
  if (potential >= 0) {
    effort -= ws.potential.out[potential_forces_.size() + static_cast<std::size_t>(potential)];
  }
  if (applied >= 0) effort += ws.applied.out[static_cast<std::size_t>(applied)];
  return effort;
}

double Laws::power(int force, const LawWorkspace& ws) const {
  const int scalar = parts_.laws.forces[static_cast<std::size_t>(force)].scalar;
  return effort(force, ws) * ws.variables[static_cast<std::size_t>(LawParts::rate_of(scalar))];
}

std::pair<double, double> Laws::potential(int force, const LawWorkspace& ws) const {
  const int place = potential_place_[static_cast<std::size_t>(force)];
  if (place < 0) return {0.0, 0.0};
  const auto index = static_cast<std::size_t>(place);
  return {ws.potential.out[index], ws.potential.out[potential_forces_.size() + index]};
}

void Laws::add_unit_force(int force, const MotionState& state, const LawWorkspace& ws,
                          Vector& row) const {
  add_scalar(parts_.laws.forces[static_cast<std::size_t>(force)].scalar, 1.0, state, ws, row);
}

// ---- states --------------------------------------------------------------------------------------------

void Laws::set_states(const Vector& c, LawWorkspace& ws) const {
  for (std::size_t k = 0; k < parts_.laws.states.size(); ++k)
    ws.variables[static_cast<std::size_t>(LawParts::value_of(parts_.laws.states[k].scalar))] =
        c[static_cast<Eigen::Index>(k)];
}

void Laws::eval_states(LawWorkspace& ws, Vector& rate) const {
  eval(state_tape_, ws.variables, ws.states);
  std::copy_n(ws.states.out.begin(), rate.size(), rate.begin());
}

double Laws::state_power(int force, const LawWorkspace& ws) const {
  const int place = potential_place_[static_cast<std::size_t>(force)];
  if (place < 0 || ws.states.out.empty()) return 0.0;
  return ws.states.out[parts_.laws.states.size() + static_cast<std::size_t>(place)];
}

double Laws::state_power(const LawWorkspace& ws) const {
  double sum = 0.0;
  for (std::size_t k = parts_.laws.states.size(); k < ws.states.out.size(); ++k)
    sum += ws.states.out[k];
  return sum;
}

// ---- invariants ----------------------------------------------------------------------------------------

void Laws::eval_invariants(const MotionState& state, LawWorkspace& ws, Workspace& out) const {
  eval(invariant_tape_, ws.variables, ws.invariants);
  eval(invariant_partial_tape_, ws.variables, ws.invariant_partials);
  for (std::size_t k = 0; k < invariants_.size(); ++k) {
    const auto index = static_cast<Eigen::Index>(k) + 1;
    out.invariant[index] = ws.invariants.out[k];
    auto row = out.invariant_v.row(index);
    row.setZero();
    for (const RowTerm& term : invariants_[k].by_rate) {
      add_scalar(term.scalar, ws.invariant_partials.out[static_cast<std::size_t>(term.partial)],
                 state, ws, row);
    }
  }
}

void Laws::eval_invariant_gradients(MotionState& state, LawWorkspace& ws, Workspace& out) const {
  eval(invariant_tape_, ws.variables, ws.invariants);
  eval(invariant_partial_tape_, ws.variables, ws.invariant_partials);
  for (std::size_t k = 0; k < invariants_.size(); ++k) {
    const auto index = static_cast<Eigen::Index>(k) + 1;
    out.invariant_t[index] = ws.invariants.out[invariants_.size() + k];
    auto row = out.invariant_q.row(index);
    row.setZero();
    for (const RowTerm& term : invariants_[k].by_value) {
      add_scalar(term.scalar, ws.invariant_partials.out[static_cast<std::size_t>(term.partial)],
                 state, ws, row);
    }
    for (const RowTerm& term : invariants_[k].by_rate) {
      add_rate_change(term.scalar,
                      ws.invariant_partials.out[static_cast<std::size_t>(term.partial)], state, ws,
                      row);
    }
  }
}

void Laws::eval_invariant_power(LawWorkspace& ws, Workspace& out) const {
  eval(invariant_tape_, ws.variables, ws.invariants);
  for (std::size_t k = 0; k < invariants_.size(); ++k) {
    out.power[static_cast<Eigen::Index>(k) + 1] = ws.invariants.out[2 * invariants_.size() + k];
  }
}

}  // namespace driftless
