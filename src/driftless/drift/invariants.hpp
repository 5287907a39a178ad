#pragma once
// Correction of invariants by changing v tangent to the constraints (Braun and Goldfarb 2012, section 2.5, eq. 20):
//
//   d_k:  [ M Gᵀ; G 0 ] (d_k, ·) = (dI_k/dv, 0)        v := v + Σ s_k d_k,   I_j(v) - I_j0 - ∫P_j = 0            [INV.1]
//
// d is the direction of steepest change of I among the velocities that the constraints allow, in the mass metric; it is
// orthogonal to every constraint force, so closed joints stay closed. For the energy alone the equation for s is
// quadratic with known coefficients: with b = dE/dv · d = dᵀ M d,
//
//   E(v + s d) = E + b s + b s²/2    =>    s = √(1 - 2 Ψ/b) - 1,   Ψ the energy error                            [INV.2]
//
// exact in one shot. (Scaling v itself instead of d would also scale its normal part, which moving constraints fix.)
// Other invariants, or several at once: Newton on [INV.1] with frozen directions, K_jk = dI_j/dv · d_k; one pass is
// exact if they are linear in v. Directions that are nearly combinations of earlier ones are left out.
//
// Turning points: where the tangent velocity vanishes there is no direction (b -> 0). Nothing is done there, and near it
// the change of the tangent velocity is limited to the part `limit` per step; both are counted in the report. The next
// steps catch up. Where everything is driven, b is nothing but rounding beside dE/dv · v: no direction either. Errors
// within the rounding of the invariant itself are left alone everywhere.
//
// A limit of the method: the error of one step, Ψ = O(hᵖ⁺¹), costs Δv = Ψ/|v|, and the step nearest to a turning point
// has a speed of at most h |a|/2, say ε h |a|: Δv = O(hᵖ)/ε. The order p is kept, but the factor 1/ε depends on where
// the steps happen to fall, so the order seen between two step sizes scatters (rk4 on a swinging pendulum: 3.7 to 4.3),
// and its error is up to three times that without the correction. Once Ψ is the rounding of E, about 4 ulp, Δv = 4 ulp/|v|
// is a floor: 4e-11 m/s at |E| = 10 J and |v| = 7e-4 m/s, and the order seen falls to 2.7. Rejected: to leave the error
// alone where |v| < h |a|; it helps the path there, but then the energy is not what it is said to be.           [INV.3]

#include <memory>

#include "driftless/base/fields.hpp"
#include "driftless/drift/drift_control.hpp"

namespace driftless {

struct EnergyCorrection {
  static constexpr std::string_view kName = "energy";
  static constexpr std::string_view kSummary =
      "after each step: energy brought back to E0 + work by changing v along the constraints";

  double limit = 0.5;

  static constexpr auto fields() {
    return std::make_tuple(field("limit", &EnergyCorrection::limit, "",
                                 "largest relative change of the tangent velocity per step",
                                 Bounds{0.0, 0.99, true}));
  }
};

struct InvariantCorrection {
  static constexpr std::string_view kName = "invariant";
  static constexpr std::string_view kSummary =
      "after each step: energy and every quantity in [conserved] brought back likewise";

  double limit = 0.5;

  static constexpr auto fields() {
    return std::make_tuple(field("limit", &InvariantCorrection::limit, "",
                                 "largest relative change of the tangent velocity per step",
                                 Bounds{0.0, 0.99, true}));
  }
};

std::unique_ptr<DriftControl> make_control(const EnergyCorrection& options, const SystemInfo& info);
std::unique_ptr<DriftControl> make_control(const InvariantCorrection& options,
                                           const SystemInfo& info);

}  // namespace driftless
