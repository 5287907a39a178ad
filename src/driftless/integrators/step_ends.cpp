#include "driftless/integrators/step_ends.hpp"

#include <algorithm>
#include <cassert>

#include "driftless/integrators/step_memory.hpp"

namespace driftless {
namespace {

void copy_values(std::span<const double> from, std::span<double> to) {
  std::copy(from.begin(), from.end(), to.begin());
}

}  // namespace

void StepEnds::resize(std::size_t n) {
  for (auto* v : {&y0_, &y1_, &own_y0_, &own_y1_, &f0_, &f1_}) v->assign(n, 0.0);
}

bool StepEnds::find_slopes(DaeProblem& dae) {
  ++counts.evaluations;
  return dae.find_slopes(t1_, y1_, f1_) && find_nonfinite(f1_) < 0 && find_nonfinite(y1_) < 0;
}

bool StepEnds::start(DaeProblem& dae, double t, std::span<const double> y) {
  counts = {};
  t0_ = t1_ = t;
  h_ = 0.0;
  copy_values(y, y1_);
  first_ = true;
  same_chart_ = true;
  moved_ = false;
  if (find_nonfinite(y) >= 0 || !find_slopes(dae)) return false;
  copy_values(y1_, own_y1_);
  copy_values(y1_, y0_);
  copy_values(f1_, f0_);
  return true;
}

void StepEnds::begin(double t, std::span<const double> y, From from) {
  assert(t == t1_ && "step: t is not where the last step ended");
  t0_ = t;
  // What the caller began with may hold no multipliers yet; those of `start` are better.
  copy_values(first_ ? std::span<const double>(y1_) : y, y0_);
  copy_values(from == From::own ? own_y1_ : y0_, own_y0_);
  copy_values(f1_, f0_);
  same_chart_ = true;
}

void StepEnds::commit(double t, double h, std::span<const double> y,
                      std::span<const double> slope) {
  t1_ = t;
  h_ = h;
  copy_values(y, y1_);
  copy_values(y, own_y1_);
  copy_values(slope, f1_);
  first_ = false;
  moved_ = !std::equal(y0_.begin(), y0_.end(), own_y0_.begin());
  ++counts.steps;
}

void StepEnds::move_end(std::size_t component, double value) {
  y1_[component] = value;
  moved_ = true;
}

bool StepEnds::accept(DaeProblem& dae, double t, std::span<const double> y, Change change) {
  assert(t == t1_ && "accept: t is not where the last step ended");
  (void)t;
  same_chart_ = change != Change::new_chart;
  if (change == Change::unchanged) {
    assert(std::equal(y.begin(), y.end(), y1_.begin()) && "accept: y did change");
    return true;
  }
  copy_values(y, y1_);
  moved_ = true;
  if (same_chart_) return true;
  if (!find_slopes(dae)) return false;
  copy_values(y1_, own_y1_);
  return true;
}

StepEnds::Where StepEnds::prepare(double theta, std::span<double> y) const {
  if (theta >= 1.0) {
    copy_values(y1_, y);
    return Where::end;
  }
  if (!same_chart_) return Where::nowhere;
  if (theta > 0.0) return Where::inside;
  copy_values(y0_, y);
  return Where::end;
}

void StepEnds::blend(double theta, std::span<double> y) const {
  if (!moved_) return;
  const double b = theta * theta * (3.0 - 2.0 * theta);
  for (std::size_t i = 0; i < y.size(); ++i)
    y[i] += (1.0 - b) * (y0_[i] - own_y0_[i]) + b * (y1_[i] - own_y1_[i]);
}

}  // namespace driftless
