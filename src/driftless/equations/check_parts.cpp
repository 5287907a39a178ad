#include "driftless/equations/check_parts.hpp"

#include <fmt/format.h>

#include "driftless/equations/probe.hpp"

namespace driftless {

std::string list_dependencies(const EquationParts& parts, NodeId node, VariableKind kind) {
  const EquationVariables var = parts.variables();
  const bool rates = kind == VariableKind::rate;
  std::string names;
  for (const int variable : parts.graph.dependencies(node)) {
    if (kind == VariableKind::state) {
      if (var.is_state(variable))
        names += (names.empty() ? "" : ", ") +
                 parts.states[static_cast<std::size_t>(variable - var.c(0))].name;
      continue;
    }
    if (rates ? !var.is_rate(variable) : !var.is_coordinate(variable)) continue;
    const int i = variable - (rates ? var.v(0) : var.q(0));
    names += fmt::format("{}{}{}", names.empty() ? "" : ", ",
                         parts.coordinates[static_cast<std::size_t>(i)], rates ? "'" : "");
  }
  return names;
}

bool has_rate(const EquationParts& parts, NodeId node) {
  return !list_dependencies(parts, node, VariableKind::rate).empty();
}

bool has_coordinate(const EquationParts& parts, NodeId node) {
  return !list_dependencies(parts, node, VariableKind::coordinate).empty();
}

namespace {

/// Forces may depend on states; inertia and constraints may not.
void check_free_of_states(const EquationParts& parts, DiagnosticList& errors) {
  if (parts.states.empty()) return;
  const auto check = [&](const std::string& what, NodeId node, const Source& where) {
    const std::string names = list_dependencies(parts, node, VariableKind::state);
    if (names.empty()) return;
    errors.add(where, fmt::format("{} contains the state {}", what, names),
               "states act by forces and by the potential energy: inertia and constraints may "
               "depend on coordinates, rates and t only");
  };
  if (parts.kinetic) check("the kinetic energy", parts.kinetic->node, parts.kinetic->where);
  for (const PlacedNode& entry : parts.mass) check("the mass matrix", entry.node, entry.where);
  for (const NamedNode& row : parts.position_rows)
    check("constraint '" + row.name + "'", row.node, row.where);
  for (const NamedNode& row : parts.velocity_rows)
    check("velocity constraint '" + row.name + "'", row.node, row.where);
}

void check_mass_matrix(const EquationParts& parts, DiagnosticList& errors) {
  const auto n = parts.coordinates.size();
  for (const PlacedNode& entry : parts.mass) {
    if (!has_rate(parts, entry.node)) continue;
    errors.add(entry.where,
               fmt::format("the mass matrix contains {}: it may depend on coordinates and t only",
                           list_dependencies(parts, entry.node, VariableKind::rate)));
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const PlacedNode& lower = parts.mass[i * n + j];
      const PlacedNode& upper = parts.mass[j * n + i];
      if (lower.node == upper.node) continue;
      if (!is_different(parts.graph, parts.variables().count(), lower.node, upper.node)) continue;
      errors.add(lower.where,
                 fmt::format("the mass matrix is not symmetric: entries ({0}, {1}) and ({1}, {0}) "
                             "differ ({2}, {3})",
                             i + 1, j + 1, parts.coordinates[i], parts.coordinates[j]),
                 "a mass matrix is symmetric; terms that are not belong to [force]");
    }
  }
}

void check_rows(const EquationParts& parts, DiagnosticList& errors) {
  for (const NamedNode& row : parts.position_rows) {
    if (has_rate(parts, row.node)) {
      errors.add(row.where,
                 fmt::format("constraint '{}' contains {}", row.name,
                             list_dependencies(parts, row.node, VariableKind::rate)),
                 "it is a velocity constraint: move it to [velocity_constraint]");
    } else if (!has_coordinate(parts, row.node)) {
      errors.add(row.where, fmt::format("constraint '{}' contains no coordinate", row.name),
                 "a constraint is an expression of coordinates that stays zero");
    }
  }
  for (const NamedNode& row : parts.velocity_rows) {
    if (has_rate(parts, row.node)) continue;
    if (has_coordinate(parts, row.node)) {
      errors.add(row.where, fmt::format("velocity constraint '{}' contains no rate", row.name),
                 "it is a position constraint: move it to [constraint]");
    } else {
      errors.add(
          row.where,
          fmt::format("velocity constraint '{}' contains no coordinate and no rate", row.name),
          "a velocity constraint is an expression of rates that stays zero");
    }
  }
}

void check_conserved(const EquationParts& parts, DiagnosticList& errors) {
  for (const ConservedPart& part : parts.conserved) {
    if (has_rate(parts, part.value.node) || has_coordinate(parts, part.value.node)) continue;
    errors.add(part.value.where,
               fmt::format("conserved quantity '{}' contains no coordinate and no rate", part.name),
               "give an expression of the motion, for example \"T + U\"");
  }
}

}  // namespace

void check_parts(const EquationParts& parts, DiagnosticList& errors) {
  if (parts.size() == 0) errors.add(Source{}, "the model has no coordinates");
  if (parts.kinetic && !parts.mass.empty()) {
    errors.add(parts.kinetic->where, "the kinetic energy and the mass matrix are both given",
               "keep one of them");
  }
  if (!parts.kinetic && parts.mass.empty()) {
    errors.add(Source{}, "neither a kinetic energy nor a mass matrix is given");
  }
  if (parts.potential && has_rate(parts, parts.potential->node)) {
    errors.add(
        parts.potential->where,
        fmt::format(
            "the potential energy contains {}: it may depend on coordinates, states and t only",
            list_dependencies(parts, parts.potential->node, VariableKind::rate)),
        "put what depends on rates into [force]");
  }
  const std::size_t n = parts.coordinates.size();
  if (!parts.mass.empty() && parts.mass.size() != n * n) {
    errors.add(
        parts.mass.front().where,
        fmt::format("the mass matrix has {} entries: must have {} x {}", parts.mass.size(), n, n));
  } else if (!parts.mass.empty()) {
    check_mass_matrix(parts, errors);
  }
  check_free_of_states(parts, errors);
  check_rows(parts, errors);
  check_conserved(parts, errors);
}

}  // namespace driftless
