#pragma once
// Braun and Goldfarb 2012, eqs. (16), (17), (20): the equation of motion with embedded correction of position, velocity
// and energy,
//
//   q' = v  + L⁻ᵀ C_q⁺ (b_q - A_q v - Φ/dt)                                                                     [BGF.1]
//   v' = a  + L⁻ᵀ C_v⁺ (b_v - A_v a - ρ/dt) + energy term/dt                                                    [BGF.2]
//
// Discretisation. The terms with 1/dt are impulses: over a step of length dt they act once. Evaluated inside the stages
// of a Runge-Kutta method they would feed residuals of size O(h²)/h into the slopes and cost two orders (measured: RK4
// falls to order 1 or 2). So the stages see [BGF.1], [BGF.2] without them,
//
//   u  = v - L⁻ᵀ C⁺ (A v - b)          q' = u          v' = a + L⁻ᵀ C⁺ (γ(t,q,u) - A a)                          [BGF.3]
//
// which is the acceleration field with projected stage velocities, and the impulses enter after the step, once, without
// iteration, in the order q, v at the new q, energy at both (drift controls `project` and `energy`). On the manifold
// [BGF.3] is [BGF.1], [BGF.2] exactly. The projection of u uses the velocity rows too, where the paper's (16) uses the
// position rows alone: the same on the manifold, and one factorisation serves both.
//
// Singular poses: with fixed steps the stages' rank tolerance scales with h², rule [FLD.3]. κ between 0.3 and 1.4 passes
// the change-point four-bar for every step and speed tried (97 speeds, h = 0.02 to 0.0025); 0.1 and 2 do not. Random
// slider-cranks with links of different mass (97, four steps) pass as well, but not without the rule's third power: at
// their dead point the second one is close to zero. The first stage takes the tolerance of the step before: all stages
// of a step leave out the same directions.
// With adaptive steps the error estimate sees a stage that went astray and repeats the step, shorter; the rule would
// hide it (measured: branch changes at tolerance 1e-3), so stages take rank_tolerance then.

#include "driftless/base/fields.hpp"
#include "driftless/formulations/acceleration_field.hpp"

namespace driftless {

struct BraunGoldfarb {
  static constexpr std::string_view kName = "braun_goldfarb";
  static constexpr std::string_view kSummary =
      "projected stages, then one correction of position, velocity and energy per step; passes "
      "singular poses";

  double rank_tolerance = kDefaultRankTolerance;
  double stage_factor = 0.7;

  static constexpr auto fields() {
    return std::make_tuple(
        field("rank_tolerance", &BraunGoldfarb::rank_tolerance, "",
              "singular values below this are left out after a step (rows have length 1)",
              Bounds{0.0, 0.5}),
        field(
            "stage_factor", &BraunGoldfarb::stage_factor, "",
            "kappa in the stages' rank tolerance, about kappa*h^2*|dG/dq v'|/|G|; fixed steps only",
            Bounds{0.0, 100.0}));
  }
  FieldOptions field_options() const {
    return {.project_stages = true, .rank_tolerance = rank_tolerance, .stage_factor = stage_factor};
  }
};

}  // namespace driftless
