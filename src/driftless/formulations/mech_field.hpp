#pragma once
// A system as a MechProblem, for integrators of second-order equations; y = (q, v, c, work, λ). Orientations move on their
// group: q is a quaternion, and an increment turns it. With the turn δ of a body,
//
//   R exp(δ + dδ) = R exp(δ) exp(T dδ),   T = I - (1-cos|δ|)/|δ|² δ× + (|δ|-sin|δ|)/|δ|³ δ×δ×                        [MCF.1]
//
// Turns do not commute: [ω, ω'] = ω×ω', in body axes.
//
// Other ways to write orientations stand before this one: rigid_motions.hpp, chart_motions.hpp.
//
// Redundant rows: implicit_field.hpp [DAE.5].

#include "driftless/formulations/acceleration_field.hpp"
#include "driftless/formulations/redundant_rows.hpp"
#include "driftless/math/sparse_lu.hpp"
#include "driftless/problem/mech_problem.hpp"

namespace driftless {

/// The identity with a block for each body that turns in space, of its turns (3) or of all its rates (6).
BlockMatrix make_identity(const SystemInfo& info, int of_body);

class MechField final : public AccelerationField, public MechProblem {
 public:
  MechField(Evaluator& evaluator, const FieldOptions& options, Level level);

  // OdeProblem
  int size() const override { return layout_.size + rows(); }
  MechProblem* mech() override { return other_ ? other_.get() : this; }
  double error_weight(int component) const override;
  std::string component_name(int component) const override;
  bool complete(double t, std::span<double> y) override;
  bool find_reactions(double t, std::span<const double> y, const Vector& q, const Vector& v,
                      Vector& v_dot, Vector& lambda) override;

  // MechProblem
  Level level() const override { return level_; }
  int rows() const override { return evaluator_.info().row_count(); }
  int position_rows() const override { return evaluator_.info().position_rows; }
  void read(std::span<const double> y, MechPoint& point) const override;
  void write(const MechPoint& point, std::span<double> y) const override;
  void write_acceleration(const MechPoint& point, std::span<double> slopes) const override;
  bool eval_point(const MechPoint& point, MechTerms& terms) override;
  bool eval_derivatives(const MechPoint& point, MechDerivatives& out) override;
  void add_momentum_rate(const MechPoint& point, VectorRef force) override;
  bool find_motion(MechPoint& point) override;
  const Vector& state_rate() const override { return evaluator_.ws().state_rate; }
  int state_slot() const override { return layout_.at_states(); }
  void solve_change(ConstVectorRef b, VectorRef change) override;
  void retract(VectorRef q, ConstVectorRef delta) const override;
  void eval_tangent(ConstVectorRef delta, BlockMatrix& tangent) const override;
  BlockMatrix make_tangent() const override;
  void eval_bracket(ConstVectorRef v, ConstVectorRef w, VectorRef bracket) const override;
  void find_increment(ConstVectorRef from, ConstVectorRef to, VectorRef delta) const override;
  void choose_rows(const BlockMatrix& mass, const BlockMatrix& jacobian) override;
  bool is_kept(int row) const override { return choice_.is_kept(row); }
  bool is_position_kept(int row) const override { return choice_.is_position_kept(row); }
  Eigen::Ref<const Eigen::RowVectorXd> relation(int row) const override;
  int quadratures() const override { return static_cast<int>(slots_.size()); }
  void eval_quadratures(const MechPoint& point, std::span<double> slopes) override;
  int quadrature_slot(int index) const override { return slots_[static_cast<std::size_t>(index)]; }
  std::string row_name(int row) const override;
  int rate_slot(int rate) const override { return layout_.nx + rate; }
  double least_size() const override;
  int row_slot(int row) const override { return layout_.size + row; }

 private:
  Level level_;
  std::unique_ptr<MechProblem> other_;  // along screws, or in charts; null: shifts and turns apart
  RedundantRows choice_;
  int kept_for_ = 0;        // factorisations since rows were chosen
  std::vector<int> slots_;  // of work integrals in y
  Linearization derivatives_;
  mutable Eigen::RowVectorXd relation_;
  Vector change_lambda_, found_;
};

}  // namespace driftless
