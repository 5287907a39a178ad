#include "driftless/integrators/carried_integrals.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace driftless {

namespace {

constexpr double kIntegralShare = 0.1;  // of the tolerance, for one step

}  // namespace

void CarriedIntegrals::start(const DaeProblem& dae, double t, std::span<const double> slopes,
                             double rtol, double atol) {
  rtol_ = rtol;
  atol_ = atol;
  components_.clear();
  for (int i = 0; i < dae.dae_size(); ++i)
    if (dae.is_integral(i)) components_.push_back(i);
  values_.assign(components_.size(), {});
  differences_.assign(components_.size(), {});
  gains_.assign(components_.size(), 0.0);
  begin_.assign(components_.size(), 0.0);
  by_ = By::stages;
  allowed_.assign(components_.size(), 0.0);
  inside_.assign(components_.size() * (kParts + 1), 0.0);
  for (auto* v : {&y_, &slopes_, &residual_}) v->assign(slopes.size(), 0.0);
  known_ = 0;
  remember(t, slopes);
}

void CarriedIntegrals::remember(double t, std::span<const double> slopes) {
  known_ = std::min(known_ + 1, kPoints);
  std::move_backward(t_.begin(), t_.end() - 1, t_.end());
  t_[0] = t;
  for (std::size_t k = 0; k < components_.size(); ++k) {
    auto& values = values_[k];
    std::move_backward(values.begin(), values.end() - 1, values.end());
    values[0] = slopes[static_cast<std::size_t>(components_[k])];
  }
}

void CarriedIntegrals::advance_by_stages(StepEnds& ends) {
  if (components_.empty()) return;
  remember(ends.t1(), ends.f1());
  by_ = By::stages;
  for (const int component : components_) {
    const auto i = static_cast<std::size_t>(component);
    ends.move_end(i, ends.y0()[i] + ends.own_y1()[i] - ends.own_y0()[i]);
  }
}

void CarriedIntegrals::advance(OdeProblem& problem, Stepper& stepper, StepEnds& ends) {
  if (components_.empty()) return;
  remember(ends.t1(), ends.f1());
  by_ = By::ends;
  h_ = ends.h();
  for (std::size_t j = 0; j < known_; ++j) place_[j] = (t_[j] - t_[0]) / h_;
  const Row weights = find_weights(1.0);
  bool is_missing = false;
  for (std::size_t k = 0; k < components_.size(); ++k) {
    begin_[k] = ends.y0()[static_cast<std::size_t>(components_[k])];
    allowed_[k] = kIntegralShare * (atol_ + rtol_ * std::abs(begin_[k])) / h_;
    const Guess guess = integrate(k, weights);
    gains_[k] = guess.value;
    is_missing = is_missing || guess.missing > allowed_[k];
  }
  if (is_missing && refine({problem, stepper, ends})) by_ = By::parts;
  for (std::size_t k = 0; k < components_.size(); ++k) {
    const auto i = static_cast<std::size_t>(components_[k]);
    ends.move_end(i, begin_[k] + h_ * gains_[k]);
  }
}

// [CI.2]; false: P is not defined everywhere, and gains stay what they are.
bool CarriedIntegrals::refine(const Inside& inside) {
  for (std::size_t k = 0; k < components_.size(); ++k) {
    inside_[k * (kParts + 1)] = values_[k][1];
    inside_[k * (kParts + 1) + kParts] = values_[k][0];
  }
  bool agrees = false;
  for (std::size_t stride = kParts / 2; stride > 0 && !agrees; stride /= 2) {
    if (!find_values(inside, stride, 2 * stride)) return stride < kParts / 2;
    stride_ = stride;
    agrees = stride < kParts / 2;
    for (std::size_t k = 0; k < components_.size(); ++k) {
      const double gain = sum_parts(k, stride);
      agrees = agrees && std::abs(gain - gains_[k]) <= allowed_[k];
      gains_[k] = gain;
    }
  }
  return true;
}

bool CarriedIntegrals::find_values(const Inside& inside, std::size_t first, std::size_t stride) {
  StepEnds& ends = inside.ends;
  for (std::size_t part = first; part < kParts; part += stride) {
    const double theta = static_cast<double>(part) / kParts;
    if (!inside.stepper.interpolate(inside.problem, theta, y_)) return false;
    for (std::size_t i = 0; i < slopes_.size(); ++i)
      slopes_[i] = (1.0 - theta) * ends.f0()[i] + theta * ends.f1()[i];
    ++ends.counts.evaluations;
    if (!inside.problem.dae()->eval_residual(ends.t0() + theta * ends.h(), y_, slopes_, residual_))
      return false;
    for (std::size_t k = 0; k < components_.size(); ++k) {
      const auto i = static_cast<std::size_t>(components_[k]);
      inside_[k * (kParts + 1) + part] = slopes_[i] - residual_[i];  // F = W' - P
    }
  }
  return true;
}

/// Simpson's rule over two times `stride` each, over h.
double CarriedIntegrals::sum_parts(std::size_t which, std::size_t stride) const {
  const double* const values = inside_.data() + which * (kParts + 1);
  double sum = 0.0;
  for (std::size_t part = 0; part < kParts; part += 2 * stride)
    sum += values[part] + 4.0 * values[part + stride] + values[part + 2 * stride];
  return sum * static_cast<double>(stride) / (3.0 * kParts);
}

CarriedIntegrals::Row CarriedIntegrals::find_weights(double theta) const {
  Row weights{};
  std::array<double, kPoints + 1> product{1.0};  // Π (u - place_i) by powers of u = (t - t_1)/h
  for (std::size_t j = 0; j < known_; ++j) {
    double from = -1.0, to = theta - 1.0;
    for (std::size_t power = 0; power <= j; ++power) {
      weights[j] += product[power] * (to - from) / static_cast<double>(power + 1);
      from = -from;
      to *= theta - 1.0;
    }
    for (std::size_t power = j + 1; power-- > 0;) {
      product[power + 1] += product[power];
      product[power] *= -place_[j];
    }
  }
  return weights;
}

// [CI.1], over h
CarriedIntegrals::Guess CarriedIntegrals::integrate(std::size_t which, const Row& weights) {
  Row& d = differences_[which];
  d = values_[which];
  for (std::size_t j = 1; j < known_; ++j)
    for (std::size_t i = known_ - 1; i >= j; --i)
      d[i] = (d[i] - d[i - 1]) / (place_[i] - place_[i - j]);
  std::size_t last = 1;
  for (std::size_t j = 2; j < known_; ++j)
    if (last == 1 || std::abs(weights[j] * d[j]) < std::abs(weights[last] * d[last])) last = j;
  std::fill(d.begin() + static_cast<std::ptrdiff_t>(last) + 1, d.end(), 0.0);
  const double value = std::inner_product(d.begin(), d.end(), weights.begin(), 0.0);
  return {value, last > 1 ? std::abs(weights[last] * d[last]) : 0.0};
}

/// By the trapezoidal rule over the parts that are known, with what Simpson's makes of the whole.
double CarriedIntegrals::integrate_parts(std::size_t which, double theta) const {
  const double* const values = inside_.data() + which * (kParts + 1);
  const double length = static_cast<double>(stride_) / kParts;
  double sum = 0.0, whole = 0.0;
  for (std::size_t part = 0; part < kParts; part += stride_) {
    const double a = values[part], b = values[part + stride_];
    const double u = std::clamp((theta - static_cast<double>(part) / kParts) / length, 0.0, 1.0);
    sum += length * u * (a + 0.5 * u * (b - a));
    whole += 0.5 * length * (a + b);
  }
  return sum + theta * (gains_[which] - whole);
}

void CarriedIntegrals::interpolate(double theta, std::span<double> y) const {
  if (by_ == By::stages || components_.empty()) return;
  const Row weights = by_ == By::ends ? find_weights(theta) : Row{};
  for (std::size_t k = 0; k < components_.size(); ++k) {
    const Row& d = differences_[k];
    const double gain = by_ == By::ends
                            ? std::inner_product(d.begin(), d.end(), weights.begin(), 0.0)
                            : integrate_parts(k, theta);
    y[static_cast<std::size_t>(components_[k])] = begin_[k] + h_ * gain;
  }
}

}  // namespace driftless
