#include "driftless/equations/output_block.hpp"

#include <algorithm>
#include <cassert>

namespace driftless {

namespace {

/// Where the field begins.
double* find_field(Workspace& ws, WorkspaceField field) {
  switch (field) {
    case WorkspaceField::mass: return ws.mass.data();
    case WorkspaceField::jacobian: return ws.jacobian.data();
    case WorkspaceField::phi: return ws.phi.data();
    case WorkspaceField::force: return ws.force.data();
    case WorkspaceField::gamma: return ws.gamma.data();
    case WorkspaceField::velocity_residual: return ws.velocity_residual.data();
    case WorkspaceField::invariant: return ws.invariant.data();
    case WorkspaceField::invariant_v: return ws.invariant_v.data();
    case WorkspaceField::invariant_q: return ws.invariant_q.data();
    case WorkspaceField::invariant_t: return ws.invariant_t.data();
    case WorkspaceField::power: return ws.power.data();
    case WorkspaceField::power_acceleration: return ws.power_acceleration.data();
    case WorkspaceField::velocity_rows_q: return ws.velocity_rows_q.data();
    case WorkspaceField::state_rate: return ws.state_rate.data();
  }
  assert(false && "no such field");
  return nullptr;
}

}  // namespace

void OutputBlock::add(const Graph& graph, WorkspaceField field, Eigen::Index offset, NodeId node) {
  if (graph.is_zero(node)) return;
  if (graph.is_constant(node)) {
    constants_.push_back({field, offset, graph.value(node)});
    return;
  }
  auto place = std::find(fields_.begin(), fields_.end(), field);
  if (place == fields_.end()) place = fields_.insert(place, field);
  nodes_.push_back(node);
  destinations_.push_back(
      {static_cast<std::uint32_t>(place - fields_.begin()), static_cast<std::uint32_t>(offset)});
}

void OutputBlock::add_stores(Program& program, Program::PartId part) const {
  for (std::size_t k = 0; k < destinations_.size(); ++k)
    program.add_store(part, k, destinations_[k].field, destinations_[k].offset);
}

OutputBlock::Fields OutputBlock::find_fields(Workspace& ws) const {
  Fields fields;
  for (std::size_t k = 0; k < fields_.size(); ++k) fields[k] = find_field(ws, fields_[k]);
  return fields;
}

void OutputBlock::write_constants(Workspace& ws) const {
  for (const Constant& constant : constants_)
    find_field(ws, constant.field)[constant.offset] = constant.value;
}

}  // namespace driftless
