// A run is: one step of the integrator; the drift controls' corrections; `accept`, which evaluates the field at the
// corrected state; the figures there; the samples that the step has passed, each interpolated between the corrected
// ends and corrected like a step. Nothing here allocates after the first step, nothing throws.

#include "driftless/run/simulate.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "driftless/base/build_info.hpp"
#include "driftless/base/flush_tiny.hpp"
#include "driftless/problem/dae_problem.hpp"
#include "driftless/run/constraint_watch.hpp"
#include "driftless/run/prescribed_motion.hpp"
#include "driftless/run/reach.hpp"
#include "driftless/run/reaction_watch.hpp"
#include "driftless/run/row_writer.hpp"
#include "driftless/run/run_setup.hpp"
#include "driftless/run/run_state.hpp"
#include "driftless/run/stall_watch.hpp"
#include "driftless/run/turn_watch.hpp"

namespace driftless {
namespace {

class Simulation {
 public:
  Simulation(const System& system, const State& start, const Method& method,
             const RunOptions& options, ResultSink& sink)
      : system_(system),
        info_(system.info()),
        method_(method),
        options_(options),
        sink_(sink),
        parts_(system, method),
        evaluator_(parts_.evaluator),
        field_(*parts_.field),
        stepper_(*parts_.stepper),
        state_(evaluator_, field_, start),
        watch_(info_, parts_.projects),
        turns_(info_),
        reactions_(system, start.t, options.until),
        stall_(start.t, options.until),
        rows_(field_, evaluator_, parts_.rank_tolerance, sink, times_),
        t_(start.t),
        t_start_(start.t),
        until_(options.until),
        every_(find_sample_distance(start, options)),
        y_(Vector::Zero(field_.size())),
        sample_y_(y_),
        y_before_(y_),
        interpolated_y_(y_) {
    report_.warnings = parts_.warnings;
    report_.seconds = options.seconds_before;
  }

  Report run() {
    if (begin()) loop();
    finish();
    return report_;
  }

 private:
  // --- the start -------------------------------------------------------------------------------

  bool begin() {
    RunInfo info = options_.info;
    info.method = describe(method_);
    info.options = describe_options(method_) + "; engine " + evaluator_.describe_engine();
    info.version = kVersion;
    if (info.model_name.empty()) info.model_name = info_.name;
    sink_.begin(info, make_columns(info_));

    system_.accept(t_, state_.q, state_.v, evaluator_.ws());
    const Balance& balance = state_.begin(t_);
    for (const auto& control : parts_.controls) control->start(balance);
    report_rows();
    warn_of_no_freedom();
    state_.write(y_);
    field_.recentre(as_span(y_), true);
    if (!field_.complete(t_, as_span(y_))) return fail_field();
    if (!stepper_.start(field_, t_, as_span(y_), until_)) return fail_field();
    check_start();
    state_.measure(t_, y_);
    watch_.begin(state_, evaluator_.ws());
    if (const auto failure = state_.find_not_finite()) return fail(*failure);
    times_.begin();
    rows_.write(t_, state_, y_, 0.0, stepper_.order());
    next_sample_ = 1;
    started_ = true;
    return report_.status == Status::ok;
  }

  /// The rows without feedback, at the start itself: the stepper has tried other points, too.
  void check_start() {
    if (report_.redundant.empty()) return;
    Vector v_dot = Vector::Zero(info_.nv), lambda = Vector::Zero(info_.row_count());
    evaluator_.set_states(state_.c);
    if (!field_.solve_reactions(t_, state_.q, state_.v, v_dot, lambda)) return;
    if (const auto failure =
            find_contradiction(info_, evaluator_.ws(), state_.v, v_dot, report_.redundant))
      fail(*failure);
  }

  void report_rows() {
    const Workspace& ws = evaluator_.ws();
    const RowReport rows = info_.row_count() > 0
                               ? find_row_report(system_.find_row_metric(ws), ws.jacobian)
                               : RowReport{};
    report_.rows = info_.row_count();
    report_.rank = report_.min_rank = rows.rank;
    report_.dof = info_.nv - rows.rank;
    for (const int row : rows.redundant) {
      report_.redundant.push_back(info_.rows[static_cast<std::size_t>(row)]);
    }
    reactions_.begin(t_, state_, rows.rank);
  }

  void warn_of_no_freedom() {
    if (report_.dof > 0) return;
    report_.warnings.push_back(
        info_.has_time_rows || info_.velocity_rows > 0
            ? "there is no degree of freedom: the constraints alone prescribe the motion"
            : "there is no degree of freedom: the constraints hold everything, nothing can move");
  }

  // --- the loop --------------------------------------------------------------------------------

  void loop() {
    const double start = find_cpu_seconds() - rows_.cpu_seconds();
    times_.begin();
    while (t_ < until_ && step()) {
    }
    report_.cpu_seconds = find_cpu_seconds() - rows_.cpu_seconds() - start;
  }

  /// One accepted step with its samples. False: the run ends here.
  bool step() {
    times_.begin_step();
    const double t_old = t_before_ = t_;
    if (parts_.aside != nullptr) y_before_ = y_;
    const StepReport step = stepper_.step(field_, t_, as_span(y_), until_);
    if (step.status != StepStatus::ok) return fail_step(step);
    times_.lap(PartTimes::kSteps);
    if (!correct(t_, y_, true)) return false;
    times_.lap(PartTimes::kCorrections);
    const bool corrected = parts_.corrects || info_.normalizes;
    if (!stepper_.accept(field_, t_, as_span(y_),
                         corrected ? Change::corrected : Change::unchanged)) {
      return fail_field();
    }
    times_.lap(PartTimes::kSteps);
    state_.measure(t_, y_);
    system_.accept(t_, state_.q, state_.v, evaluator_.ws());
    turns_.accept(state_.v, step.h);
    report_.min_rank = std::min(report_.min_rank, field_.rank());
    reactions_.accept(t_, state_, field_.rank());
    if (!check_figures()) return false;
    last_good_ = y_;
    if (!write_samples(t_old, step)) return false;
    if (!recentre()) return false;
    times_.end_step(PartTimes::kSamples);
    tell(step.h);
    if (!stall_.accept(t_)) return fail_stalled(step);
    return !is_stopped();
  }

  /// Charts of orientations move on with the motion.
  bool recentre() {
    const Change change = field_.recentre(as_span(y_), !stepper_.keeps_history());
    if (change == Change::unchanged) return true;
    last_good_ = y_;
    return stepper_.accept(field_, t_, as_span(y_), change) || fail_field();
  }

  /// The drift controls on (t, y), in place: the end of a step, or a sample before it.
  bool correct(double t, Vector& y, bool is_step) {
    if (!parts_.corrects && !info_.normalizes) return true;
    state_.read(y);
    if (info_.normalizes) system_.normalize(state_.q);
    if (!parts_.corrects) {
      state_.write(y);
      return true;
    }
    if (!field_.correct(t, state_.q, state_.v)) {
      t_ = t;
      return fail_field();
    }
    CorrectionPoint point{
        t, state_.q, state_.v, state_.work, evaluator_, parts_.rank_tolerance, is_step};
    for (const auto& control : parts_.controls) {
      if (control->correct(point) == CorrectionStatus::ok) continue;
      t_ = t;
      Failure failure;
      failure.message = fmt::format(
          "the mass matrix is not positive definite on the motions that the constraints leave "
          "free, at t = {:.6g}",
          t);
      return fail(failure);
    }
    state_.write(y);
    return true;
  }

  /// No infinity gets past here, and no constraint that stays open.
  bool check_figures() {
    if (auto failure = state_.find_not_finite()) {
      failure->suggestion = "check the start values and the step";
      return fail(*failure);
    }
    const bool is_kept = watch_.accept(state_, evaluator_.ws());
    if (is_kept && !(watch_.is_visibly_open() && info_.has_time_rows)) return true;
    const Failure failure = watch_.describe_failure(t_, evaluator_.ws());
    return check_reach() && (is_kept || fail_following(failure, {t_before_, t_}));
  }

  /// Open constraints that time moves: if no pose closes them, it is not the step that is too long. Of steps that are too
  /// long all through a run, the first ones are asked.
  bool check_reach() {
    constexpr int kMostTests = 20;
    if (!info_.has_time_rows || reach_tests_ >= kMostTests) return true;
    ++reach_tests_;
    const Vector q = find_last_good();
    const TimeSpan span{t_before_, t_};
    if (find_wild_motion(system_, q, t_, span, watch_.sizes())) return true;  // told as such
    const auto failure = ReachTest(evaluator_).find_failure(q, span, watch_.sizes());
    evaluator_.set_configuration(t_, state_.q);
    evaluator_.set_velocity(state_.v);
    return !failure || fail(*failure);
  }

  /// sample_y_ at a time within the last step: interpolated, then corrected. Stages next to a singular pose spoil what is
  /// interpolated, though not the end of the step, which is corrected from nearby. So where the correction moves a sample by much
  /// more than the tolerance, or is blind because rows nearly depend on each other there, the sample is found by steps of
  /// its own instead, from where the last one began.
  bool find_sample(double t, double theta) {
    if (!stepper_.interpolate(field_, theta, as_span(sample_y_))) return fail_field();
    interpolated_y_ = sample_y_;
    if (!correct(t, sample_y_, false)) return false;
    if (parts_.aside == nullptr || !(is_blind() || is_moved_far()) || step_aside(t)) return true;
    if (report_.status != Status::ok) return false;  // it could not be corrected on the way
    sample_y_ = interpolated_y_;
    return correct(t, sample_y_, false);
  }

  /// From the beginning of the last step to a sample. False: it is too far, or something is not defined on the way.
  bool step_aside(double t) {
    constexpr int kMostSteps = 10;
    Stepper& aside = *parts_.aside;
    double reached = t_before_;
    sample_y_ = y_before_;
    if (!aside.start(field_, reached, as_span(sample_y_), t)) return false;
    for (int k = 0; k < kMostSteps; ++k) {
      if (aside.step(field_, reached, as_span(sample_y_), t).status != StepStatus::ok) return false;
      if (!correct(reached, sample_y_, false)) return false;
      if (reached == t) return true;
      if (!aside.accept(field_, reached, as_span(sample_y_), Change::corrected)) return false;
    }
    return false;
  }

  bool is_blind() const {
    constexpr double kNearlyDependent = 0.03;  // own part of a row
    return info_.row_count() > 0 && evaluator_.smallest_pivot() < kNearlyDependent;
  }
  bool is_moved_far() const {
    constexpr double kFar = 10.0;  // tolerances
    const IntegratorChoice& integrator = method_.integrator;
    for (int i = 0; i < field_.layout().nx; ++i) {
      const double scale = integrator.atol + integrator.rtol * std::abs(sample_y_[i]);
      if (std::abs(sample_y_[i] - interpolated_y_[i]) > kFar * scale) return true;
    }
    return false;
  }

  /// Rows for all sample times in (t_old, t_], the end of the run included.
  bool write_samples(double t_old, const StepReport& step) {
    while (rows_.last_t() < until_) {
      const double t = std::min(until_, t_start_ + static_cast<double>(next_sample_) * every_);
      const double slack = 1e-9 * (t_ - t_old);
      if (t > t_ + slack) return true;
      ++next_sample_;
      const bool on_step = t >= t_ - slack;
      if (on_step) {  // the state is there
        if (state_.t != t_) state_.measure(t_, y_);
      } else {
        if (!find_sample(t, (t - t_old) / (t_ - t_old))) return false;
        state_.measure(t, sample_y_);
        if (!watch_.accept_sample(state_, evaluator_.ws())) {
          return fail_following(watch_.describe_failure(t, evaluator_.ws()), {t_old, t_});
        }
      }
      rows_.write(t, state_, on_step ? y_ : sample_y_, step.h, step.order);
    }
    return true;
  }

  void tell(double h) {
    if (!times_.is_timed() || times_.last() < next_tell_) return;
    next_tell_ = times_.last() + std::chrono::milliseconds(200);
    sink_.poll();  // rows do not wait for the next one when steps take long
    if (!options_.watch) return;
    options_.watch(
        {t_, until_, h, stepper_.counts().steps, state_.max_phi, state_.max_energy_error});
  }

  bool is_stopped() {
    if (options_.stop == nullptr || !options_.stop->load(std::memory_order_relaxed)) return false;
    report_.status = Status::interrupted;
    report_.message = fmt::format("stopped at t = {:.6g} s", t_);
    return true;
  }

  // --- endings ---------------------------------------------------------------------------------

  /// Always false: the run ends. Without a suggestion there is a general one.
  bool fail(const Failure& failure) {
    report_.status = Status::failed;
    report_.message = failure.message;
    report_.failure = failure;
    report_.failure.t = t_;
    if (const auto row = find_row(failure.worst); row && !info_.row_sources.empty())
      report_.failure.where = info_.row_sources[*row];
    return false;
  }

  /// Always false. If what time prescribes within a span is wild, that is the failure.
  bool fail_following(const Failure& failure, const TimeSpan& span) {
    const auto wild = find_wild_motion(system_, find_last_good(), t_, span, watch_.sizes());
    return fail(wild.value_or(failure));
  }
  Vector find_last_good() const {
    Vector q = state_.q, v = state_.v;
    std::vector<double> work = state_.work;
    if (last_good_.size() > 0) field_.to_state(as_span(last_good_), q, v, work);
    return q;
  }
  /// Likewise of a step that became small: a little ahead, where what is prescribed may also be out of reach.
  bool fail_ahead(const Failure& failure, double h) {
    const double ahead = std::max(100.0 * h, 1e-9 * std::max(std::abs(t_), until_ - t_start_));
    if (const auto wild =
            find_wild_motion(system_, find_last_good(), t_, {t_, t_ + ahead}, watch_.sizes()))
      return fail(*wild);
    if (!info_.has_time_rows) return fail(failure);
    const TimeSpan further{t_, std::min(t_ + std::max(ahead, 1e-3 * (until_ - t_start_)), until_)};
    ReachTest reach(evaluator_);
    return fail(reach.find_failure(find_last_good(), further, watch_.sizes()).value_or(failure));
  }

  std::optional<std::size_t> find_row(const std::string& name) const {
    const auto place = std::find(info_.rows.begin(), info_.rows.end(), name);
    if (name.empty() || place == info_.rows.end()) return {};
    return static_cast<std::size_t>(place - info_.rows.begin());
  }

  std::string describe_singular_pose() {
    evaluator_.set_configuration(t_, state_.q);
    evaluator_.set_velocity(state_.v);
    return driftless::describe_singular_pose(system_, evaluator_.ws(), report_.redundant);
  }

  /// Always false.
  bool fail_stalled(const StepReport& step) {
    Failure failure;
    if (step.worst_component >= 0) failure.worst = field_.component_name(step.worst_component);
    failure.message = fmt::format("steps of {:.3g} s do not get beyond t = {:.6g}{}", step.h, t_,
                                  describe_singular_pose());
    failure.suggestion =
        "a larger tolerance, or braun_goldfarb, which passes singular poses; if a motion is "
        "prescribed, see whether the mechanism can follow it";
    return fail_ahead(failure, step.h);
  }

  bool fail_field() {
    Failure failure;
    failure.message = field_.failure();
    failure.worst = field_.worst();
    failure.suggestion = field_.remedy();
    if (failure.suggestion.empty() && find_row(failure.worst)) {
      failure.suggestion = fmt::format(
          "change '{}': at that time and place it has no finite value or derivative (a division by "
          "zero, a root or logarithm at the end of its range, or numbers too large)",
          failure.worst);
    }
    return fail(failure);
  }

  bool fail_step(const StepReport& step) {
    if (step.status == StepStatus::eval_failed && field_.failure().empty())
      return fail_newton(step);
    if (step.status != StepStatus::step_too_small) return fail_field();
    Failure failure;
    if (step.worst_component >= 0) failure.worst = field_.component_name(step.worst_component);
    failure.message = fmt::format(
        "the step became too small at t = {:.6g}: {} cannot be followed within the tolerance{}", t_,
        failure.worst.empty() ? "the motion" : "'" + failure.worst + "'", describe_singular_pose());
    failure.suggestion =
        "look at the motion just before: a force may be discontinuous, a pose singular, or a "
        "prescribed motion beyond reach; braun_goldfarb passes singular poses, a larger tolerance "
        "passes kinks";
    return fail_ahead(failure, step.h);
  }

  /// Implicit equations that have no solution near the last state.
  bool fail_newton(const StepReport& step) {
    DaeProblem* equations = field_.dae();
    Failure failure;
    failure.message = fmt::format("Newton's method does not converge at t = {:.6g}", t_);
    if (step.worst_component >= 0) {
      failure.message +=
          ": worst is " + (equations != nullptr ? equations->equation_name(step.worst_component)
                                                : field_.component_name(step.worst_component));
    }
    failure.message += describe_singular_pose();
    failure.suggestion =
        "braun_goldfarb passes singular poses; else look at the motion just before (a force that "
        "jumps, a prescribed motion beyond reach), or try another tolerance or step";
    return fail_ahead(failure, step.h);
  }

  /// Before the first step no step can be at fault.
  std::string suggest_for_start() const {
    return "the equations cannot be solved at the start: change the start values, or the masses, "
           "forces or constraints that are not defined there; driftless check lists them";
  }

  std::string suggest_for_blow_up() const {
    if (info_.position_rows > 0 && !std::holds_alternative<BraunGoldfarb>(method_.formulation)) {
      return "without correction the state leaves the constraints, fastest near singular poses; "
             "try --method braun_goldfarb";
    }
    if (method_.integrator.adaptive) {
      return "look at the motion just before: it may grow without bound; else try a smaller "
             "tolerance";
    }
    return suggest_for_steps();
  }

  std::string suggest_for_steps() const {
    return method_.integrator.adaptive
               ? "try a smaller tolerance"
               : "try a smaller step, or --method braun_goldfarb/dopri5 --tolerance 1e-6";
  }

  void finish() {
    report_.t_end = report_.status == Status::interrupted ? t_ : rows_.last_t();
    if (report_.status != Status::ok && last_good_.size() > 0) {
      // What was reached counts, also between two samples.
      state_.read(last_good_);
      report_.failure.last_good.assign(state_.q.begin(), state_.q.end());
      for (const Vector* rest : {&state_.v, &state_.c})
        report_.failure.last_good.insert(report_.failure.last_good.end(), rest->begin(),
                                         rest->end());
    }
    if (report_.status == Status::failed) {
      report_.failure.rank = field_.rank();
      std::string& suggestion = report_.failure.suggestion;
      if (suggestion.empty()) suggestion = started_ ? suggest_for_blow_up() : suggest_for_start();
    }
    const StepperCounts& counts = stepper_.counts();
    report_.steps = counts.steps;
    report_.rejected = counts.rejected;
    report_.evaluations = evaluator_.counts().acceleration_solves;
    report_.factorisations = evaluator_.counts().factorisations;
    if (is_implicit())
      report_.figures.emplace_back("newton_failures", static_cast<double>(counts.newton_failures));
    field_.add_figures(report_.figures);
    for (const auto& control : parts_.controls) control->add_figures(report_.figures);
    reactions_.write(report_);
    state_.write_figures(report_);
    times_.append_to(report_.seconds);
    if (report_.status != Status::failed) add_warnings();
    sink_.finish(report_);
  }

  bool is_implicit() const {
    const ProblemShape shape = find_shape(method_.integrator);
    return driftless::is_implicit(shape) || shape == ProblemShape::second_order;
  }

  std::string describe_halved_steps() const {
    const long rejected = stepper_.counts().rejected;
    if (method_.integrator.adaptive || rejected == 0) return {};
    return fmt::format("Newton's method found no solution in {} step{}, which had to be halved",
                       rejected, rejected == 1 ? "" : "s");
  }

  /// What was not as it should be, though the run came to its end.
  void add_warnings() {
    std::vector<std::string> of_steps;
    const auto add = [](std::string warning, std::vector<std::string>& list) {
      if (!warning.empty()) list.push_back(std::move(warning));
    };
    const bool drifts = !parts_.projects && info_.position_rows > 0;
    add(watch_.describe_gaps(describe(method_)), drifts ? report_.warnings : of_steps);
    add(turns_.describe(), of_steps);
    add(describe_halved_steps(), of_steps);
    add(state_.describe_lost_energy(), of_steps);
    if (!drifts) {  // else drift explains them
      for (const auto& control : parts_.controls) control->add_warnings(of_steps);
      state_.add_warnings(of_steps);
    }
    for (const std::string& warning : of_steps)
      report_.warnings.push_back(warning + "; " + suggest_for_steps());
  }

  const System& system_;
  const SystemInfo& info_;
  const Method& method_;
  const RunOptions& options_;
  ResultSink& sink_;
  WorkingMethod parts_;
  Evaluator& evaluator_;      // of parts_
  AccelerationField& field_;  // of parts_
  Stepper& stepper_;          // of parts_
  RunState state_;
  ConstraintWatch watch_;
  TurnWatch turns_;
  ReactionWatch reactions_;
  StallWatch stall_;
  PartTimes times_;
  RowWriter rows_;
  Report report_;
  int reach_tests_ = 0;
  bool started_ = false;  // the start is written, steps may follow
  double t_, t_start_, until_, every_;
  double t_before_ = 0.0;  // of the step that is made
  Vector y_, sample_y_, last_good_;
  Vector y_before_,
      interpolated_y_;  // at the beginning of the step; a sample before its correction
  long next_sample_ = 0;
  std::chrono::steady_clock::time_point next_tell_{};
};

}  // namespace

Report simulate(const System& system, const State& start, const Method& method,
                const RunOptions& options, ResultSink& sink) {
  check_run(system.info(), start, method, options);
  const FlushTiny flush;
  return Simulation(system, start, method, options, sink).run();
}

Result simulate(const System& system, const State& start, const Method& method,
                const RunOptions& options) {
  MemorySink sink;
  simulate(system, start, method, options, sink);
  return sink.take();
}

}  // namespace driftless
