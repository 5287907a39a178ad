// The derived nodes (derive.cpp: the derivation and its equations [EQ.1] ...) as one program in levels.
//
// What a level computes from t and q alone is a part of its own, run once per configuration and only if the level is
// asked for: the sines, cosines and products behind M, Φ and G serve Q, γ, ρ and the energy, too. The registers belong to
// the (t, q) of the last call, whichever it was, so that levels may be asked for in any order.
//
//   configuration   M, Φ, G of the position rows                       from t, q
//   motion          shared by Q, γ, ρ (and so by `velocity`)           from t, q;   then from v
//   others          invariants, their gradients and powers, dG/dt      likewise

#include "driftless/equations/equation_system.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>

#include "driftless/equations/derive.hpp"
#include "driftless/equations/equation_linearizer.hpp"
#include "driftless/equations/output_block.hpp"

namespace driftless {

namespace {

struct EquationWorkspace final : Workspace {
  std::vector<double> registers;  // begins with t, q, v, w, c (1 + 3n + nc)
  bool is_configured = false;     // the configuration's registers belong to t and q in `registers`
  bool is_asked = false;          // these t and q are those of the last eval_configuration
  std::uint32_t settled = 0;      // so do the fixed parts of these levels, by their bits
  std::unique_ptr<double[]> spare;  // where M, Φ, G of a configuration go that nobody asked for
  OutputBlock::Fields spare_fields;
  std::array<OutputBlock::Fields, 6> fields;  // of each level that has stores, by its index
  std::vector<double> record_variables;       // t, q, v, v', c, λ
  std::vector<double> records;                // scratch of the tape
  EquationLinearizer::Scratch linearizer;
};

/// Writes new values over old ones. False: they are the same, bit by bit, so that 0 and -0 differ. In pairs, read as they were
/// written: a read that spans two writes of just now would wait for both.
[[gnu::always_inline]] inline bool replace(double* values, const double* by, int count) {
  using Bits = std::uint64_t __attribute__((vector_size(16)));
  Bits change{};
  int k = 0;
  for (; k + 1 < count; k += 2) {
    Bits before, now;
    std::memcpy(&before, values + k, sizeof(Bits));
    std::memcpy(&now, by + k, sizeof(Bits));
    std::memcpy(values + k, &now, sizeof(Bits));
    change |= before ^ now;
  }
  if (k < count) {
    change[0] |= std::bit_cast<std::uint64_t>(values[k]) ^ std::bit_cast<std::uint64_t>(by[k]);
    values[k] = by[k];
  }
  return (change[0] | change[1]) != 0;
}

/// As `replace`, but nobody asks: a handful of numbers, for which a call of memcpy would cost more than the rest.
[[gnu::always_inline]] inline void write(double* values, const double* by, int count) {
  int k = 0;
  for (; k + 1 < count; k += 2) std::memcpy(values + k, by + k, 2 * sizeof(double));
  if (k < count) values[k] = by[k];
}

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
  /// What one eval_ function computes: once per configuration what depends on t and q alone, then the rest.
  struct Level {
    std::size_t index = 0;  // in EquationWorkspace::fields
    std::uint32_t bit = 0;  // in EquationWorkspace::settled
    Program::PartId fixed = -1;
    Program::PartId rest = -1;
    OutputBlock block = {};
  };

  void add_configuration(const Graph& graph, const DerivedEquations& derived);
  void add_motion(const Graph& graph, const DerivedEquations& derived);
  void add_invariants(const Graph& graph, const DerivedEquations& derived);
  void add_jacobian_rate(const Graph& graph, const DerivedEquations& derived);
  /// A level after the configuration's and, but for the Jacobian's rate, the motion's fixed part.
  void add_level(Level& level, const Graph& graph, std::vector<NodeId> nodes,
                 std::vector<Program::PartId> before);

  /// False: t and q are what they were.
  [[gnu::always_inline]] inline bool replace_configuration(double t, ConstVectorRef q,
                                                           EquationWorkspace& own) const;
  /// The registers of (t, q); M, Φ and G of the workspace stay as they are.
  [[gnu::always_inline]] inline EquationWorkspace& set_configuration(double t, ConstVectorRef q,
                                                                     Workspace& ws) const;
  [[gnu::always_inline]] inline EquationWorkspace& set_variables(double t, ConstVectorRef q,
                                                                 ConstVectorRef v,
                                                                 Workspace& ws) const;
  [[gnu::always_inline]] inline void write_rates(ConstVectorRef v, EquationWorkspace& own) const;
  [[gnu::always_inline]] inline void settle(const Level& level, EquationWorkspace& own) const;
  [[gnu::always_inline]] inline void eval_level(const Level& level, double t, ConstVectorRef q,
                                                ConstVectorRef v, Workspace& ws) const;
  /// Of a level that comes after eval_configuration at the same (t, q), which need not be compared then.
  [[gnu::always_inline]] inline void eval_motion_level(const Level& level, double t,
                                                       ConstVectorRef q, ConstVectorRef v,
                                                       Workspace& ws) const;

  EquationVariables var_;
  Program program_;
  Program::PartId configuration_part_ = -1;
  OutputBlock configuration_;
  Level motion_;
  Level velocity_;  // a part of motion_; its fixed part is motion_'s
  Level invariants_;
  Level gradients_;
  Level powers_;
  Level rate_;
  std::vector<std::pair<int, int>> rate_places_;  // row, col of each output of rate_
  Tape record_tape_;
  std::uint32_t without_fixed_ = 0;  // bits of the levels that compute nothing from t and q alone
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
    : var_(parts.variables()), program_(var_.count()) {
  info_ = derived.info;
  const Graph& graph = parts.graph;
  add_configuration(graph, derived);
  add_motion(graph, derived);
  add_invariants(graph, derived);
  add_jacobian_rate(graph, derived);
  for (const Level* level : {&motion_, &velocity_, &invariants_, &gradients_, &powers_})
    level->block.add_stores(program_, level->rest);
  program_.compile(graph, Program::Execution::machine_code);
  std::size_t index = 0;  // 0: the configuration's
  for (Level* level : {&motion_, &velocity_, &invariants_, &gradients_, &powers_, &rate_}) {
    level->index = ++index;
    if (program_.instruction_count(level->fixed) == 0) without_fixed_ |= level->bit;
  }
  std::vector<NodeId> records;
  for (const NamedNode& record : parts.records) records.push_back(record.node);
  record_tape_ = Tape(graph, records, var_.lambda(info_.row_count()));
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
  configuration_part_ = program_.add_part(configuration_.nodes());
  configuration_.add_stores(program_, configuration_part_);
}

void EquationSystem::add_level(Level& level, const Graph& graph, std::vector<NodeId> nodes,
                               std::vector<Program::PartId> before) {
  level.fixed = program_.add_part(find_frontier(graph, nodes, var_.configuration_count()), before);
  level.bit = 1U << static_cast<unsigned>(level.fixed);
  before.push_back(level.fixed);
  level.rest = program_.add_part(std::move(nodes), std::move(before));
}

void EquationSystem::add_motion(const Graph& graph, const DerivedEquations& derived) {
  const auto rows = static_cast<std::size_t>(info_.row_count());
  add_vector(motion_.block, graph, WorkspaceField::force, derived.force);
  add_vector(motion_.block, graph, WorkspaceField::gamma, derived.gamma);
  add_vector(motion_.block, graph, WorkspaceField::state_rate, derived.state_rate);
  for (OutputBlock* block : {&motion_.block, &velocity_.block}) {
    add_vector(*block, graph, WorkspaceField::velocity_residual, derived.velocity_residual);
    add_matrix(*block, graph, WorkspaceField::jacobian, rows, derived.velocity_jacobian);
  }
  add_level(motion_, graph, motion_.block.nodes(), {configuration_part_});
  velocity_.fixed = motion_.fixed;
  velocity_.bit = motion_.bit;
  velocity_.rest = program_.add_part(velocity_.block.nodes(), {configuration_part_, motion_.fixed});
}

void EquationSystem::add_invariants(const Graph& graph, const DerivedEquations& derived) {
  const std::size_t count = derived.invariant.size();
  add_vector(invariants_.block, graph, WorkspaceField::invariant, derived.invariant);
  add_matrix(invariants_.block, graph, WorkspaceField::invariant_v, count, derived.invariant_v);
  add_vector(gradients_.block, graph, WorkspaceField::invariant_t, derived.invariant_t);
  add_matrix(gradients_.block, graph, WorkspaceField::invariant_q, count, derived.invariant_q);
  add_matrix(gradients_.block, graph, WorkspaceField::velocity_rows_q,
             static_cast<std::size_t>(info_.velocity_rows), derived.velocity_rows_q);
  add_vector(powers_.block, graph, WorkspaceField::power, derived.power);
  add_matrix(powers_.block, graph, WorkspaceField::power_acceleration, count,
             derived.power_acceleration);
  for (Level* level : {&invariants_, &gradients_, &powers_})
    add_level(*level, graph, level->block.nodes(), {configuration_part_, motion_.fixed});
}

void EquationSystem::add_jacobian_rate(const Graph& graph, const DerivedEquations& derived) {
  std::vector<NodeId> nodes;
  for (const MatrixEntry& entry : derived.jacobian_rate) {
    nodes.push_back(entry.node);
    rate_places_.emplace_back(entry.row, entry.col);
  }
  add_level(rate_, graph, std::move(nodes), {configuration_part_, motion_.fixed});
}

std::unique_ptr<Workspace> EquationSystem::make_workspace() const {
  auto ws = std::make_unique<EquationWorkspace>();
  resize_workspace(info_, *ws);
  ws->registers = program_.make_registers();
  ws->record_variables.assign(static_cast<std::size_t>(var_.lambda(info_.row_count())), 0.0);
  ws->records = record_tape_.make_scratch();
  configuration_.write_constants(*ws);
  ws->fields[0] = configuration_.find_fields(*ws);
  ws->spare = std::make_unique_for_overwrite<double[]>(static_cast<std::size_t>(
      std::max({ws->mass.whole().size(), ws->jacobian.whole().size(), ws->phi.size()})));
  ws->spare_fields.fill(ws->spare.get());
  for (const Level* level : {&motion_, &velocity_, &invariants_, &gradients_, &powers_}) {
    level->block.write_constants(*ws);
    ws->fields[level->index] = level->block.find_fields(*ws);
  }
  return ws;
}

bool EquationSystem::replace_configuration(double t, ConstVectorRef q,
                                           EquationWorkspace& own) const {
  assert(q.size() == var_.n);
  double* const w = own.registers.data();
  const bool is_new_t = replace(w + var_.t(), &t, 1);
  const bool is_new_q = replace(w + var_.q(0), q.data(), var_.n);
  if (own.is_configured && !is_new_t && !is_new_q) return false;
  own.is_configured = true;
  own.is_asked = false;
  own.settled = without_fixed_;
  return true;
}

EquationWorkspace& EquationSystem::set_configuration(double t, ConstVectorRef q,
                                                     Workspace& ws) const {
  assert(dynamic_cast<EquationWorkspace*>(&ws) && "a workspace of another system");
  auto& own = static_cast<EquationWorkspace&>(ws);
  if (replace_configuration(t, q, own))
    program_.run(configuration_part_, own.registers.data(), own.spare_fields.data());
  return own;
}

EquationWorkspace& EquationSystem::set_variables(double t, ConstVectorRef q, ConstVectorRef v,
                                                 Workspace& ws) const {
  assert(v.size() == var_.n);
  EquationWorkspace& own = set_configuration(t, q, ws);
  write_rates(v, own);
  return own;
}

void EquationSystem::write_rates(ConstVectorRef v, EquationWorkspace& own) const {
  write(own.registers.data() + var_.v(0), v.data(), var_.n);
  if (var_.nc > 0) write(own.registers.data() + var_.c(0), own.states.data(), var_.nc);
}

void EquationSystem::settle(const Level& level, EquationWorkspace& own) const {
  const std::uint32_t missing = (motion_.bit | level.bit) & ~own.settled;
  if (missing == 0) return;
  if ((missing & motion_.bit) != 0) program_.run(motion_.fixed, own.registers.data());
  if ((missing & level.bit & ~motion_.bit) != 0) program_.run(level.fixed, own.registers.data());
  own.settled |= missing;
}

void EquationSystem::eval_level(const Level& level, double t, ConstVectorRef q, ConstVectorRef v,
                                Workspace& ws) const {
  EquationWorkspace& own = set_variables(t, q, v, ws);
  settle(level, own);
  program_.run(level.rest, own.registers.data(), own.fields[level.index].data());
}

void EquationSystem::eval_motion_level(const Level& level, double t, ConstVectorRef q,
                                       ConstVectorRef v, Workspace& ws) const {
  assert(dynamic_cast<EquationWorkspace*>(&ws) && "a workspace of another system");
  auto& own = static_cast<EquationWorkspace&>(ws);
  if (!own.is_asked) return eval_level(level, t, q, v, ws);
  assert(std::equal(q.begin(), q.end(), own.registers.data() + var_.q(0)) && "another q");
  write_rates(v, own);
  settle(level, own);
  program_.run(level.rest, own.registers.data(), own.fields[level.index].data());
}

void EquationSystem::eval_configuration(double t, ConstVectorRef q, Workspace& ws) const {
  assert(dynamic_cast<EquationWorkspace*>(&ws) && "a workspace of another system");
  auto& own = static_cast<EquationWorkspace&>(ws);
  assert(q.size() == var_.n);
  // Whoever asks for it knows that it is another one.
  own.registers[static_cast<std::size_t>(var_.t())] = t;
  write(own.registers.data() + var_.q(0), q.data(), var_.n);
  own.is_configured = own.is_asked = true;
  own.settled = without_fixed_;
  program_.run(configuration_part_, own.registers.data(), own.fields[0].data());
}

void EquationSystem::eval_velocity(double t, ConstVectorRef q, ConstVectorRef v,
                                   Workspace& ws) const {
  eval_motion_level(velocity_, t, q, v, ws);
}

void EquationSystem::eval_motion(double t, ConstVectorRef q, ConstVectorRef v,
                                 Workspace& ws) const {
  eval_motion_level(motion_, t, q, v, ws);
}

void EquationSystem::eval_invariants(double t, ConstVectorRef q, ConstVectorRef v,
                                     Workspace& ws) const {
  eval_level(invariants_, t, q, v, ws);
}

void EquationSystem::eval_invariant_gradients(double t, ConstVectorRef q, ConstVectorRef v,
                                              Workspace& ws) const {
  eval_level(gradients_, t, q, v, ws);
}

void EquationSystem::eval_power(double t, ConstVectorRef q, ConstVectorRef v, Workspace& ws) const {
  eval_level(powers_, t, q, v, ws);
}

void EquationSystem::eval_jacobian_rate(double t, ConstVectorRef q, ConstVectorRef w, Workspace& ws,
                                        BlockMatrix& rate) const {
  EquationWorkspace& own = set_configuration(t, q, ws);
  std::copy_n(w.data(), var_.n, own.registers.data() + var_.w(0));
  settle(rate_, own);
  program_.run(rate_.rest, own.registers.data());
  rate.set_zero();
  const std::span<const std::int32_t> places = program_.outputs(rate_.rest);
  for (std::size_t k = 0; k < rate_places_.size(); ++k)
    rate.whole()(rate_places_[k].first, rate_places_[k].second) =
        own.registers[static_cast<std::size_t>(places[k])];
}

void EquationSystem::eval_linearization(const Moment& moment, Workspace& ws,
                                        Linearization& out) const {
  auto& own = static_cast<EquationWorkspace&>(ws);
  linearizer_->eval(moment, own.states, own.linearizer, out);
}

void EquationSystem::add_momentum_rate(double t, ConstVectorRef q, ConstVectorRef v, Workspace& ws,
                                       VectorRef force) const {
  if (info_.constant_mass) return;
  EquationWorkspace& own = set_variables(t, q, v, ws);
  linearizer_->add_momentum_rate(own.registers, own.linearizer, force);
}

void EquationSystem::eval_records(const Moment& moment, Workspace& ws, VectorRef values) const {
  EquationWorkspace& own = set_variables(moment.t, moment.q, moment.v, ws);
  std::copy_n(own.registers.begin(), var_.count(), own.record_variables.begin());
  if (info_.records_need_reactions) {
    std::copy(moment.v_dot.begin(), moment.v_dot.end(), own.record_variables.begin() + var_.w(0));
    std::copy(moment.lambda.begin(), moment.lambda.end(),
              own.record_variables.begin() + var_.lambda(0));
  }
  record_tape_.eval(own.record_variables, {values.data(), static_cast<std::size_t>(values.size())},
                    own.records);
}

}  // namespace

std::unique_ptr<System> make_equation_system(EquationParts parts) {
  DerivedEquations derived = derive_equations(parts);
  return std::make_unique<EquationSystem>(std::move(parts), std::move(derived));
}

}  // namespace driftless
