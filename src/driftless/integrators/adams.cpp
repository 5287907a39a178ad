// Adams in PECE form with variable step and order (Krogh; Shampine and Gordon 1975; Hairer, Norsett, Wanner 1993, III.5).
//
// The polynomial through the last slopes f_n, f_{n-1}, ... is kept by its modified divided differences
//
//   phi_1(n) = f_n,   phi_i(n) = psi_1(n) ... psi_{i-1}(n) f[t_n, ..., t_{n+1-i}],   psi_i(n) = t_n - t_{n-i}      [AD.1]
//
// (backward differences, if the steps are equal). For a step h from t_n they are brought to the new spacing by
//
//   phi*_i = beta_i phi_i(n),   beta_1 = 1,   beta_i = beta_{i-1} psi_{i-1}(n+1) / psi_{i-1}(n)                      [AD.2]
//
// and the polynomial of the last k slopes, integrated over the step, is the predictor
//
//   p = y_n + h sum_{i=1}^k g_{i,1} phi*_i                                                                           [AD.3]
//   g_{1,q} = 1/q,  g_{2,q} = 1/(q(q+1)),  g_{i,q} = g_{i-1,q} - alpha_{i-1} g_{i-1,q+1},  alpha_i = h/psi_i(n+1)
//
// The same polynomial expects the differences e_i = sum_{j=i}^k phi*_j at t_{n+1}, e_1 being the slope; the slope at p
// misses e_1 by d = f(t_{n+1}, p) - e_1, which corrects y (with one more point, order k + 1: "local extrapolation") and
// measures the error:
//
//   y_{n+1} = p + h g_{k+1,1} d                                                                                      [AD.4]
//   error of order k:  h (g_{k,1} - g_{k+1,1}) d                                                                     [AD.5]
//   phi_i(n+1) = e_i + (f_{n+1} - e_1),  i <= k;   phi_{k+1}(n+1) = f_{n+1} - e_1                                    [AD.6]
//
// The second evaluation, f_{n+1}, belongs to y after the caller's corrections; it is made in `accept`. So a correction of
// y of the size of the error leaves all differences usable and costs nothing: only a new chart starts again at order 1.
//
// Order and step. With gamma*_i, the constants for equal steps, and sigma_{i+1} = i alpha_i sigma_i, which replaces them by
// their like for unequal ones, the errors that orders k-2, k-1, k (and, after k + 1 equal steps, k + 1) would have made are
//
//   E_{k-2} ~ h gamma*_{k-2} sigma_{k-1} (e_{k-1} + d),  E_{k-1} ~ h gamma*_{k-1} sigma_k (e_k + d),
//   E_k ~ h gamma*_k sigma_{k+1} d,  E_{k+1} ~ h gamma*_{k+1} phi_{k+2}(n+1)                                         [AD.7]
//
// and the order moves to where they fall. The step is doubled if the error at the new order then stays below half of the
// tolerance, kept if it is below that, and reduced else; since steps change seldom, the differences are mostly equally
// spaced. A run begins at order 1 with a small step; order and step then grow with each step until an error says no.
//
// Fixed steps. The order follows [AD.7] in the same way. Order 1 would spoil the beginning, so the first steps are those
// of DOP853, until the differences of order 8 are there.
//
// Dense output. The polynomial through f_{n+1}, f_n, ..., f_{n+1-k}, integrated back from y_{n+1}. It has the true slopes
// at both ends, but meets y_n only up to the error of the step (and the caller's correction); what is missing there is
// blended out by the cubic (1 + 2 th)(1 - th)^2, which has no slope at the ends.                                    [AD.8]

#include "driftless/integrators/adams.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <vector>

#include "driftless/integrators/adams_coefficients.hpp"
#include "driftless/integrators/adams_differences.hpp"
#include "driftless/integrators/runge_kutta_step.hpp"
#include "driftless/integrators/step_control.hpp"
#include "driftless/integrators/step_memory.hpp"
#include "driftless/integrators/tableau.hpp"

namespace driftless {
namespace {

constexpr int kStarterOrder = 8;

class Adams final : public Stepper {
 public:
  Adams(const StepControl& control, bool adaptive)
      : control_(control), adaptive_(adaptive), starter_(make_dop853_tableau()) {}

  int order() const override { return k_; }
  bool is_adaptive() const override { return adaptive_; }
  bool keeps_history() const override { return true; }

  bool start(OdeProblem& problem, double t, std::span<const double> y, double t_end) override {
    const auto n = static_cast<std::size_t>(problem.size());
    assert(y.size() == n && t_end >= t);
    memory_.resize(n, starter_.polynomial_rows());
    starter_.resize(n);
    phi_.resize(n);
    expected_.resize(n);
    for (auto* v : {&predicted_, &corrected_, &slope_, &miss_, &scratch_}) v->assign(n, 0.0);
    if (control_.step > 0.0) problem.begin_step(t, control_.step, y, {});
    if (!memory_.start(problem, t, y)) return false;
    clock_.start(t, control_.step);
    norm_.start(problem, control_.rtol, control_.atol);
    h_ = control_.step;
    begin_history(problem, t, y, t_end);
    return true;
  }

  StepReport step(OdeProblem& problem, double& t, std::span<double> y, double t_end) override {
    assert(t_end >= t);
    StepReport report{.order = k_};
    if (t == t_end) return report;
    memory_.begin(t, y);
    report.status =
        adaptive_ ? step_adaptive(problem, t_end, report) : step_fixed(problem, t_end, report);
    if (report.status != StepStatus::ok) return report;
    t = memory_.t1();
    std::copy(memory_.y1().begin(), memory_.y1().end(), y.begin());
    return report;
  }

  bool accept(OdeProblem& problem, double t, std::span<const double> y, Change change) override {
    if (!memory_.accept(problem, t, y, change)) return false;
    if (change == Change::new_chart) {
      norm_.start(problem, control_.rtol, control_.atol);
      begin_history(problem, t, y, t);
    } else {
      extend_history();
    }
    return true;
  }

  bool interpolate(OdeProblem& problem, double theta, std::span<double> y) override {
    const StepMemory::Where where = memory_.prepare(problem, theta, y);
    if (where != StepMemory::Where::inside) return where == StepMemory::Where::end;
    if (by_starter_) {
      if (!memory_.dense_ready()) {
        if (!starter_.eval_dense_rows(problem, memory_)) return false;
        memory_.set_dense_ready();
      }
      memory_.eval_polynomial(theta, y);
      return true;
    }
    if (!memory_.dense_ready()) {  // [AD.8]
      integrate_back(1.0, scratch_);
      for (std::size_t i = 0; i < scratch_.size(); ++i) scratch_[i] = memory_.y0()[i] - scratch_[i];
      memory_.set_dense_ready();
    }
    integrate_back(1.0 - theta, y);
    const double blend = (1.0 + 2.0 * theta) * (1.0 - theta) * (1.0 - theta);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += blend * scratch_[i];
    return true;
  }

  std::span<const double> slope() const override { return memory_.f1(); }
  const StepperCounts& counts() const override { return memory_.counts; }

 private:
  /// Order 1 from the point where the memory ends; adaptive: with a step that suits it.
  void begin_history(OdeProblem& problem, double t, std::span<const double> y, double t_end) {
    k_ = 1;
    known_ = 1;
    equal_steps_ = 0;
    growing_ = true;
    std::copy(memory_.f1().begin(), memory_.f1().end(), phi_[1].begin());
    const bool first = memory_.counts.steps == 0;
    if (!adaptive_ || (first && control_.step > 0.0)) return;
    constexpr double kUnbounded = std::numeric_limits<double>::infinity();
    const double rest = t_end > t ? t_end - t : kUnbounded;
    const double h_max =
        std::min({first ? rest : h_, control_.max_step > 0.0 ? control_.max_step : kUnbounded});
    h_ = calc_first_step(problem, t, y, memory_.f1(), h_max, 2, norm_, scratch_, slope_,
                         memory_.counts);
  }

  StepStatus step_fixed(OdeProblem& problem, double t_end, StepReport& report) {
    const StepTarget target = clock_.find_next(memory_.t0(), t_end);
    if (target.t <= memory_.t0()) return StepStatus::step_too_small;
    by_starter_ = known_ < kStarterOrder;
    if (!attempt(problem, target)) {
      report.worst_component = find_nonfinite(by_starter_ ? starter_.y1() : slope_);
      return StepStatus::eval_failed;
    }
    clock_.advance(target);
    commit(target, report);
    return StepStatus::ok;
  }

  StepStatus step_adaptive(OdeProblem& problem, double t_end, StepReport& report) {
    const double t = memory_.t0();
    StepStatus reason = StepStatus::step_too_small;
    by_starter_ = false;
    while (true) {
      const StepTarget target = find_step_target(t, t_end, h_, control_.max_step);
      if (is_step_too_small(h_, t, t_end) && (target.full || report.rejected > 0)) return reason;
      if (attempt(problem, target)) {
        const double error =
            calc_error(coefficients_.g[at(k_)] - coefficients_.g[at(k_ + 1)], miss_);  // [AD.5]
        if (report.worst_component < 0) report.worst_component = norm_.worst();
        if (error <= 1.0) {
          report.error = error;
          commit(target, report);
          return StepStatus::ok;
        }
        shorten(target.h, ++report.rejected);
        reason = StepStatus::step_too_small;
      } else {
        ++report.rejected;
        h_ = 0.25 * target.h;
        growing_ = false;
        reason = StepStatus::eval_failed;
      }
      ++memory_.counts.rejected;
    }
  }

  /// After a step whose error was too large: half the step, at a lower order if that is better; after three of them order
  /// 1, as the past says nothing about what comes.
  void shorten(double h, int rejected) {
    growing_ = false;
    double factor = 0.5;
    if (rejected >= 3) {
      if (rejected > 3 && error_k_ > 2.0) factor = std::sqrt(0.5 / error_k_);
      k_ = 1;
    } else if (is_lower_better()) {
      --k_;
    }
    h_ = std::max(factor, 0.01) * h;
  }

  /// Predict, evaluate, correct: the new y is in corrected_, errors of the orders are in error_k_ and its like.
  bool attempt(OdeProblem& problem, const StepTarget& target) {
    problem.begin_step(memory_.t0(), target.h, memory_.y0(), memory_.f0());
    predict(target.h);
    if (by_starter_) return starter_.attempt(problem, memory_, target.h, target.t, false);
    if (find_nonfinite(predicted_) >= 0 ||
        !eval_finite(problem, target.t, predicted_, slope_, memory_.counts))
      return false;
    const std::span<const double> expected = expected_[1];
    for (std::size_t i = 0; i < miss_.size(); ++i) miss_[i] = slope_[i] - expected[i];
    estimate_errors();
    for (std::size_t i = 0; i < miss_.size(); ++i)
      corrected_[i] = predicted_[i] + target.h * coefficients_.g[at(k_ + 1)] * miss_[i];  // [AD.4]
    return true;
  }

  // [AD.2], [AD.3]
  void predict(double h) {
    step_ = h;
    coefficients_.prepare(psi_, h, k_);
    const auto zero = [](std::span<double> x) { std::fill(x.begin(), x.end(), 0.0); };
    zero(predicted_);
    zero(expected_[k_ + 1]);
    for (int i = k_; i >= 1; --i) {
      const std::span<const double> phi = phi_[i], above = expected_[i + 1];
      const std::span<double> expected = expected_[i];
      const double g = coefficients_.g[at(i)];
      const double beta = coefficients_.beta[at(i)];
      for (std::size_t c = 0; c < phi.size(); ++c) {
        const double star = beta * phi[c];
        predicted_[c] += g * star;
        expected[c] = above[c] + star;
      }
    }
    for (std::size_t c = 0; c < predicted_.size(); ++c)
      predicted_[c] = memory_.y0()[c] + h * predicted_[c];
  }

  // [AD.7], the three that are known before y is corrected.
  void estimate_errors() {
    error_k_ = calc_error(kAdamsErrors[at(k_)] * coefficients_.sigma[at(k_ + 1)], miss_);
    error_below_ = error_below_2_ = 0.0;
    if (k_ > 1) error_below_ = calc_lower_error(k_ - 1);
    if (k_ > 2) error_below_2_ = calc_lower_error(k_ - 2);
  }
  double calc_lower_error(int order) {
    const std::span<const double> expected = expected_[order + 1];
    for (std::size_t i = 0; i < miss_.size(); ++i) scratch_[i] = expected[i] + miss_[i];
    return calc_error(kAdamsErrors[at(order)] * coefficients_.sigma[at(order + 1)], scratch_);
  }
  double calc_error(double factor, std::span<const double> slopes) {
    return std::abs(step_ * factor) * norm_.calc(slopes, memory_.y0(), predicted_);
  }

  bool is_lower_better() const {
    if (k_ > 2) return std::max(error_below_, error_below_2_) <= error_k_;
    return k_ == 2 && error_below_ <= 0.5 * error_k_;
  }

  void commit(const StepTarget& target, StepReport& report) {
    equal_steps_ = std::abs(target.h - psi_[1]) <= 1e-12 * target.h ? equal_steps_ + 1 : 1;
    if (by_starter_) {
      memory_.commit(target.t, target.h, starter_.y1(), starter_.end_slope());
    } else {
      memory_.commit(target.t, target.h, corrected_, {});
    }
    psi_ = coefficients_.psi;
    last_order_ = k_;
    report.order = by_starter_ ? kStarterOrder : k_;
    report.h = target.h;
  }

  /// [AD.6] with the slope at the corrected end; then order and step of what comes.
  void extend_history() {
    const int k = k_;
    const std::span<const double> f = memory_.f1(), expected = expected_[1];
    for (std::size_t i = 0; i < miss_.size(); ++i) miss_[i] = f[i] - expected[i];
    const bool has_above = known_ >= k + 1 && !by_starter_;
    if (has_above) {  // phi_{k+2}
      const std::span<const double> old = phi_[k + 1];
      const std::span<double> above = phi_[k + 2];
      for (std::size_t i = 0; i < miss_.size(); ++i)
        above[i] = miss_[i] - coefficients_.beta[at(k + 1)] * old[i];
    }
    std::copy(miss_.begin(), miss_.end(), phi_[k + 1].begin());
    for (int row = 1; row <= k; ++row) {
      const std::span<const double> e = expected_[row];
      const std::span<double> phi = phi_[row];
      for (std::size_t i = 0; i < miss_.size(); ++i) phi[i] = e[i] + miss_[i];
    }
    known_ = has_above ? k + 2 : k + 1;
    if (by_starter_) {
      k_ = known_;
      return;
    }
    choose_order(has_above);
    if (adaptive_) choose_step();
  }

  void choose_order(bool has_above) {
    const bool lower = is_lower_better();
    if (lower || k_ == kHighestAdams) growing_ = false;
    if (growing_ && adaptive_) {
      ++k_;
      error_k_ = 0.0;  // not known; nothing has spoken against doubling
      return;
    }
    if (lower) {
      lower_order();
      return;
    }
    if (!has_above || equal_steps_ < k_ + 1) return;
    const double error_above = calc_error(kAdamsErrors[at(k_ + 1)], phi_[k_ + 2]);
    if (k_ > 1 && error_below_ <= std::min(error_k_, error_above)) {
      lower_order();
    } else if (k_ < kHighestAdams && error_above < (k_ > 1 ? 1.0 : 0.5) * error_k_) {
      ++k_;
      error_k_ = error_above;
    }
  }
  void lower_order() {
    --k_;
    error_k_ = error_below_;
  }

  void choose_step() {
    const double h = step_;
    if (growing_ || error_k_ * std::ldexp(1.0, k_ + 1) <= 0.5) {
      h_ = 2.0 * h;
    } else if (error_k_ <= 0.5) {
      h_ = h;
    } else {
      h_ = h * std::clamp(std::pow(0.5 / error_k_, 1.0 / (k_ + 1)), 0.5, 0.9);
    }
    if (control_.max_step > 0.0) h_ = std::min(h_, control_.max_step);
  }

  /// y at t1 - share h by the polynomial of the last step's slopes.
  void integrate_back(double share, std::span<double> y) {
    const int rows = last_order_ + 1;
    const double back = -share * step_;
    const AdamsRow weights = find_back_weights(psi_, back, rows);
    // phi_i(n+1) = e_i + (f - e_1), so that the differences need not be there yet.
    double sum = 0.0;
    for (int i = 1; i <= rows; ++i) sum += weights[at(i)];
    const std::span<const double> f = memory_.f1(), slope = expected_[1];
    for (std::size_t c = 0; c < y.size(); ++c) y[c] = sum * (f[c] - slope[c]);
    for (int i = 1; i < rows; ++i) {
      const std::span<const double> e = expected_[i];
      for (std::size_t c = 0; c < y.size(); ++c) y[c] += weights[at(i)] * e[c];
    }
    for (std::size_t c = 0; c < y.size(); ++c) y[c] = memory_.y1()[c] + back * y[c];
  }

  static std::size_t at(int row) { return static_cast<std::size_t>(row); }

  StepControl control_;
  bool adaptive_;
  RungeKuttaStep starter_;  // fixed steps only
  StepMemory memory_;
  FixedClock clock_;
  ErrorNorm norm_;
  AdamsDifferences phi_;            // differences at the last accepted point, [AD.1]
  AdamsDifferences expected_;       // those that the predictor expects at the end of the step
  AdamsRow psi_{};                  // at the last accepted point
  AdamsCoefficients coefficients_;  // of the last attempt
  std::vector<double> predicted_, corrected_, slope_, miss_, scratch_;  // (n)
  int k_ = 1;                                                           // order of the next step
  int last_order_ = 1;                                                  // of the last one
  int known_ = 1;  // rows of phi_ that hold differences
  int equal_steps_ = 0;
  bool growing_ = true;  // the beginning, where order and step grow together
  bool by_starter_ = false;
  double h_ = 0.0;     // of the next step
  double step_ = 0.0;  // of the last attempt
  double error_k_ = 0.0, error_below_ = 0.0, error_below_2_ = 0.0;
};

}  // namespace

std::unique_ptr<Stepper> make_adams(const StepControl& control, bool adaptive) {
  check_step_control(control, adaptive);
  return std::make_unique<Adams>(control, adaptive);
}

}  // namespace driftless
