#include "driftless/integrators/step_memory.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "driftless/math/finite.hpp"

namespace driftless {

int find_nonfinite(std::span<const double> x) {
  if (is_all_finite(x.data(), std::ssize(x))) return -1;
  const auto bad = std::find_if(x.begin(), x.end(), [](double v) { return !std::isfinite(v); });
  return static_cast<int>(bad - x.begin());
}

bool eval_finite(OdeProblem& problem, double t, std::span<const double> y, std::span<double> dydt,
                 StepperCounts& counts) {
  ++counts.evaluations;
  return problem.eval(t, y, dydt) && find_nonfinite(dydt) < 0;
}

void StepMemory::resize(std::size_t n, std::size_t rows) {
  rows_ = rows;
  for (auto* v : {&y0_, &y1_, &f0_, &f1_}) v->assign(n, 0.0);
  r_.assign(rows * n, 0.0);
}

bool StepMemory::start(OdeProblem& problem, double t, std::span<const double> y) {
  counts = {};
  t0_ = t1_ = t;
  h_ = 0.0;
  std::copy(y.begin(), y.end(), y0_.begin());
  std::copy(y.begin(), y.end(), y1_.begin());
  same_chart_ = true;
  dense_ready_ = false;
  slope_known_ = find_nonfinite(y) < 0 && eval_finite(problem, t, y, f1_, counts);
  f0_ = f1_;
  return slope_known_;
}

void StepMemory::begin(double t, std::span<const double> y) {
  assert(t == t1_ && "step: t is not where the last step ended");
  assert(slope_known_ && "step: accept must be called after each step");
  t0_ = t;
  std::copy(y.begin(), y.end(), y0_.begin());
  std::copy(f1_.begin(), f1_.end(), f0_.begin());
  same_chart_ = true;
  dense_ready_ = false;
}

void StepMemory::commit(double t, double h, std::span<const double> y,
                        std::span<const double> slope) {
  t1_ = t;
  h_ = h;
  std::copy(y.begin(), y.end(), y1_.begin());
  slope_known_ = !slope.empty();
  if (slope_known_) std::copy(slope.begin(), slope.end(), f1_.begin());
  ++counts.steps;
}

bool StepMemory::accept(OdeProblem& problem, double t, std::span<const double> y, Change change) {
  assert(t == t1_ && "accept: t is not where the last step ended");
  if (change == Change::unchanged && slope_known_) {
    assert(std::equal(y.begin(), y.end(), y1_.begin()) && "accept: y did change");
    return true;
  }
  std::copy(y.begin(), y.end(), y1_.begin());
  same_chart_ = change != Change::new_chart;
  dense_ready_ = false;
  slope_known_ = eval_finite(problem, t, y1_, f1_, counts);
  return slope_known_;
}

StepMemory::Where StepMemory::prepare(OdeProblem& problem, double theta, std::span<double> y) {
  if (theta >= 1.0) {
    std::copy(y1_.begin(), y1_.end(), y.begin());
    return Where::end;
  }
  if (!same_chart_) return Where::nowhere;
  if (theta <= 0.0) {
    std::copy(y0_.begin(), y0_.end(), y.begin());
    return Where::end;
  }
  if (dense_ready_) return Where::inside;
  if (!slope_known_) {
    slope_known_ = eval_finite(problem, t1_, y1_, f1_, counts);
    if (!slope_known_) return Where::nowhere;
  }
  const std::span<double> r1 = row(0), r2 = row(1), r3 = row(2);
  for (std::size_t i = 0; i < size(); ++i) {
    r1[i] = y1_[i] - y0_[i];
    r2[i] = h_ * f0_[i] - r1[i];
    r3[i] = 2.0 * r1[i] - h_ * (f0_[i] + f1_[i]);
  }
  return Where::inside;
}

void StepMemory::eval_polynomial(double theta, std::span<double> y) const {
  std::fill(y.begin(), y.end(), 0.0);
  for (std::size_t m = rows_; m-- > 0;) {
    const double factor = m % 2 == 0 ? theta : 1.0 - theta;
    const std::span<const double> r = coefficient(m);
    for (std::size_t i = 0; i < size(); ++i) y[i] = (y[i] + r[i]) * factor;
  }
  for (std::size_t i = 0; i < size(); ++i) y[i] += y0_[i];
}

}  // namespace driftless
