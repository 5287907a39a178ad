// Newton's method of RATTLE, rattle.cpp [RTL.5].

#include <algorithm>
#include <cmath>

#include "driftless/integrators/rattle_stepper.hpp"

namespace driftless {
namespace {

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

}  // namespace

void Rattle::note_newton_failure(const MechProblem& mech) {
  ++memory_.counts.newton_failures;
  Eigen::Index place = 0;
  change_.cwiseAbs().maxCoeff(&place);
  worst_ = mech.rate_slot(static_cast<int>(place));
}

// ---- [RTL.2] ------------------------------------------------------------------------------------------

bool Rattle::drift(MechProblem& mech, double t1) {
  begin_.at.t = point_.t;
  begin_.at.q = point_.q;
  end_.at.t = t1;
  xi_ = point_.v + 0.5 * h_ * point_.v_dot;
  ell_ = 0.5 * h_ * point_.lambda;
  states_.begin(h_, point_.c, as_vector(memory_.f0()).segment(mech.state_slot(), states_.count()));
  if (!eval_residual(mech)) return false;
  if (!mech.eval_derivatives(point_, derivatives_)) return false;
  ++memory_.counts.derivatives;
  if (!factorize_drift(mech)) return false;
  const double scale = std::max({max_abs(point_.q), h_ * max_abs(xi_), mech.least_size()}) + 1e-300;
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

void Rattle::reduce_by_states() {
  change_.setZero();
  states_.reduce(change_);
  back_.add_transposed(change_, 0.5 * h_, right_.head(xi_.size()));
}

void Rattle::update_drift() {
  xi_ += change_;
  states_.update();
  ell_ += right_.tail(ell_.size());
}

const MechPoint& Rattle::sample_at_drift() {
  sample_ = begin_.at;
  sample_.v_dot = point_.v_dot;
  sample_.lambda = (2.0 / h_) * ell_;
  return sample_;
}

bool Rattle::eval_residual(MechProblem& mech) {
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

bool Rattle::factorize_drift(MechProblem& mech) {
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

// ---- [RTL.3] ------------------------------------------------------------------------------------------

bool Rattle::kick(MechProblem& mech) {
  if (!solve_block_diagonal_transposed(forward_, half_)) return false;
  half_ += 0.5 * h_ * end_.g;
  mech.choose_rows(end_.terms.mass, end_.terms.jacobian);
  const bool is_linear = mech.rows() == mech.position_rows();
  const double scale = max_abs(xi_) + 1e-300;
  Convergence convergence;
  for (int k = 0;; ++k) {
    if (k == 0 || !is_linear) {
      ++memory_.counts.factorizations;
      if (!kick_matrix_.factorize(mech, end_.terms.mass, end_.terms.jacobian, end_.terms.jacobian))
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

void Rattle::set_kick_residual(const MechProblem& mech) {
  const Eigen::Index n = xi_.size();
  end_.terms.mass.multiply(end_.at.v, change_);
  right_.head(n) = half_ - change_;
  end_.terms.jacobian.add_transposed(ell_, -1.0, right_.head(n));
  for (int i = 0; i < mech.rows(); ++i) {
    right_[n + i] = mech.is_kept(i) ? -end_.terms.rho[i] : mech.relation(i).dot(ell_) - ell_[i];
  }
}

}  // namespace driftless
