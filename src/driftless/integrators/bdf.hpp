#pragma once
// Backward differentiation formulas for implicit problems, F(t, y, y') = 0 of index 1, 2 or 3.

#include <memory>

#include "driftless/integrators/stepper.hpp"

namespace driftless {

inline constexpr int kHighestBdf = 5;

/// Adaptive: step and order, up to max_order, follow the error. Fixed: of order max_order, after a start by Radau IIA; for
/// max_order = 1 this is the backward Euler method. The problem must have a DaeProblem, else `start` says false. Throws
/// ModelError if the control is not valid.
std::unique_ptr<Stepper> make_bdf(const StepControl& control, bool adaptive,
                                  int max_order = kHighestBdf);

}  // namespace driftless
