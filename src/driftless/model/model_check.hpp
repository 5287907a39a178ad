#pragma once
// What can be said about a model without understanding its expressions: names, missing parts,
// shapes of matrices. The same for models from a file, from C++ and from Python.

#include <string>
#include <vector>

#include "driftless/base/error.hpp"
#include "driftless/model/equation_model.hpp"
#include "driftless/model/names.hpp"

namespace driftless {

/// Everything that is wrong, in no particular order; empty if nothing is.
std::vector<Diagnostic> find_model_errors(const EquationModel& model);

/// Throws ModelError with all that find_model_errors finds.
void check_model(const EquationModel& model);

/// Names of the coordinates, in order.
std::vector<std::string> find_coordinate_names(const EquationModel& model);

}  // namespace driftless
