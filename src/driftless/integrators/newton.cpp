#include "driftless/integrators/newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/problem/dae_problem.hpp"

namespace driftless {
namespace {

// A stiff direction that has turned by an angle θ since the derivatives were taken, with κ = stiffness/(mass a²), lets
// increments grow by θκ once, and then shrink by θ²κ in two: the second one alone proves nothing.
constexpr double kMostTransient = 20.0;
constexpr double kTellingRate = 0.3;  // below this also the first rate is believed
constexpr double kStagnationRatio = 0.3;
constexpr double kSmallestTrustedRate = 0.01;
constexpr double kMostRoundOff = 0.1;

}  // namespace

double find_newton_round_off(double tolerance, double roundings) {
  return std::min(kMostRoundOff, roundings * std::numeric_limits<double>::epsilon() / tolerance);
}

void NewtonMonitor::resize(std::size_t n) {
  first_.assign(n, 0.0);
  last_.assign(n, 0.0);
  missing_ = 1.0;
}

void NewtonMonitor::begin(const NewtonRules& rules) {
  rules_ = rules;
  iterations_ = records_ = 0;
  rate_ = 0.0;
  least_size_ = std::numeric_limits<double>::infinity();
  missing_ = rules.stagnation > 0.0 ? 1.0 : std::pow(std::max(missing_, kSmallestTrustedRate), 0.8);
}

NewtonMonitor::Verdict NewtonMonitor::judge(double size) {
  ++iterations_;
  if (!std::isfinite(size)) return Verdict::diverged;
  least_size_ = std::min(least_size_, size);
  if (iterations_ > 1) {
    const double ratio = size / old_size_;
    if (ratio > kStagnationRatio && size <= std::max(rules_.stagnation, rules_.round_off))
      return Verdict::converged;  // as near as rounding lets it come
    rate_ = iterations_ == 2 ? ratio : std::sqrt(ratio * old_ratio_);
    old_ratio_ = ratio;
    if (rate_ >= 0.99) {
      const bool may_pass = iterations_ == 2 && rate_ < kMostTransient;
      if (!may_pass && (rate_ > 2.0 || iterations_ > 3 || rules_.stagnation == 0.0))
        return Verdict::diverged;
      missing_ = 100.0;
    } else {
      missing_ = rate_ / (1.0 - rate_);
    }
  }
  old_size_ = size;
  if (missing_ * size <= rules_.goal || size == 0.0) return Verdict::converged;
  if (iterations_ >= rules_.max_iterations) return Verdict::diverged;
  const double at_best =
      (iterations_ > 2 || (iterations_ == 2 && rate_ < kTellingRate)) && rate_ < 0.99
          ? missing_ * size * std::pow(rate_, rules_.max_iterations - iterations_)
          : 0.0;
  const bool in_time = rules_.stagnation > 0.0 || at_best <= rules_.goal;
  return in_time ? Verdict::go_on : Verdict::diverged;
}

void NewtonMonitor::record(std::span<const double> residual) {
  ++records_;
  for (std::size_t i = 0; i < residual.size(); ++i) {
    last_[i] = std::abs(residual[i]);
    if (records_ <= 2) first_[i] = std::max(records_ == 1 ? 0.0 : first_[i], last_[i]);
  }
}

int NewtonMonitor::find_worst_equation(const DaeProblem& dae) const {
  for (std::size_t i = 0; i < last_.size(); ++i)
    if (!std::isfinite(last_[i]) && !dae.is_integral(static_cast<int>(i)))
      return static_cast<int>(i);
  // Units differ from equation to equation; how far a residual falls can be compared.
  int worst = -1;
  double largest = 0.0;
  for (std::size_t i = 0; i < last_.size(); ++i) {
    const double ratio = first_[i] > 0.0 ? last_[i] / first_[i] : 0.0;
    if (ratio <= largest || dae.is_integral(static_cast<int>(i))) continue;
    largest = ratio;
    worst = static_cast<int>(i);
  }
  return worst;
}

}  // namespace driftless
