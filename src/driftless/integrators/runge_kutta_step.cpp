#include "driftless/integrators/runge_kutta_step.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "driftless/math/combine.hpp"

namespace driftless {

RungeKuttaStep::RungeKuttaStep(Tableau tableau) : tableau_(std::move(tableau)) {
  const std::size_t s = tableau_.b.size();
  end_ = tableau_.fsal ? s - 1 : s;
  for (const auto& row : tableau_.a) a_.push_back(make_row(row));
  b_ = make_row(tableau_.b);
  for (const auto& row : tableau_.half_explicit) {
    HalfExplicitRow each;
    if (!row.empty()) {
      each.before = make_row(std::span(row).first(row.size() - 1));
      each.diagonal = row.back();
      each.c = std::accumulate(row.begin(), row.end(), 0.0);
    }
    half_explicit_.push_back(std::move(each));
  }
  for (const auto& row : tableau_.dense.a) dense_a_.push_back(make_row(row));
  for (const auto& row : tableau_.dense.d) dense_d_.push_back(make_row(row));
}

RungeKuttaStep::Row RungeKuttaStep::make_row(std::span<const double> weights) {
  Row row;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    if (weights[j] != 0.0) row.push_back({j, weights[j]});
  }
  return row;
}

void RungeKuttaStep::resize(std::size_t n) {
  n_ = n;
  k_.assign((end_ + 1 + dense_a_.size()) * n, 0.0);
  stage_.assign(n, 0.0);
  y1_.assign(n, 0.0);
  partial_.assign(half_explicit_.empty() ? 0 : n, 0.0);
}

std::span<const double> RungeKuttaStep::slope(const StepMemory& memory, std::size_t index) const {
  if (index == 0 && !is_half_explicit(0)) return memory.f0();
  if (index == end_ && dense_) return memory.f1();
  return std::span(k_).subspan(index * n_, n_);
}

// The sum is formed before it is scaled by h and added to y0: y is rounded once per stage, not once
// per term.
void RungeKuttaStep::weighted_sum(const StepMemory& memory, const Row& row,
                                  std::span<double> sum) const {
  std::fill(sum.begin(), sum.end(), 0.0);
  for (const Term& term : row) {
    const std::span<const double> k = slope(memory, term.slope);
    add_scaled(term.weight, k.data(), sum.data(), n_);
  }
}

bool RungeKuttaStep::attempt(OdeProblem& problem, StepMemory& memory, double h, double t1,
                             bool with_error) {
  const std::span<const double> y0 = memory.y0();
  const std::size_t s = a_.size();
  const std::size_t evaluated = tableau_.fsal && !with_error ? s - 1 : s;
  dense_ = false;
  with_end_slope_ = tableau_.fsal && with_error;
  h_ = h;
  for (std::size_t i = is_half_explicit(0) ? 0 : 1; i < evaluated; ++i) {
    weighted_sum(memory, a_[i], stage_);
    scale_and_add(h, y0.data(), stage_.data(), n_);
    const double c = tableau_.c[i];
    const double t = c == 1.0 ? t1 : memory.t0() + c * h;
    const bool ok =
        is_half_explicit(i)
            ? eval_half_explicit(problem, memory, i, t, t1)
            : eval_finite(problem, t, stage_, std::span(k_).subspan(i * n_, n_), memory.counts);
    if (!ok) return false;
  }
  if (with_end_slope_) {  // the last argument was y1
    std::swap(y1_, stage_);
    return find_nonfinite(y1_) < 0;
  }
  weighted_sum(memory, b_, y1_);
  scale_and_add(h, y0.data(), y1_.data(), n_);
  if (find_nonfinite(y1_) >= 0) return false;
  if (!with_error || tableau_.e.size() <= s || tableau_.e.back() == 0.0) return true;
  with_end_slope_ = true;
  return eval_finite(problem, t1, y1_, std::span(k_).subspan(end_ * n_, n_), memory.counts);
}

bool RungeKuttaStep::eval_half_explicit(OdeProblem& problem, StepMemory& memory, std::size_t stage,
                                        double t, double t1) {
  const HalfExplicitRow& row = half_explicit_[stage];
  weighted_sum(memory, row.before, partial_);
  scale_and_add(h_, memory.y0().data(), partial_.data(), n_);
  const double t_bar = std::abs(row.c - 1.0) < 1e-12 ? t1 : memory.t0() + row.c * h_;
  const std::span<double> k = std::span(k_).subspan(stage * n_, n_);
  ++memory.counts.evaluations;
  return problem.eval_half_explicit(t, stage_, t_bar, partial_, h_ * row.diagonal, k) &&
         find_nonfinite(k) < 0;
}

std::span<const double> RungeKuttaStep::end_slope() const {
  if (!with_end_slope_) return {};
  return std::span(k_).subspan(end_ * n_, n_);
}

void RungeKuttaStep::calc_error(const StepMemory& memory, double h, std::span<const double> e,
                                std::span<double> error) const {
  std::fill(error.begin(), error.end(), 0.0);
  for (std::size_t j = 0; j < e.size(); ++j) {
    if (e[j] == 0.0) continue;
    const std::size_t s = a_.size();
    const std::span<const double> k = j < s    ? slope(memory, j)
                                      : j == s ? memory.f0()
                                               : std::span(k_).subspan(end_ * n_, n_);
    add_scaled(e[j], k.data(), error.data(), n_);
  }
  for (double& x : error) x *= h;
}

bool RungeKuttaStep::eval_dense_rows(OdeProblem& problem, StepMemory& memory) {
  dense_ = true;
  const double h = memory.h();
  const std::span<const double> y0 = memory.y0();
  for (std::size_t i = 0; i < dense_a_.size(); ++i) {
    weighted_sum(memory, dense_a_[i], stage_);
    scale_and_add(h, y0.data(), stage_.data(), n_);
    const double t = memory.t0() + tableau_.dense.c[i] * h;
    const std::span<double> k = std::span(k_).subspan((end_ + 1 + i) * n_, n_);
    if (!eval_finite(problem, t, stage_, k, memory.counts)) return false;
  }
  for (std::size_t m = 0; m < dense_d_.size(); ++m) {
    const std::span<double> r = memory.dense_row(m);
    weighted_sum(memory, dense_d_[m], r);
    for (double& x : r) x *= h;
  }
  return true;
}

}  // namespace driftless
