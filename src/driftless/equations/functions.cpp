#include "driftless/equations/functions.hpp"

#include <cmath>
#include <set>

#include <fmt/format.h>

namespace driftless::functions {

namespace {

void check_names(const std::vector<std::string>& names, const char* what, DiagnosticList& errors) {
  std::set<std::string> seen;
  for (const std::string& name : names) {
    if (name.empty()) errors.add(Source{}, fmt::format("the layout has {} without a name", what));
    if (!seen.insert(name).second)
      errors.add(Source{}, fmt::format("the layout names {} '{}' twice", what, name));
  }
}

}  // namespace

Trace::Trace(const FunctionLayout& layout)
    : layout_(layout), t_(Symbol::variable(parts_.graph, 0)) {
  DiagnosticList errors;
  if (layout.coordinates.empty()) errors.add(Source{}, "the layout has no coordinates");
  check_names(layout.coordinates, "a coordinate", errors);
  std::vector<std::string> rows = layout.constraints;
  rows.insert(rows.end(), layout.velocity_constraints.begin(), layout.velocity_constraints.end());
  check_names(rows, "a constraint", errors);
  check_names(layout.conserved, "a conserved quantity", errors);
  check_names(layout.records, "a record", errors);
  std::vector<std::string> states;
  for (const FunctionState& state : layout.states) states.push_back(state.name);
  check_names(states, "a state", errors);
  for (const FunctionState& state : layout.states)
    if (!std::isfinite(state.start))
      errors.add(Source{},
                 fmt::format("the state '{}' begins at a value that is not finite", state.name));
  errors.finish();

  parts_.name = layout.name;
  parts_.coordinates = layout.coordinates;
  for (const FunctionState& state : layout.states)
    parts_.states.push_back({state.name, "", state.start, {}});
  const EquationVariables var = parts_.variables();
  for (int i = 0; i < var.n; ++i) {
    q_.push_back(Symbol::variable(parts_.graph, var.q(i)));
    v_.push_back(Symbol::variable(parts_.graph, var.v(i)));
  }
  for (int i = 0; i < var.nc; ++i) c_.push_back(Symbol::variable(parts_.graph, var.c(i)));
}

std::vector<Symbol> Trace::make_list(const std::vector<std::string>& names, const char* function,
                                     bool has_function) const {
  if (has_function && names.empty()) {
    throw ModelError(
        fmt::format("the model has a function {}, but the layout names none of its results",
                    function),
        fmt::format("list a name per result in the layout, or remove the function {}", function));
  }
  if (!has_function && !names.empty()) {
    throw ModelError(
        fmt::format(
            "the layout has {} names for the results of a function {}, which the model lacks",
            names.size(), function),
        fmt::format("add a member template {} to the model", function));
  }
  return std::vector<Symbol>(names.size());
}

void Trace::set_forces(const std::vector<Symbol>& values) {
  for (const Symbol& value : values) parts_.forces.push_back(place(value));
}

void Trace::set_constraints(const std::vector<Symbol>& values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    parts_.position_rows.push_back({layout_.constraints[i], values[i].node(parts_.graph), {}});
}

void Trace::set_velocity_constraints(const std::vector<Symbol>& values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    parts_.velocity_rows.push_back(
        {layout_.velocity_constraints[i], values[i].node(parts_.graph), {}});
}

void Trace::set_conserved(const std::vector<Symbol>& values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    parts_.conserved.push_back({layout_.conserved[i], place(values[i]), {}});
}

void Trace::set_conserved_power(const std::vector<Symbol>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) parts_.conserved[i].power = place(values[i]);
}

void Trace::set_records(const std::vector<Symbol>& values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    parts_.records.push_back({layout_.records[i], values[i].node(parts_.graph), {}});
}

void Trace::set_states(const std::vector<Symbol>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) parts_.states[i].rate = place(values[i]);
}

}  // namespace driftless::functions
