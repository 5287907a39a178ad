// How a step of the generalised-α method begins: generalized_alpha.cpp has the equations [GA.1] to [GA.10].
//
// Change of step. A step of the size h leaves behind it
//
//   v = v(t) + h² d across the constraints [GA.8],   a = v'(t + δh) [GA.7],   v' = v'(t),
//
// each up to errors ε_v ~ h³, ε_a ~ h² and ε'~ h². If the next one is of the size h', d and δ have to be those of h'. That is
// not enough at level position. Across the constraints positions are given, and [GA.1], [GA.2] solved for what is new are
//
//   ε_a1 = -ε_v0/(βh') - (1/2-β)/β ε_a0,   ε_v1 = (1-γ/β) ε_v0 + h' (1-γ/(2β)) ε_a0                                 [GA.11]
//
// A short step divides ε_v, which is as large as long steps left it, by h': ε_a ~ h³/h', and so is λ's error. A long one
// multiplies ε_a by h', and leaves that in v for the next short one. Steps that shrink and grow in turns magnify both by up to
// the ratio of the steps each time, and no damping ρ∞ of a step holds against that; after a shock the reactions are gone.
//
// But nothing has to be carried along there. q tells what v, v' and a are across the constraints, so that each step of a new
// size begins with what q asks for: by the least changes, in the mass metric, with
//
//   Φ(q0) = 0,   ρ(q0, v0) = h'² G d,   G v0' = G w,   G a0 = G (w + δh' v''),     w: v' of index 1 at (q0, v0)      [GA.12]
//
// (Φ because what Newton's method left open in a long step is an acceleration of Φ/h'² in a short one.) Along the
// constraints v is not changed, and a only moves by δ (h' - h) v''. With d and v'' known up to ε'', [GA.12] leaves ε_v ~ h'² ε'' and
// ε_a ~ h' ε'', whatever h/h' is, and λ keeps order 2. At the other levels v is right by itself, and of [GA.12] the last two
// remain: there ε_a1 = -(1-γ)/γ ε_a0, which would not die out without damping.
//
// The same where y was corrected between two steps: projected velocities have lost h² d, and would ring from then on as they do
// at the start.
//
// v'' is the difference of w here and a little further on,
//
//   v'' = (w(t + s, q ⊕ (s v + s² v'/2), v + s v') - w) / s,   s = h'/1000                                          [GA.13]
//
// and not one of accelerations in the steps before: after a shock that would be jump/h, which a longer step multiplies by its
// own size; and in bodies that spin v'' turns within a step.

#include <algorithm>
#include <cmath>

#include "driftless/integrators/alpha_stepper.hpp"

namespace driftless {
namespace {

constexpr double kAlphaProbe = 1e-3;

}  // namespace

bool GeneralizedAlpha::is_begun_anew(double h) const {
  constexpr double kSame = 1e-9;
  return moved_ || std::abs(h - old_h_) > kSame * h;
}

bool GeneralizedAlpha::adapt_start(MechProblem& mech, double h) {
  begin_ = end_;
  start_a_ = a_;
  const bool renews =
      p_.rho == 1.0 && m_ > 0 && mech.level() == MechProblem::Level::position;  // [GA.10]
  const bool anew = is_begun_anew(h);
  if (!anew && !renews) return true;
  if (anew && !probe_ahead(mech, kAlphaProbe * h)) return false;
  trial_ = end_;
  if (!mech.find_motion(trial_)) return false;
  if (anew) set_trend(h);
  start_a_ += delta_ * (h - old_h_) * trend_;
  if (renews) start_a_ = begin_.v_dot = trial_.v_dot;
  return !anew || m_ == 0 || set_across(mech, h);
}

bool GeneralizedAlpha::probe_ahead(MechProblem& mech, double s) {
  probe_ = end_;
  probe_.t += s;
  increment_ = s * end_.v + 0.5 * s * s * end_.v_dot;
  mech.retract(probe_.q, increment_);
  probe_.v += s * end_.v_dot;
  if (states_.count() > 0) probe_.c += s * states_.rate();
  return mech.find_motion(probe_);
}

void GeneralizedAlpha::set_trend(double h) {
  trend_ = (probe_.v_dot - trial_.v_dot) / (kAlphaProbe * h);
  // Where forces change altogether within the step, at a stop for instance, the quotient tells nothing; but what is beside it
  // goes on as before.
  const double most = (1.0 + max_abs(trial_.v_dot)) / h;
  for (double& each : trend_)
    if (std::abs(each) > most) each = 0.0;
}

bool GeneralizedAlpha::set_across(MechProblem& mech, double h) {
  if (!mech.eval_point(trial_, terms_)) return false;
  const auto change_across = [&](Vector& changed) {  // by difference_
    terms_.jacobian.multiply(difference_, row_change_);
    mech.solve_change(row_change_, increment_);
    changed += increment_;
  };
  difference_ = trial_.v_dot - begin_.v_dot;
  change_across(begin_.v_dot);
  difference_ = trial_.v_dot + delta_ * h * trend_ - start_a_;
  change_across(start_a_);
  const bool as_given = counts_.steps == 0 && !control_.correct_start;
  if (mech.level() != MechProblem::Level::position || as_given) return true;

  const int rows = mech.position_rows();
  mech.eval_bracket(trial_.v, trial_.v_dot, difference_);
  difference_ = h * h * (offset_ * trend_ + difference_ / 12.0);
  terms_.jacobian.multiply(difference_, row_change_);
  row_change_.tail(m_ - rows).setZero();
  row_change_ -= terms_.rho;
  mech.solve_change(row_change_, increment_);
  begin_.v += increment_;
  row_change_.setZero();
  row_change_.head(rows) = -terms_.phi;
  mech.solve_change(row_change_, increment_);
  mech.retract(begin_.q, increment_);
  return true;
}

bool GeneralizedAlpha::begin_again(MechProblem& mech) {
  end_.v_dot = Vector::Zero(n_);
  if (!mech.find_motion(end_)) return false;
  state_rate_ = mech.state_rate();
  state_curve_.setZero();
  if (!estimate_jerk(mech, end_.t, 0.1 * h_)) return false;
  a_ = smooth_ = end_.v_dot;
  old_h_ = 0.0;
  if (!mech.find_motion(end_)) return false;
  states_.start(n_, state_rate_, state_curve_);
  return true;
}

double GeneralizedAlpha::first_scale(double rest) const {
  const double h = control_.step > 0.0 ? control_.step : 1e-3 * rest;
  return 0.1 * h;
}

double GeneralizedAlpha::find_first_step(double rest) const {
  if (control_.step > 0.0) return control_.step;
  const double speed = max_abs(jerk_) * std::abs(offset_);
  const double h = std::cbrt((control_.atol + control_.rtol) / std::max(speed, 1e-10));
  return std::min({h, 0.1 * rest, control_.max_step > 0.0 ? control_.max_step : h});
}

bool GeneralizedAlpha::estimate_jerk(MechProblem& mech, double t, double s) {
  jerk_.setZero();
  if (!(s > 0.0)) return true;
  for (const double sign : {1.0, -1.0}) {
    trial_ = end_;
    trial_.t = t + sign * s;
    increment_ = sign * s * end_.v + 0.5 * s * s * end_.v_dot;
    mech.retract(trial_.q, increment_);
    trial_.v += sign * s * end_.v_dot;
    trial_.c += sign * s * state_rate_;
    if (!mech.find_motion(trial_)) return false;
    jerk_ += sign / (2.0 * s) * trial_.v_dot;
    state_curve_ += sign / (2.0 * s) * mech.state_rate();
  }
  // Of forces that change altogether in so short a time, the quotient tells nothing.
  if (s * max_abs(jerk_) > 0.1 * (1.0 + max_abs(end_.v_dot))) jerk_.setZero();
  if (s * max_abs(state_curve_) > 0.1 * (1.0 + max_abs(state_rate_))) state_curve_.setZero();
  return true;
}

}  // namespace driftless
