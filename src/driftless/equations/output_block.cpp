#include "driftless/equations/output_block.hpp"

namespace driftless {

std::array<double*, kFieldCount> find_fields(Workspace& ws) {
  return {ws.mass.data(),
          ws.jacobian.data(),
          ws.phi.data(),
          ws.force.data(),
          ws.gamma.data(),
          ws.velocity_residual.data(),
          ws.invariant.data(),
          ws.invariant_v.data(),
          ws.invariant_q.data(),
          ws.invariant_t.data(),
          ws.power.data(),
          ws.power_acceleration.data(),
          ws.velocity_rows_q.data(),
          ws.state_rate.data()};
}

void OutputBlock::add(const Graph& graph, WorkspaceField field, Eigen::Index offset, NodeId node) {
  if (graph.is_zero(node)) return;
  if (graph.is_constant(node)) {
    constants_.push_back({field, offset, graph.value(node)});
    return;
  }
  const auto [place, is_new] = output_of_.try_emplace(node, outputs_.size());
  if (is_new) outputs_.push_back(node);
  destinations_.push_back({field, offset, place->second});
}

void OutputBlock::compile(const Graph& graph, int variable_count) {
  tape_ = Tape(graph, outputs_, variable_count);
  output_of_.clear();
}

OutputBlock::Scratch OutputBlock::make_scratch() const {
  return {tape_.make_scratch(), std::vector<double>(outputs_.size())};
}

void OutputBlock::write_constants(Workspace& ws) const {
  const auto fields = find_fields(ws);
  for (const Constant& constant : constants_)
    fields[static_cast<std::size_t>(constant.field)][constant.offset] = constant.value;
}

void OutputBlock::eval(std::span<const double> variables, Workspace& ws, Scratch& scratch) const {
  if (outputs_.empty()) return;
  tape_.eval(variables, scratch.out, scratch.tape);
  const auto fields = find_fields(ws);
  for (const Destination& to : destinations_)
    fields[static_cast<std::size_t>(to.field)][to.offset] = scratch.out[to.output];
}

}  // namespace driftless
