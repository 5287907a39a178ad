#pragma once
// Adams predictor-corrector with variable step and variable order, 1 to 12.

#include <memory>

#include "driftless/integrators/stepper.hpp"

namespace driftless {

/// Adaptive: step and order follow the error. Fixed: the order alone does, after a start by DOP853. Throws ModelError if
/// the control is not valid.
std::unique_ptr<Stepper> make_adams(const StepControl& control, bool adaptive);

}  // namespace driftless
