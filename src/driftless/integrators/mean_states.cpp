#include "driftless/integrators/mean_states.hpp"

namespace driftless {

void MeanStates::resize(Eigen::Index rates, Eigen::Index count) {
  mean_ = open_ = Vector::Zero(count);
  half_ = Vector::Zero(rates);
  slopes_ = StateSlopes(static_cast<int>(rates), static_cast<int>(count));
  elimination_.resize(rates, count);
}

void MeanStates::begin(double h, const Vector& c0, ConstVectorRef rate) {
  h_ = h;
  mean_ = c0 + 0.5 * h * rate;
}

void MeanStates::set_residual(const Vector& c0, const Vector& rate0, const Vector& rate1) {
  open_ = 0.5 * (rate0 + rate1) - (2.0 / h_) * (mean_ - c0);
}

bool MeanStates::factorize(const StateSlopes& slopes, BlockMatrix& stiffness,
                           BlockMatrix& damping) {
  stiffness.set_zero();
  if (count() == 0) return true;
  slopes_ = slopes;
  if (!elimination_.factorize(slopes_, 2.0 / h_)) return false;
  elimination_.add_to(slopes_, stiffness, damping);
  return true;
}

double MeanStates::solve(const Vector& delta, const Vector& d_xi) {
  if (count() == 0) return 0.0;
  half_ = 0.5 * delta;
  elimination_.solve(slopes_, half_, d_xi, open_);
  return max_abs(open_) / (1.0 + max_abs(mean_));
}

}  // namespace driftless
