#include "driftless/integrators/alpha_states.hpp"

#include <cmath>

namespace driftless {

AlphaStates::AlphaStates(double rho)
    : delta_m_((3.0 * rho - 1.0) / (2.0 * (rho + 1.0))), delta_f_(rho / (rho + 1.0)) {
  theta_ = 0.5 + delta_f_ - delta_m_;
  kappa_ = theta_ * (1.0 - delta_f_) / (1.0 - delta_m_);
}

void AlphaStates::start(Eigen::Index rates, const Vector& rate, const Vector& curve) {
  rate_ = rate0_ = w_ = start_w_ = b_ = open_ = rate;
  curve_ = curve;
  slopes_ = StateSlopes(static_cast<int>(rates), static_cast<int>(rate.size()));
  elimination_.resize(rates, rate.size());
}

void AlphaStates::begin_attempt(double h, double before, const Vector& c, Vector& end) {
  if (count() == 0) return;
  start_w_ = w_ + (delta_m_ - delta_f_) * (h - before) * curve_;
  b_ = c + h * (1.0 - theta_) * start_w_ +
       h * theta_ / (1.0 - delta_m_) * (delta_f_ * rate_ - delta_m_ * start_w_);
  a_ = 1.0 / (h * kappa_);
  end = c + h * rate_;
}

void AlphaStates::set_residual(const Vector& end, const Vector& rate) {
  if (count() == 0) return;
  open_ = a_ * (end - b_) - rate;
}

bool AlphaStates::factorize(const StateSlopes& slopes, BlockMatrix& stiffness,
                            BlockMatrix& damping) {
  if (count() == 0) return true;
  slopes_ = slopes;
  if (!elimination_.factorize(slopes_, a_)) return false;
  elimination_.add_to(slopes_, stiffness, damping);
  return true;
}

double AlphaStates::update(const Vector& delta, const Vector& dv, Vector& end) {
  if (count() == 0) return 0.0;
  elimination_.solve(slopes_, delta, dv, open_);
  end -= open_;
  return max_abs(open_) / (1.0 + max_abs(end));
}

double AlphaStates::calc_error(Eigen::Index k, double h, const Vector& end, double rtol,
                               double atol) const {
  const double change = a_ * (end[k] - b_[k]) - rate_[k];
  return h * (change - h * curve_[k]) / 12.0 / (atol + rtol * std::abs(end[k]));
}

void AlphaStates::commit(double h, const Vector& begin, const Vector& end) {
  if (count() == 0) return;
  w_ = ((end - begin) / h - (1.0 - theta_) * start_w_) / theta_;
  rate0_ = rate_;
  rate_ = a_ * (end - b_);
  curve_ = (rate_ - rate0_) / h;
}

}  // namespace driftless
