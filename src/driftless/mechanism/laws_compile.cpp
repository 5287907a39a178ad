// From the laws' graph to tapes: which derivatives are wanted, and where each ends up.

#include <algorithm>

#include "driftless/mechanism/laws.hpp"

namespace driftless {

Laws::Laws(const MechanismParts& parts, const Kinematics& kinematics)
    : parts_(parts), kinematics_(kinematics) {
  find_used_blocks();
  Graph graph = parts.laws.graph;  // derivatives are added to it
  compile_position_rows(graph);
  compile_velocity_rows(graph);
  compile_forces(graph);
  compile_states(graph);
  compile_invariants(graph);
}

bool Laws::is_empty() const {
  return parts_.laws.scalars.empty() && position_rows_.empty() && velocity_rows_.empty() &&
         parts_.laws.forces.empty() && parts_.laws.states.empty() && invariants_.empty() &&
         input_tape_.size() == 0;
}

void Laws::find_used_blocks() {
  for (const LawScalar& scalar : parts_.laws.scalars) {
    if (scalar.state >= 0) continue;
    std::vector<int>& list = scalar.is_velocity ? velocities_ : functions_;
    if (std::find(list.begin(), list.end(), scalar.block) == list.end()) {
      list.push_back(scalar.block);
    }
    if (scalar.counter >= 0) counters_.push_back(scalar.counter);
  }
  for (const LawScalar& scalar : parts_.laws.scalars) {
    if (scalar.state >= 0) {
      place_.push_back(-1);
      continue;
    }
    const std::vector<int>& list = scalar.is_velocity ? velocities_ : functions_;
    const auto found = std::find(list.begin(), list.end(), scalar.block) - list.begin();
    place_.push_back(static_cast<int>(found) +
                     (scalar.is_velocity ? static_cast<int>(functions_.size()) : 0));
  }
  members_.resize(functions_.size() + velocities_.size());
  for (std::size_t k = 0; k < place_.size(); ++k) {
    if (place_[k] < 0) continue;
    members_[static_cast<std::size_t>(place_[k])].push_back(static_cast<int>(k));
  }
}

LawTape Laws::make_tape(const Graph& graph, const std::vector<NodeId>& nodes) const {
  return {graph, nodes, parts_.laws.variable_count()};
}

std::vector<Laws::RowTerm> Laws::add_partials(Graph& graph, NodeId node, bool by_rate,
                                              std::vector<NodeId>& outputs) const {
  std::vector<RowTerm> terms;
  const std::vector<int> variables = graph.dependencies(node);
  for (const int variable : variables) {
    const bool is_rate = variable > 0 && variable % 2 == 0;
    if (variable == LawParts::time() || is_rate != by_rate) continue;
    if (parts_.laws.scalars[static_cast<std::size_t>((variable - 1) / 2)].state >= 0) continue;
    terms.push_back({(variable - 1) / 2, static_cast<int>(outputs.size())});
    outputs.push_back(graph.derivative(node, variable));
  }
  return terms;
}

/// D node [(1 or 0, r)]: along the motion, rates held.
NodeId Laws::derive(Graph& graph, NodeId node, bool with_time) const {
  std::vector<int> wrt;
  std::vector<NodeId> direction;
  if (with_time) {
    wrt.push_back(LawParts::time());
    direction.push_back(graph.constant(1.0));
  }
  for (int k = 0; k < static_cast<int>(parts_.laws.scalars.size()); ++k) {
    const LawScalar& scalar = parts_.laws.scalars[static_cast<std::size_t>(k)];
    if (scalar.is_velocity || scalar.state >= 0) continue;
    wrt.push_back(LawParts::value_of(k));
    direction.push_back(graph.variable(LawParts::rate_of(k)));
  }
  return graph.directional(node, wrt, direction);
}

void Laws::compile_position_rows(Graph& graph) {
  const std::vector<LawParts::Row>& rows = parts_.laws.position_rows;
  std::vector<NodeId> outputs;
  for (const LawParts::Row& row : rows) outputs.push_back(row.node);
  for (const LawParts::Row& row : rows) {
    rows_use_time_ |= graph.depends_on(row.node, LawParts::time());
    outputs.push_back(graph.derivative(row.node, LawParts::time()));
  }
  std::vector<NodeId> bends;
  std::vector<NodeId> partial_rates;
  for (const LawParts::Row& row : rows) {
    const std::size_t before = outputs.size();
    position_rows_.push_back({add_partials(graph, row.node, false, outputs)});
    for (std::size_t k = before; k < outputs.size(); ++k) {
      partial_rates.push_back(derive(graph, outputs[k], false));
    }
    bends.push_back(derive(graph, derive(graph, row.node, true), true));
  }
  std::vector<NodeId> asked;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (rows[k].asked < 0) continue;
    prescribing_rows_.push_back(static_cast<int>(k));
    asked.push_back(rows[k].asked);
  }
  asked_tape_ = make_tape(graph, asked);
  position_tape_ = make_tape(graph, outputs);
  position_motion_tape_ = make_tape(graph, bends);
  partial_rate_tape_ = make_tape(graph, partial_rates);
}

void Laws::compile_velocity_rows(Graph& graph) {
  const std::vector<LawParts::Row>& rows = parts_.laws.velocity_rows;
  std::vector<NodeId> outputs;
  std::vector<NodeId> motions;
  std::vector<NodeId> values;
  for (const LawParts::Row& row : rows) outputs.push_back(row.node);
  for (const LawParts::Row& row : rows) {
    velocity_rows_.push_back({add_partials(graph, row.node, true, outputs)});
    velocity_values_.push_back({add_partials(graph, row.node, false, values)});
    motions.push_back(derive(graph, row.node, true));
    // Ψ = Ψ_r r: then the row does no work.
    NodeId homogeneous = graph.constant(0.0);
    for (const RowTerm& term : velocity_rows_.back().terms) {
      const NodeId slope = outputs[static_cast<std::size_t>(term.partial)];
      const std::vector<int>& variables = graph.dependencies(slope);
      for (const int variable : variables) {
        if (variable > 0 && variable % 2 == 0) velocity_rows_linear_ = false;
      }
      homogeneous =
          graph.add(homogeneous, graph.mul(slope, graph.variable(LawParts::rate_of(term.scalar))));
    }
    if (!graph.is_zero(graph.sub(row.node, homogeneous))) velocity_rows_feed_ = true;
  }
  velocity_tape_ = make_tape(graph, outputs);
  velocity_motion_tape_ = make_tape(graph, motions);
  velocity_partial_tape_ = make_tape(graph, values);
}

void Laws::compile_forces(Graph& graph) {
  std::vector<NodeId> potentials;
  std::vector<NodeId> slopes;
  std::vector<NodeId> applied;
  for (std::size_t k = 0; k < parts_.laws.forces.size(); ++k) {
    const LawParts::Force& force = parts_.laws.forces[k];
    potential_place_.push_back(-1);
    applied_place_.push_back(-1);
    if (force.potential >= 0) {
      potential_place_.back() = static_cast<int>(potentials.size());
      potential_forces_.push_back(static_cast<int>(k));
      potentials.push_back(force.potential);
      slopes.push_back(graph.derivative(force.potential, LawParts::value_of(force.scalar)));
    }
    if (force.applied >= 0 && !graph.is_zero(force.applied)) {
      applied_place_.back() = static_cast<int>(applied.size());
      applied_forces_.push_back(static_cast<int>(k));
      applied.push_back(force.applied);
    }
  }
  has_applied_ = !applied.empty();
  potentials.insert(potentials.end(), slopes.begin(), slopes.end());
  potential_tape_ = make_tape(graph, potentials);
  applied_tape_ = make_tape(graph, applied);
  input_tape_ = make_tape(graph, parts_.laws.inputs);
}

/// node_c d
NodeId Laws::along_states(Graph& graph, NodeId node) const {
  std::vector<NodeId> rates;
  std::vector<int> variables;
  for (const LawParts::State& state : parts_.laws.states) {
    rates.push_back(state.rate);
    variables.push_back(LawParts::value_of(state.scalar));
  }
  return rates.empty() ? graph.constant(0.0) : graph.directional(node, variables, rates);
}

/// d, then U_c d of each potential.
void Laws::compile_states(Graph& graph) {
  std::vector<NodeId> nodes;
  for (const LawParts::State& state : parts_.laws.states) nodes.push_back(state.rate);
  if (nodes.empty()) return;
  for (const int force : potential_forces_)
    nodes.push_back(
        along_states(graph, parts_.laws.forces[static_cast<std::size_t>(force)].potential));
  state_tape_ = make_tape(graph, nodes);
}

void Laws::compile_invariants(Graph& graph) {
  std::vector<NodeId> outputs;
  std::vector<NodeId> partials;
  for (const auto& each : parts_.laws.invariants) outputs.push_back(each.value);
  for (const auto& each : parts_.laws.invariants) {
    outputs.push_back(
        graph.add(graph.derivative(each.value, LawParts::time()), along_states(graph, each.value)));
    invariants_.push_back({add_partials(graph, each.value, false, partials),
                           add_partials(graph, each.value, true, partials)});
  }
  for (const auto& each : parts_.laws.invariants) outputs.push_back(each.power);
  invariant_tape_ = make_tape(graph, outputs);
  invariant_partial_tape_ = make_tape(graph, partials);
}

LawWorkspace Laws::make_workspace() const {
  LawWorkspace ws;
  ws.variables.assign(static_cast<std::size_t>(parts_.laws.variable_count()), 0.0);
  ws.bias.assign(parts_.laws.scalars.size(), 0.0);
  for (const int index : functions_) {
    const FunctionBlock& block = parts_.functions[static_cast<std::size_t>(index)];
    const auto size =
        static_cast<std::size_t>(block.function->outputs()) * block.frames.size() * kTwist;
    ws.jacobians.emplace_back(size, 0.0);
    ws.rates.emplace_back(size, 0.0);
  }
  for (const int index : velocities_) {
    const VelocityBlock& block = parts_.velocities[static_cast<std::size_t>(index)];
    ws.jacobians.emplace_back(
        static_cast<std::size_t>(block.function->outputs()) * block.frames.size() * kTwist, 0.0);
  }
  const auto make = [](const LawTape& tape, LawWorkspace::TapeSpace& space) {
    space.scratch = tape.scratch();
    space.out.assign(tape.size(), 0.0);
  };
  make(position_tape_, ws.position);
  make(asked_tape_, ws.asked);
  make(position_motion_tape_, ws.position_motion);
  make(partial_rate_tape_, ws.partial_rates);
  make(velocity_tape_, ws.velocity);
  make(velocity_motion_tape_, ws.velocity_motion);
  make(velocity_partial_tape_, ws.velocity_partials);
  make(potential_tape_, ws.potential);
  make(applied_tape_, ws.applied);
  make(input_tape_, ws.inputs);
  make(state_tape_, ws.states);
  make(invariant_tape_, ws.invariants);
  make(invariant_partial_tape_, ws.invariant_partials);
  return ws;
}

}  // namespace driftless
