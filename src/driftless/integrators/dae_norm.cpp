#include "driftless/integrators/dae_norm.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace driftless {
namespace {

double calc_rms(double sum, std::size_t count) {
  return count == 0 ? 0.0 : std::sqrt(sum / static_cast<double>(count));
}

}  // namespace

bool has_index3(const DaeProblem& dae) {
  for (int i = 0; i < dae.dae_size(); ++i)
    if (dae.variable_index(i) == 3) return true;
  return false;
}

void DaeNorm::start(const OdeProblem& problem, const DaeProblem& dae, double rtol, double atol,
                    ErrorTest error_test) {
  rtol_ = rtol;
  atol_ = atol;
  const auto n = static_cast<std::size_t>(dae.dae_size());
  components_.resize(n);
  factors_.resize(n);
  counted_ = in_error_ = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const int component = static_cast<int>(i);
    Component& c = components_[i];
    const bool left_out = error_test == ErrorTest::differential && dae.is_algebraic(component);
    c.weight = left_out ? 0.0 : problem.error_weight(component);
    const int index = dae.variable_index(component);
    assert(std::isfinite(c.weight) && index >= 1 && index <= 3);
    c.power = std::max(index - 1, dae.is_algebraic(component) ? 1 : 0);
    const bool multiplier = index > 1 && dae.is_algebraic(component);
    c.in_error = c.weight != 0.0 && !(multiplier && error_test == ErrorTest::no_multipliers);
    if (c.weight != 0.0) ++counted_;
    if (c.in_error) ++in_error_;
  }
}

void DaeNorm::set_scale(std::span<const double> y, double h) {
  const double powers[] = {1.0, h, h * h};
  for (std::size_t i = 0; i < y.size(); ++i) {
    const Component& c = components_[i];
    factors_[i] = c.weight * powers[c.power] / (atol_ + rtol_ * std::abs(y[i]));
  }
}

void DaeNorm::write_weights(std::span<double> weights) const {
  const double share = calc_rms(static_cast<double>(weights.size()), counted_);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = share * factors_[i];
}

double DaeNorm::calc_newton(std::span<const double> x) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double s = factors_[i] * x[i];
    sum += s * s;
  }
  return calc_rms(sum, counted_);
}

double DaeNorm::calc_error(std::span<const double> x) {
  double sum = 0.0;
  double largest = 0.0;
  worst_ = -1;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!components_[i].in_error) continue;
    const double s = std::abs(factors_[i] * x[i]);
    sum += s * s;
    if (!(s <= largest)) {
      largest = s;
      worst_ = static_cast<int>(i);
    }
  }
  return calc_rms(sum, in_error_);
}

double DaeNorm::calc_slope(std::span<const double> x) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (components_[i].power > 0) continue;
    const double s = factors_[i] * x[i];
    sum += s * s;
  }
  return calc_rms(sum, counted_);
}

}  // namespace driftless
