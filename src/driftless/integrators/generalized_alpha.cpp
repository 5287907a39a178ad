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
// change of v (in the mass metric) with G change = h² G d; and when the step changes from h to h', by h'² - h² likewise.
// What is written as the result is v_n as it is.
//
// Change of step: a0 moves to the new δh' by δ (h' - h) v''.
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

#include "driftless/integrators/alpha_matrix.hpp"
#include "driftless/integrators/alpha_states.hpp"
#include "driftless/integrators/step_control.hpp"
#include "driftless/problem/mech_problem.hpp"

namespace driftless {

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

namespace {

constexpr int kAlphaOrder = 2;
constexpr int kMaxAlphaIterations = 15;

class GeneralizedAlpha final : public Stepper {
 public:
  GeneralizedAlpha(const AlphaParameters& parameters, const StepControl& control, bool adaptive)
      : p_(parameters), control_(control), adaptive_(adaptive), states_(parameters.rho) {
    delta_ = p_.alpha_m - p_.alpha_f;
    sigma_ = (1.0 - p_.alpha_m) / (p_.beta * (1.0 - p_.alpha_f));
    offset_ = 1.0 / 6.0 - 0.5 * delta_ - p_.beta;
  }

  int order() const override { return kAlphaOrder; }
  bool is_adaptive() const override { return adaptive_; }

  bool start(OdeProblem& problem, double t, std::span<const double> y, double t_end) override {
    MechProblem* mech = problem.mech();
    if (mech == nullptr) return false;
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

  StepReport step(OdeProblem& problem, double& t, std::span<double> y, double t_end) override {
    StepReport report{.order = kAlphaOrder};
    if (t == t_end) return report;
    MechProblem& mech = *problem.mech();
    begin_ = end_;
    rate0_ = rate1_;
    y0_.assign(y.begin(), y.end());
    while (true) {
      const StepTarget target =
          adaptive_ ? controller_.find_next(t, t_end) : clock_.find_next(t, t_end, report.rejected);
      const bool too_small =
          adaptive_ ? controller_.is_too_small(t, t_end) && (target.full || report.rejected > 0)
                    : target.t <= t;
      if (too_small) {
        report.status = StepStatus::step_too_small;
        break;
      }
      problem.begin_step(t, target.h, y0_, {});
      if (attempt(mech, target)) {
        double error = 0.0;
        if (adaptive_ && !calc_error(mech, target.h, error)) error = 10.0;
        if (error <= 1.0) {
          if (adaptive_) controller_.accept(target, error);
          report.error = error;
          report.h = target.h;
          commit(mech, target);
          t = target.t;
          std::copy(y1_.begin(), y1_.end(), y.begin());
          return report;
        }
        controller_.reject(target, error);
      } else {
        ++counts_.newton_failures;
        report.worst_component = worst_;
        if (adaptive_) {
          controller_.reject_undefined(target);
        } else if (report.rejected == kMostHalvings) {
          report.status = StepStatus::eval_failed;
          break;
        }
      }
      ++report.rejected;
      ++counts_.rejected;
    }
    end_ = begin_;
    return report;
  }

  bool accept(OdeProblem& problem, double t, std::span<const double> y, Change change) override {
    assert(t == end_.t);
    (void)t;
    if (change == Change::unchanged) return true;
    MechProblem& mech = *problem.mech();
    mech.read(y, end_);
    std::copy(y.begin(), y.end(), y1_.begin());
    return change != Change::new_chart || begin_again(mech);
  }

  /// Quadratic in position and velocity, linear in multipliers and quadratures.
  bool interpolate(OdeProblem& problem, double theta, std::span<double> y) override {
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

  std::span<const double> slope() const override { return slope_; }
  const StepperCounts& counts() const override { return counts_; }

 private:
  void resize(const MechProblem& mech, std::span<const double> y) {
    MechPoint point;
    mech.read(y, point);
    n_ = point.v.size();
    m_ = mech.rows();
    p_rows_ = mech.level() == MechProblem::Level::both ? mech.position_rows() : 0;
    point.v_dot = Vector::Zero(n_);
    begin_ = end_ = trial_ = probe_ = point;
    a_ = next_a_ = jerk_ = increment_ = e_ = difference_ = Vector::Zero(n_);
    start_a_ = start_v_ = a_;
    row_change_ = Vector::Zero(m_);
    mu_ = Vector::Zero(p_rows_);
    terms_.mass = Matrix::Zero(n_, n_);
    terms_.jacobian = Matrix::Zero(m_, n_);
    terms_.residual = Vector::Zero(n_);
    jacobian0_ = Matrix::Zero(m_, n_);
    tangent_ = Matrix::Identity(n_, n_);
    matrix_.resize(n_, m_, p_rows_);
    right_ = Vector::Zero(n_ + m_ + p_rows_);
    rate0_.assign(static_cast<std::size_t>(mech.quadratures()), 0.0);
    rate1_ = rate0_;
    y0_.assign(y.size(), 0.0);
  }

  /// In other coordinates: a, v'' and the offset [GA.8] are theirs. Velocities, which had the offset of the old ones, are
  /// brought onto the constraints, and the next step begins as the first one did.
  bool begin_again(MechProblem& mech) {
    end_.v_dot = Vector::Zero(n_);
    if (!mech.find_motion(end_)) return false;
    if (mech.level() == MechProblem::Level::position && m_ > 0) {
      if (!mech.eval_point(end_, terms_)) return false;
      row_change_ = -terms_.rho;
      row_change_.tail(m_ - mech.position_rows()).setZero();
      if (!mech.find_motion(end_)) return false;
      mech.solve_change(row_change_, increment_);
      end_.v += increment_;
      if (!mech.find_motion(end_)) return false;
    }
    state_rate_ = mech.state_rate();
    state_curve_.setZero();
    if (!estimate_jerk(mech, end_.t, 0.1 * h_)) return false;
    a_ = smooth_ = end_.v_dot;
    old_h_ = 0.0;
    if (!mech.find_motion(end_)) return false;
    states_.start(n_, state_rate_, state_curve_);
    return true;
  }

  double first_scale(double rest) const {
    const double h = control_.step > 0.0 ? control_.step : 1e-3 * rest;
    return 0.1 * h;
  }

  double find_first_step(double rest) const {
    if (control_.step > 0.0) return control_.step;
    const double speed = max_abs(jerk_) * std::abs(offset_);
    const double h = std::cbrt((control_.atol + control_.rtol) / std::max(speed, 1e-10));
    return std::min({h, 0.1 * rest, control_.max_step > 0.0 ? control_.max_step : h});
  }

  /// v'' at the start, by the accelerations a little before and after it.
  bool estimate_jerk(MechProblem& mech, double t, double s) {
    if (!(s > 0.0)) return true;
    jerk_.setZero();
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

  /// A step of another size than the last: [GA.7], [GA.8]. begin_ is changed for this attempt only.
  bool adapt_start(MechProblem& mech, double h) {
    const double before = old_h_;
    start_a_ = a_ + delta_ * (h - before) * jerk_;
    start_v_ = end_.v;
    const bool corrects =
        control_.correct_start && mech.level() == MechProblem::Level::position && m_ > 0;
    if (!corrects || h == before) return true;
    trial_ = end_;
    if (!mech.find_motion(trial_)) return false;
    if (!mech.eval_point(trial_, terms_)) return false;
    mech.eval_bracket(trial_.v, trial_.v_dot, difference_);
    difference_ = offset_ * jerk_ + difference_ / 12.0;
    row_change_.noalias() = terms_.jacobian * difference_;
    row_change_ *= h * h - before * before;
    row_change_.tail(m_ - mech.position_rows()).setZero();
    mech.solve_change(row_change_, increment_);
    start_v_ += increment_;
    return true;
  }

  bool attempt(MechProblem& mech, const StepTarget& target) {
    const double h = target.h;
    worst_ = -1;
    if (!adapt_start(mech, h)) return false;
    begin_ = end_;
    begin_.v = start_v_;
    if (p_rows_ > 0) {  // G0
      if (!mech.eval_point(begin_, terms_)) return false;
      jacobian0_ = terms_.jacobian;
    }
    next_a_ = (begin_.v_dot - p_.alpha_m * start_a_) / (1.0 - p_.alpha_m);
    increment_ = begin_.v + h * ((0.5 - p_.beta) * start_a_ + p_.beta * next_a_);  // Δ
    mu_.setZero();
    trial_ = begin_;
    trial_.t = target.t;
    states_.begin_attempt(h, old_h_, begin_.c, trial_.c);
    return iterate(mech, h);
  }

  /// Newton's method on [GA.6]. The matrix is taken at the first guess, and anew where it serves badly.
  bool iterate(MechProblem& mech, double h) {
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
      const double size =
          update_states(h) + max_abs(right_.head(n_)) / (1.0 + max_abs(increment_)) +
          (m_ > 0 ? max_abs(right_.segment(n_, m_)) / (1.0 + h * max_abs(trial_.lambda)) : 0.0);
      if (!std::isfinite(size)) return false;
      const bool stagnates = k > 1 && size > 0.3 * last && size < find_round_off(h);
      if (size <= goal || stagnates) {
        place(mech, h);
        worst_ = -1;
        return true;
      }
      last = size;
    }
    return false;
  }

  /// Newton's change of c, after Δ, λ and μ have changed by right_. Its size, relative.
  double update_states(double h) {
    if (states_.count() == 0) return 0.0;
    difference_ = right_.head(n_);
    e_.noalias() = h * (tangent_ * difference_);
    if (p_rows_ > 0)
      difference_.noalias() += jacobian0_.topRows(p_rows_).transpose() * right_.tail(p_rows_);
    difference_ *= p_.gamma / p_.beta;
    return states_.update(e_, difference_, trial_.c);
  }

  /// Of Newton's increments. Φ is known to the round-off of q; seen as a velocity that is divided by h, and as an impulse
  /// hλ it is multiplied by the mass.
  double find_round_off(double h) const {
    constexpr double kOther = 1e-9;
    constexpr double kOfPositions = 16.0 * std::numeric_limits<double>::epsilon();
    const double mass = n_ > 0 ? terms_.mass.cwiseAbs().maxCoeff() : 0.0;
    return kOther + kOfPositions * (1.0 + max_abs(begin_.q)) / h * (1.0 + sigma_ * mass);
  }

  /// [GA.5] at Δ and μ.
  void place(MechProblem& mech, double h) {
    e_ = increment_;
    if (p_rows_ > 0) e_.noalias() += jacobian0_.topRows(p_rows_).transpose() * mu_;
    next_a_ = (e_ - begin_.v) / (p_.beta * h) - (0.5 - p_.beta) / p_.beta * start_a_;
    const double ratio = p_.gamma / p_.beta;
    trial_.v = ratio * e_ + (1.0 - ratio) * begin_.v + h * (1.0 - 0.5 * ratio) * start_a_;
    trial_.v_dot = sigma_ * ((e_ - begin_.v) / h - 0.5 * start_a_) +
                   (start_a_ - p_.alpha_f * begin_.v_dot) / (1.0 - p_.alpha_f);
    trial_.q = begin_.q;
    difference_ = h * increment_;
    mech.retract(trial_.q, difference_);
  }

  bool factorize(MechProblem& mech, double h) {
    ++counts_.derivatives;
    ++counts_.factorizations;
    if (!mech.eval_derivatives(trial_, derivatives_)) return false;
    if (!states_.factorize(derivatives_.states, derivatives_.stiffness, derivatives_.damping))
      return false;
    mech.choose_rows(terms_.mass, terms_.jacobian);
    mech.eval_tangent(difference_, tangent_);
    return matrix_.factorize(
        mech, {terms_.mass, terms_.jacobian, jacobian0_, derivatives_.stiffness,
               derivatives_.damping, derivatives_.rho_q, tangent_, h, sigma_, p_.gamma / p_.beta});
  }

  void fill_right(MechProblem& mech, double h) {
    right_.head(n_) = terms_.residual;
    states_.reduce(right_.head(n_));
    right_.head(n_) *= h;
    const bool at_position = mech.level() == MechProblem::Level::position;
    for (int i = 0; i < m_; ++i) {
      right_[n_ + i] = !mech.is_kept(i)
                           ? h * (trial_.lambda[i] - mech.relation(i).dot(trial_.lambda))
                       : at_position && i < mech.position_rows() ? terms_.phi[i] / h
                                                                 : terms_.rho[i];
    }
    for (int i = 0; i < p_rows_; ++i)
      right_[n_ + m_ + i] = mech.is_position_kept(i) ? terms_.phi[i] / h : mu_[i];
  }

  /// The equation that is worst met, as the component of y that belongs to it.
  void note_worst(const MechProblem& mech) {
    Eigen::Index place = 0;
    right_.head(n_ + m_).cwiseAbs().maxCoeff(&place);
    const int at = static_cast<int>(place < n_ ? place : place - n_);
    worst_ = place < n_ ? mech.rate_slot(at) : mech.row_slot(at);
  }

  /// [GA.9] False: the end is not defined at index 1.
  bool calc_error(MechProblem& mech, double h, double& error) {
    probe_ = trial_;
    if (!mech.find_motion(probe_)) return false;
    double sum = 0.0;
    for (Eigen::Index i = 0; i < n_; ++i) {
      const double change = probe_.v_dot[i] - smooth_[i];
      const double position = h * h * offset_ * change / (control_.atol + control_.rtol);
      const double velocity = h * (change - h * jerk_[i]) / 12.0 /
                              (control_.atol + control_.rtol * std::abs(trial_.v[i]));
      sum += position * position + velocity * velocity;
    }
    sum += states_.calc_error(h, trial_.c, control_.rtol, control_.atol);
    error = std::sqrt(sum / static_cast<double>(std::max<Eigen::Index>(n_ + states_.count(), 1)));
    return true;
  }

  void commit(MechProblem& mech, const StepTarget& target) {
    const double h = target.h;
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
        y1_[static_cast<std::size_t>(mech.quadrature_slot(k))] +=
            0.5 * h * (rate0_[at] + rate1_[at]);
      }
    }
    mech.write(end_, y1_);
    mech.write_acceleration(end_, slope_);
    std::copy(states_.rate().begin(), states_.rate().end(), slope_.begin() + mech.state_slot());
    ++counts_.steps;
  }

  AlphaParameters p_;
  StepControl control_;
  bool adaptive_;
  double delta_, sigma_, offset_;
  Eigen::Index n_ = 0, m_ = 0, p_rows_ = 0;
  MechPoint begin_, end_, trial_;
  MechPoint probe_;            // the end, with accelerations of index 1
  Vector smooth_;              // those of the last end
  Vector a_, next_a_, jerk_;   // a at the end of the last step, of this one; v''
  Vector start_a_, start_v_;   // of this attempt
  Vector increment_, e_, mu_;  // Δ, Δ + G0ᵀμ, μ
  Vector difference_, row_change_;
  AlphaStates states_;
  Vector state_rate_, state_curve_;  // c' and c'' at the start
  MechTerms terms_;
  MechDerivatives derivatives_;
  Matrix jacobian0_, tangent_;
  AlphaMatrix matrix_;
  Vector right_;
  double h_ = 0.0, old_h_ = 0.0;  // of the last step; 0: none
  int worst_ = -1;
  std::vector<double> y0_, y1_, slope_, rate0_, rate1_;
  StepperCounts counts_;
  FixedClock clock_;
  StepController controller_;
};

}  // namespace

std::unique_ptr<Stepper> make_generalized_alpha_stepper(const AlphaParameters& parameters,
                                                        const StepControl& control, bool adaptive) {
  check_step_control(control, adaptive);
  return std::make_unique<GeneralizedAlpha>(parameters, control, adaptive);
}

}  // namespace driftless
