#pragma once
// An equation model as the user wrote it -> a System with start values.

#include <string>
#include <vector>

#include "driftless/model/equation_model.hpp"
#include "driftless/system/compiled_model.hpp"

namespace driftless {

/// Throws ModelError with all findings, each with its place. `used_elsewhere`: names that [run] and [method] use, which
/// therefore are not unused.
CompiledModel compile(const EquationModel& model,
                      const std::vector<std::string>& used_elsewhere = {});

}  // namespace driftless
