#pragma once
// Lagrange's equations of the first kind with the constraints differentiated once (Arnold 2017, (79)):
//
//   q' = N(q) v,   M v' + Gᵀλ = Q,   0 = ρ(t, q, v) = G v + Φ_t, and the velocity constraints Ψ                     [IX2.1]
//
// ρ stays 0; Φ drifts linearly in time. No second derivative of a constraint is needed in a step: half-explicit methods
// solve in each stage, with the next point (t+, q+) already known and v+ = w + s v',
//
//   [ M(q) G(q)ᵀ; G(q+) 0 ] (v', λ) = ( Q(t, q, v), -ρ(t+, q+, w)/s )                                               [IX2.2]
//
// Rows that are not linear in v: G and ρ are taken at the last v+ until it stays.
//
// Redundant rows. The left and the right null space of [IX2.2] differ, G(q) having one and G(q+) another. So what is
// solved for is chosen once, at q, and the same is taken at q+: with D G the rows scaled as in coordinate_partition.hpp,
//
//   D G(q) = U (...),  UᵀU = 1,     W = D U,     G -> WᵀG,  ρ -> Wᵀρ,  λ = W μ                                       [IX2.3]
//
// U spans the columns of the dependent rates. Rejected: rows that are kept, and others that have no multiplier. Which ones
// are best changes on the way, and by the drift of Φ the others are not at ρ = 0: no step is short enough where they are
// exchanged. The space of U changes smoothly.
//
// Between steps, where a state was corrected, and for reactions: [IX1.1].

#include "driftless/base/fields.hpp"
#include "driftless/formulations/acceleration_field.hpp"
#include "driftless/formulations/coordinate_partition.hpp"

namespace driftless {

struct Index2 {
  static constexpr std::string_view kName = "index2";
  static constexpr std::string_view kSummary =
      "Lagrange multipliers, constraints at velocity level, for half-explicit or implicit "
      "integrators; "
      "positions "
      "drift slowly without a drift control";

  double rank_tolerance = 1e-8;

  static constexpr auto fields() {
    return std::make_tuple(field("rank_tolerance", &Index2::rank_tolerance, "",
                                 "pivots below this are left out (rows have length 1)",
                                 Bounds{0.0, 0.5}));
  }
  FieldOptions field_options() const { return {.rank_tolerance = rank_tolerance}; }
};

class Index2Field final : public AccelerationField {
 public:
  Index2Field(Evaluator& evaluator, const FieldOptions& options);

  bool eval_half_explicit(double t, std::span<const double> y, double t_bar,
                          std::span<const double> partial, double scale,
                          std::span<double> dydt) override;

 private:
  void choose_directions();
  void fill_upper();
  bool solve_stage(double t, double scale);
  bool solve_nonlinear(double t, double scale);

  CoordinatePartition rows_;
  Matrix directions_;  // W of [IX2.3] in the first columns, if not all rows are kept
  bool has_all_ = true;
  DenseLu lu_;
  Matrix matrix_;  // of [IX2.2]
  Vector right_;   // of it
  Vector x_next_, x_dot_, q_next_, w_, v_next_;
  Vector residual_;  // ρ, or its like at v+ = w
};

}  // namespace driftless
