#pragma once
// A System from equations: energies or a mass matrix, forces, constraints (equation_parts.hpp).

#include <memory>

#include "driftless/equations/equation_parts.hpp"
#include "driftless/system/system.hpp"

namespace driftless {

/// Throws ModelError if the parts do not make equations of motion: T not quadratic in the rates, a
/// position constraint with a rate, an asymmetric mass matrix, ...
std::unique_ptr<System> make_equation_system(EquationParts parts);

}  // namespace driftless
