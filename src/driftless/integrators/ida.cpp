// IDA of SUNDIALS (Hindmarsh et al. 2005) as a stepper. Its formulas are those of bdf_history.hpp; which order and step come
// next, its start at order 1 and its polynomials are its own. What it asks for comes from here:
//
// Weights. IDA measures by sqrt(1/n sum_i (w_i x_i)^2) over all n components, those with w_i = 0 included. Of the m
// components that are tested,
//
//   w_i = sqrt(n/m) / (atol' + rtol' |y_i|),   atol', rtol' by [BD.7];   of all others w_i = 0                      [ID.1]
//
// Orders. After each solution of Newton's method IDA takes the norms of [BD.6] one after the other, those of the orders
//
//   k, k - 1 (if k > 1), k - 2 (if k > 2), k + 1 (if it may rise)                                                   [ID.2]
//
// and each of them is given times the caution of its order [BD.9], as in Driftless's own BDF. With one caution for all of a
// step, orders would be compared by one measure and tested by another: in stiff systems order 2 yields to order 1, whose step
// then fails, again and again. The first step in a new chart knows no caution: it closes what Newton's method left open before,
// about a hundredth of tol', which no shorter step makes smaller.
//
// Tested are positions, velocities and states. Multipliers of any kind are not, neither in the error test, which id = 0 says
// besides, nor in that of Newton's method: those of index 2 are off by 1/h times the error in F, and no step would be small
// enough. They are as good as what they follow from: λ as v', one power of h behind v.
//
// Newton's method is a nonlinear solver of IDA's interface, so that matrices, their factors, their reuse and the test are those
// of Driftless's own BDF (corrector.hpp): the structured matrix of the problem, factorised for each leading coefficient.
// It sees each attempt, and announces it to the problem.
//
// Steps. IDA doubles a step as soon as the error allows that, fails, and begins anew; so steps are never equal long enough for
// the order to rise, and in stiff systems it stays at 1. After a rejection the step does not grow for order + 3 steps.
//
// Why not index 3: IDA tests velocities there without the factor h that their index asks for, and it begins with order 1,
// whose reactions of index 3 do not converge (bdf.cpp). Index 2 converges, by what is known of BDF methods for it: stable
// formulas on variable steps keep their order in y and in multipliers (Gear, Gupta, Leimkuhler 1985; Brenan, Campbell,
// Petzold 1996, 3.2).
//
// Corrections of y by the caller (Change::corrected) are smaller than the error and are not taken over. In a new chart IDA begins
// again. Nothing is thrown through C: what a callback catches is thrown again after IDA has returned.

#include "driftless/integrators/ida.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <exception>
#include <utility>
#include <vector>

#include "driftless/base/error.hpp"
#include "driftless/integrators/bdf.hpp"
#include "driftless/integrators/bdf_order.hpp"
#include "driftless/integrators/bdf_start.hpp"
#include "driftless/integrators/carried_integrals.hpp"
#include "driftless/integrators/corrector.hpp"
#include "driftless/integrators/ida_memory.hpp"
#include "driftless/integrators/step_control.hpp"
#include "driftless/integrators/step_ends.hpp"

namespace driftless {
namespace {

constexpr double kGrowth = 2.0, kNoGrowth = 1e3;  // what the error must allow before a step grows
constexpr double kIdaGoal = 0.01;                 // of Newton's method

class Ida final : public Stepper, private IdaCalls {
 public:
  explicit Ida(const StepControl& control)
      : control_(control),
        rtol_(find_bdf_tolerance(control.rtol, kBdfPower, kLeastBdfTolerance)),
        atol_(rtol_ * (control.atol / control.rtol)) {}

  int order() const override { return order_; }
  bool is_adaptive() const override { return true; }
  bool keeps_history() const override { return true; }
  double least_rtol() const override { return invert_bdf_tolerance(kLeastBdfTolerance, kBdfPower); }

  bool start(OdeProblem& problem, double t, std::span<const double> y, double t_end) override {
    DaeProblem* dae = problem.dae();
    if (dae == nullptr) return false;
    const auto n = static_cast<std::size_t>(dae->dae_size());
    assert(y.size() == n && problem.size() == dae->dae_size() && t_end >= t && !has_index3(*dae));
    ends_.resize(n);
    corrector_.resize(n);
    for (auto* v : {&y_, &y_dot_, &miss_, &probe_}) v->assign(n, 0.0);
    norm_.start(problem, *dae, rtol_, atol_, ErrorTest::differential);
    memory_ = std::make_unique<IdaMemory>(static_cast<IdaCalls&>(*this), n);
    for (std::size_t i = 0; i < n; ++i)
      N_VGetArrayPointer(memory_->id)[i] = dae->is_algebraic(static_cast<int>(i)) ? 0.0 : 1.0;
    IDASetId(memory_->ida, memory_->id);
    IDASetSuppressAlg(memory_->ida, SUNTRUE);
    if (control_.max_step > 0.0) IDASetMaxStep(memory_->ida, control_.max_step);
    rest_ = t_end - t;
    if (control_.step > 0.0) problem.begin_step(t, control_.step, y, {});
    order_ = 1;
    fresh_ = true;
    if (!ends_.start(*dae, t, y)) return false;
    integrals_.start(*dae, t, ends_.f1(), control_.rtol, control_.atol);
    return true;
  }

  StepReport step(OdeProblem& problem, double& t, std::span<double> y, double t_end) override {
    assert(t_end >= t);
    StepReport report{.order = order_};
    if (t == t_end) return report;
    ends_.begin(t, y, StepEnds::From::own);
    if (fresh_ && is_step_too_small(t_end - t, t, t_end)) {
      report.status = StepStatus::step_too_small;
      return report;
    }
    problem_ = &problem;
    attempt_end_ = t;
    const long failures = ends_.counts.newton_failures;
    if (fresh_) begin_again();
    const long tests = find_failed_tests();
    IDASetEtaFixedStepBounds(memory_->ida, 1.0,
                             since_rejection_ > order_ + 3 ? kGrowth : kNoGrowth);
    IDASetMinStep(memory_->ida, find_smallest_step(t, t_end));
    IDASetStopTime(memory_->ida, t_end);
    double t_new = t;
    norms_ = 0;
    const int flag = memory_->step(t_end, t_new);
    problem_ = nullptr;
    if (error) std::rethrow_exception(std::exchange(error, nullptr));
    report.rejected =
        static_cast<int>(find_failed_tests() - tests + ends_.counts.newton_failures - failures);
    ends_.counts.rejected += report.rejected;
    since_rejection_ = report.rejected > 0 ? 1 : since_rejection_ + 1;
    if (flag < 0) {
      fail(flag, *problem.dae(), report);
      return report;
    }
    corrector_.accept();
    commit(problem, t, t_new, t_end, report);
    t = ends_.t1();
    std::copy(ends_.y1().begin(), ends_.y1().end(), y.begin());
    return report;
  }

  bool accept(OdeProblem& problem, double t, std::span<const double> y, Change change) override {
    if (!ends_.accept(*problem.dae(), t, y, change)) return false;
    if (change == Change::new_chart) fresh_ = true;
    return true;
  }

  bool interpolate(OdeProblem&, double theta, std::span<double> y) override {
    const StepEnds::Where where = ends_.prepare(theta, y);
    if (where != StepEnds::Where::inside) return where == StepEnds::Where::end;
    const double t = ends_.t0() + theta * ends_.h();
    if (IDAGetDky(memory_->ida, t, 0, memory_->scratch) != IDA_SUCCESS) return false;
    const std::span<const double> found = view(memory_->scratch);
    std::copy(found.begin(), found.end(), y.begin());
    ends_.blend(theta, y);
    integrals_.interpolate(theta, y);
    return true;
  }

  std::span<const double> slope() const override { return ends_.f1(); }
  const StepperCounts& counts() const override { return ends_.counts; }

 private:
  // --- what IDA asks for ---------------------------------------------------------------------

  bool solve(std::span<double> correction) override {
    double t = 0.0, a = 0.0;
    N_Vector predicted = nullptr, predicted_slope = nullptr, unused[3] = {};
    void* data = nullptr;
    IDAGetNonlinearSystemData(memory_->ida, &t, &predicted, &predicted_slope, &unused[0],
                              &unused[1], &unused[2], &a, &data);
    if (t != attempt_end_) problem_->begin_step(ends_.t0(), t - ends_.t0(), ends_.y0(), ends_.f0());
    attempt_end_ = t;
    norms_ = 0;
    if (!corrector_.solve(
            *problem_->dae(), {t, a, view(predicted), view(predicted_slope)}, norm_,
            find_bdf_newton_rules(std::min(rtol_, atol_), find_caution(find_order()), kIdaGoal),
            {y_, y_dot_, miss_}, ends_.counts))
      return false;
    std::copy(miss_.begin(), miss_.end(), correction.begin());
    norms_ = 1;
    return true;
  }

  // [ID.1]
  void write_weights(std::span<const double> y, std::span<double> weights) override {
    norm_.set_scale(y, 1.0);
    norm_.write_weights(weights);
  }

  // [ID.2]
  double find_norm_factor() override {
    if (norms_ == 0 || settling_) return 1.0;
    const int k = find_order(), nth = norms_++;
    const int below = std::min(k, 3);  // norms of orders up to k
    return find_caution(nth <= below ? k + 1 - nth : std::min(k + 1, kHighestBdf));
  }

  bool eval_residual(double t, std::span<const double> y, std::span<const double> slope,
                     std::span<double> residual) override {
    ++ends_.counts.evaluations;
    return problem_->dae()->eval_residual(t, y, slope, residual);
  }

  /// Of the step that comes, or is being tested.
  int find_order() const {
    int k = 1;
    IDAGetCurrentOrder(memory_->ida, &k);
    return std::clamp(k, 1, kHighestBdf);
  }
  double find_caution(int k) const { return find_bdf_caution(k, std::max(rtol_, atol_)); }

  // --- around it -------------------------------------------------------------------------------

  /// From the point where the last step ended, at order 1.
  void begin_again() {
    const auto copy_to = [](std::span<const double> from, N_Vector to) {
      std::copy(from.begin(), from.end(), N_VGetArrayPointer(to));
    };
    copy_to(ends_.own_y1(), memory_->y);
    copy_to(ends_.f1(), memory_->slope);
    IDAReInit(memory_->ida, ends_.t0(), memory_->y, memory_->slope);
    norm_.start(*problem_, *problem_->dae(), rtol_, atol_, ErrorTest::differential);
    IDASetInitStep(memory_->ida, find_first_step());
    corrector_.forget();
    fresh_ = false;
    settling_ = ends_.counts.steps > 0;
    since_rejection_ = kHighestBdf + 3;
  }

  /// After the first one not more than the last step.
  double find_first_step() {
    const bool first = ends_.counts.steps == 0;
    if (first && control_.step > 0.0) return control_.step;
    double longest = first ? 1e-3 * rest_ : ends_.h();
    if (control_.max_step > 0.0) longest = std::min(longest, control_.max_step);
    return calc_first_bdf_step(*problem_->dae(),
                               {ends_.t0(), ends_.own_y1(), ends_.f1(), longest, probe_, y_dot_},
                               find_caution(1), norm_, ends_.counts);
  }

  long find_failed_tests() const {
    long count = 0;
    IDAGetNumErrTestFails(memory_->ida, &count);
    return count;
  }

  void commit(OdeProblem& problem, double t, double t_new, double t_end, StepReport& report) {
    if (std::abs(t_end - t_new) <= 1e-15 * std::abs(t_end)) t_new = t_end;
    IDAGetLastOrder(memory_->ida, &order_);
    order_ = std::max(order_, 1);
    measure_error(report);
    report.h = t_new - t;
    report.order = order_;
    ends_.commit(t_new, report.h, view(memory_->y), view(memory_->slope));
    integrals_.advance(problem, *this, ends_);
    settling_ = false;
  }

  /// What the prediction missed; of equal steps the error is 1/(order + 1) of it.
  void measure_error(StepReport& report) {
    IDAGetEstLocalErrors(memory_->ida, memory_->scratch);
    report.error = norm_.calc_error(view(memory_->scratch)) / (order_ + 1);
    report.worst_component = norm_.worst();
  }

  void fail(int flag, const DaeProblem& dae, StepReport& report) {
    if (flag == IDA_ERR_FAIL || flag == IDA_TOO_MUCH_ACC) {
      report.status = StepStatus::step_too_small;
      measure_error(report);
    } else {
      report.status = StepStatus::eval_failed;
      report.worst_component = corrector_.find_worst_equation(dae);
    }
    const bool by_error = report.status == StepStatus::step_too_small;
    const double least = by_error ? find_caution(order_) * report.error : corrector_.least_size();
    const double room = find_room_for_rounding(std::min(rtol_, atol_), least);
    if (room > 0.0) report.possible_rtol = invert_bdf_tolerance(room, kBdfPower);
  }

  StepControl control_;
  double rtol_, atol_;  // of the norm
  StepEnds ends_;
  Corrector corrector_;
  CarriedIntegrals integrals_;
  DaeNorm norm_;
  std::unique_ptr<IdaMemory> memory_;
  std::vector<double> y_, y_dot_, miss_, probe_;  // (n)
  double rest_ = 0.0;                             // of the run, at its start
  OdeProblem* problem_ = nullptr;                 // during a step
  double attempt_end_ = 0.0;                      // of the last attempt
  int norms_ = 0;            // since Newton's method was done, from 1; 0: it is not
  int order_ = 1;            // of the last step
  int since_rejection_ = 0;  // accepted steps
  bool settling_ = false;    // the first step after it has begun again
  bool fresh_ = true;        // IDA is to begin again
};

}  // namespace

std::unique_ptr<Stepper> make_ida(const StepControl& control, bool adaptive) {
  if (!adaptive) {
    throw ModelError("ida chooses its steps by a tolerance: it cannot keep a fixed one",
                     "give a tolerance, or use bdf, which takes fixed steps, too");
  }
  check_step_control(control, adaptive);
  return std::make_unique<Ida>(control);
}

}  // namespace driftless
