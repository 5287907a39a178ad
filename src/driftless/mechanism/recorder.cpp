#include "driftless/mechanism/recorder.hpp"

namespace driftless {

Recorder::Recorder(const MechanismParts& parts, const Kinematics& kinematics, const Laws& laws,
                   const Forces& forces)
    : parts_(parts),
      kinematics_(kinematics),
      laws_(laws),
      forces_(forces),
      tape_(parts.record_graph, parts.records, static_cast<int>(parts.measures.size()) + 1) {
  for (const Measure& measure : parts.measures) {
    needs_accelerations_ |= needs_acceleration(measure.kind);
  }
}

RecorderWorkspace Recorder::make_workspace() const {
  int nv = 0;
  for (const Body& body : parts_.bodies) nv += body.nv();
  RecorderWorkspace ws;
  ws.variables.assign(parts_.measures.size() + 1, 0.0);
  ws.scratch = tape_.make_scratch();
  ws.force = Vector::Zero(nv);
  ws.reactions.resize(2 * parts_.rows.size());
  ws.has_reaction.assign(ws.reactions.size(), 0);
  return ws;
}

// ---- measures ----------------------------------------------------------------------------------------

void Recorder::eval(const Moment& moment, MotionState& state, LawWorkspace& laws,
                    RecorderWorkspace& ws, VectorRef values) const {
  if (parts_.records.empty()) return;
  laws_.eval_slopes(laws);
  forces_.eval_potential(state, laws, ws.force);
  forces_.eval_applied(state, laws, ws.force);
  if (needs_accelerations_) kinematics_.accelerate(moment.v_dot, state);
  ws.variables[0] = moment.t;
  std::fill(ws.has_reaction.begin(), ws.has_reaction.end(), char{0});
  for (std::size_t k = 0; k < parts_.measures.size(); ++k) {
    ws.variables[k + 1] = calc_measure(parts_.measures[k], moment, state, laws, ws);
  }
  tape_.eval(ws.variables, {values.data(), static_cast<std::size_t>(values.size())}, ws.scratch);
}

double Recorder::calc_measure(const Measure& measure, const Moment& moment, MotionState& state,
                              LawWorkspace& laws, RecorderWorkspace& ws) const {
  using Kind = Measure::Kind;
  const auto block = static_cast<std::size_t>(measure.block);
  const auto component = static_cast<std::size_t>(measure.component);
  switch (measure.kind) {
    case Kind::value:
    case Kind::rate:
    case Kind::acceleration: return calc_function(measure, state);
    case Kind::velocity:
      kinematics_.eval_velocity(parts_.velocities[block], state, state.first.data(),
                                state.jacobian.data());
      return state.first[component];
    case Kind::velocity_acceleration:
      kinematics_.eval_velocity_rate(parts_.velocities[block], state, state.first.data());
      return state.first[component];
    case Kind::joint_force:
    case Kind::joint_torque:
      return pick(measure, parts_.rows[block].block.frames.front(),
                  find_joint_wrench(measure, moment, state, ws), state);
    case Kind::relation_force:
    case Kind::relation_torque: return calc_relation_reaction(measure, moment, state, laws);
    case Kind::effort: {
      const RelationBlock& relation = parts_.relations[block];
      return -moment.lambda[relation.rows.empty() ? velocity_row(relation.velocity_rows[0])
                                                  : law_row(relation.rows[0])];
    }
    case Kind::relation_power: {
      double power = 0.0;
      for (const int row : parts_.relations[block].rows) {
        power += moment.lambda[law_row(row)] * laws_.time_slope(row, laws);
      }
      for (const int row : parts_.relations[block].velocity_rows) {
        power -= moment.lambda[velocity_row(row)] * laws_.rate_slope(row, laws);
      }
      return power;
    }
    case Kind::law_effort: return laws_.effort(measure.block, laws);
    case Kind::law_power: return laws_.power(measure.block, laws);
    case Kind::kernel_power: return forces_.calc_power(block, state, laws);
    case Kind::kernel_force:
    case Kind::kernel_torque: {
      const Wrench wrench = forces_.calc_wrench(block, state, laws);
      const Vector3& a = measure.kind == Kind::kernel_force ? wrench.force : wrench.torque;
      return component == 0 ? a.x : component == 1 ? a.y : a.z;
    }
    case Kind::state: {
      const LawParts::State& state_part = parts_.laws.states[block];
      return laws.variables[static_cast<std::size_t>(LawParts::value_of(state_part.scalar))];
    }
    case Kind::coordinate: return moment.q[measure.component];
    case Kind::kinetic: {
      double energy = 0.0;
      for (const Body& body : parts_.bodies) energy += find_kinetic_energy(body, moment.v);
      return energy;
    }
    case Kind::potential: return forces_.eval_potential(state, laws, ws.force);
  }
  return 0.0;
}

double Recorder::calc_function(const Measure& measure, MotionState& state) const {
  const FunctionBlock& block = parts_.functions[static_cast<std::size_t>(measure.block)];
  const auto output = static_cast<std::size_t>(measure.component);
  if (measure.kind == Measure::Kind::value) {
    kinematics_.eval_value(block, state, state.first.data());
    return state.first[output] +
           (measure.counter < 0 ? 0.0 : state.turns[static_cast<std::size_t>(measure.counter)]);
  }
  kinematics_.eval_motion(block, state, state.first.data(), state.second.data());
  return measure.kind == Measure::Kind::rate ? state.first[output] : state.second[output];
}

// ---- reactions ---------------------------------------------------------------------------------------

/// The component of a wrench that a measure asks for.
double Recorder::pick(const Measure& measure, int first_frame, const Wrench& wrench,
                      const MotionState& state) const {
  const bool is_force =
      measure.kind == Measure::Kind::joint_force || measure.kind == Measure::Kind::relation_force;
  Vector3 a = is_force ? wrench.force : wrench.torque;
  if (measure.in_joint_axes) {
    a = apply_inverse(state.frames[static_cast<std::size_t>(first_frame)].pose.axes, a);
  }
  return measure.component == 0 ? a.x : measure.component == 1 ? a.y : a.z;
}

/// A joint's rows are differentiated once for all its components.
const Wrench& Recorder::find_joint_wrench(const Measure& measure, const Moment& moment,
                                          MotionState& state, RecorderWorkspace& ws) const {
  const auto index = static_cast<std::size_t>(measure.block);
  const std::size_t place = 2 * index + (measure.on_first ? 0 : 1);
  Wrench& wrench = ws.reactions[place];
  if (ws.has_reaction[place] != 0) return wrench;
  ws.has_reaction[place] = 1;
  wrench = {};
  const FunctionBlock& block = parts_.rows[index].block;
  kinematics_.eval_jacobian(block, state, state.first.data(), state.jacobian.data());
  const std::size_t frame = measure.on_first ? 0 : block.frames.size() - 1;
  for (int i = 0; i < block.function->outputs(); ++i) {
    const double* g = state.jacobian.data() +
                      kTwist * (static_cast<std::size_t>(i) * block.frames.size() + frame);
    const double lambda = moment.lambda[parts_.rows[index].first_row + i];
    wrench.force = wrench.force - lambda * Vector3{g[0], g[1], g[2]};
    wrench.torque = wrench.torque - lambda * Vector3{g[3], g[4], g[5]};
  }
  return wrench;
}

double Recorder::calc_relation_reaction(const Measure& measure, const Moment& moment,
                                        MotionState& state, LawWorkspace& laws) const {
  const RelationBlock& relation = parts_.relations[static_cast<std::size_t>(measure.block)];
  const int first = relation.frames.front();
  const int frame = measure.on_first ? first : relation.frames.back();
  double sum = 0.0;
  for (const int row : relation.rows) {
    const Wrench wrench = laws_.find_row_wrench(false, row, frame, laws);
    sum -= pick(measure, first, wrench, state) * moment.lambda[law_row(row)];
  }
  for (const int row : relation.velocity_rows) {
    const Wrench wrench = laws_.find_row_wrench(true, row, frame, laws);
    sum -= pick(measure, first, wrench, state) * moment.lambda[velocity_row(row)];
  }
  return sum;
}

}  // namespace driftless
