#include "driftless/equations/equation_linearizer.hpp"

#include <algorithm>

namespace driftless {

void EquationLinearizer::compile() const {
  const SystemInfo& info = derived_.info;
  const EquationVariables var{info.nv, info.nc};
  const auto n = static_cast<std::size_t>(info.nv);
  std::vector<NodeId> residual(n);
  const auto add = [&](int row, NodeId factor, int variable) {
    NodeId& node = residual[static_cast<std::size_t>(row)];
    node = graph_.add(node, graph_.mul(factor, graph_.variable(variable)));
  };
  for (std::size_t i = 0; i < n; ++i) residual[i] = graph_.neg(derived_.force[i]);
  for (const MatrixEntry& entry : derived_.mass) {
    add(entry.row, entry.node, var.w(entry.col));
    if (entry.row != entry.col) add(entry.col, entry.node, var.w(entry.row));
  }
  for (const auto* jacobian : {&derived_.position_jacobian, &derived_.velocity_jacobian}) {
    for (const MatrixEntry& entry : *jacobian) add(entry.col, entry.node, var.lambda(entry.row));
  }
  std::vector<int> coordinates(n), rates(n);
  for (int i = 0; i < info.nv; ++i) {
    coordinates[static_cast<std::size_t>(i)] = var.q(i);
    rates[static_cast<std::size_t>(i)] = var.v(i);
  }
  std::vector<int> states;
  for (int i = 0; i < info.nc; ++i) states.push_back(var.c(i));
  std::vector<NodeId> nodes;
  const auto append = [&](Target target, std::size_t row, NodeId node,
                          const std::vector<int>& wrt) {
    const std::vector<NodeId> gradient = graph_.gradient(node, wrt);
    for (std::size_t k = 0; k < gradient.size(); ++k) {
      if (graph_.is_zero(gradient[k])) continue;
      places_.push_back({target, static_cast<int>(row), static_cast<int>(k)});
      nodes.push_back(gradient[k]);
    }
  };
  for (std::size_t i = 0; i < n; ++i) {
    append(Target::stiffness, i, residual[i], coordinates);
    append(Target::damping, i, residual[i], rates);
    append(Target::residual_c, i, residual[i], states);
  }
  for (std::size_t k = 0; k < derived_.state_rate.size(); ++k) {
    append(Target::rate_q, k, derived_.state_rate[k], coordinates);
    append(Target::rate_v, k, derived_.state_rate[k], rates);
    append(Target::rate_c, k, derived_.state_rate[k], states);
  }
  for (std::size_t k = 0; k < derived_.velocity_residual.size(); ++k)
    append(Target::residual_q, k, derived_.velocity_residual[k], coordinates);
  tape_ = Tape(graph_, nodes, var.lambda(info.row_count()));
  compile_momentum_rate();
}

void EquationLinearizer::compile_momentum_rate() const {
  const EquationVariables var{derived_.info.nv, derived_.info.nc};
  std::vector<int> along{var.t()};
  std::vector<NodeId> direction{graph_.constant(1.0)};
  for (int i = 0; i < var.n; ++i) {
    along.push_back(var.q(i));
    direction.push_back(graph_.variable(var.v(i)));
  }
  std::vector<NodeId> rate(static_cast<std::size_t>(var.n), graph_.constant(0.0));
  const auto add = [&](int row, NodeId factor, int column) {
    NodeId& node = rate[static_cast<std::size_t>(row)];
    node = graph_.add(node, graph_.mul(factor, graph_.variable(var.v(column))));
  };
  for (const MatrixEntry& entry : derived_.mass) {
    const NodeId change = graph_.directional(entry.node, along, direction);
    add(entry.row, change, entry.col);
    if (entry.row != entry.col) add(entry.col, change, entry.row);
  }
  momentum_tape_ = Tape(graph_, rate, var.motion_count());
}

void EquationLinearizer::add_momentum_rate(std::span<const double> variables, Scratch& scratch,
                                           VectorRef force) const {
  std::call_once(once_, [this] { compile(); });
  if (scratch.momentum_out.empty()) {
    scratch.momentum_tape = momentum_tape_.make_scratch();
    scratch.momentum_out.resize(static_cast<std::size_t>(force.size()));
  }
  momentum_tape_.eval(variables, scratch.momentum_out, scratch.momentum_tape);
  force += as_vector(std::span<const double>(scratch.momentum_out));
}

void EquationLinearizer::eval(const Moment& moment, const Vector& states, Scratch& scratch,
                              Linearization& out) const {
  std::call_once(once_, [this] { compile(); });
  const SystemInfo& info = derived_.info;
  const EquationVariables var{info.nv, info.nc};
  if (scratch.variables.empty()) {
    scratch.variables.assign(static_cast<std::size_t>(var.count() + info.row_count()), 0.0);
    scratch.tape = tape_.make_scratch();
    scratch.out.resize(places_.size());
  }
  scratch.variables[0] = moment.t;
  const auto put = [&](const Vector& values, int first) {
    std::copy(values.begin(), values.end(), scratch.variables.begin() + first);
  };
  put(moment.q, var.q(0));
  put(moment.v, var.v(0));
  put(moment.v_dot, var.w(0));
  put(states, var.c(0));
  put(moment.lambda, var.count());
  tape_.eval(scratch.variables, scratch.out, scratch.tape);
  Matrix* const targets[] = {&out.stiffness.whole(), &out.damping.whole(), &out.residual_q.whole(),
                             &out.states.residual_c, &out.states.rate_q,   &out.states.rate_v,
                             &out.states.rate_c};
  for (Matrix* matrix : targets) matrix->setZero();
  for (std::size_t k = 0; k < places_.size(); ++k) {
    const Place& place = places_[k];
    (*targets[static_cast<std::size_t>(place.target)])(place.row, place.col) = scratch.out[k];
  }
}

}  // namespace driftless
