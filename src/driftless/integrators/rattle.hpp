#pragma once
// RATTLE: symmetric steps of order 2 for constrained mechanical systems, symplectic if they are conservative. Derivation in
// rattle.cpp.

#include <memory>

#include "driftless/integrators/stepper.hpp"

namespace driftless {

/// Needs OdeProblem::mech(). Fixed steps only.
std::unique_ptr<Stepper> make_rattle(const StepControl& control, bool adaptive);

}  // namespace driftless
