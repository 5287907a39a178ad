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

#include "driftless/integrators/rattle_stepper.hpp"

namespace driftless {

bool Rattle::start(OdeProblem& problem, double t, std::span<const double> y, double t_end) {
  assert(t_end >= t);
  (void)t_end;
  MechProblem* mech = problem.mech();
  if (mech == nullptr) return false;
  resize(*mech, y);
  memory_.resize(y.size(), 3);
  clock_.start(t, control_.step);
  problem.begin_step(t, control_.step, y, {});
  if (!memory_.start(problem, t, y) || !set_point(*mech, t, y)) return false;
  for (RattleEnd* end : {&begin_, &end_}) {  // allocates
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

StepReport Rattle::step(OdeProblem& problem, double& t, std::span<double> y, double t_end) {
  assert(t_end >= t);
  StepReport report{.order = kRattleOrder};
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

bool Rattle::accept(OdeProblem& problem, double t, std::span<const double> y, Change change) {
  if (!memory_.accept(problem, t, y, change)) return false;
  return change == Change::unchanged || set_point(*problem.mech(), t, y);
}

bool Rattle::interpolate(OdeProblem& problem, double theta, std::span<double> y) {
  const StepMemory::Where where = memory_.prepare(problem, theta, y);
  if (where != StepMemory::Where::inside) return where == StepMemory::Where::end;
  memory_.eval_polynomial(theta, y);
  MechProblem& mech = *problem.mech();
  mech.read(y, sample_);
  sample_.lambda = (1.0 - theta) * lambda0_ + theta * point_.lambda;
  mech.write(sample_, y);
  return true;
}

void Rattle::resize(const MechProblem& mech, std::span<const double> y) {
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

bool Rattle::attempt(OdeProblem& problem, const StepTarget& target, std::span<const double> y) {
  problem.begin_step(memory_.t0(), target.h, memory_.y0(), memory_.f0());
  MechProblem& mech = *problem.mech();
  h_ = target.h;
  worst_ = -1;
  if (drift(mech, target.t) && kick(mech) && finish(problem, mech, y)) return true;
  if (set_point(mech, memory_.t0(), memory_.y0()))
    mech.choose_rows(begin_.terms.mass, begin_.terms.jacobian);
  return false;
}

bool Rattle::set_point(MechProblem& mech, double t, std::span<const double> y) {
  mech.read(y, point_);
  point_.t = t;
  ++memory_.counts.evaluations;
  return mech.find_motion(point_);
}

bool Rattle::eval_end(MechProblem& mech, RattleEnd& end) {
  ++memory_.counts.evaluations;
  if (!mech.eval_point(end.at, end.terms)) return false;
  end.g = -end.terms.residual;
  mech.add_momentum_rate(end.at, end.g);
  return end.g.allFinite();
}

bool Rattle::finish(OdeProblem& problem, MechProblem& mech, std::span<const double> y) {
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

std::unique_ptr<Stepper> make_rattle(const StepControl& control, bool adaptive) {
  check_step_control(control, adaptive);
  return std::make_unique<Rattle>(control);
}

}  // namespace driftless
