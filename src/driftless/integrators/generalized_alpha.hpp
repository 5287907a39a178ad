#pragma once
// Newmark's family for constrained mechanical systems: newmark, hht, generalized_alpha.

#include <memory>

#include "driftless/integrators/stepper.hpp"

namespace driftless {

/// The parameters of a method; derivation in generalized_alpha.cpp.
struct AlphaParameters {
  double alpha_m = 0.0, alpha_f = 0.0, beta = 0.25, gamma = 0.5;
  double rho = 1.0;  ///< damping of the highest frequencies, for first-order states
};
/// Chung and Hulbert 1993: damping of the highest frequencies by rho in each step, 0 to 1.
AlphaParameters make_generalized_alpha(double rho);
/// Hilber, Hughes and Taylor 1977: alpha from -1/3 (most damping) to 0.
AlphaParameters make_hht(double alpha);

/// Needs OdeProblem::mech().
std::unique_ptr<Stepper> make_generalized_alpha_stepper(const AlphaParameters& parameters,
                                                        const StepControl& control, bool adaptive);

}  // namespace driftless
