#pragma once
// Are the derivatives that a System gives those of what it evaluates? Finite differences and energy
// balance, at a state and at random ones near it, off the manifold (on it, many wrong formulas
// agree).

#include <string>
#include <vector>

#include "driftless/system/system.hpp"

namespace driftless {

struct DerivativeCheck {
  std::string what;    ///< "velocity of the constraints: G v + Φ_t", ...
  std::string worst;   ///< the row, rate or invariant with the largest error
  double error = 0.0;  ///< |claimed - found|, relative to the sizes of the terms
};

/// Errors of a correct system are below this; those of a wrong one are usually above 1e-3.
inline constexpr double kDerivativeTolerance = 1e-6;

/// `row_errors` and `probe_errors`, if wanted: the largest error of each constraint row and of each probe.
std::vector<DerivativeCheck> check_derivatives(const System& system, const State& state,
                                               Vector* row_errors = nullptr,
                                               Vector* probe_errors = nullptr);

}  // namespace driftless
