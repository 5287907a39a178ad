#pragma once
// [parameters] in the file's order, each an expression of those before it.

#include <string>
#include <utility>
#include <vector>

#include "driftless/model/scopes.hpp"

namespace driftless {

/// Their values (SI). A fault is noted and a doubtful 1 takes the value's place, so that one fault gives
/// one message.
std::vector<std::pair<std::string, double>> read_parameters(const std::vector<NamedText>& list,
                                                            ParameterScope& scope,
                                                            DiagnosticList& errors);

}  // namespace driftless
