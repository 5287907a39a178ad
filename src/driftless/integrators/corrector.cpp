#include "driftless/integrators/corrector.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/integrators/step_memory.hpp"

namespace driftless {
namespace {

void set_solution(const Corrector::Prediction& from, const Corrector::Solution& out) {
  for (std::size_t i = 0; i < out.y.size(); ++i) {
    out.y[i] = from.y[i] + out.miss[i];
    out.slope[i] = from.slope[i] + from.a * out.miss[i];
  }
}

}  // namespace

void Corrector::resize(std::size_t n) {
  newton_.resize(n);
  residual_.assign(n, 0.0);
  forget();
}

void Corrector::forget() {
  derivatives_valid_ = false;
  factored_ = 0.0;
  newton_.forget_rate();
}

void Corrector::accept() {
  if (newton_.is_slow()) derivatives_valid_ = false;
}

bool Corrector::solve(DaeProblem& dae, const Prediction& from, const DaeNorm& norm,
                      const NewtonRules& rules, const Solution& out, StepperCounts& counts) {
  bool fresh = !derivatives_valid_;
  while (true) {
    NewtonResult result = prepare_matrix(dae, from, counts);
    if (result == NewtonResult::converged) result = iterate(dae, from, norm, rules, out, counts);
    if (result == NewtonResult::converged) return true;
    derivatives_valid_ = false;
    if (fresh) break;
    fresh = true;  // once more with fresh derivatives
  }
  ++counts.newton_failures;
  return false;
}

NewtonResult Corrector::prepare_matrix(DaeProblem& dae, const Prediction& from,
                                       StepperCounts& counts) {
  if (!derivatives_valid_) {
    ++counts.derivatives;
    if (!dae.eval_derivatives(from.t, from.y, from.slope)) return NewtonResult::undefined;
    derivatives_valid_ = true;
    factored_ = 0.0;
    newton_.forget_rate();
  }
  if (std::abs(from.a - factored_) <= 1e-9 * from.a) return NewtonResult::converged;
  ++counts.factorizations;
  factored_ = 0.0;
  if (!dae.factorize(from.a)) return NewtonResult::singular;
  factored_ = from.a;
  return NewtonResult::converged;
}

NewtonResult Corrector::iterate(DaeProblem& dae, const Prediction& from, const DaeNorm& norm,
                                const NewtonRules& rules, const Solution& out,
                                StepperCounts& counts) {
  std::fill(out.miss.begin(), out.miss.end(), 0.0);
  newton_.begin(rules);
  while (true) {
    set_solution(from, out);
    ++counts.evaluations;
    const bool defined =
        dae.eval_residual(from.t, out.y, out.slope, residual_) && find_nonfinite(residual_) < 0;
    newton_.record(residual_);
    if (!defined) return NewtonResult::undefined;
    dae.solve(std::span(residual_));
    for (std::size_t i = 0; i < out.y.size(); ++i) out.miss[i] -= residual_[i];
    switch (newton_.judge(norm.calc_newton(residual_))) {
      case NewtonMonitor::Verdict::go_on: continue;
      case NewtonMonitor::Verdict::diverged: return NewtonResult::diverged;
      case NewtonMonitor::Verdict::converged: break;
    }
    set_solution(from, out);
    return NewtonResult::converged;
  }
}

}  // namespace driftless
