#pragma once
// A MechProblem on SE(3) in place of R3 x SO(3) (Arnold 2017, remark 5; Brüls, Arnold, Cardona 2011): bodies in space move
// along screws. With the pose (x, R) of a body, its velocity is w = (U, Ω), both in body axes, instead of v = (x', Ω):
//
//   v = B w,   B = diag(R, 1),   v' = B w' + (R (Ω×U), 0)                                                            [SE3.1]
//   (x, R) exp(δ) = (x + R V(δθ) δu, R exp(δθ)),   V(δθ) = T(δθ)ᵀ of mech_field.hpp [MCF.1]                          [SE3.2]
//   exp(δ + dδ) = exp(δ) exp(T6 dδ),   T6 = Σ (-ad_δ)^k/(k+1)!,   ad_(u,θ)(u',θ') = (θ×u' + u×θ', θ×θ')              [SE3.3]
//
// The equations are those of the system, seen from the bodies: with r = M v' + Gᵀλ - Q
//
//   Bᵀ r = 0,   M (M = diag(m 1, J) is the same in both axes),   G B                                                 [SE3.4]
//
// and with w and w' held, a motion δ = (δu, δθ) of the body changes v by R(δθ×U), v' by R(δθ×(U' + Ω×U)), Bᵀr besides by
// -δθ×Rᵀr_x. So with K, C, ρ_q of the system                                                                         [SE3.5]
//
//   K6 = Bᵀ(K B + C E1 + M E2) + E3,   C6 = Bᵀ(C B + M E4),   ρ_q6 = ρ_q B + G E1
//
//   E1 = -R U×,  E2 = -R (U' + Ω×U)×,  E3 = (Rᵀr_x)×  in shift rows and turn columns,  E4 = (R Ω×, -R U×)
//
// Points of a body that the exact motion leads on circles lie on circles after steps of any length: joints close better.
// Bodies in the plane and point masses move as before.

#include "driftless/problem/mech_problem.hpp"
#include "driftless/system/system.hpp"

namespace driftless {

class RigidMotions final : public MechProblem {
 public:
  /// Both outlive this.
  RigidMotions(MechProblem& base, const SystemInfo& info);

  Level level() const override { return base_.level(); }
  int rows() const override { return base_.rows(); }
  double least_size() const override { return base_.least_size(); }
  int position_rows() const override { return base_.position_rows(); }
  void read(std::span<const double> y, MechPoint& point) const override;
  void write(const MechPoint& point, std::span<double> y) const override;
  void write_acceleration(const MechPoint& point, std::span<double> slopes) const override;
  bool eval_point(const MechPoint& point, MechTerms& terms) override;
  bool eval_derivatives(const MechPoint& point, MechDerivatives& out) override;
  bool find_motion(MechPoint& point) override;
  const Vector& state_rate() const override { return base_.state_rate(); }
  int state_slot() const override { return base_.state_slot(); }
  void solve_change(ConstVectorRef b, VectorRef change) override;
  void retract(VectorRef q, ConstVectorRef delta) const override;
  void eval_tangent(ConstVectorRef delta, BlockMatrix& tangent) const override;
  BlockMatrix make_tangent() const override { return tangent_; }
  void eval_bracket(ConstVectorRef v, ConstVectorRef w, VectorRef bracket) const override;
  void find_increment(ConstVectorRef from, ConstVectorRef to, VectorRef delta) const override;
  void choose_rows(const BlockMatrix& mass, const BlockMatrix& jacobian) override {
    base_.choose_rows(mass, jacobian);
  }
  bool is_kept(int row) const override { return base_.is_kept(row); }
  bool is_position_kept(int row) const override { return base_.is_position_kept(row); }
  Eigen::Ref<const Eigen::RowVectorXd> relation(int row) const override {
    return base_.relation(row);
  }
  int quadratures() const override { return base_.quadratures(); }
  void eval_quadratures(const MechPoint& point, std::span<double> slopes) override;
  int quadrature_slot(int index) const override { return base_.quadrature_slot(index); }
  std::string row_name(int row) const override { return base_.row_name(row); }
  int rate_slot(int rate) const override { return base_.rate_slot(rate); }
  int row_slot(int row) const override { return base_.row_slot(row); }

 private:
  /// First indices of a body's place, quaternion, shift and turn.
  struct Place {
    int x, p, shift, turn;
  };

  /// R and the E of [SE3.5] of a body.
  struct Turned {
    Eigen::Matrix3d R, E1, E2, E4;
  };

  /// [SE3.1] into world_.
  void set_world(const MechPoint& point) const;
  void set_turned(const MechPoint& point);
  /// Calls visit(first row, rows, place among the bodies) for each block and each body in its columns.
  template <class Visit>
  void for_each_part(const BlockMatrix& A, Visit visit) const;
  void turn_rates(StateSlopes& states) const;

  MechProblem& base_;
  std::vector<Place> bodies_;
  mutable MechPoint world_;
  mutable Vector step_;
  BlockMatrix tangent_;          // 1, with its blocks
  BlockMatrix mass_, jacobian_;  // of the system at the last eval_point
  Vector residual_;
  std::vector<Turned> turned_;  // per body
};

}  // namespace driftless
