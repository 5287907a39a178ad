// The generalised-α method for constrained mechanical systems (Arnold 2017, (64), (67), (93), (94); on a manifold: Brüls,
// Cardona, Arnold 2012). With Δ the increment per time and retract(q, hΔ) its exact use,
//
//   q1 = retract(q0, h Δ),   Δ = v0 + h ((1/2-β) a0 + β a1) - G0ᵀ μ                                                [GA.1]
//   v1 = v0 + h ((1-γ) a0 + γ a1)                                                                                 [GA.2]
//   (1-αm) a1 + αm a0 = (1-αf) v1' + αf v0'                                                                       [GA.3]
//   M v1' + Gᵀλ1 = Q at t1, and   Φ(q1) = 0 (level position), ρ(q1, v1) = 0 (velocity), or both, with μ           [GA.4]
//
// Order 2 for γ = 1/2 - (αm - αf). Everything at the end follows from Δ and μ: with e = Δ + G0ᵀμ
//
//   a1 = (e - v0)/(βh) - (1/2-β)/β a0,   v1 = γ/β e + (1-γ/β) v0 + h (1-γ/(2β)) a0
//   v1' = σ ((e - v0)/h - a0/2) + (a0 - αf v0')/(1-αf),   σ = (1-αm)/(β(1-αf))                                     [GA.5]
//
// so Newton's unknowns are (Δ, hλ, μ), and its matrix stays bounded as h → 0:                                      [GA.6]
//
//   [ σM + h γ/β C + h² K T    Gᵀ   (σM + h γ/β C) G0ᵀ ]     h r
//   [ G T                      0    0                  ]     Φ/h
//   [ γ/β G + h ρ_q T          0    γ/β G G0ᵀ          ]     ρ              T: tangent of retract at hΔ
//
// Start. a belongs to the time t + δh, δ = αm - αf (Jay, Negrut 2007), so a0 = v'(t0 + δh) = v0' + δh v0''.         [GA.7]
//
// Velocities at level position. The exact motion has the increment (Magnus 1954)
//
//   Δ = v + h v'/2 + h² (v''/6 + [v, v']/12) + O(h³)            [ , ]: of turns, which do not commute
//
// so that where positions lie on the constraints, a = v'(t + δh) + O(h²) and [GA.1] give
//
//   v_n = v(t_n) + h² (c v'' + [v, v']/12) + O(h³),   c = 1/6 - δ/2 - β     in the directions across the constraints  [GA.8]
//
// A start with the exact v0 is off by that, and the offset rings in λ with size h, damped by ρ∞ only (Arnold 2017, example
// 8). So v0 is corrected by h² times the part of d = c v0'' + [v0, v0']/12 across the constraints, which is the least
// change of v (in the mass metric) with G change = h² G d. What is written as the result is v_n as it is.
//
// Change of step, correction by a drift control, new chart: alpha_start.cpp [GA.11], [GA.12].
//
// Undamped, ρ∞ = 1. Across the constraints, where q is given, [GA.1] and [GA.2] leave of errors in v and a
//
//   v1 = -v0,   a1 = -a0 - 4 v0/h                                   (β = 1/4, γ = 1/2)                            [GA.10]
//
// -1 twice, with one eigenvector: with v = (-1)ⁿ V and a = (-1)ⁿ A, A' = 4 V/h². Where M or G change along the motion, A acts
// back, V' ~ κ h² A, and both grow as exp(2 √κ t), whatever the step is (a weak instability: Cardona, Géradin 1989). A top in
// rotation, from round-off on, flies apart. In systems without constraints a0 is nothing but v0', which follows from q0 and v0;
// so it does here: at level position undamped steps begin with a0 = v0' of index 1, and A is not carried along. What stays is
// V, of size h³, and 4 V/h of it in λ. With damping a0 is the method's own.
//
// Error of a step: h³ c v'' in position. v'' is the difference of accelerations that q and v ask for at index 1: the
// method's own may ring at level position, and with them the steps would.                                          [GA.9]
//
// First-order states of forces go along by alpha_states.hpp; quadratures (the work) by the trapezoidal rule.

#include "driftless/integrators/generalized_alpha.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "driftless/integrators/alpha_stepper.hpp"

namespace driftless {
namespace {

constexpr double kAlphaRoundOff =
    1e-13;  // relative; what charts lose and lengths of quaternions gain

}  // namespace

AlphaParameters make_generalized_alpha(double rho) {
  AlphaParameters p;
  p.alpha_m = (2.0 * rho - 1.0) / (rho + 1.0);
  p.alpha_f = rho / (rho + 1.0);
  p.gamma = 0.5 + p.alpha_f - p.alpha_m;
  p.beta = 0.25 * (0.5 + p.gamma) * (0.5 + p.gamma);
  p.rho = rho;
  return p;
}

AlphaParameters make_hht(double alpha) {
  return {.alpha_m = 0.0,
          .alpha_f = -alpha,
          .beta = 0.25 * (1.0 - alpha) * (1.0 - alpha),
          .gamma = 0.5 - alpha,
          .rho = (1.0 + alpha) / (1.0 - alpha)};
}

GeneralizedAlpha::GeneralizedAlpha(const AlphaParameters& parameters, const StepControl& control,
                                   bool adaptive)
    : p_(parameters), control_(control), adaptive_(adaptive), states_(parameters.rho) {
  delta_ = p_.alpha_m - p_.alpha_f;
  sigma_ = (1.0 - p_.alpha_m) / (p_.beta * (1.0 - p_.alpha_f));
  offset_ = 1.0 / 6.0 - 0.5 * delta_ - p_.beta;
}

bool GeneralizedAlpha::start(OdeProblem& problem, double t, std::span<const double> y,
                             double t_end) {
  MechProblem* mech = problem.mech();
  if (mech == nullptr) return false;
  counts_ = {};
  worst_ = -1;
  resize(*mech, y);
  y1_.assign(y.begin(), y.end());
  slope_.assign(y.size(), 0.0);
  mech->read(y, end_);
  end_.t = t;
  if (!mech->find_motion(end_)) return false;
  state_rate_ = mech->state_rate();
  state_curve_ = Vector::Zero(state_rate_.size());
  mech->write(end_, y1_);
  old_h_ = 0.0;
  moved_ = false;
  if (!estimate_jerk(*mech, t, std::min(first_scale(t_end - t), t_end - t))) return false;
  a_ = end_.v_dot;
  if (!mech->find_motion(end_)) return false;  // the factors of the start itself
  states_.start(n_, state_rate_, state_curve_);
  smooth_ = end_.v_dot;
  if (mech->quadratures() > 0) mech->eval_quadratures(end_, rate1_);
  clock_.start(t, control_.step);
  controller_.start(adaptive_ ? find_first_step(t_end - t) : control_.step, control_.max_step,
                    kAlphaOrder, 0.0);
  return true;
}

StepReport GeneralizedAlpha::step(OdeProblem& problem, double& t, std::span<double> y,
                                  double t_end) {
  StepReport report{.order = kAlphaOrder};
  if (t == t_end) return report;
  MechProblem& mech = *problem.mech();
  rate0_ = rate1_;
  y0_.assign(y.begin(), y.end());
  StepStatus reason = StepStatus::step_too_small;
  while (true) {
    const StepTarget target = find_target(mech, t, t_end, report.rejected);
    if (is_too_small(target, t, t_end, report.rejected)) {
      report.status = reason;
      report.worst_component = worst_;
      return report;
    }
    problem.begin_step(t, target.h, y0_, {});
    double error = 0.0;
    const bool solved = attempt(mech, target);
    if (solved && calc_error(mech, target.h, error)) {
      if (error <= 1.0) {
        if (adaptive_) {
          controller_.accept(target, error);
          report.worst_component = worst_;
        }
        report.error = error;
        report.h = target.h;
        commit(mech, target);
        t = target.t;
        std::copy(y1_.begin(), y1_.end(), y.begin());
        return report;
      }
      controller_.reject(target, error);
      reason = StepStatus::step_too_small;
    } else {
      if (!solved) ++counts_.newton_failures;
      controller_.reject_newton(target);
      reason = StepStatus::eval_failed;
    }
    ++report.rejected;
    ++counts_.rejected;
  }
}

bool GeneralizedAlpha::is_too_small(const StepTarget& target, double t, double t_end,
                                    int rejected) const {
  if (!adaptive_) return target.t <= t || rejected > kMostHalvings;
  return controller_.is_too_small(t, t_end) && (target.full || rejected > 0);
}

StepTarget GeneralizedAlpha::find_target(const MechProblem& mech, double t, double t_end,
                                         int halvings) const {
  if (!adaptive_) return clock_.find_next(t, t_end, halvings);
  const bool even = mech.level() == MechProblem::Level::position && mech.position_rows() > 0;
  return even ? controller_.find_next_even(t, t_end) : controller_.find_next(t, t_end);
}

bool GeneralizedAlpha::accept(OdeProblem& problem, double t, std::span<const double> y,
                              Change change) {
  assert(t == end_.t);
  (void)t;
  if (change == Change::unchanged) return true;
  MechProblem& mech = *problem.mech();
  trial_ = end_;
  mech.read(y, end_);
  moved_ = max_abs(end_.v - trial_.v) > kAlphaRoundOff * (1.0 + max_abs(end_.v)) ||
           max_abs(end_.q - trial_.q) > kAlphaRoundOff * (1.0 + max_abs(end_.q));
  std::copy(y.begin(), y.end(), y1_.begin());
  return change != Change::new_chart || begin_again(mech);
}

bool GeneralizedAlpha::interpolate(OdeProblem& problem, double theta, std::span<double> y) {
  MechProblem& mech = *problem.mech();
  if (theta >= 1.0) {
    std::copy(y1_.begin(), y1_.end(), y.begin());
    return true;
  }
  const double s = theta * theta;
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = y0_[i] + theta * (y1_[i] - y0_[i]);
  trial_ = begin_;
  mech.find_increment(begin_.q, end_.q, increment_);
  increment_ = theta * h_ * begin_.v + s * (increment_ - h_ * begin_.v);
  mech.retract(trial_.q, increment_);
  trial_.v = begin_.v + theta * h_ * begin_.v_dot + s * (end_.v - begin_.v - h_ * begin_.v_dot);
  trial_.lambda = begin_.lambda + theta * (end_.lambda - begin_.lambda);
  if (states_.count() > 0)
    trial_.c = begin_.c + theta * h_ * states_.begin_rate() +
               s * (end_.c - begin_.c - h_ * states_.begin_rate());
  mech.write(trial_, y);
  return true;
}

void GeneralizedAlpha::resize(const MechProblem& mech, std::span<const double> y) {
  MechPoint point;
  mech.read(y, point);
  n_ = point.v.size();
  m_ = mech.rows();
  p_rows_ = mech.level() == MechProblem::Level::both ? mech.position_rows() : 0;
  point.v_dot = Vector::Zero(n_);
  begin_ = end_ = trial_ = probe_ = point;
  a_ = next_a_ = start_a_ = increment_ = e_ = difference_ = Vector::Zero(n_);
  jerk_ = trend_ = a_;
  row_change_ = Vector::Zero(m_);
  mu_ = Vector::Zero(p_rows_);
  terms_.residual = Vector::Zero(n_);
  tangent_ = mech.make_tangent();
  matrix_.resize(n_, m_, p_rows_);
  right_ = Vector::Zero(n_ + m_ + p_rows_);
  rate0_.assign(static_cast<std::size_t>(mech.quadratures()), 0.0);
  rate1_ = rate0_;
  y0_.assign(y.size(), 0.0);
}

void GeneralizedAlpha::commit(MechProblem& mech, const StepTarget& target) {
  const double h = target.h;
  moved_ = false;
  if (adaptive_) {
    jerk_ = (probe_.v_dot - smooth_) / h;
    smooth_ = probe_.v_dot;
  } else {
    jerk_ = (trial_.v_dot - begin_.v_dot) / h;
  }
  a_ = next_a_;
  states_.commit(h, begin_.c, trial_.c);
  end_ = trial_;
  h_ = old_h_ = h;
  if (!adaptive_) clock_.advance(target);
  std::copy(y0_.begin(), y0_.end(), y1_.begin());
  if (mech.quadratures() > 0) {
    mech.eval_quadratures(end_, rate1_);
    for (int k = 0; k < mech.quadratures(); ++k) {
      const auto at = static_cast<std::size_t>(k);
      y1_[static_cast<std::size_t>(mech.quadrature_slot(k))] += 0.5 * h * (rate0_[at] + rate1_[at]);
    }
  }
  mech.write(end_, y1_);
  mech.write_acceleration(end_, slope_);
  std::copy(states_.rate().begin(), states_.rate().end(), slope_.begin() + mech.state_slot());
  ++counts_.steps;
}

std::unique_ptr<Stepper> make_generalized_alpha_stepper(const AlphaParameters& parameters,
                                                        const StepControl& control, bool adaptive) {
  check_step_control(control, adaptive);
  return std::make_unique<GeneralizedAlpha>(parameters, control, adaptive);
}

}  // namespace driftless
