#include "driftless/expressions/tape.hpp"

#include <algorithm>
#include <cassert>

#include "driftless/expressions/operations.hpp"
#include "driftless/expressions/spline.hpp"

namespace driftless {

namespace {

// For each node, whether an output needs it. Ids are a topological order: one sweep downwards.
std::vector<char> find_live(const Graph& graph, std::span<const NodeId> outputs) {
  NodeId last = -1;
  for (const NodeId id : outputs) last = std::max(last, id);
  std::vector<char> live(static_cast<std::size_t>(last + 1), 0);
  for (const NodeId id : outputs) live[index_of(id)] = 1;
  for (NodeId id = last; id >= 0; --id) {
    if (live[index_of(id)] == 0) continue;
    const Node& node = graph.node(id);
    for (const NodeId operand : {node.a, node.b, node.c})
      if (operand >= 0) live[index_of(operand)] = 1;
  }
  return live;
}

}  // namespace

Tape::Tape(const Graph& graph, std::span<const NodeId> outputs, int variable_count)
    : program_(variable_count), variable_count_(static_cast<std::size_t>(variable_count)) {
  const Program::PartId part = program_.add_part({outputs.begin(), outputs.end()});
  program_.compile(graph);
  const auto inputs = program_.inputs(part), places = program_.outputs(part);
  inputs_.assign(inputs.begin(), inputs.end());
  outputs_.assign(places.begin(), places.end());
  instruction_count_ = program_.instruction_count(part);
}

std::vector<double> Tape::make_scratch() const { return program_.make_registers(); }

void Tape::eval(std::span<const double> variables, std::span<double> out,
                std::vector<double>& scratch) const {
  assert(variables.size() >= variable_count_ && out.size() >= outputs_.size());
  if (outputs_.empty()) return;
  double* const w = scratch.data();
  for (const std::int32_t k : inputs_) w[k] = variables[static_cast<std::size_t>(k)];
  program_.run(0, w);
  for (std::size_t k = 0; k < outputs_.size(); ++k) out[k] = w[outputs_[k]];
}

double eval_node(const Graph& graph, NodeId node, std::span<const double> variables) {
  const std::vector<char> live = find_live(graph, {&node, 1});
  std::vector<double> values(live.size());
  for (NodeId id = 0; id <= node; ++id) {
    if (live[index_of(id)] == 0) continue;
    const Node& n = graph.node(id);
    const double a = n.a >= 0 ? values[index_of(n.a)] : 0.0;
    const double b = n.b >= 0 ? values[index_of(n.b)] : 0.0;
    double& value = values[index_of(id)];
    switch (n.op) {
      case Op::constant: value = n.value; break;
      case Op::variable: value = variables[static_cast<std::size_t>(n.index)]; break;
      case Op::powi: value = operations::calc_powi(a, static_cast<int>(n.value)); break;
      case Op::select: value = operations::calc_select(a, b, values[index_of(n.c)]); break;
      case Op::spline:
        value = graph.spline_data(n.index).value(a, static_cast<int>(n.value));
        break;
      default:
        value = n.b >= 0 ? operations::calc_binary(n.op, a, b) : operations::calc_unary(n.op, a);
        break;
    }
  }
  return values[index_of(node)];
}

}  // namespace driftless
