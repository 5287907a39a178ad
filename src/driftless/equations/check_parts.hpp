#pragma once
// What is wrong with the parts of an equation system before any derivative is taken.

#include <string>

#include "driftless/equations/equation_parts.hpp"

namespace driftless {

enum class VariableKind { coordinate, rate, state };

/// "x', y'": the coordinates, rates or states that a node contains; empty if none.
std::string list_dependencies(const EquationParts& parts, NodeId node, VariableKind kind);
bool has_rate(const EquationParts& parts, NodeId node);
bool has_coordinate(const EquationParts& parts, NodeId node);

void check_parts(const EquationParts& parts, DiagnosticList& errors);

}  // namespace driftless
