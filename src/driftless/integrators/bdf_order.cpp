#include "driftless/integrators/bdf_order.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/integrators/bdf_start.hpp"

namespace driftless {

double find_bdf_caution(int order, double tolerance) {
  const double wanted = std::pow(std::min(tolerance, 1.0), -(kHighestBdf - order) / (12.0 * order));
  return std::min(wanted, std::max(1.0, tolerance / kLeastBdfTolerance));
}

void BdfOrder::begin(std::size_t n, int order, int max_order, double tolerance) {
  k_ = order;
  max_order_ = max_order;
  scratch_.resize(n);
  for (int k = 1; k <= kHighestBdf; ++k)
    caution_[static_cast<std::size_t>(k)] = find_bdf_caution(k, tolerance);
  error_ = error_below_ = error_below_2_ = 0.0;
}

double BdfOrder::estimate(const BdfHistory& history, DaeNorm& norm, std::span<const double> miss) {
  const auto add = [&](std::span<const double> a, std::span<const double> b) {
    for (std::size_t i = 0; i < scratch_.size(); ++i) scratch_[i] = a[i] + b[i];
  };
  error_below_ = error_below_2_ = 0.0;
  if (k_ > 1) {
    add(history.star(k_ + 1), miss);
    error_below_ = caution(k_ - 1) * history.sigma(k_) * norm.calc_error(scratch_);
  }
  if (k_ > 2) {
    add(history.star(k_), scratch_);
    error_below_2_ = caution(k_ - 2) * history.sigma(k_ - 1) * norm.calc_error(scratch_);
  }
  const double size = caution(k_) * norm.calc_error(miss);  // last: the worst component stays
  error_ = history.sigma(k_ + 1) * size;
  return history.find_error_factor() * size;
}

bool BdfOrder::is_lower_better() const {
  const double weighted = (k_ + 1) * error_;
  if (k_ > 2) return std::max(k_ * error_below_, (k_ - 1) * error_below_2_) <= weighted;
  return k_ == 2 && k_ * error_below_ <= 0.5 * weighted;
}

void BdfOrder::lower() {
  --k_;
  error_ = error_below_;
}

double BdfOrder::find_step_factor() const { return std::pow(2.0 * error_ + 1e-4, -1.0 / (k_ + 1)); }

void BdfOrder::choose(bool lower_is_better, int equal_steps, const BdfHistory& history,
                      DaeNorm& norm, std::span<const double> miss) {
  const int k = k_;
  if (lower_is_better) {
    lower();
    return;
  }
  if (k == max_order_ || equal_steps < k + 2 || history.known() < k + 2) return;
  const std::span<const double> before = history.phi(k + 2);
  for (std::size_t i = 0; i < miss.size(); ++i) scratch_[i] = miss[i] - before[i];
  const double error_above = caution(k + 1) * norm.calc_error(scratch_) / (k + 2);
  const double weighted = (k + 1) * error_, above = (k + 2) * error_above;
  if (k > 1 && k * error_below_ <= std::min(weighted, above)) {
    lower();
  } else if (above < (k > 1 ? 1.0 : 0.5) * weighted) {
    ++k_;
    error_ = error_above;
  }
}

}  // namespace driftless
