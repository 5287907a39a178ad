#include "driftless/mechanism/probes.hpp"

#include <algorithm>

namespace driftless {

class Probes::Writer {
 public:
  Writer(VectorRef values, VectorRef slopes) : values_(values), slopes_(slopes) {}
  void write(double value, double slope) {
    values_[next_] = value;
    slopes_[next_] = slope;
    ++next_;
  }

 private:
  VectorRef values_;
  VectorRef slopes_;
  Eigen::Index next_ = 0;
};

Probes::Probes(const MechanismParts& parts, const Kinematics& kinematics, const Laws& laws)
    : parts_(parts), kinematics_(kinematics), laws_(laws) {
  for (const LawParts::Force& force : parts.laws.forces) {
    elements_.insert(elements_.end(), force.potential >= 0 ? 2 : 1, force.name);
  }
  for (const ForceBlock& force : parts.forces) {
    const int count = int{force.kernel->has_potential()} + int{force.kernel->has_applied()};
    elements_.insert(elements_.end(), static_cast<std::size_t>(count), force.name);
  }
  for (const DeclaredMeasure& measure : parts.declared) {
    const FunctionBlock& block = parts.functions[static_cast<std::size_t>(measure.block)];
    elements_.insert(elements_.end(), 2 * static_cast<std::size_t>(block.function->outputs()),
                     measure.name);
  }
  for (const std::string& name : parts.expressions) add_expression(name);
}

void Probes::add_expression(const std::string& name) {
  const auto& names = parts_.record_names;
  const auto place = std::find(names.begin(), names.end(), name);
  if (place == names.end()) return;
  Graph graph = parts_.record_graph;
  const NodeId node = parts_.records[static_cast<std::size_t>(place - names.begin())];
  Expression expression{name, {}, graph.dependencies(node)};
  std::vector<NodeId> nodes{node};
  for (const int variable : expression.variables) {
    nodes.push_back(graph.derivative(node, variable));
    if (variable == 0) continue;
    const Measure::Kind kind = parts_.measures[static_cast<std::size_t>(variable) - 1].kind;
    // What is made of reactions and forces has no derivative that anybody works with.
    if (kind != Measure::Kind::value && kind != Measure::Kind::rate) return;
  }
  expression.tape = {graph, nodes, static_cast<int>(parts_.measures.size()) + 1};
  expressions_.push_back(std::move(expression));
  elements_.push_back(name);
}

void Probes::eval(const Moment& moment, MotionState& state, LawWorkspace& laws, VectorRef values,
                  VectorRef slopes) const {
  Writer out(values, slopes);
  write_law_forces(moment, state, laws, out);
  write_kernels(moment, state, laws, out);
  kinematics_.accelerate(moment.v_dot, state);
  write_measures(state, out);
  write_expressions(moment, state, out);
}

void Probes::write_law_forces(const Moment& moment, MotionState& state, LawWorkspace& laws,
                              Writer& out) const {
  Vector force = Vector::Zero(moment.v.size());
  laws_.eval_potential(state, laws, force);
  laws_.eval_applied(state, laws, force);
  Vector state_rate = Vector::Zero(static_cast<Eigen::Index>(parts_.laws.states.size()));
  laws_.eval_states(laws, state_rate);
  for (std::size_t k = 0; k < parts_.laws.forces.size(); ++k) {
    const LawParts::Force& each = parts_.laws.forces[k];
    force.setZero();
    laws_.add_unit_force(static_cast<int>(k), state, laws, force);
    const double rate = force.dot(moment.v);
    const auto value = static_cast<std::size_t>(LawParts::value_of(each.scalar));
    out.write(laws.variables[value], rate);
    if (each.potential < 0) continue;
    const auto [energy, slope] = laws_.potential(static_cast<int>(k), laws);
    out.write(energy, slope * rate + laws_.state_power(static_cast<int>(k), laws));
  }
}

void Probes::write_kernels(const Moment& moment, MotionState& state, LawWorkspace& laws,
                           Writer& out) const {
  const double* inputs = laws_.eval_inputs(laws);
  Vector force(moment.v.size());
  for (const ForceBlock& each : parts_.forces) {
    const auto act = [&](const Wrench* wrenches) {
      force.setZero();
      for (std::size_t j = 0; j < each.frames.size(); ++j)
        kinematics_.add_wrench(each.frames[j], wrenches[j], state, force);
      return force.dot(moment.v);
    };
    for (std::size_t j = 0; j < each.frames.size(); ++j) {
      state.motions[j] = state.frames[static_cast<std::size_t>(each.frames[j])];
      state.poses[j] = state.motions[j].pose;
    }
    if (each.kernel->has_potential()) {
      Wrench wrenches[Forces::kMaxForceFrames] = {};
      const double energy = each.kernel->eval_potential(state.poses.data(), wrenches);
      out.write(energy, -act(wrenches));
    }
    if (each.kernel->has_applied()) {
      Wrench wrenches[Forces::kMaxForceFrames] = {};
      each.kernel->eval_applied(inputs + each.first_input, state.motions.data(), wrenches);
      double power = 0.0;
      for (std::size_t j = 0; j < each.frames.size(); ++j)
        power += dot(wrenches[j], state.motions[j].velocity);
      out.write(0.0, act(wrenches) - power);
    }
  }
}

void Probes::write_measures(MotionState& state, Writer& out) const {
  for (const DeclaredMeasure& measure : parts_.declared) {
    const FunctionBlock& block = parts_.functions[static_cast<std::size_t>(measure.block)];
    const auto outputs = static_cast<std::size_t>(block.function->outputs());
    kinematics_.eval_value(block, state, state.first.data());
    const std::vector<double> values(state.first.begin(),
                                     state.first.begin() + static_cast<long>(outputs));
    kinematics_.eval_motion(block, state, state.first.data(), state.second.data());
    for (std::size_t k = 0; k < outputs; ++k) {
      out.write(values[k], state.first[k]);
      out.write(state.first[k], state.second[k]);
    }
  }
}

double Probes::calc_function(const Measure& measure, bool derivative, MotionState& state) const {
  const FunctionBlock& block = parts_.functions[static_cast<std::size_t>(measure.block)];
  const auto output = static_cast<std::size_t>(measure.component);
  const int order = int{measure.kind == Measure::Kind::rate} + int{derivative};
  if (order == 0) {
    kinematics_.eval_value(block, state, state.first.data());
    return state.first[output];
  }
  kinematics_.eval_motion(block, state, state.first.data(), state.second.data());
  return order == 1 ? state.first[output] : state.second[output];
}

void Probes::write_expressions(const Moment& moment, MotionState& state, Writer& out) const {
  std::vector<double> variables(parts_.measures.size() + 1, 0.0);
  variables[0] = moment.t;
  for (const Expression& expression : expressions_) {
    std::vector<double> rates;
    for (const int variable : expression.variables) {
      if (variable == 0) {
        rates.push_back(1.0);
        continue;
      }
      const auto index = static_cast<std::size_t>(variable);
      const Measure& measure = parts_.measures[index - 1];
      variables[index] = calc_function(measure, false, state);
      rates.push_back(calc_function(measure, true, state));
    }
    std::vector<double> results(1 + rates.size());
    std::vector<double> scratch = expression.tape.scratch();
    expression.tape.tape().eval(variables, results, scratch);
    double slope = 0.0;
    for (std::size_t k = 0; k < rates.size(); ++k) slope += results[k + 1] * rates[k];
    out.write(results[0], slope);
  }
}

}  // namespace driftless
