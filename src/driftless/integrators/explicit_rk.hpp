#pragma once
// Explicit Runge-Kutta methods with fixed or adaptive step: one engine for all tableaus.

#include <memory>

#include "driftless/integrators/stepper.hpp"
#include "driftless/integrators/tableau.hpp"

namespace driftless {

/// A stepper from any explicit tableau, one of ours or the user's own. Throws ModelError if the
/// tableau or the control is not valid, or if `adaptive` is asked of a tableau without error
/// weights.
std::unique_ptr<Stepper> make_explicit_rk(Tableau tableau, const StepControl& control,
                                          bool adaptive);

/// The same of a tableau that is known to be valid: checking the conditions of order 8 takes as long as a short run.
std::unique_ptr<Stepper> make_known_rk(Tableau tableau, const StepControl& control, bool adaptive);

}  // namespace driftless
