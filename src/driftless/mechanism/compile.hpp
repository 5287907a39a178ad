#pragma once
// A mechanism as the user wrote it -> a System with start values.

#include <string>
#include <vector>

#include "driftless/model/mechanism_model.hpp"
#include "driftless/system/compiled_model.hpp"

namespace driftless {

/// Throws ModelError with all findings, each with its place. The start is the drawing pose at rest; what [start] wants
/// is in `targets`. `used_elsewhere`: names that [run] and [method] use, which therefore are not unused.
CompiledModel compile(const MechanismModel& model,
                      const std::vector<std::string>& used_elsewhere = {});

}  // namespace driftless
