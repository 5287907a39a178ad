#pragma once
// Adams-Bashforth methods of order 2 to 5 with fixed step: one evaluation of f per step.

#include <memory>
#include <span>

#include "driftless/integrators/stepper.hpp"

namespace driftless {

/// beta_0 .. beta_{order-1} of y_{n+1} = y_n + h sum_j beta_j f_{n-j}; order 1 to 5.
std::span<const double> find_adams_bashforth_weights(int order);

/// order 2 to 5. Throws ModelError for another one, or if the control is not valid.
std::unique_ptr<Stepper> make_adams_bashforth(int order, const StepControl& control);

}  // namespace driftless
