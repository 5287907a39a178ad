#pragma once
// The BDF code IDA of SUNDIALS for implicit problems, F(t, y, y') = 0 of index 1 or 2.

#include <memory>

#include "driftless/integrators/stepper.hpp"

namespace driftless {

/// Step and order, 1 to 5, follow the error: IDA knows no fixed steps. The problem must have a DaeProblem, else `start` says
/// false. Throws ModelError if the control is not valid, or if fixed steps are asked for.
std::unique_ptr<Stepper> make_ida(const StepControl& control, bool adaptive);

}  // namespace driftless
