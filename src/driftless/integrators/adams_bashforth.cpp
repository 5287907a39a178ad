// Adams-Bashforth: the polynomial through the last k slopes, integrated over the next step (Hairer,
// Norsett, Wanner 1993, III.1),
//
//   y_{n+1} = y_n + h sum_{j=0}^{k-1} beta_j f_{n-j}                                        [AB.1]
//
// of order k, as sum_j beta_j (-j)^m = 1/(m+1) for m = 0..k-1.
//
// Start. k - 1 Runge-Kutta steps: RK4 up to k = 4 (AB3 begins with two of them), the stages of
// DOPRI5 for k = 5; RK4 would keep order 5 at the grid points (a few local errors h^5), but not
// between them. A step shortened to end at t_end is a starter step too, and begins a new history:
// the slopes would no longer be equally spaced. Variable-step weights were rejected: one short step
// per run is not worth a second formula.
//
// Corrections. Slopes are kept as they were evaluated after the corrections. A correction of y_n of
// the size of the local error, O(h^{k+1}), moves f_n by the same, so the old slopes remain good to
// the order. In a new chart they mean something else: the history is begun again.
//
// Dense output. Up to k = 4 the cubic Hermite polynomial [RK.4] between the (corrected) ends; its
// error h^4 is not above the method's own. For k = 5 one more row, so that the slope of the quartic
// at the point before, th = -1, is f_{n-1}. The row's polynomial th^2 (1-th)^2 has the slope -12
// there, the cubic has r1 + 3 r2 - 5 r3, hence
//
//   r4 = (r1 + 3 r2 - 5 r3 - h f_{n-1}) / 12                                                [AB.2]

#include "driftless/integrators/adams_bashforth.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <vector>

#include <fmt/format.h>

#include "driftless/base/error.hpp"
#include "driftless/integrators/runge_kutta_step.hpp"
#include "driftless/integrators/step_control.hpp"
#include "driftless/integrators/step_memory.hpp"

namespace driftless {
namespace {

constexpr int kHighestOrder = 5;
constexpr std::array kAb1{1.0};
constexpr std::array kAb2{3.0 / 2, -1.0 / 2};
constexpr std::array kAb3{23.0 / 12, -16.0 / 12, 5.0 / 12};
constexpr std::array kAb4{55.0 / 24, -59.0 / 24, 37.0 / 24, -9.0 / 24};
constexpr std::array kAb5{1901.0 / 720, -2774.0 / 720, 2616.0 / 720, -1274.0 / 720, 251.0 / 720};

/// The last slopes, newest first.
class SlopeHistory {
 public:
  void resize(std::size_t n, std::size_t capacity) {
    n_ = n;
    capacity_ = capacity;
    f_.assign(n * capacity, 0.0);
    clear();
  }
  void clear() { count_ = 0; }
  std::size_t count() const { return count_; }
  void push(std::span<const double> f) {
    newest_ = (newest_ + 1) % capacity_;
    count_ = std::min(count_ + 1, capacity_);
    std::copy(f.begin(), f.end(), f_.begin() + static_cast<std::ptrdiff_t>(newest_ * n_));
  }
  /// age 0: the newest.
  std::span<const double> slope(std::size_t age) const {
    assert(age < count_);
    return std::span(f_).subspan((newest_ + capacity_ - age) % capacity_ * n_, n_);
  }

 private:
  std::size_t n_ = 0;
  std::size_t capacity_ = 1;
  std::size_t newest_ = 0;
  std::size_t count_ = 0;
  std::vector<double> f_;  // (capacity x n), a ring
};

class AdamsBashforth final : public Stepper {
 public:
  AdamsBashforth(int order, const StepControl& control)
      : order_(order),
        weights_(find_adams_bashforth_weights(order)),
        control_(control),
        starter_(order <= 4 ? make_rk4_tableau() : make_dopri5_tableau()) {}

  int order() const override { return order_; }
  bool is_adaptive() const override { return false; }
  bool keeps_history() const override { return true; }

  bool start(OdeProblem& problem, double t, std::span<const double> y, double t_end) override {
    const auto n = static_cast<std::size_t>(problem.size());
    assert(y.size() == n && t_end >= t);
    (void)t_end;
    memory_.resize(n, starter_.polynomial_rows());
    starter_.resize(n);
    history_.resize(n, weights_.size());
    y1_.assign(n, 0.0);
    clock_.start(t, control_.step);
    slope_is_new_ = true;
    by_starter_ = true;
    problem.begin_step(t, control_.step, y, {});
    return memory_.start(problem, t, y);
  }

  StepReport step(OdeProblem& problem, double& t, std::span<double> y, double t_end) override {
    assert(t_end >= t);
    StepReport report{.order = order_};
    if (t == t_end) return report;
    memory_.begin(t, y);
    if (slope_is_new_) history_.push(memory_.f0());
    slope_is_new_ = false;

    const StepTarget target = clock_.find_next(t, t_end);
    if (target.t <= t) {
      report.status = StepStatus::step_too_small;
      return report;
    }
    problem.begin_step(t, target.h, memory_.y0(), memory_.f0());
    by_starter_ = !target.full || history_.count() < weights_.size();
    if (!(by_starter_ ? step_by_starter(problem, target) : step_by_history(target))) {
      report.status = StepStatus::eval_failed;
      report.worst_component = find_nonfinite(by_starter_ ? starter_.y1() : y1_);
      return report;
    }
    if (!target.full) history_.clear();
    clock_.advance(target);
    slope_is_new_ = true;
    report.h = target.h;
    t = memory_.t1();
    std::copy(memory_.y1().begin(), memory_.y1().end(), y.begin());
    return report;
  }

  bool accept(OdeProblem& problem, double t, std::span<const double> y, Change change) override {
    if (change == Change::new_chart) history_.clear();
    return memory_.accept(problem, t, y, change);
  }

  bool interpolate(OdeProblem& problem, double theta, std::span<double> y) override {
    const StepMemory::Where where = memory_.prepare(problem, theta, y);
    if (where != StepMemory::Where::inside) return where == StepMemory::Where::end;
    if (!memory_.dense_ready()) {
      if (by_starter_) {
        if (!starter_.eval_dense_rows(problem, memory_)) return false;
      } else if (memory_.dense_rows() > 0) {
        fill_dense_row();
      }
      memory_.set_dense_ready();
    }
    memory_.eval_polynomial(theta, y);
    return true;
  }

  std::span<const double> slope() const override { return memory_.f1(); }
  const StepperCounts& counts() const override { return memory_.counts; }

 private:
  bool step_by_starter(OdeProblem& problem, const StepTarget& target) {
    if (!starter_.attempt(problem, memory_, target.h, target.t, false)) return false;
    memory_.commit(target.t, target.h, starter_.y1(), starter_.end_slope());
    return true;
  }

  // [AB.1]
  bool step_by_history(const StepTarget& target) {
    std::fill(y1_.begin(), y1_.end(), 0.0);
    for (std::size_t j = 0; j < weights_.size(); ++j) {
      const std::span<const double> f = history_.slope(j);
      for (std::size_t i = 0; i < y1_.size(); ++i) y1_[i] += weights_[j] * f[i];
    }
    for (std::size_t i = 0; i < y1_.size(); ++i) y1_[i] = memory_.y0()[i] + target.h * y1_[i];
    if (find_nonfinite(y1_) >= 0) return false;
    memory_.commit(target.t, target.h, y1_, {});
    return true;
  }

  // [AB.2]; the slope at the beginning of the step is the newest of the history.
  void fill_dense_row() {
    const std::span<const double> r1 = memory_.coefficient(0), r2 = memory_.coefficient(1),
                                  r3 = memory_.coefficient(2), f = history_.slope(1);
    const std::span<double> r4 = memory_.dense_row(0);
    for (std::size_t i = 0; i < r4.size(); ++i) {
      r4[i] = (r1[i] + 3.0 * r2[i] - 5.0 * r3[i] - memory_.h() * f[i]) / 12.0;
    }
  }

  int order_;
  std::span<const double> weights_;
  StepControl control_;
  RungeKuttaStep starter_;
  StepMemory memory_;
  SlopeHistory history_;
  FixedClock clock_;
  std::vector<double> y1_;     // (n) filled by step_by_history
  bool slope_is_new_ = false;  // the memory's slope f1 has not been pushed yet
  bool by_starter_ = false;    // how the last step was taken
};

}  // namespace

std::span<const double> find_adams_bashforth_weights(int order) {
  switch (order) {
    case 1: return kAb1;
    case 2: return kAb2;
    case 3: return kAb3;
    case 4: return kAb4;
    case 5: return kAb5;
    default: return {};
  }
}

std::unique_ptr<Stepper> make_adams_bashforth(int order, const StepControl& control) {
  if (order < 2 || order > kHighestOrder) {
    throw ModelError(
        fmt::format("adams_bashforth: order = {}: must be 2 to {}", order, kHighestOrder),
        order < 2 ? "use euler for order 1" : "use dopri5 or dop853 for a higher order");
  }
  check_step_control(control, false);
  return std::make_unique<AdamsBashforth>(order, control);
}

}  // namespace driftless
