#pragma once
// Generalised coordinate partitioning, and the partial velocity matrix (Park, Yoo, Hwang 2000, eqs. 11-24). Both integrate
// all coordinates and close the constraints in every evaluation:
//
//   position   Φ(q_d, q_i) = 0 for q_d by Newton, q_i as integrated     G_d Δ_d = -Φ, q := q ⊕ Δ              [PRT.3]
//   velocity   G_d v_d = -G_i v_i - Φ_t, v_i as integrated                                                     [PRT.4]
//
// with the partition q = (q_d, q_i) of coordinate_partition.hpp. Then the acceleration comes from
//
//   partition          [ M Gᵀ; G 0 ] (v', λ) = (Q, γ)                                          n + m equations [PRT.5]
//   partial_velocity   [ BᵀM; G ] v' = (BᵀQ, γ),   B = [ -G_d⁻¹ G_i; 1 ],   Bᵀ Gᵀ = 0          n equations     [PRT.6]
//                      G_dᵀ λ = (Q - M v')_d, by the factorisation of [PRT.4]                                  [PRT.7]
//
// `algebra` says by which linear algebra: "dense" as the paper, LU of these matrices; "own" by the saddle point's engine
// for [PRT.5], and with v' = B u' + c, c = (G_d⁻¹ γ, 0), for [PRT.6]:  BᵀM B u' = Bᵀ (Q - M c), n - m equations.  [PRT.8]
//
// The partition is frozen over a step: chosen anew in every evaluation it would make the field discontinuous, since a
// state off the constraints is closed along other directions (measured: 2e-9 instead of 1e-11). At the begin of a step it
// is looked at, and replaced if its measure [PRT.2] exceeds `condition` and another one is better by a tenth. As all
// coordinates are integrated, and the state is overwritten with the closed one after each step, nothing jumps and the
// integrator's history stays valid: a change costs nothing, a poor partition does. (A four-bar at 20 rad/s, rk4,
// h = 0.0025: the error is 1.4e-4 with `condition` 1, 8e-3 with 2, 0.06 with 3.)
//
// Singular poses. Full pivoting leaves out what falls below `rank_tolerance`: there the row is not solved for, and it is
// taken back as soon as it can be. Stages that Newton cannot close are refused, so adaptive steps become shorter; with
// fixed ones the run ends with the joint that stays open.

#include <string>

#include "driftless/base/fields.hpp"
#include "driftless/formulations/acceleration_field.hpp"
#include "driftless/formulations/coordinate_partition.hpp"

namespace driftless {

struct PartitionOptions {
  double rank_tolerance = 1e-8;
  double position_tolerance = 1e-7;
  double condition = 1.0;
  std::string algebra = "own";

  static constexpr auto fields() {
    return std::make_tuple(
        field("rank_tolerance", &PartitionOptions::rank_tolerance, "",
              "pivots below this are left out (rows have length 1)", Bounds{0.0, 0.5}),
        field("position_tolerance", &PartitionOptions::position_tolerance, "",
              "Newton's method ends when coordinates change by less; the error left is its square",
              Bounds{1e-14, 0.1}),
        field("condition", &PartitionOptions::condition, "",
              "the partition is changed where dependent coordinates become this much faster than "
              "independent ones",
              Bounds{1.0, 1e12}),
        field("algebra", &PartitionOptions::algebra, "",
              "\"own\": by structure; \"dense\": one LU factorisation, as in the paper"));
  }
  FieldOptions field_options() const { return {.rank_tolerance = rank_tolerance}; }
};

struct Partition : PartitionOptions {
  static constexpr std::string_view kName = "partition";
  static constexpr std::string_view kSummary =
      "dependent coordinates by Newton's method from the independent ones, in every evaluation";
};

struct PartialVelocity : PartitionOptions {
  static constexpr std::string_view kName = "partial_velocity";
  static constexpr std::string_view kSummary =
      "as partition, with motion reduced to the independent rates: no multipliers are solved for";
};

class PartitionField final : public AccelerationField {
 public:
  enum class Equations { multipliers, partial_velocities };  ///< [PRT.5], [PRT.6]

  PartitionField(Evaluator& evaluator, const PartitionOptions& options,
                 const FieldOptions& field_options, Equations equations,
                 std::vector<FieldTerm*> terms);

  void begin_step(double t, double h, std::span<const double> y,
                  std::span<const double> f) override;
  const Vector& lambda() override;
  bool corrects() const override { return true; }
  bool correct(double t, Vector& q, Vector& v) override;
  bool solve_reactions(double t, const Vector& q, const Vector& v, Vector& v_dot,
                       Vector& lambda) override;
  int rank() const override { return partition_.rank(); }
  void add_figures(std::vector<std::pair<std::string, double>>& figures) const override;

 private:
  bool settle(double t) override;
  bool solve_motion(double t, const Vector& f, const Vector& b) override;
  bool close_positions(double t);
  bool close_velocities(double t);
  bool solve_saddle(double t);
  bool solve_reduced(double t);
  void solve_multipliers();
  bool fail_indefinite(double t);
  bool fail_open(double t);
  void choose();
  void review();
  bool set_point(double t, const Vector& q, const Vector& v);
  double find_condition(CoordinatePartition& partition);

  PartitionOptions partition_options_;
  Equations equations_;
  bool dense_;
  bool has_multipliers_ = true;  // of the last evaluation: partial velocities do without
  CoordinatePartition partition_, candidate_;
  int full_rank_ = 0;  // the largest seen
  long changes_ = 0;
  double worst_condition_ = 0.0;
  Matrix B_, MB_, system_matrix_;
  DenseLu lu_;
  Vector change_, right_, offset_, force_;
};

}  // namespace driftless
