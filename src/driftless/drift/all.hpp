#pragma once
// All drift controls. File keyword, command-line listing, explanations and the exam follow from this list.

#include <variant>

#include "driftless/drift/invariants.hpp"
#include "driftless/drift/project.hpp"
#include "driftless/drift/yoon.hpp"

namespace driftless {

using DriftSpec =
    std::variant<Project, EnergyCorrection, InvariantCorrection, Yoon12, Yoon13, Yoon17>;

}  // namespace driftless
