#pragma once
// The field that index-1, Udwadia-Kalaba, Baumgarte and Braun-Goldfarb share: y = (q, v, c, work), and
//
//   u  = v                                   or v projected onto the velocity constraints                        [FLD.1]
//   q' = N(q) u
//   [ M Gᵀ; G 0 ] (v', λ) = (Q(t,q,u) + ..., γ(t,q,u) + ...)          ... what the field terms add               [FLD.2]
//   c' = d(t,q,u,c)                                                   states of force elements (SYS.6)
//   work' = P                                                         for each invariant that is fed (SYS.4)
//
// Projection of the stage velocity: the least change in the mass metric that makes ρ = 0, one solve with b = -ρ on the
// factorisation that [FLD.2] needs anyway. On the manifold it does nothing; off it, in the stages of a Runge-Kutta step,
// it keeps motion across the constraints out of γ. If the velocity rows are nonlinear in v, G is evaluated anew at u.
//
// Rank tolerance of a stage. A stage of a step h is off the manifold by h²v' and, of next order, h³v'', so its rows
// have turned from where they belong by about h² |dG/dq v'| / |G|, or, where the rows' own acceleration vanishes as in a
// crank that passes its dead point at top speed, by the cube of the angle they turn in a step: directions with a smaller
// singular value are noise there. The rule                                                                       [FLD.3]
//
//   tolerance = max(rank_tolerance, κ h² turn(v'), κ (h turn(v))³),   turn(w) = max_i |(dG/dq w)_i| / |G_i|
//
// in the mass metric, v' of the first stage,
// needs no length scale and no unit. The first stage of a step is evaluated before its size is known: it takes the
// tolerance of the step before, so that all stages leave out the same directions.
//
// That rule says which directions are nothing but noise. Of those just above it noise is still a large part: it turns the motion
// that the rows leave free by about tolerance/σ, and with it, beside a stage that ends next to a singular pose, velocities
// and accelerations along the motion. So where a step may pass such a pose, stages are evaluated on the manifold,
//
//   q := the nearest point with Φ = 0 by Newton's method, at most twice, before [FLD.1]                          [FLD.6]
//
// y stays what it is: this is the same field on the manifold, and another extension off it. It is done in the stages within a
// step whose first one has a smallest own part p of a row (below) that the rows may use up while they turn, p < 1.5 h turn(v),
// and that has fallen to less than half of the largest one so far: of slender bars p is small in every pose. (Change-point
// four-bar, 97 speeds: the largest error at h = 1e-3 was 500 times the median one, now 1.3 times; in all others, too, h = 0.02 to
// 1e-4, with order 4. Once is not enough: 80 times.) Stages at the end of a step are closer to the manifold by an order, and
// [FLD.1] alone leads them back along it: brought there, too, they left a double four-bar open by 5e-10 instead of 4e-12.
//
// Near a singular pose what a stage is off the manifold is magnified by one over the smallest own part p of a row, and in the
// pose, where directions are left out, accelerations jump to those of the motions that are free there. An integrator with
// error control is told so if a step passes such a pose: p of one stage is less than a tenth of that of another, and less than
// a hundredth at the end of the step. Only the ratio counts: where masses are far apart p may be small everywhere.  [FLD.4]
//
// What is magnified there are motions across the constraints. A projection behind the step takes them away: of an error e its
// first order leaves the part along the constraints,
//
//   e_v -= M⁻¹Gᵀ(G M⁻¹Gᵀ)⁺ G e_v,     e_q likewise with the position rows,  at the end of the step                  [FLD.5]
//
// and it is this part that the motion keeps, and what velocities turn along with e_q, which is of its size. In ladders at 1e-10
// it is a hundredth to a millionth of the whole.

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "driftless/formulations/rotation_charts.hpp"
#include "driftless/problem/ode_problem.hpp"
#include "driftless/system/evaluator.hpp"
#include "driftless/system/field_term.hpp"

namespace driftless {

/// Where positions x, rates v, states c and the work integrals stand in y.
struct StateLayout {
  int nx = 0;  ///< positions, in whatever chart: nq if orientations are quaternions
  int nv = 0;
  int nc = 0;
  std::vector<int> work_slot;  ///< per invariant: its place in y, or -1
  int size = 0;                ///< up to the end of the work integrals

  int at_states() const { return nx + nv; }
  /// All before the work integrals. Explicit methods have these under error control, too: a power that has a kink, as that
  /// of a stop that is left, need not show in the motion.
  int controlled() const { return nx + nv + nc; }

  StateLayout(const SystemInfo& info, int positions);
  StateLayout() = default;
};

struct FieldOptions {
  bool project_stages = false;
  double rank_tolerance = kDefaultRankTolerance;
  double stage_factor = 0.0;  ///< κ of [FLD.3]; 0: stages take rank_tolerance
  Rotations rotations = Rotations::quaternion;
  bool is_projected = false;  ///< states are brought back to the constraints after each step
  bool along_screws =
      false;  ///< second-order methods move bodies in space on SE(3): rigid_motions.hpp
  bool in_charts = false;  ///< or by what `rotations` says, in a linear space: chart_motions.hpp
};

class AccelerationField : public OdeProblem {
 public:
  AccelerationField(Evaluator& evaluator, const FieldOptions& options,
                    std::vector<FieldTerm*> terms);

  int size() const override { return layout_.size; }

  /// q, v and the work integrals out of y.
  void to_state(std::span<const double> y, Vector& q, Vector& v, std::vector<double>& work) const;
  /// q and v into y.
  void from_state(const Vector& q, const Vector& v, std::span<double> y) const;
  /// c out of y, and into it.
  auto states_of(std::span<const double> y) const {
    return as_vector(y).segment(layout_.at_states(), layout_.nc);
  }
  void set_states(const Vector& c, std::span<double> y) const {
    as_vector(y).segment(layout_.at_states(), layout_.nc) = c;
  }
  /// What else a method of its own puts into y, its multipliers, at the start. False: not defined there.
  virtual bool complete(double /*t*/, std::span<double> /*y*/) { return true; }
  /// After an accepted step: y may be written in other charts from here on, in those centred at it if `always`.
  Change recentre(std::span<double> y, bool always);
  void begin_step(double t, double h, std::span<const double> y,
                  std::span<const double> f) override;
  bool eval(double t, std::span<const double> y, std::span<double> dydt) override;
  std::string component_name(int component) const override;
  std::string failure() const override { return failure_; }
  /// The constraint or coordinate at fault in that failure; empty if it is no single one.
  const std::string& worst() const { return worst_; }
  /// What to do about it, if the formulation knows.
  const std::string& remedy() const { return remedy_; }

  const StateLayout& layout() const { return layout_; }
  /// Of the last evaluation.
  virtual const Vector& lambda() { return lambda_; }
  const Vector& acceleration() const { return v_dot_; }
  const FieldOptions& options() const { return options_; }
  double stage_tolerance() const { return stage_tolerance_; }
  /// Poses at which the rank falls [FLD.4].
  JumpNear find_jump() const override;
  /// [FLD.5]
  void drop_corrected(double t, std::span<const double> y, std::span<double> error) override;

  /// Whether the formulation itself closes the constraints of a state, after each step and in each sample.
  virtual bool corrects() const { return false; }
  virtual bool correct(double /*t*/, Vector& /*q*/, Vector& /*v*/) { return true; }
  /// Acceleration and reactions of a state, for the record. False: not defined; the next step says why.
  virtual bool solve_reactions(double t, const Vector& q, const Vector& v, Vector& v_dot,
                               Vector& lambda);
  /// The same at y, if the method has multipliers of its own.
  virtual bool find_reactions(double t, std::span<const double> y, const Vector& q, const Vector& v,
                              Vector& v_dot, Vector& lambda) {
    evaluator_.set_states(states_of(y));
    return solve_reactions(t, q, v, v_dot, lambda);
  }
  virtual int rank() const { return evaluator_.rank(); }
  /// Figures for the report.
  virtual void add_figures(std::vector<std::pair<std::string, double>>& /*figures*/) const {}

 protected:
  bool fail(std::string message, std::string worst = {}, std::string remedy = {});
  /// False; says which part of the equations last evaluated is not finite.
  bool fail_not_finite(double t);
  /// False; says so, or what else is wrong there.
  bool fail_not_definite(double t);
  bool check_rows(double t, bool with_velocity);
  /// q_, v_ and the work integrals, and x_ if q_ is another; false: not finite.
  bool read_state(double t, std::span<const double> y);
  bool has_feeds() const { return layout_.size > layout_.controlled(); }
  /// Feeds of the invariants at (t, q_, v_), as far as they are known before accelerations are.
  void eval_feeds(double t);
  /// Their whole power, with v_dot_ and lambda_. After eval_feeds.
  void find_power();
  /// q', v' and the work's slopes; false: something is not finite.
  bool write_slopes(double t, std::span<double> dydt);
  /// The same without q', which is there.
  bool write_other_slopes(double t, std::span<double> dydt);

  Evaluator& evaluator_;
  FieldOptions options_;
  RotationCharts charts_;
  StateLayout layout_;
  std::vector<FieldTerm*> terms_;
  Vector q_, v_;           // where the equations are evaluated
  Vector f_, b_;           // right-hand sides of [FLD.2] with what field terms add
  Vector v_dot_, lambda_;  // its solution
  Vector q_dot_;
  Vector x_;  // positions as they stand in y
  std::vector<double> work_, power_;

 private:
  /// Brings q_ and v_ to where the equations are to be evaluated.
  virtual bool settle(double t);
  /// [FLD.2]: v_dot_ and lambda_.
  virtual bool solve_motion(double t, const Vector& f, const Vector& b);
  void describe_non_finite(double t);
  void note_pivot();
  /// [FLD.6]; false: not solvable.
  bool close_stage(double t);

  double stage_tolerance_;
  static constexpr double kNever = -std::numeric_limits<double>::infinity();
  double near_until_ = kNever;  // stages before this time are brought to the manifold [FLD.6]
  double widest_pivot_ = 0.0;   // of all steps' beginnings
  Vector stage_gap_, stage_move_;
  double least_pivot_ = 1.0, largest_pivot_ = 0.0, last_pivot_ = 1.0;  // since begin_step
  Vector row_power_, moved_q_;
  Vector error_move_, error_dropped_, error_rows_, error_lambda_;  // of drop_corrected
  std::string failure_, worst_, remedy_;
};

}  // namespace driftless
