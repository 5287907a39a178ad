#pragma once
// Is there a motion that the constraints allow and that has no kinetic energy, or a negative one?

#include "driftless/assembly/check.hpp"

namespace driftless {

/// M + s Gᵀ D² G, which is definite if M is definite on the null space of G.
Matrix add_constraint_inertia(const Workspace& ws);

/// Fills what the report says about masses.
void check_mass(const SystemInfo& info, const Workspace& ws, CheckReport& report);

}  // namespace driftless
