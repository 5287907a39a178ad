#pragma once
// A MechProblem in which orientations are written as numbers of a linear space, x with ω = A(x) x' (rotation_charts.hpp):
// Euler angles (Arnold 2017, remark 6) or quaternions (remark 7). Shifts and all other coordinates stay as they are, so A is
// the identity but for the bodies that turn in space. From r = M v' + Gᵀλ - Q with v = A x', v' = A x'' + A' x',
//
//   r_x = Aᵀ r,   M_x = Aᵀ M A,   G_x = G A                                                                         [CHM.1]
//
// Quaternions have one number too many: M_x p = 0. Their length is a constraint of its own, p·p = 1, which comes before the
// rows of the system; G_x of it is 2 p. As A p = 0, its multiplier is 0, and how p moves along itself is free: A does not
// feel it. (With the length left to the integrator instead, M_x would be singular.)
//
// Newton's method. A motion δx at fixed x', x'' turns the body by A δx and changes
//
//   v by S(x') δx,   v' by S(x'') δx + ∂(A' x')/∂x δx,   S(w) δx = (∂A/∂x δx) w                                      [CHM.2]
//   K_x = Aᵀ (K A + C S(x') + M (S(x'') + ∂(A'x')/∂x)) + (∂Aᵀ/∂x) r + 2 μ for the length
//   C_x = Aᵀ (C A + M (S(x') + A')),    ρ_q A + G S(x') for ρ
//
// Momenta Aᵀ M v have the rate of theirs without constraints (RATTLE):
//
//   Aᵀ Q + A'ᵀ M v + Aᵀ M' v                                                                                         [CHM.3]
//
// where M' v is what the system adds less the turn ω×(M v) of momenta in body axes, which are not moved here.
//
// The sequence of Euler angles changes between steps; integrators hear of a new chart then.

#include "driftless/formulations/rotation_charts.hpp"
#include "driftless/problem/mech_problem.hpp"

namespace driftless {

class ChartMotions final : public MechProblem {
 public:
  /// All outlive this; `base` reads and writes y with these charts.
  ChartMotions(MechProblem& base, const RotationCharts& charts, const SystemInfo& info);

  Level level() const override { return base_.level(); }
  int rows() const override { return norms_ + base_.rows(); }
  double least_size() const override { return base_.least_size(); }
  int position_rows() const override { return norms_ + base_.position_rows(); }
  void read(std::span<const double> y, MechPoint& point) const override;
  void write(const MechPoint& point, std::span<double> y) const override;
  void write_acceleration(const MechPoint& point, std::span<double> slopes) const override;
  bool eval_point(const MechPoint& point, MechTerms& terms) override;
  bool eval_derivatives(const MechPoint& point, MechDerivatives& out) override;
  void add_momentum_rate(const MechPoint& point, VectorRef force) override;
  bool find_motion(MechPoint& point) override;
  const Vector& state_rate() const override { return base_.state_rate(); }
  int state_slot() const override { return base_.state_slot(); }
  void solve_change(ConstVectorRef b, VectorRef change) override;
  void retract(VectorRef q, ConstVectorRef delta) const override { q += delta; }
  void eval_tangent(ConstVectorRef, BlockMatrix&) const override {}
  BlockMatrix make_tangent() const override;
  void eval_bracket(ConstVectorRef, ConstVectorRef, VectorRef bracket) const override {
    bracket.setZero();
  }
  void find_increment(ConstVectorRef from, ConstVectorRef to, VectorRef delta) const override {
    delta = to - from;
  }
  void choose_rows(const BlockMatrix&, const BlockMatrix&) override {
    base_.choose_rows(terms_.mass, terms_.jacobian);
  }
  bool is_kept(int row) const override { return row < norms_ || base_.is_kept(row - norms_); }
  bool is_position_kept(int row) const override {
    return row < norms_ || base_.is_position_kept(row - norms_);
  }
  Eigen::Ref<const Eigen::RowVectorXd> relation(int row) const override;
  int quadratures() const override { return base_.quadratures(); }
  void eval_quadratures(const MechPoint& point, std::span<double> slopes) override;
  int quadrature_slot(int index) const override { return base_.quadrature_slot(index); }
  std::string row_name(int row) const override {
    return row < norms_ ? "the length of a quaternion" : base_.row_name(row - norms_);
  }
  int rate_slot(int rate) const override;
  int row_slot(int row) const override { return row < norms_ ? -1 : base_.row_slot(row - norms_); }

 private:
  /// world_ and maps_ at a point.
  void set_world(const MechPoint& point, bool slopes) const;
  /// A x', or A x'' without A' x'.
  void map_forward(ConstVectorRef from, VectorRef to) const;
  /// Aᵀ f
  void map_back(ConstVectorRef from, VectorRef to) const;
  /// Per turn, what stands for A in a product from the right.
  using Maps = std::vector<RotationCharts::MotionMaps::Map>;
  int width(const Block& block) const;
  /// Blocks with columns of x in place of those of v, `down` rows further down; with rows of x, too, if `both`.
  BlockMatrix make_mapped(const BlockMatrix& from, int down, bool both) const;
  /// X A, with columns of v in, of x out; into rows that stand `down` further down.
  void map_columns(const BlockMatrix& from, int down, BlockMatrix& to) const;
  /// to += X S with S the maps of turns, and 0 of all else.
  void add_columns(const BlockMatrix& from, const Maps& maps, int down, BlockMatrix& to) const;
  /// Aᵀ X
  void map_rows(const BlockMatrix& from, BlockMatrix& to) const;
  void map_states(StateSlopes& states) const;

  MechProblem& base_;
  const RotationCharts& charts_;
  int norms_;
  mutable MechPoint world_;
  mutable Vector x_;  // where world_ and maps_ are
  mutable std::vector<RotationCharts::MotionMaps> maps_;
  mutable Eigen::RowVectorXd relation_;
  MechTerms terms_;  // of the system at the last eval_point
  MechDerivatives derivatives_;
  std::vector<int> turn_at_;             // per rate: which turn begins there; -1: none
  std::vector<int> x_at_;                // per rate its x; the last one: the size of x
  BlockMatrix mass_columns_, wide_;      // scratch: M A, K A
  Maps v_x_, acceleration_x_, v_dot_v_;  // of [CHM.2]: S(x'), S(x'') + ∂(A'x')/∂x, S(x') + A'
  Vector extra_, momentum_, change_;
};

}  // namespace driftless
