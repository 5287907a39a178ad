#pragma once
// coordinates = "absolute" | "joint", and the joints that are cut.

#include <memory>

#include "driftless/base/error.hpp"
#include "driftless/mechanism/parts.hpp"
#include "driftless/model/mechanism_model.hpp"
#include "driftless/system/compiled_model.hpp"

namespace driftless {

/// Joints to be cut must exist, and be cut in joint coordinates only.
void check_cut(const MechanismModel& model, DiagnosticList& errors);

/// Of a mechanism in absolute coordinates: in those that the model asks for, and with the pattern of its mixed-coordinate
/// matrix.
void choose_coordinates(const MechanismModel& model,
                        const std::shared_ptr<const MechanismParts>& parts, CompiledModel& out);

}  // namespace driftless
