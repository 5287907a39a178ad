#pragma once
// Projection onto the constraints with the least change in the mass metric: first position, then velocity at the new
// position,
//
//   q := q ⊕ Δ,  [ M Gᵀ; G 0 ] (Δ, ·) = (0, -Φ)        v := v + Δ,  [ M Gᵀ; G 0 ] (Δ, ·) = (0, -ρ)              [PRJ.1]
//
// (Braun and Goldfarb 2012: the impulses of eqs. 16 and 17, multiplied by dt; Arnold 2016, eqs. 88-91.) One pass of a
// Gauss-Newton step takes a residual of size ε to O(ε²); after a Runge-Kutta step of order 4 that is O(h¹⁰), so one pass
// without iteration is enough and is what braun_goldfarb uses. With `iterations` > 1 passes go on until every row is
// met to `projection_tolerance` relative to its own length times the size of q. Velocity rows that are nonlinear in v
// are iterated alike.
// The passes are those of a simplified Newton's method: M and G stay those of the first one,
//
//   [ M(q0) G(q0)ᵀ; G(q0) 0 ] (Δ, ·) = (0, -Φ(q_k)),   q_{k+1} = q_k ⊕ Δ                                            [PRJ.2]
//
// which takes a gap of size ε to O(ε²) and then by a factor O(ε) each time, as long as that closes the gap in the passes that
// are left; else they are taken anew. Rows of velocities, which cannot move q, are not among those of G here.
// Beside a singular pose, where the smallest own part p of a row is below a tenth, ε² is magnified by 1/p²: there one pass is
// followed by another if it leaves more than 1e-12 of a row.                                                      [PRJ.4]
// With a `projection_bound` a state is left alone as long as no position row, and no row's rate, is open by more (Arnold 2016,
// fig. 15). Rows of velocities alone, of wheels and blades, have nothing but that rate.
// Near a singular pose directions below the rank tolerance are left alone. The tolerance is small and does not scale
// with the step: after a step a weak direction still tells the two branches that meet there apart, and leaving it
// uncorrected for longer lets the state wander to the other branch (measured on the change-point four-bar, for
// tolerances that scale with the correction or its square root).
//
// Where two branches cross, xy = 0 of some coordinates, and the state is between them, as after a start from rest in the
// crossing itself, one pass takes x to x³/(x² + y²), and y likewise: it leaves a quarter of the residual and brings the
// state back to the crossing instead of onto a branch. Each pass, however, takes x/y to its cube. So where a pass leaves
// more than a tenth, and less than all, of a gap that shows, more follow, and the branch is the nearer one, in whatever
// coordinates and however the world is turned. That is done from a start in a crossing until the first gap closes as it
// does elsewhere; crossings that are passed at speed are passed on the branch that the step has followed.           [PRJ.3]

#include <memory>

#include "driftless/base/fields.hpp"
#include "driftless/drift/drift_control.hpp"

namespace driftless {

struct Project {
  static constexpr std::string_view kName = "project";
  static constexpr std::string_view kSummary =
      "after each step: q and v to the nearest point on the constraints, in the mass metric";

  int iterations = 5;
  double projection_tolerance = 1e-13;
  double projection_bound = 0.0;

  static constexpr auto fields() {
    return std::make_tuple(field("iterations", &Project::iterations, "",
                                 "passes at most; 1 with braun_goldfarb", Bounds{1, 50}),
                           field("projection_tolerance", &Project::projection_tolerance, "",
                                 "rows met to this, relative, end the passes", Bounds{0.0, 1e-2}),
                           field("projection_bound", &Project::projection_bound, "",
                                 "on demand: only where a row, or its rate, is open by more than "
                                 "this, in its own unit; 0: after each step",
                                 kNotNegative));
  }
};

std::unique_ptr<DriftControl> make_control(const Project& options, const SystemInfo& info);

}  // namespace driftless
