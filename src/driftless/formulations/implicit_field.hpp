#pragma once
// The constrained equations of motion as F(t, y, y') = 0, for implicit integrators: y = (x, v, c, work, λ, μ, κ, norms).
//
//   x' = B(x) (v - Gᵀμ)                                      μ: only where positions are held besides              [DAE.2]
//   M a + Gᵀλ = Q(t, q, v, c),   a = v' + Gᵀκ                κ: only in the stabilised index-1 form                [DAE.3]
//   c' = d(t, q, v, c)                                       states of force elements
//
// and, by formulation (Arnold 2017, section 4.2), with ρ = G v + Φ_t, or Ψ in rows of velocities:
//
//   index3             Φ = 0                                                         (77)
//   index2             ρ = 0                                                         (79)
//   index1             G a = γ                                                       (83)
//   index2_baumgarte   ρ + α0 Φ = 0,  α0 = C/h                                       (87)
//   ggl                ρ = 0 with λ, Φ = 0 with μ                                    (92)
//   stabilized_index1  G a = γ with λ, ρ = 0 with κ, Φ = 0 with μ                    Führer 1988
//
// μ and κ vanish along the exact motion; they take up what the discretisation would let drift. Rows of velocities have no Φ:
// they are held at velocity level in all forms but index1. Quaternions keep their length by multipliers of their own
// (rotation_charts.hpp).
//
// Newton's matrix a F_y' + F_y. Positions are eliminated body by body ([ROT.4]): δ = δ0 + s z/a, z = Δv - Gᵀ Δμ, with s of
// size 1. What remains is an equation for x = Δv, ℓ = Δλ/a, Δμ and k = Δκ/a,                                       [DAE.4]
//
//   [M + C/a + K s/a²] x - (K s/a²) GᵀΔμ + Gᵀ ℓ + M Gᵀ k = (r_v - K δ0)/a
//   Φ-rows times a:   G s (x - GᵀΔμ)                      = a (r - G δ0)
//   ρ-rows:           (G + ρ_q s/a) x - (ρ_q s/a) GᵀΔμ    = r - ρ_q δ0
//   γ-rows over a:    (G + 2 ρ_q/a) x + G Gᵀ k            = r/a
//
// whose matrix stays bounded, and regular, as h → 0. K, C, ρ_q: system.hpp [SYS.5]; both K and C with the share of the
// states c, which are eliminated by [FOS.2]. In γ-rows the exact derivative by q is
// left out and that by v is 2 ρ_q up to commutators: both are O(h) beside G, and no stiffness is in them.
//
// The matrix is dense for few unknowns (implicit_newton.cpp). Where there are many and most blocks are empty, it is sparse
// (implicit_sparse.cpp), written from the blocks of M, G, K, C and ρ_q, whose places the elements give.
//
// Redundant rows. Kept rows are chosen by full pivoting (coordinate_partition.hpp) whenever the derivatives are taken (of
// many unknowns: if a row was set aside last time, or the matrix was singular). A
// row that is set aside says G_i = Σ c_ij G_j, and instead of its constraint λ has to be perpendicular to that relation,
// λ_i = Σ c_ij λ_j: of all multipliers with the same Gᵀλ those of least norm, which do not depend on the choice. μ and κ
// of such rows are 0.                                                                                              [DAE.5]
//
// At index 2 positions drift, and rows that depend on each other then contradict each other by about |Φ| |v|: if other rows
// were held from one step to the next, v would jump by that, which may be more than the tolerance, and no step is short enough
// for a jump. A row that is held anew begins with the ρ that it has where the step begins, and loses it over some steps,
//
//   ρ_i = o_i e^(-(t - t0)/(10 h)),   o_i = ρ_i(t0, y0);   o_i = 0 of rows that are held from the beginning          [DAE.7]
//
// so that v goes on smoothly.
//
// By the same drift rows that depend on each other seem to be independent, and would lock the mechanism: with w = G⁺Φ of
// the kept rows, the way back, they have turned against each other by turn(w), acceleration_field.hpp [FLD.3]. Where Φ is not
// held, less than ten times that is no rank.                                                                       [DAE.8]

#include <cmath>

#include "driftless/formulations/acceleration_field.hpp"
#include "driftless/formulations/redundant_rows.hpp"
#include "driftless/math/first_order_states.hpp"
#include "driftless/math/lu.hpp"
#include "driftless/math/sparse_lu.hpp"
#include "driftless/problem/dae_problem.hpp"

namespace driftless {

enum class ConstraintForm { index3, index2, index1, index2_baumgarte, ggl, stabilized_index1 };

class ImplicitField final : public AccelerationField, public DaeProblem {
 public:
  /// `gain`: C of index2_baumgarte.
  ImplicitField(Evaluator& evaluator, const FieldOptions& options, ConstraintForm form,
                double gain = 1.0);

  // OdeProblem
  int size() const override { return size_; }
  DaeProblem* dae() override { return this; }
  void begin_step(double t, double h, std::span<const double> y,
                  std::span<const double> f) override;
  double error_weight(int component) const override;
  std::string component_name(int component) const override;
  bool complete(double t, std::span<double> y) override;
  bool find_reactions(double t, std::span<const double> y, const Vector& q, const Vector& v,
                      Vector& v_dot, Vector& lambda) override;

  // DaeProblem
  int dae_size() const override { return size_; }
  bool eval_residual(double t, std::span<const double> y, std::span<const double> y_dot,
                     std::span<double> residual) override;
  bool eval_derivatives(double t, std::span<const double> y,
                        std::span<const double> y_dot) override;
  bool factorize(double a) override { return factorize(a, real_); }
  bool factorize(std::complex<double> a) override { return factorize(a, complex_); }
  void solve(std::span<double> r) override { solve(r.data(), real_); }
  void solve(std::span<std::complex<double>> r) override { solve(r.data(), complex_); }
  int variable_index(int component) const override;
  bool is_algebraic(int component) const override;
  bool is_integral(int component) const override {
    return component >= layout_.controlled() && component < at_lambda_;
  }
  bool find_slopes(double t, std::span<double> y, std::span<double> y_dot) override;
  bool make_consistent(double t, std::span<double> y, std::span<double> y_dot) override;
  std::string equation_name(int component) const override;

 private:
  template <class S>
  struct NewtonParts {
    using MatrixS = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;
    using VectorS = Eigen::Matrix<S, Eigen::Dynamic, 1>;
    S a{};
    RotationCharts::Newton<S> charts;
    BasicLu<S> lu;
    SparseLu<S> sparse;
    StateElimination<S> states;
    // of the dense matrix
    MatrixS matrix;      // of [DAE.4]
    MatrixS M, G, K, C;  // where the derivatives were taken; K and C with the share of the states
    MatrixS Ks, Rs, Gs;  // K s, ρ_q s, G s
    // of the sparse one
    VectorS all;  // unknowns of [DAE.6]
    VectorS right, du, dv, dx, d_norm, delta, r_x, r_norm, dc;
    VectorS slide, turned;  // G δ0, ρ_q δ0
  };

  bool has_mu() const {
    return form_ == ConstraintForm::ggl || form_ == ConstraintForm::stabilized_index1;
  }
  bool has_kappa() const { return form_ == ConstraintForm::stabilized_index1; }
  void read_multipliers(std::span<const double> y);
  /// The system at x_, q_, v_, with a of [DAE.3] in v_dot_.
  bool eval_equations(double t, std::span<const double> y, std::span<const double> y_dot);
  template <class S>
  bool factorize(S a, NewtonParts<S>& parts);
  template <class S>
  void resize(NewtonParts<S>& parts);
  template <class S>
  void fill_blocks(NewtonParts<S>& parts);
  template <class S>
  void fill_matrix(NewtonParts<S>& parts);
  template <class S>
  void fill_sparse(NewtonParts<S>& parts);
  /// Rows of [DAE.6] for one multiplier.
  template <class S>
  void write_multiplier_rows(int row, NewtonParts<S>& parts);
  template <class S>
  void write_relation(int row, NewtonParts<S>& parts);
  /// Entries of a row of A, or of A s, times a factor.
  template <class S>
  static void write_row(Eigen::Index row, Eigen::Index column, const BlockMatrix& A, int index,
                        S factor, SparseLu<S>& out);
  template <class S>
  void write_turned_row(Eigen::Index row, Eigen::Index column, const BlockMatrix& A, int index,
                        S factor, NewtonParts<S>& parts) const;
  /// P d_q and P d_v of the states [FOS.2].
  template <class S>
  void write_states(NewtonParts<S>& parts);
  /// Whether the matrix is large and its blocks mostly empty.
  bool find_sparse() const;
  template <class S>
  void fill_right(Eigen::Map<Eigen::Matrix<S, Eigen::Dynamic, 1>> all, NewtonParts<S>& parts);
  bool at_acceleration() const {
    return form_ == ConstraintForm::index1 || form_ == ConstraintForm::stabilized_index1;
  }
  /// [DAE.7] for rows that are held anew; leaves the evaluator where the step began.
  bool hold_new_rows();
  /// Chooses where the evaluator is.
  void choose_rows();
  double find_rank_tolerance();
  bool has_new_rows() const;
  /// y' and multipliers at q_, v_: find_slopes without its choice of rows.
  bool write_consistent(double t, std::span<double> y, std::span<double> y_dot);
  // places in [DAE.4] and [DAE.6]
  Eigen::Index mu_place() const { return layout_.nv + rows_; }
  Eigen::Index kappa_place() const { return mu_place() + (has_mu() ? position_rows_ : 0); }
  Eigen::Index z_place() const { return has_mu() ? kappa_place() + (has_kappa() ? rows_ : 0) : 0; }
  Eigen::Index y_place() const { return z_place() + layout_.nv; }
  template <class S>
  void solve(S* r, NewtonParts<S>& parts);

  ConstraintForm form_;
  double gain_;
  double alpha_ = 0.0;  // α0
  int rows_, position_rows_;
  int at_lambda_, at_mu_, at_kappa_, at_norms_, size_;  // places in y
  RedundantRows choice_;                                // [DAE.5]
  struct Offset {
    double size = 0.0, since = 0.0, span = 1.0;
    double at(double t) const { return size * std::exp((since - t) / span); }
  };
  std::vector<Offset> offsets_;         // of [DAE.7], per row
  std::vector<bool> held_;              // per row: its o is known
  double step_t_ = 0.0, step_h_ = 0.0;  // where the step begins, and its size
  Vector step_y_;
  Vector way_back_;  // w of [DAE.8]
  Linearization derivatives_;
  BlockMatrix mass_, jacobian_;  // where the derivatives were taken
  std::vector<int> turn_at_;     // per rate: which turn begins there; -1: none
  Vector u_;                     // v - Gᵀμ
  Vector mu_, kappa_, norms_, norm_residual_, x_dot_;
  int unknowns_;  // of [DAE.4]
  bool sparse_;   // how it is solved
  NewtonParts<double> real_;
  NewtonParts<std::complex<double>> complex_;
};

}  // namespace driftless
