// The derived nodes (derive.cpp: the derivation and its equations [EQ.1] ...) as tapes, one per
// eval_ function.

#include "driftless/equations/equation_system.hpp"

#include <algorithm>
#include <cassert>

#include "driftless/equations/derive.hpp"
#include "driftless/equations/equation_linearizer.hpp"
#include "driftless/equations/output_block.hpp"

namespace driftless {

namespace {

struct EquationWorkspace final : Workspace {
  std::vector<double> variables;  // t, q, v, w (1 + 3n)
  OutputBlock::Scratch configuration;
  OutputBlock::Scratch velocity;
  OutputBlock::Scratch motion;
  OutputBlock::Scratch invariants;
  OutputBlock::Scratch gradients;
  OutputBlock::Scratch powers;
  std::vector<double> jacobian_rate;      // scratch of the tape
  std::vector<double> jacobian_rate_out;  // its results
  std::vector<double> records;            // scratch of the tape
  EquationLinearizer::Scratch linearizer;
};

class EquationSystem final : public System {
 public:
  EquationSystem(EquationParts parts, DerivedEquations derived);

  std::unique_ptr<Workspace> make_workspace() const override;
  void eval_configuration(double t, ConstVectorRef q, Workspace& ws) const override;
  void eval_velocity(double t, ConstVectorRef q, ConstVectorRef v, Workspace& ws) const override;
  void eval_motion(double t, ConstVectorRef q, ConstVectorRef v, Workspace& ws) const override;
  void eval_invariants(double t, ConstVectorRef q, ConstVectorRef v, Workspace& ws) const override;
  void eval_invariant_gradients(double t, ConstVectorRef q, ConstVectorRef v,
                                Workspace& ws) const override;
  void eval_power(double t, ConstVectorRef q, ConstVectorRef v, Workspace& ws) const override;
  void eval_jacobian_rate(double t, ConstVectorRef q, ConstVectorRef w, Workspace& ws,
                          BlockMatrix& rate) const override;
  void eval_linearization(const Moment& moment, Workspace& ws, Linearization& out) const override;
  void add_momentum_rate(double t, ConstVectorRef q, ConstVectorRef v, Workspace& ws,
                         VectorRef force) const override;
  void eval_records(const Moment& moment, Workspace& ws, VectorRef values) const override;

 private:
  void add_configuration(const Graph& graph, const DerivedEquations& derived);
  void add_motion(const Graph& graph, const DerivedEquations& derived);
  void add_invariants(const Graph& graph, const DerivedEquations& derived);
  void add_jacobian_rate(const Graph& graph, const DerivedEquations& derived);

  EquationWorkspace& set_variables(double t, ConstVectorRef q, Workspace& ws) const;
  EquationWorkspace& set_variables(double t, ConstVectorRef q, ConstVectorRef v,
                                   Workspace& ws) const;

  EquationVariables var_;
  OutputBlock configuration_;
  OutputBlock velocity_;  // also part of motion_, which shares its subexpressions
  OutputBlock motion_;
  OutputBlock invariants_;
  OutputBlock gradients_;
  OutputBlock powers_;
  std::vector<std::pair<int, int>> rate_places_;  // row, col of each output of rate_tape_
  Tape rate_tape_;
  Tape record_tape_;
  std::unique_ptr<EquationLinearizer> linearizer_;
};

void add_vector(OutputBlock& block, const Graph& graph, WorkspaceField field,
                const std::vector<NodeId>& nodes) {
  for (std::size_t i = 0; i < nodes.size(); ++i)
    block.add(graph, field, static_cast<Eigen::Index>(i), nodes[i]);
}

void add_matrix(OutputBlock& block, const Graph& graph, WorkspaceField field, std::size_t rows,
                const std::vector<MatrixEntry>& entries) {
  for (const MatrixEntry& entry : entries)
    block.add(graph, field, static_cast<Eigen::Index>(rows) * entry.col + entry.row, entry.node);
}

EquationSystem::EquationSystem(EquationParts parts, DerivedEquations derived)
    : var_(parts.variables()) {
  info_ = derived.info;
  const Graph& graph = parts.graph;
  add_configuration(graph, derived);
  add_motion(graph, derived);
  add_invariants(graph, derived);
  add_jacobian_rate(graph, derived);
  std::vector<NodeId> records;
  for (const NamedNode& record : parts.records) records.push_back(record.node);
  record_tape_ = Tape(graph, records, var_.motion_count());
  linearizer_ = std::make_unique<EquationLinearizer>(std::move(parts.graph), std::move(derived));
}

void EquationSystem::add_configuration(const Graph& graph, const DerivedEquations& derived) {
  const auto rows = static_cast<std::size_t>(info_.row_count());
  for (const MatrixEntry& entry : derived.mass) {
    configuration_.add(graph, WorkspaceField::mass, entry.col * var_.n + entry.row, entry.node);
    if (entry.row != entry.col)
      configuration_.add(graph, WorkspaceField::mass, entry.row * var_.n + entry.col, entry.node);
  }
  add_vector(configuration_, graph, WorkspaceField::phi, derived.phi);
  add_matrix(configuration_, graph, WorkspaceField::jacobian, rows, derived.position_jacobian);
  configuration_.compile(graph, var_.configuration_count());
}

void EquationSystem::add_motion(const Graph& graph, const DerivedEquations& derived) {
  const auto rows = static_cast<std::size_t>(info_.row_count());
  add_vector(motion_, graph, WorkspaceField::force, derived.force);
  add_vector(motion_, graph, WorkspaceField::gamma, derived.gamma);
  add_vector(motion_, graph, WorkspaceField::velocity_residual, derived.velocity_residual);
  add_matrix(motion_, graph, WorkspaceField::jacobian, rows, derived.velocity_jacobian);
  motion_.compile(graph, var_.motion_count());
  add_vector(velocity_, graph, WorkspaceField::velocity_residual, derived.velocity_residual);
  add_matrix(velocity_, graph, WorkspaceField::jacobian, rows, derived.velocity_jacobian);
  velocity_.compile(graph, var_.motion_count());
}

void EquationSystem::add_invariants(const Graph& graph, const DerivedEquations& derived) {
  const std::size_t count = derived.invariant.size();
  add_vector(invariants_, graph, WorkspaceField::invariant, derived.invariant);
  add_matrix(invariants_, graph, WorkspaceField::invariant_v, count, derived.invariant_v);
  invariants_.compile(graph, var_.motion_count());
  add_vector(gradients_, graph, WorkspaceField::invariant_t, derived.invariant_t);
  add_matrix(gradients_, graph, WorkspaceField::invariant_q, count, derived.invariant_q);
  add_matrix(gradients_, graph, WorkspaceField::velocity_rows_q,
             static_cast<std::size_t>(info_.velocity_rows), derived.velocity_rows_q);
  gradients_.compile(graph, var_.motion_count());
  add_vector(powers_, graph, WorkspaceField::power, derived.power);
  add_matrix(powers_, graph, WorkspaceField::power_acceleration, count, derived.power_acceleration);
  powers_.compile(graph, var_.motion_count());
}

void EquationSystem::add_jacobian_rate(const Graph& graph, const DerivedEquations& derived) {
  std::vector<NodeId> nodes;
  for (const MatrixEntry& entry : derived.jacobian_rate) {
    nodes.push_back(entry.node);
    rate_places_.emplace_back(entry.row, entry.col);
  }
  rate_tape_ = Tape(graph, nodes, var_.count());
}

std::unique_ptr<Workspace> EquationSystem::make_workspace() const {
  auto ws = std::make_unique<EquationWorkspace>();
  resize_workspace(info_, *ws);
  ws->variables.assign(static_cast<std::size_t>(var_.count()), 0.0);
  ws->configuration = configuration_.make_scratch();
  ws->velocity = velocity_.make_scratch();
  ws->motion = motion_.make_scratch();
  ws->invariants = invariants_.make_scratch();
  ws->gradients = gradients_.make_scratch();
  ws->powers = powers_.make_scratch();
  ws->jacobian_rate = rate_tape_.make_scratch();
  ws->jacobian_rate_out.resize(rate_places_.size());
  ws->records = record_tape_.make_scratch();
  for (const OutputBlock* block : {&configuration_, &motion_, &invariants_, &gradients_, &powers_})
    block->write_constants(*ws);
  return ws;
}

EquationWorkspace& EquationSystem::set_variables(double t, ConstVectorRef q, Workspace& ws) const {
  assert(dynamic_cast<EquationWorkspace*>(&ws) && "a workspace of another system");
  assert(q.size() == var_.n);
  auto& own = static_cast<EquationWorkspace&>(ws);
  own.variables[0] = t;
  std::copy(q.begin(), q.end(), own.variables.begin() + var_.q(0));
  return own;
}

EquationWorkspace& EquationSystem::set_variables(double t, ConstVectorRef q, ConstVectorRef v,
                                                 Workspace& ws) const {
  assert(v.size() == var_.n);
  EquationWorkspace& own = set_variables(t, q, ws);
  std::copy(v.begin(), v.end(), own.variables.begin() + var_.v(0));
  return own;
}

void EquationSystem::eval_configuration(double t, ConstVectorRef q, Workspace& ws) const {
  EquationWorkspace& own = set_variables(t, q, ws);
  configuration_.eval(own.variables, own, own.configuration);
}

void EquationSystem::eval_velocity(double t, ConstVectorRef q, ConstVectorRef v,
                                   Workspace& ws) const {
  EquationWorkspace& own = set_variables(t, q, v, ws);
  velocity_.eval(own.variables, own, own.velocity);
}

void EquationSystem::eval_motion(double t, ConstVectorRef q, ConstVectorRef v,
                                 Workspace& ws) const {
  EquationWorkspace& own = set_variables(t, q, v, ws);
  motion_.eval(own.variables, own, own.motion);
}

void EquationSystem::eval_invariants(double t, ConstVectorRef q, ConstVectorRef v,
                                     Workspace& ws) const {
  EquationWorkspace& own = set_variables(t, q, v, ws);
  invariants_.eval(own.variables, own, own.invariants);
}

void EquationSystem::eval_invariant_gradients(double t, ConstVectorRef q, ConstVectorRef v,
                                              Workspace& ws) const {
  EquationWorkspace& own = set_variables(t, q, v, ws);
  gradients_.eval(own.variables, own, own.gradients);
}

void EquationSystem::eval_power(double t, ConstVectorRef q, ConstVectorRef v, Workspace& ws) const {
  EquationWorkspace& own = set_variables(t, q, v, ws);
  powers_.eval(own.variables, own, own.powers);
}

void EquationSystem::eval_jacobian_rate(double t, ConstVectorRef q, ConstVectorRef w, Workspace& ws,
                                        BlockMatrix& rate) const {
  EquationWorkspace& own = set_variables(t, q, ws);
  std::copy(w.begin(), w.end(), own.variables.begin() + var_.w(0));
  rate.set_zero();
  rate_tape_.eval(own.variables, own.jacobian_rate_out, own.jacobian_rate);
  for (std::size_t k = 0; k < rate_places_.size(); ++k)
    rate.whole()(rate_places_[k].first, rate_places_[k].second) = own.jacobian_rate_out[k];
}

void EquationSystem::eval_linearization(const Moment& moment, Workspace& ws,
                                        Linearization& out) const {
  auto& own = static_cast<EquationWorkspace&>(ws);
  linearizer_->eval(moment, own.linearizer, out);
}

void EquationSystem::add_momentum_rate(double t, ConstVectorRef q, ConstVectorRef v, Workspace& ws,
                                       VectorRef force) const {
  if (info_.constant_mass) return;
  EquationWorkspace& own = set_variables(t, q, v, ws);
  linearizer_->add_momentum_rate(own.variables, own.linearizer, force);
}

void EquationSystem::eval_records(const Moment& moment, Workspace& ws, VectorRef values) const {
  EquationWorkspace& own = set_variables(moment.t, moment.q, moment.v, ws);
  record_tape_.eval(own.variables, {values.data(), static_cast<std::size_t>(values.size())},
                    own.records);
}

}  // namespace

std::unique_ptr<System> make_equation_system(EquationParts parts) {
  DerivedEquations derived = derive_equations(parts);
  return std::make_unique<EquationSystem>(std::move(parts), std::move(derived));
}

}  // namespace driftless
