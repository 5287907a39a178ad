// One step of the generalised-α method by Newton's method: generalized_alpha.cpp [GA.5], [GA.6].

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/integrators/alpha_stepper.hpp"

namespace driftless {
namespace {

constexpr int kMaxAlphaIterations = 15;

}  // namespace

bool GeneralizedAlpha::attempt(MechProblem& mech, const StepTarget& target) {
  const double h = target.h;
  if (!adapt_start(mech, h)) return false;
  if (p_rows_ > 0) {  // G0; set_across has evaluated it
    if (!is_begun_anew(h) && !mech.eval_point(begin_, terms_)) return false;
    jacobian0_.take(terms_.jacobian);
  }
  next_a_ = (begin_.v_dot - p_.alpha_m * start_a_) / (1.0 - p_.alpha_m);
  increment_ = begin_.v + h * ((0.5 - p_.beta) * start_a_ + p_.beta * next_a_);  // Δ
  mu_.setZero();
  trial_ = begin_;
  trial_.t = target.t;
  states_.begin_attempt(h, old_h_, begin_.c, trial_.c);
  return iterate(mech, h);
}

bool GeneralizedAlpha::iterate(MechProblem& mech, double h) {
  const double goal = adaptive_ ? 1e-3 * std::min(1.0, control_.rtol + control_.atol) : 1e-15;
  double last = 0.0;
  bool fresh = false;
  for (int k = 0; k < kMaxAlphaIterations; ++k) {
    place(mech, h);
    ++counts_.evaluations;
    if (!mech.eval_point(trial_, terms_)) return false;
    states_.set_residual(trial_.c, terms_.state_rate);
    const bool renew = k == 0 || (!fresh && k % 3 == 0);
    fresh = renew;
    if (renew && !factorize(mech, h)) return false;
    fill_right(mech, h);
    note_worst(mech);
    matrix_.solve(right_);
    increment_ -= right_.head(n_);
    trial_.lambda -= right_.segment(n_, m_) / h;
    if (p_rows_ > 0) mu_ -= right_.tail(p_rows_);
    const double motion = update_states(h) + max_abs(right_.head(n_)) / (1.0 + max_abs(increment_));
    const double size =
        motion +
        (m_ > 0 ? max_abs(right_.segment(n_, m_)) / (1.0 + h * max_abs(trial_.lambda)) : 0.0);
    if (!std::isfinite(size)) return false;
    const double round_off = find_round_off(h);
    // Along a chain the round-off of Φ adds up in λ; where the motion is found, nothing better is to be had.
    const bool stagnates = (k > 1 && size > 0.3 * last && size < round_off) ||
                           (k > 3 && size > 0.7 * last && motion < round_off);
    if (size <= goal || stagnates) {
      place(mech, h);
      return true;
    }
    last = size;
  }
  return false;
}

double GeneralizedAlpha::update_states(double h) {
  if (states_.count() == 0) return 0.0;
  difference_ = right_.head(n_);
  tangent_.multiply(difference_, e_);
  e_ *= h;
  if (p_rows_ > 0) jacobian0_.add_transposed(right_.tail(p_rows_), 1.0, difference_);
  difference_ *= p_.gamma / p_.beta;
  return states_.update(e_, difference_, trial_.c);
}

double GeneralizedAlpha::find_round_off(double h) const {
  constexpr double kOther = 1e-9;
  constexpr double kOfPositions = 16.0 * std::numeric_limits<double>::epsilon();
  return kOther +
         kOfPositions * (1.0 + max_abs(begin_.q)) / h * (1.0 + sigma_ * terms_.mass.find_largest());
}

void GeneralizedAlpha::place(MechProblem& mech, double h) {
  e_ = increment_;
  if (p_rows_ > 0) jacobian0_.add_transposed(mu_, 1.0, e_);
  next_a_ = (e_ - begin_.v) / (p_.beta * h) - (0.5 - p_.beta) / p_.beta * start_a_;
  const double ratio = p_.gamma / p_.beta;
  trial_.v = ratio * e_ + (1.0 - ratio) * begin_.v + h * (1.0 - 0.5 * ratio) * start_a_;
  trial_.v_dot = sigma_ * ((e_ - begin_.v) / h - 0.5 * start_a_) +
                 (start_a_ - p_.alpha_f * begin_.v_dot) / (1.0 - p_.alpha_f);
  trial_.q = begin_.q;
  difference_ = h * increment_;
  mech.retract(trial_.q, difference_);
}

bool GeneralizedAlpha::factorize(MechProblem& mech, double h) {
  ++counts_.derivatives;
  ++counts_.factorizations;
  if (!mech.eval_derivatives(trial_, derivatives_)) return false;
  if (!states_.factorize(derivatives_.states, derivatives_.stiffness, derivatives_.damping))
    return false;
  mech.choose_rows(terms_.mass, terms_.jacobian);
  mech.eval_tangent(difference_, tangent_);
  return matrix_.factorize(
      mech, {terms_.mass, terms_.jacobian, jacobian0_, derivatives_.stiffness, derivatives_.damping,
             derivatives_.rho_q, tangent_, h, sigma_, p_.gamma / p_.beta});
}

void GeneralizedAlpha::fill_right(MechProblem& mech, double h) {
  right_.head(n_) = terms_.residual;
  states_.reduce(right_.head(n_));
  right_.head(n_) *= h;
  const bool at_position = mech.level() == MechProblem::Level::position;
  for (int i = 0; i < m_; ++i) {
    right_[n_ + i] = !mech.is_kept(i) ? h * (trial_.lambda[i] - mech.relation(i).dot(trial_.lambda))
                     : at_position && i < mech.position_rows() ? terms_.phi[i] / h
                                                               : terms_.rho[i];
  }
  for (int i = 0; i < p_rows_; ++i)
    right_[n_ + m_ + i] = mech.is_position_kept(i) ? terms_.phi[i] / h : mu_[i];
}

void GeneralizedAlpha::note_worst(const MechProblem& mech) {
  Eigen::Index place = 0;
  right_.head(n_ + m_).cwiseAbs().maxCoeff(&place);
  const int at = static_cast<int>(place < n_ ? place : place - n_);
  worst_ = place < n_ ? mech.rate_slot(at) : mech.row_slot(at);
}

bool GeneralizedAlpha::calc_error(MechProblem& mech, double h, double& error) {
  if (!adaptive_) return true;
  probe_ = trial_;
  if (!mech.find_motion(probe_)) return false;
  double sum = 0.0, largest = 0.0;
  for (Eigen::Index i = 0; i < n_; ++i) {
    const double change = probe_.v_dot[i] - smooth_[i];
    const double position = h * h * offset_ * change / (control_.atol + control_.rtol);
    const double velocity = h * (change - h * jerk_[i]) / 12.0 /
                            (control_.atol + control_.rtol * std::abs(trial_.v[i]));
    const double square = position * position + velocity * velocity;
    sum += square;
    if (square <= largest) continue;
    largest = square;
    worst_ = mech.rate_slot(static_cast<int>(i));
  }
  for (Eigen::Index k = 0; k < states_.count(); ++k) {
    const double state = states_.calc_error(k, h, trial_.c, control_.rtol, control_.atol);
    sum += state * state;
    if (state * state <= largest) continue;
    largest = state * state;
    worst_ = mech.state_slot() + static_cast<int>(k);
  }
  error = std::sqrt(sum / static_cast<double>(std::max<Eigen::Index>(n_ + states_.count(), 1)));
  return std::isfinite(error);
}

}  // namespace driftless
