#pragma once
// The unit of a record of an equation model, from those of the coordinates, states and parameters that it names.

#include <string>

#include "driftless/equations/equation_parts.hpp"
#include "driftless/model/scopes.hpp"

namespace driftless {

/// Empty: not certain, or a ratio. `text` has been parsed with `scope`.
std::string find_record_unit(const Text& text, const Scope& scope, const EquationParts& parts,
                             const ParameterScope& parameters);

}  // namespace driftless
