#pragma once
// Radau IIA of order 5 for implicit problems, F(t, y, y') = 0 of index 1, 2 or 3.

#include <memory>

#include "driftless/integrators/stepper.hpp"

namespace driftless {

/// The problem must have a DaeProblem, else `start` says false. Throws ModelError if the control is not valid.
std::unique_ptr<Stepper> make_radau5(const StepControl& control, bool adaptive);

}  // namespace driftless
