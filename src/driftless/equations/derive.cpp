// The equations of motion from their parts
// ----------------------------------------
// Given T(t,q,v), U(t,q,c), F(t,q,v,c) with q' = v, Φ(t,q) = 0 and Ψ(t,q,v) = 0. Subscripts are partial
// derivatives, D f is the derivative along the motion with v held constant: D f = f_t + f_q v.
//
// Lagrange's equations  d/dt(T_v) - T_q + U_q = F - Gᵀλ  with T at most quadratic in v become
// M v' + Gᵀλ = Q with
//   M = T_vv                                                                                 [EQ.1]
//   Q = F - U_q + T_q - D(T_v)                                                               [EQ.2]
// M must be free of v: a kinetic energy of higher degree is refused, since then T_v = M v + ...
// fails and M v' would be solved with the wrong matrix. D(T_v) is one directional sweep per
// coordinate; forming T_vq and multiplying by v gives the same with n times the nodes.
//
// If instead the mass matrix itself is given, its derivatives are the user's affair:
//   Q = F - U_q,   T = vᵀ M v / 2                                                            [EQ.3]
//
// Constraints:
//   position rows   G = Φ_q,  Φ' = D Φ,  γ = -D(D Φ)                                         [EQ.4]
//   velocity rows   G = Ψ_v,  ρ = Ψ,     γ = -D Ψ                                            [EQ.5]
//   rate of the Jacobian along w: Φ_qq w, by sweeps of the entries of G                      [EQ.6]
// (Φ'' = G v' + D(D Φ), since d/dt = D + v'·∂/∂v and ∂(D Φ)/∂v = Φ_q.)
//
// Energy balance. With T = T2 + T1 + T0 by degree in v, L = T - U: Lagrange's equations times v are
//   d/dt(v·T_v - L) = F·v - λ·G v - L_t,   v·T_v - L = T2 - T0 + U = E - T1 - 2 T0,
// so E = T + U changes by
//   dE/dt = F·v - T_t + U_t + d/dt(T1 + 2 T0) - λ·G v                                        [EQ.7]
//   d/dt(T1 + 2 T0) = D(T1 + 2 T0) + p1·v',   p1 = T_v at v = 0,  T1 = p1·v                  [EQ.8]
// and for a given mass matrix, M v' = F - U_q - Gᵀλ multiplied by v:
//   dE/dt = F·v + vᵀ (D M) v / 2 + U_t - λ·G v                                               [EQ.9]
// States c with c' = d(t,q,v,c) may occur in U and F. U then changes by U_c d beside what its force
// does, which adds to the right of [EQ.7] and [EQ.9]: the work that flows off through them.  [EQ.12]
// The system keeps all but the last term; who solves for λ adds -λ·(G v - ρ) [SYS.4], which is the
// last one with the constraint error ρ left out: constraints that are not met must not feed the
// energy.

#include "driftless/equations/derive.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/equations/check_parts.hpp"
#include "driftless/equations/probe.hpp"
#include "driftless/expressions/unit_of.hpp"

namespace driftless {

NodeId find_kinetic_energy(EquationParts& parts) {
  if (parts.kinetic) return parts.kinetic->node;
  Graph& g = parts.graph;
  const EquationVariables var = parts.variables();
  NodeId diagonal = g.constant(0.0);
  NodeId mixed = g.constant(0.0);
  for (int i = 0; i < var.n; ++i) {
    for (int j = 0; j <= i; ++j) {
      const NodeId m = parts.mass[static_cast<std::size_t>(i * var.n + j)].node;
      const NodeId term = g.mul(m, g.mul(g.variable(var.v(i)), g.variable(var.v(j))));
      NodeId& sum = i == j ? diagonal : mixed;
      sum = g.add(sum, term);
    }
  }
  return g.add(g.mul(g.constant(0.5), diagonal), mixed);
}

NodeId find_potential_energy(EquationParts& parts) {
  return parts.potential ? parts.potential->node : parts.graph.constant(0.0);
}

namespace {

class Derivation {
 public:
  explicit Derivation(EquationParts& parts)
      : parts_(parts), g_(parts.graph), var_(parts.variables()), zero_(g_.constant(0.0)) {
    along_.push_back(var_.t());
    direction_.push_back(g_.constant(1.0));
    for (int i = 0; i < var_.n; ++i) {
      along_.push_back(var_.q(i));
      direction_.push_back(g_.variable(var_.v(i)));
      rates_.push_back(var_.v(i));
      at_rest_[var_.v(i)] = zero_;
    }
    coordinates_.assign(along_.begin() + 1, along_.end());
    for (int i = 0; i < var_.nc; ++i) {
      states_.push_back(var_.c(i));
      out_.state_rate.push_back(parts.states[static_cast<std::size_t>(i)].rate.node);
    }
  }

  DerivedEquations run() {
    check_parts(parts_, errors_);
    if (errors_.empty() || (parts_.kinetic && parts_.mass.empty())) derive_mass();
    errors_.finish();
    derive_forces();
    derive_position_rows();
    derive_velocity_rows();
    derive_invariants();
    fill_info();
    return std::move(out_);
  }

 private:
  void derive_mass();
  void derive_forces();
  void derive_position_rows();
  void derive_velocity_rows();
  void derive_invariants();
  void add_default_energy(const std::string& name);
  void add_invariant(const InvariantInfo& info, NodeId value, NodeId power);
  NodeId calc_energy_power(int row);
  bool has_constraint_power();
  bool is_energy(NodeId node);
  void fill_info();

  /// D f: along the motion, with v held constant.
  NodeId along_motion(NodeId f) { return g_.directional(f, along_, direction_); }
  /// f_c d
  NodeId along_states(NodeId f) {
    return states_.empty() ? zero_ : g_.directional(f, states_, out_.state_rate);
  }
  NodeId force_part(int i) {
    return parts_.forces.empty() ? zero_ : parts_.forces[static_cast<std::size_t>(i)].node;
  }
  /// Appends the nonzero derivatives of `node` by the listed variables as one row.
  void append_row(std::vector<MatrixEntry>& entries, int row, NodeId node,
                  const std::vector<int>& variables);

  EquationParts& parts_;
  Graph& g_;
  EquationVariables var_;
  NodeId zero_;
  std::vector<int> along_;         // t, q
  std::vector<NodeId> direction_;  // 1, v
  std::vector<int> coordinates_;
  std::vector<int> rates_;
  std::vector<int> states_;
  std::unordered_map<int, NodeId> at_rest_;
  NodeId kinetic_ = -1;
  NodeId potential_ = -1;
  std::vector<NodeId> kinetic_v_;  // T_v
  DerivedEquations out_;
  DiagnosticList errors_;
};

void Derivation::append_row(std::vector<MatrixEntry>& entries, int row, NodeId node,
                            const std::vector<int>& variables) {
  std::vector<int> wrt;
  std::set_intersection(variables.begin(), variables.end(), g_.dependencies(node).begin(),
                        g_.dependencies(node).end(), std::back_inserter(wrt));
  const std::vector<NodeId> gradient = g_.gradient(node, wrt);
  for (std::size_t k = 0; k < wrt.size(); ++k)
    if (!g_.is_zero(gradient[k])) entries.push_back({row, wrt[k] - variables.front(), gradient[k]});
}

// -- motion ---------------------------------------------------------------------------------------

void Derivation::derive_mass() {
  kinetic_ = find_kinetic_energy(parts_);
  potential_ = find_potential_energy(parts_);
  kinetic_v_ = g_.gradient(kinetic_, rates_);
  if (!parts_.kinetic) {
    for (int i = 0; i < var_.n; ++i)
      for (int j = 0; j <= i; ++j) {
        const NodeId m = parts_.mass[static_cast<std::size_t>(i * var_.n + j)].node;
        if (!g_.is_zero(m)) out_.mass.push_back({i, j, m});
      }
    return;
  }
  std::vector<int> offending;
  for (int i = 0; i < var_.n; ++i) {
    std::vector<MatrixEntry> row;
    append_row(row, i, kinetic_v_[static_cast<std::size_t>(i)], rates_);  // [EQ.1]
    for (const MatrixEntry& entry : row) {
      if (entry.col <= i) out_.mass.push_back(entry);
      for (const int variable : g_.dependencies(entry.node))
        if (var_.is_rate(variable)) offending.push_back(variable);
    }
  }
  if (offending.empty()) return;
  std::sort(offending.begin(), offending.end());
  offending.erase(std::unique(offending.begin(), offending.end()), offending.end());
  std::string names;
  for (const int variable : offending)
    names += fmt::format("{}{}'", names.empty() ? "" : ", ",
                         parts_.coordinates[static_cast<std::size_t>(variable - var_.v(0))]);
  errors_.add(
      parts_.kinetic->where,
      fmt::format(
          "kinetic energy is not quadratic in the rates: its second derivatives still contain {}",
          names),
      "T may contain rates up to their products of two, as in m/2*x'^2");
}

void Derivation::derive_forces() {
  const std::vector<NodeId> potential_q = g_.gradient(potential_, coordinates_);
  std::vector<NodeId> kinetic_q;
  if (parts_.kinetic) kinetic_q = g_.gradient(kinetic_, coordinates_);
  for (int i = 0; i < var_.n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    NodeId force = g_.sub(force_part(i), potential_q[k]);  // [EQ.3]
    if (parts_.kinetic) {
      force = g_.add(force, g_.sub(kinetic_q[k], along_motion(kinetic_v_[k])));  // [EQ.2]
    }
    out_.force.push_back(force);
  }
}

// -- constraints ----------------------------------------------------------------------------------

void Derivation::derive_position_rows() {
  std::vector<NodeId> direction;
  for (int i = 0; i < var_.n; ++i) direction.push_back(g_.variable(var_.w(i)));
  int row = 0;
  for (const NamedNode& part : parts_.position_rows) {  // [EQ.4]
    out_.phi.push_back(part.node);
    append_row(out_.position_jacobian, row, part.node, coordinates_);
    const NodeId phi_dot = along_motion(part.node);
    out_.velocity_residual.push_back(phi_dot);
    out_.gamma.push_back(g_.neg(along_motion(phi_dot)));
    out_.info.rows.push_back(part.name);
    out_.info.row_sources.push_back(part.where);
    out_.info.has_time_rows |= g_.depends_on(part.node, var_.t());
    ++row;
  }
  for (const MatrixEntry& entry : out_.position_jacobian) {  // [EQ.6]
    const NodeId rate = g_.directional(entry.node, coordinates_, direction);
    if (!g_.is_zero(rate)) out_.jacobian_rate.push_back({entry.row, entry.col, rate});
  }
}

void Derivation::derive_velocity_rows() {
  int row = static_cast<int>(parts_.position_rows.size());
  for (const NamedNode& part : parts_.velocity_rows) {  // [EQ.5]
    append_row(out_.velocity_jacobian, row, part.node, rates_);
    append_row(out_.velocity_rows_q, row - static_cast<int>(parts_.position_rows.size()), part.node,
               coordinates_);
    out_.velocity_residual.push_back(part.node);
    out_.gamma.push_back(g_.neg(along_motion(part.node)));
    out_.info.rows.push_back(part.name);
    out_.info.row_sources.push_back(part.where);
    ++row;
  }
  for (const MatrixEntry& entry : out_.velocity_jacobian)
    if (has_rate(parts_, entry.node)) out_.info.velocity_rows_linear = false;
}

// -- invariants -----------------------------------------------------------------------------------

bool Derivation::is_energy(NodeId node) {
  const NodeId energy = g_.add(kinetic_, potential_);
  return node == energy || !is_different(g_, var_.count(), node, energy);
}

// λ·(G v - ρ) does not vanish identically: constraints that move, or velocity rows that are not
// linear and homogeneous.
bool Derivation::has_constraint_power() {
  if (out_.info.has_time_rows || !out_.info.velocity_rows_linear) return true;
  return std::any_of(
      parts_.velocity_rows.begin(), parts_.velocity_rows.end(),
      [&](const NamedNode& row) { return !g_.is_zero(g_.substitute(row.node, at_rest_)); });
}

void Derivation::derive_invariants() {
  const auto given = std::find_if(parts_.conserved.begin(), parts_.conserved.end(),
                                  [](const ConservedPart& part) { return part.name == "energy"; });
  if (given == parts_.conserved.end()) {
    add_default_energy("energy");
  } else if (!is_energy(given->value.node)) {
    add_invariant({"energy", false, false, ""}, given->value.node,
                  given->power ? given->power->node : zero_);
  } else if (given->power) {
    // The power is as given: no share of the constraints is added, so it is "the energy" only if
    // that share is zero.
    add_invariant({"energy", !has_constraint_power(), false, "J"}, given->value.node,
                  given->power->node);
  } else {
    add_default_energy("energy");
  }
  for (const ConservedPart& part : parts_.conserved) {
    if (part.name == "energy") continue;
    add_invariant({part.name, false, false, ""}, part.value.node,
                  part.power ? part.power->node : zero_);
  }
}

void Derivation::add_invariant(const InvariantInfo& info, NodeId value, NodeId power) {
  const int row = static_cast<int>(out_.invariant.size());
  out_.invariant.push_back(value);
  append_row(out_.invariant_v, row, value, rates_);
  append_row(out_.invariant_q, row, value, coordinates_);
  out_.invariant_t.push_back(g_.add(g_.derivative(value, var_.t()), along_states(value)));
  out_.power.push_back(power);
  out_.info.invariants.push_back(info);
  out_.info.invariants.back().has_power |= !g_.is_zero(power);
}

void Derivation::add_default_energy(const std::string& name) {
  const int row = static_cast<int>(out_.invariant.size());
  const NodeId power = calc_energy_power(row);
  const bool has_power = has_constraint_power() || !out_.power_acceleration.empty();
  add_invariant({name, true, has_power, "J"}, g_.add(kinetic_, potential_), power);
}

NodeId Derivation::calc_energy_power(int row) {
  NodeId power = g_.add(g_.derivative(potential_, var_.t()), along_states(potential_));  // [EQ.12]
  for (int i = 0; i < var_.n; ++i)
    power = g_.add(power, g_.mul(force_part(i), g_.variable(var_.v(i))));
  if (!parts_.kinetic) return g_.add(power, along_motion(kinetic_));  // [EQ.9]

  // [EQ.7], [EQ.8]
  NodeId bound = g_.mul(g_.constant(2.0), g_.substitute(kinetic_, at_rest_));  // T1 + 2 T0
  for (int i = 0; i < var_.n; ++i) {
    const NodeId p1 = g_.substitute(kinetic_v_[static_cast<std::size_t>(i)], at_rest_);
    if (!g_.is_zero(p1)) out_.power_acceleration.push_back({row, i, p1});
    bound = g_.add(bound, g_.mul(p1, g_.variable(var_.v(i))));
  }
  power = g_.sub(power, g_.derivative(kinetic_, var_.t()));
  return g_.add(power, along_motion(bound));
}

void Derivation::fill_info() {
  SystemInfo& info = out_.info;
  info.name = parts_.name;
  info.nq = info.nv = var_.n;
  info.position_rows = static_cast<int>(parts_.position_rows.size());
  info.velocity_rows = static_cast<int>(parts_.velocity_rows.size());
  info.coordinates = parts_.coordinates;
  for (const std::string& name : parts_.coordinates) info.rates.push_back(name + "'");
  info.coordinate_units = parts_.coordinate_units;
  for (const std::string& unit : parts_.coordinate_units) {
    info.rate_units.push_back(find_unit_of_rate(unit));
  }
  info.nc = var_.nc;
  info.state_start = Vector::Zero(var_.nc);
  for (const StatePart& state : parts_.states) {
    info.state_start[static_cast<Eigen::Index>(info.states.size())] = state.start;
    info.states.push_back(state.name);
    info.state_units.push_back(state.unit);
  }
  info.record_units = parts_.record_units;
  for (const NamedNode& record : parts_.records) {
    info.records.push_back(record.name);
    for (const int variable : g_.dependencies(record.node))
      if (var_.is_solved(variable)) info.records_need_reactions = true;
  }
  info.constant_mass =
      std::all_of(out_.mass.begin(), out_.mass.end(),
                  [&](const MatrixEntry& entry) { return g_.is_constant(entry.node); });
}

}  // namespace

DerivedEquations derive_equations(EquationParts& parts) { return Derivation(parts).run(); }

}  // namespace driftless
