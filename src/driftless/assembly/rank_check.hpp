#pragma once
// Which rows say something new, which follow from others, which contradict them, and how near to a singular pose it is.

#include "driftless/assembly/check.hpp"

namespace driftless {

/// Fills what the report says about rank. Needs eval_configuration and eval_motion at `state`, and check_mass.
void check_rank(const System& system, const State& state, const Workspace& ws, CheckReport& report);

}  // namespace driftless
