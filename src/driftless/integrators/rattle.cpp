// RATTLE (Andersen 1983) for any mass matrix and for bodies that turn in space.
//
// With momenta p = M v and one velocity ξ for the whole step, q1 = retract(q0, hξ), take the action of a step by the
// trapezoidal rule (Marsden and West 2001; T = vᵀM v/2, L = T - U),
//
//   L_d = h/2 L(q0, ξ) + h/2 L(q1, ξ)                                                                              [RTL.1]
//
// A variation of q1 alone changes ξ by T(hξ)⁻¹η/h, one of q0 alone by -T(-hξ)⁻¹η/h, T the tangent of `retract`
// (mech_problem.hpp). So p0 = -dL_d/dq0 and p1 = dL_d/dq1, with forces and multipliers at both ends, are
//
//   T(-hξ)⁻ᵀ P = p0 + h/2 (g(t0, q0, ξ) - G0ᵀλ),   P = (M0 + M1) ξ/2,   Φ(t1, q1) = 0                               [RTL.2]
//   p1 = T(hξ)⁻ᵀ P + h/2 (g(t1, q1, ξ) - G1ᵀμ),    ρ(t1, q1, v1) = 0,   M1 v1 = p1                                  [RTL.3]
//
// g is the rate of p without constraints: dL/dq and the forces that no potential gives. [RTL.2] is solved for (ξ, λ),
// [RTL.3] for (v1, μ). With constant M in a linear space T = I, and this is the method as it is usually printed. For a body
// in space, p = Jω in body axes, g is the torque without -ω×Jω, and T(-hξ)⁻ᵀJξ = p, p1 = T(hξ)⁻ᵀJξ are the discrete Euler
// equations on SO(3): T(hξ)⁻ᵀ T(-hξ)ᵀ = exp(-hξ), so that what is constant in space stays so to round-off. For M(q) the
// usual form takes the mean of H_p = M⁻¹p at both ends; the mean of M here is its counterpart with T instead of H. It
// needs no inverse of M, which may be singular as long as the constraints make up for it.
//
// Properties.
//   Symmetric in all cases: exchanging the ends and the sign of h exchanges [RTL.2] and [RTL.3]. Hence order 2, and no drift
//   of the energy of reversible systems.
//   Symplectic if Q comes from L = vᵀM(q)v/2 - U(t, q) and constraints are of positions: [RTL.1] is then all there is. This
//   holds for M(q), for bodies in space and for constraints and potentials that depend on t.
//   Only symmetric: forces of velocities (dampers) and of no potential, kinetic energies with terms linear in v, mass
//   matrices without the inertia forces that belong to them, and velocity rows. Forces take ξ as their velocity at both ends.
//   Velocity rows Ψ have no Φ; λ of theirs follows from
//
//   Ψ(t0, q0, ξ) + Ψ(t1, q1, ξ) = 0                                                                                [RTL.4]
//
//   which is symmetric, and what Φ(q1) - Φ(q0) = 0 says up to h³ for rows that are Φ'. An error h² of [RTL.4] in ξ makes
//   errors h³ of a step: in q by h ξ, in v1 because [RTL.3] removes it but for the turn of G in the step.
//
// First-order states of forces: mean_states.hpp. They relax, so the step stays symmetric, but not symplectic.
//
// λ and μ are impulses of half steps and alternate by O(h) about the reaction. The reaction at the end of a step is the one
// that (t1, q1, v1) ask for: of order 2 as they are. Work integrals go by the trapezoidal rule.
//
// Newton's method for [RTL.2], multiplied by T(-hξ)ᵀ, with ℓ = hλ/2:                                               [RTL.5]
//
//   [ Tᵀ(M0 + h C/2)   TᵀG0ᵀ ] [Δξ]     C = d(M v' + Gᵀλ - Q)/dv at (t0, q0, v0): with the gyroscopic and Coriolis forces
//   [ G1 T(hξ)         0     ] [Δℓ]     in Q, M0 + h C/2 is right up to h²
//
// (velocity rows: the mean of G0 and G1). It goes on to round-off, which is when changes cease to fall: a looser stop would
// spoil the symmetry, and the energy would drift as the stop decides. Redundant rows: as implicit_field.hpp [DAE.5].

#include "driftless/integrators/rattle.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "driftless/integrators/mean_states.hpp"
#include "driftless/integrators/rattle_matrix.hpp"
#include "driftless/integrators/step_control.hpp"
#include "driftless/integrators/step_memory.hpp"
#include "driftless/problem/mech_problem.hpp"

namespace driftless {
namespace {

constexpr int kOrder = 2;
constexpr int kIterations = 40;
constexpr double kSlow = 0.2;       // a worse rate of convergence asks for new derivatives
constexpr double kNoise = 1e-10;    // relative: changes above this are no round-off
constexpr double kNothing = 1e-16;  // relative: changes below this are none

/// Whether Newton's method has arrived at round-off, from the sizes of its changes relative to what they change.
class Convergence {
 public:
  enum class Verdict { go_on, slow, done, failed };

  Verdict judge(double size) {
    const double rate = last_ > 0.0 ? size / last_ : 0.0;
    last_ = size;
    if (!std::isfinite(size) || ++count_ > kIterations) return Verdict::failed;
    if (size <= kNothing || (rate > 0.5 && size <= kNoise)) return Verdict::done;
    return rate > kSlow && size > kNoise ? Verdict::slow : Verdict::go_on;
  }

 private:
  double last_ = 0.0;
  int count_ = 0;
};

/// One end of the step, with ξ as its velocity.
struct StepEnd {
  MechPoint at;  // v' = 0 and λ = 0: the residual is -Q
  MechTerms terms;
  Vector g;  // (nv) rate of the momentum
};

class Rattle final : public Stepper {
 public:
  explicit Rattle(const StepControl& control) : control_(control) {}

  int order() const override { return kOrder; }
  bool is_adaptive() const override { return false; }

  bool start(OdeProblem& problem, double t, std::span<const double> y, double t_end) override {
    assert(t_end >= t);
    (void)t_end;
    MechProblem* mech = problem.mech();
    if (mech == nullptr) return false;
    resize(*mech, y);
    memory_.resize(y.size(), 3);
    clock_.start(t, control_.step);
    problem.begin_step(t, control_.step, y, {});
    if (!memory_.start(problem, t, y) || !set_point(*mech, t, y)) return false;
    for (StepEnd* end : {&begin_, &end_}) {  // allocates
      end->at.t = t;
      end->at.q = point_.q;
      end->at.v = point_.v;
      if (!eval_end(*mech, *end)) return false;
    }
    mech->choose_rows(begin_.terms.mass, begin_.terms.jacobian);
    if (!mech->eval_derivatives(point_, derivatives_)) return false;
    scratch_ = turned_ = derivatives_.damping;
    turned_rows_ = end_rows_ = begin_.terms.jacobian;
    return true;
  }

  StepReport step(OdeProblem& problem, double& t, std::span<double> y, double t_end) override {
    assert(t_end >= t);
    StepReport report{.order = kOrder};
    if (t == t_end) return report;
    memory_.begin(t, y);
    StepTarget target = clock_.find_next(t, t_end);
    if (target.t <= t) {
      report.status = StepStatus::step_too_small;
      return report;
    }
    lambda0_ = point_.lambda;
    while (!attempt(problem, target, y)) {
      report.worst_component = worst_;
      if (report.rejected == kMostHalvings) {
        report.status = StepStatus::eval_failed;
        return report;
      }
      ++memory_.counts.rejected;
      target = clock_.find_next(t, t_end, ++report.rejected);
    }
    clock_.advance(target);
    memory_.commit(target.t, target.h, y1_, slope_);
    report.h = target.h;
    t = target.t;
    std::copy(y1_.begin(), y1_.end(), y.begin());
    return report;
  }

  bool accept(OdeProblem& problem, double t, std::span<const double> y, Change change) override {
    if (!memory_.accept(problem, t, y, change)) return false;
    return change == Change::unchanged || set_point(*problem.mech(), t, y);
  }

  /// Cubic in positions, velocities and work; reactions, of which no slopes are known, linear.
  bool interpolate(OdeProblem& problem, double theta, std::span<double> y) override {
    const StepMemory::Where where = memory_.prepare(problem, theta, y);
    if (where != StepMemory::Where::inside) return where == StepMemory::Where::end;
    memory_.eval_polynomial(theta, y);
    MechProblem& mech = *problem.mech();
    mech.read(y, sample_);
    sample_.lambda = (1.0 - theta) * lambda0_ + theta * point_.lambda;
    mech.write(sample_, y);
    return true;
  }

  std::span<const double> slope() const override { return memory_.f1(); }
  const StepperCounts& counts() const override { return memory_.counts; }

 private:
  void resize(const MechProblem& mech, std::span<const double> y) {
    for (MechPoint* point : {&point_, &sample_, &begin_.at, &end_.at}) {
      mech.read(y, *point);
      point->v_dot = Vector::Zero(point->v.size());
      point->lambda = Vector::Zero(mech.rows());
    }
    const Eigen::Index n = point_.v.size();
    const Eigen::Index rows = mech.rows();
    xi_ = delta_ = p0_ = half_ = change_ = Vector::Zero(n);
    states_.resize(n, point_.c.size());
    begin_.g = end_.g = Vector::Zero(n);
    ell_ = lambda0_ = Vector::Zero(rows);
    right_ = Vector::Zero(n + rows);
    forward_ = back_ = mech.make_tangent();
    y1_.assign(y.size(), 0.0);
    slope_.assign(y.size(), 0.0);
  }

  /// One step to the target. False: everything is as it was before.
  bool attempt(OdeProblem& problem, const StepTarget& target, std::span<const double> y) {
    problem.begin_step(memory_.t0(), target.h, memory_.y0(), memory_.f0());
    MechProblem& mech = *problem.mech();
    h_ = target.h;
    worst_ = -1;
    if (drift(mech, target.t) && kick(mech) && finish(problem, mech, y)) return true;
    if (set_point(mech, memory_.t0(), memory_.y0()))
      mech.choose_rows(begin_.terms.mass, begin_.terms.jacobian);
    return false;
  }

  /// The rate that Newton's method changed most at last, as a component of y.
  void note_newton_failure(const MechProblem& mech) {
    ++memory_.counts.newton_failures;
    Eigen::Index place = 0;
    change_.cwiseAbs().maxCoeff(&place);
    worst_ = mech.rate_slot(static_cast<int>(place));
  }

  /// The state between steps, with v' and reactions.
  bool set_point(MechProblem& mech, double t, std::span<const double> y) {
    mech.read(y, point_);
    point_.t = t;
    ++memory_.counts.evaluations;
    return mech.find_motion(point_);
  }

  bool eval_end(MechProblem& mech, StepEnd& end) {
    ++memory_.counts.evaluations;
    if (!mech.eval_point(end.at, end.terms)) return false;
    end.g = -end.terms.residual;
    mech.add_momentum_rate(end.at, end.g);
    return end.g.allFinite();
  }

  // ---- [RTL.2] -------------------------------------------------------------------------------------------

  bool drift(MechProblem& mech, double t1) {
    begin_.at.t = point_.t;
    begin_.at.q = point_.q;
    end_.at.t = t1;
    xi_ = point_.v + 0.5 * h_ * point_.v_dot;
    ell_ = 0.5 * h_ * point_.lambda;
    states_.begin(h_, point_.c,
                  as_vector(memory_.f0()).segment(mech.state_slot(), states_.count()));
    if (!eval_residual(mech)) return false;
    if (!mech.eval_derivatives(point_, derivatives_)) return false;
    ++memory_.counts.derivatives;
    if (!factorize_drift(mech)) return false;
    const double scale =
        std::max({max_abs(point_.q), h_ * max_abs(xi_), mech.least_size()}) + 1e-300;
    Convergence convergence;
    while (true) {
      if (states_.count() > 0) reduce_by_states();
      drift_matrix_.solve(right_);
      change_ = right_.head(xi_.size());
      double size = h_ * max_abs(change_) / scale;
      if (states_.count() > 0) {
        forward_.multiply(change_, delta_);
        delta_ *= h_;
        size = std::max(size, states_.solve(delta_, change_));
      }
      switch (convergence.judge(size)) {
        case Convergence::Verdict::done: return true;  // what was evaluated last stands
        case Convergence::Verdict::failed: note_newton_failure(mech); return false;
        case Convergence::Verdict::slow:
          update_drift();
          if (!eval_residual(mech) || !mech.eval_derivatives(sample_at_drift(), derivatives_) ||
              !factorize_drift(mech))
            return false;
          ++memory_.counts.derivatives;
          break;
        case Convergence::Verdict::go_on:
          update_drift();
          if (!eval_residual(mech)) return false;
          break;
      }
    }
  }

  /// Minus the residual of momentum, less what the states' own residual does there.
  void reduce_by_states() {
    change_.setZero();
    states_.reduce(change_);
    back_.add_transposed(change_, 0.5 * h_, right_.head(xi_.size()));
  }

  void update_drift() {
    xi_ += change_;
    states_.update();
    ell_ += right_.tail(ell_.size());
  }

  /// The present iterate as a point with multipliers.
  const MechPoint& sample_at_drift() {
    sample_ = begin_.at;
    sample_.v_dot = point_.v_dot;
    sample_.lambda = (2.0 / h_) * ell_;
    return sample_;
  }

  /// Minus the residual of [RTL.2] and [RTL.4] in right_, and all terms at both ends.
  bool eval_residual(MechProblem& mech) {
    begin_.at.v = end_.at.v = xi_;
    begin_.at.c = end_.at.c = states_.mean();
    if (!eval_end(mech, begin_)) return false;
    begin_.terms.mass.multiply(point_.v, p0_);
    delta_ = h_ * xi_;
    end_.at.q = point_.q;
    mech.retract(end_.at.q, delta_);
    if (!eval_end(mech, end_)) return false;
    states_.set_residual(point_.c, begin_.terms.state_rate, end_.terms.state_rate);
    mech.eval_tangent(delta_, forward_);
    delta_ = -delta_;
    mech.eval_tangent(delta_, back_);
    const Eigen::Index n = xi_.size();
    change_ = p0_ + 0.5 * h_ * begin_.g;
    begin_.terms.jacobian.add_transposed(ell_, -1.0, change_);
    half_.setZero();
    add_product(begin_.terms.mass, xi_, half_);
    add_product(end_.terms.mass, xi_, half_);
    half_ *= 0.5;
    right_.head(n) = -half_;
    back_.add_transposed(change_, 1.0, right_.head(n));
    for (int i = 0; i < mech.rows(); ++i) {
      right_[n + i] = !mech.is_kept(i)           ? mech.relation(i).dot(ell_) - ell_[i]
                      : i < mech.position_rows() ? -end_.terms.phi[i] / h_
                                                 : -0.5 * (begin_.terms.rho[i] + end_.terms.rho[i]);
    }
    return right_.allFinite();
  }

  /// [RTL.5]
  bool factorize_drift(MechProblem& mech) {
    if (!states_.factorize(derivatives_.states, derivatives_.stiffness, derivatives_.damping))
      return false;
    scratch_.set_zero();
    add_scaled(begin_.terms.mass, 1.0, scratch_);
    add_scaled(derivatives_.damping, 0.5 * h_, scratch_);
    if (states_.count() > 0) {
      multiply_right(derivatives_.stiffness, forward_, 0.25 * h_ * h_, turned_);
      add_scaled(turned_, 1.0, scratch_);
    }
    multiply_left_transposed(back_, scratch_, turned_);
    multiply_right(begin_.terms.jacobian, back_, 1.0, turned_rows_);
    const int positions = mech.position_rows();
    end_rows_.take(end_.terms.jacobian);
    multiply_right(end_.terms.jacobian, forward_, 1.0, end_rows_);
    for (int i = positions; i < mech.rows(); ++i) {  // the mean
      auto row = end_rows_.row(i);
      row.set_zero();
      for (const BlockMatrix* rows : {&begin_.terms.jacobian, &end_.terms.jacobian})
        rows->for_each_in_row(i, [&](int j, double value) { row[j] += 0.5 * value; });
    }
    ++memory_.counts.factorizations;
    return drift_matrix_.factorize(mech, turned_, turned_rows_, end_rows_);
  }

  // ---- [RTL.3] -------------------------------------------------------------------------------------------

  bool kick(MechProblem& mech) {
    if (!solve_block_diagonal_transposed(forward_, half_)) return false;
    half_ += 0.5 * h_ * end_.g;
    mech.choose_rows(end_.terms.mass, end_.terms.jacobian);
    const bool is_linear = mech.rows() == mech.position_rows();
    const double scale = max_abs(xi_) + 1e-300;
    Convergence convergence;
    for (int k = 0;; ++k) {
      if (k == 0 || !is_linear) {
        ++memory_.counts.factorizations;
        if (!kick_matrix_.factorize(mech, end_.terms.mass, end_.terms.jacobian,
                                    end_.terms.jacobian))
          return false;
      }
      set_kick_residual(mech);
      kick_matrix_.solve(right_);
      change_ = right_.head(xi_.size());
      const auto verdict = convergence.judge(max_abs(change_) / scale);
      if (verdict == Convergence::Verdict::failed) {
        note_newton_failure(mech);
        return false;
      }
      end_.at.v += change_;
      ell_ += right_.tail(ell_.size());
      // One solution, and one more for what round-off left
      if (verdict == Convergence::Verdict::done || (is_linear && k == 1)) return true;
      ++memory_.counts.evaluations;
      if (!mech.eval_point(end_.at, end_.terms)) return false;
    }
  }

  void set_kick_residual(const MechProblem& mech) {
    const Eigen::Index n = xi_.size();
    end_.terms.mass.multiply(end_.at.v, change_);
    right_.head(n) = half_ - change_;
    end_.terms.jacobian.add_transposed(ell_, -1.0, right_.head(n));
    for (int i = 0; i < mech.rows(); ++i) {
      right_[n + i] = mech.is_kept(i) ? -end_.terms.rho[i] : mech.relation(i).dot(ell_) - ell_[i];
    }
  }

  // ---- the end -------------------------------------------------------------------------------------------

  /// y1 and its slope, with reactions and work.
  bool finish(OdeProblem& problem, MechProblem& mech, std::span<const double> y) {
    point_.t = end_.at.t;
    point_.q = end_.at.q;
    point_.v = end_.at.v;
    point_.c = states_.find_end(point_.c);
    ++memory_.counts.evaluations;
    if (!mech.find_motion(point_)) return false;
    std::copy(y.begin(), y.end(), y1_.begin());
    mech.write(point_, y1_);
    if (!eval_finite(problem, point_.t, y1_, slope_, memory_.counts)) return false;
    for (int k = 0; k < mech.quadratures(); ++k) {
      const auto slot = static_cast<std::size_t>(mech.quadrature_slot(k));
      y1_[slot] += 0.5 * h_ * (memory_.f0()[slot] + slope_[slot]);
    }
    return find_nonfinite(y1_) < 0;
  }

  StepControl control_;
  StepMemory memory_;
  FixedClock clock_;
  double h_ = 0.0;
  int worst_ = -1;       // of the last failed attempt
  MechPoint point_;      // where the last step ended
  MechPoint sample_;     // scratch
  StepEnd begin_, end_;  // of the step being made
  MechDerivatives derivatives_;
  MeanStates states_;
  Vector xi_, ell_;   // ξ, hλ/2
  Vector p0_, half_;  // M0 v0; P, then all that [RTL.3] knows of p1
  Vector delta_, change_, right_;
  Vector lambda0_;                      // reactions at the beginning of the last step
  BlockMatrix forward_, back_;          // T(hξ), T(-hξ)
  BlockMatrix scratch_, turned_;        // M0 + h C/2, T(-hξ)ᵀ times that
  BlockMatrix turned_rows_, end_rows_;  // G0 T(-hξ); G1 T(hξ), or the mean
  RattleMatrix drift_matrix_, kick_matrix_;
  std::vector<double> y1_, slope_;
};

}  // namespace

std::unique_ptr<Stepper> make_rattle(const StepControl& control, bool adaptive) {
  check_step_control(control, adaptive);
  return std::make_unique<Rattle>(control);
}

}  // namespace driftless
