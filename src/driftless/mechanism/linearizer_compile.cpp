// What the linearizer needs to know before it evaluates anything: the laws' derivatives as a tape, and which bodies an
// element couples.

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "driftless/mechanism/linearizer.hpp"

namespace driftless {

// ---- from the graph to a tape --------------------------------------------------------------------------

Linearizer::Gradient Linearizer::make_gradient(Graph& graph, NodeId node,
                                               std::vector<NodeId>& nodes) const {
  Gradient gradient;
  gradient.value = nodes.size();
  nodes.push_back(node);
  const std::vector<int> variables = graph.dependencies(node);
  for (const int variable : variables) {
    if (variable == LawParts::time()) continue;
    const NodeId slope = graph.derivative(node, variable);
    if (graph.is_zero(slope)) continue;
    const int scalar = (variable - 1) / 2;
    const int state = parts_.laws.scalars[static_cast<std::size_t>(scalar)].state;
    if (state >= 0) {
      gradient.states.push_back({state, nodes.size()});
    } else {
      gradient.parts.push_back({scalar, variable % 2 == 0, nodes.size()});
    }
    nodes.push_back(slope);
  }
  return gradient;
}

void Linearizer::compile() const {
  const LawParts& laws = parts_.laws;
  Graph graph = laws.graph;
  std::vector<NodeId> nodes;
  Compiled& out = compiled_;
  for (const LawParts::Force& force : laws.forces) {
    NodeId effort = graph.constant(0.0);
    if (force.applied >= 0) effort = force.applied;
    if (force.potential >= 0)
      effort =
          graph.sub(effort, graph.derivative(force.potential, LawParts::value_of(force.scalar)));
    out.factors.push_back({make_gradient(graph, effort, nodes), force.scalar, -1, 1.0});
  }
  int row = parts_.frame_rows;
  std::vector<int> values;
  std::vector<NodeId> rates;
  for (int k = 0; k < static_cast<int>(laws.scalars.size()); ++k) {
    const LawScalar& scalar = laws.scalars[static_cast<std::size_t>(k)];
    if (scalar.is_velocity || scalar.state >= 0) continue;
    values.push_back(LawParts::value_of(k));
    rates.push_back(graph.variable(LawParts::rate_of(k)));
  }
  for (const bool by_rate : {false, true}) {
    for (const LawParts::Row& each : by_rate ? laws.velocity_rows : laws.position_rows) {
      const std::vector<int> variables = graph.dependencies(each.node);
      for (const int variable : variables) {
        if (variable == LawParts::time() || (variable % 2 == 0) != by_rate) continue;
        const NodeId slope = graph.derivative(each.node, variable);
        out.factors.push_back({make_gradient(graph, slope, nodes), (variable - 1) / 2, row, -1.0});
      }
      const NodeId residual = by_rate ? each.node
                                      : graph.add(graph.directional(each.node, values, rates),
                                                  graph.derivative(each.node, LawParts::time()));
      out.residual.push_back(make_gradient(graph, residual, nodes));
      ++row;
    }
  }
  for (const NodeId input : laws.inputs) out.inputs.push_back(make_gradient(graph, input, nodes));
  for (const LawParts::State& state : laws.states)
    out.rates.push_back(make_gradient(graph, state.rate, nodes));
  out.tape = Tape(graph, nodes, laws.variable_count());
  out.is_used.assign(laws.scalars.size(), false);
  const auto use = [&](const Gradient& gradient) {
    for (const Gradient::Part& part : gradient.parts)
      out.is_used[static_cast<std::size_t>(part.scalar)] = true;
  };
  for (const Factor& factor : out.factors) {
    use(factor.gradient);
    out.is_used[static_cast<std::size_t>(factor.scalar)] = true;
  }
  for (const Gradient& each : out.inputs) use(each);
  for (const Gradient& each : out.residual) use(each);
  for (const Gradient& each : out.rates) use(each);
}

// ---- which bodies act on which -----------------------------------------------------------------------------

const std::vector<int>& Linearizer::frames_of(int scalar) const {
  static const std::vector<int> kNone;
  const LawScalar& s = parts_.laws.scalars[static_cast<std::size_t>(scalar)];
  if (s.state >= 0) return kNone;
  const auto block = static_cast<std::size_t>(s.block);
  return s.is_velocity ? parts_.velocities[block].frames : parts_.functions[block].frames;
}

int Linearizer::body_of(int frame) const {
  return parts_.frames[static_cast<std::size_t>(frame)].body;
}

std::vector<BlockPlace> Linearizer::find_pairs() const {
  std::call_once(once_, [this] { compile(); });
  std::vector<std::vector<int>> columns(parts_.bodies.size());
  const auto couple = [&](const std::vector<int>& rows, const std::vector<int>& by) {
    for (const int row : rows) {
      if (body_of(row) < 0) continue;
      auto& list = columns[static_cast<std::size_t>(body_of(row))];
      for (const int column : by)
        if (body_of(column) >= 0) list.push_back(body_of(column));
    }
  };
  for (std::size_t b = 0; b < columns.size(); ++b) columns[b].push_back(static_cast<int>(b));
  for (const RowBlock& row : parts_.rows) couple(row.block.frames, row.block.frames);
  for (std::size_t k = 0; k < compiled_.is_used.size(); ++k) {
    if (!compiled_.is_used[k]) continue;
    const std::vector<int>& own = frames_of(static_cast<int>(k));
    couple(own, own);
  }
  const auto couple_gradient = [&](const std::vector<int>& rows, const Gradient& gradient) {
    for (const Gradient::Part& part : gradient.parts) couple(rows, frames_of(part.scalar));
  };
  for (const Factor& factor : compiled_.factors)
    couple_gradient(frames_of(factor.scalar), factor.gradient);
  for (const ForceBlock& force : parts_.forces) {
    couple(force.frames, force.frames);
    for (int k = 0; k < force.inputs; ++k)
      couple_gradient(force.frames,
                      compiled_.inputs[static_cast<std::size_t>(force.first_input + k)]);
  }
  for (const StateGroup& group : find_state_groups()) couple(group.act, group.read);
  std::vector<BlockPlace> places;
  for (std::size_t b = 0; b < columns.size(); ++b) {
    std::vector<int>& list = columns[b];
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    const Body& row = parts_.bodies[b];
    for (const int other : list) {
      const Body& column = parts_.bodies[static_cast<std::size_t>(other)];
      places.push_back({row.v, column.v, row.nv(), column.nv()});
    }
  }
  return places;
}

std::vector<Linearizer::StateGroup> Linearizer::find_state_groups() const {
  std::vector<int> group(parts_.laws.states.size());
  std::iota(group.begin(), group.end(), 0);
  const auto find = [&](int state) {
    while (group[static_cast<std::size_t>(state)] != state)
      state = group[static_cast<std::size_t>(state)];
    return state;
  };
  for (std::size_t k = 0; k < compiled_.rates.size(); ++k)
    for (const Gradient::StatePart& part : compiled_.rates[k].states)
      group[static_cast<std::size_t>(find(part.state))] = find(static_cast<int>(k));
  std::vector<StateGroup> groups(group.size());
  const auto append = [](std::vector<int>& list, const std::vector<int>& more) {
    list.insert(list.end(), more.begin(), more.end());
  };
  for (std::size_t k = 0; k < compiled_.rates.size(); ++k)
    for (const Gradient::Part& part : compiled_.rates[k].parts)
      append(groups[static_cast<std::size_t>(find(static_cast<int>(k)))].read,
             frames_of(part.scalar));
  const auto act = [&](const Gradient& gradient, const std::vector<int>& frames) {
    for (const Gradient::StatePart& part : gradient.states)
      append(groups[static_cast<std::size_t>(find(part.state))].act, frames);
  };
  for (const Factor& factor : compiled_.factors) act(factor.gradient, frames_of(factor.scalar));
  for (const ForceBlock& force : parts_.forces)
    for (int k = 0; k < force.inputs; ++k)
      act(compiled_.inputs[static_cast<std::size_t>(force.first_input + k)], force.frames);
  return groups;
}

void Linearizer::add_row_places(std::vector<BlockPlace>& places) const {
  std::call_once(once_, [this] { compile(); });
  std::map<int, std::set<int>> known;  // columns of each row of laws
  for (const BlockPlace& place : places)
    if (place.row >= parts_.frame_rows) known[place.row].insert(place.column);
  for (std::size_t k = 0; k < compiled_.residual.size(); ++k) {
    const int row = parts_.frame_rows + static_cast<int>(k);
    for (const Gradient::Part& part : compiled_.residual[k].parts) {
      for (const int frame : frames_of(part.scalar)) {
        if (body_of(frame) < 0) continue;
        const Body& body = parts_.bodies[static_cast<std::size_t>(body_of(frame))];
        if (known[row].insert(body.v).second) places.push_back({row, body.v, 1, body.nv()});
      }
    }
  }
}

}  // namespace driftless
