// A run is: one step of the integrator; the drift controls' corrections; `accept`, which evaluates the field at the
// corrected state; the figures there; the samples that the step has passed, each interpolated between the corrected
// ends and corrected like a step. Nothing here allocates after the first step, nothing throws.

#include "driftless/run/simulate.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "driftless/assembly/asked_values.hpp"
#include "driftless/base/build_info.hpp"
#include "driftless/base/flush_tiny.hpp"
#include "driftless/run/constraint_watch.hpp"
#include "driftless/run/corrector.hpp"
#include "driftless/run/reaction_watch.hpp"
#include "driftless/run/row_writer.hpp"
#include "driftless/run/run_failures.hpp"
#include "driftless/run/run_setup.hpp"
#include "driftless/run/run_state.hpp"
#include "driftless/run/sample_finder.hpp"
#include "driftless/run/shorter_steps.hpp"
#include "driftless/run/stall_watch.hpp"
#include "driftless/run/turn_watch.hpp"

namespace driftless {
namespace {

class Simulation {
 public:
  Simulation(const System& system, const State& start, const StartRows& rows, const Method& method,
             const RunOptions& options, ResultSink& sink)
      : system_(system),
        info_(system.info()),
        method_(method),
        options_(options),
        sink_(sink),
        start_rows_(rows),
        drawn_(rows.drawn),
        parts_(system, start, rows, method),
        evaluator_(parts_.evaluator),
        field_(*parts_.field),
        stepper_(*parts_.stepper),
        state_(evaluator_, field_, start),
        corrector_(system, parts_, state_),
        samples_(info_, method, parts_, corrector_),
        watch_(info_, parts_.projects),
        failures_(system, method, evaluator_, field_, state_, watch_,
                  {drawn_.misfit, parts_.rank_tolerance}),
        turns_(info_),
        reactions_(system, drawn_, start.t, options.until),
        stall_(start.t, options.until),
        rows_(field_, evaluator_, parts_.rank_tolerance, sink, times_),
        t_(start.t),
        t_start_(start.t),
        until_(options.until),
        every_(find_sample_distance(start, options)),
        y_(Vector::Zero(field_.size())) {
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
    info.options = describe_options(method_);
    info.options += RunInfo::kEngineWord;
    info.options += parts_.describe_engine(system_, drawn_, method_);
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
    watch_.begin(state_, drawn_);
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
            find_contradiction(info_, evaluator_.ws(), state_.v, v_dot, report_.redundant, drawn_))
      fail(*failure);
  }

  void report_rows() {
    const RowReport& rows = start_rows_.report;
    report_.rows = info_.row_count();
    report_.rank = report_.min_rank = rows.rank;
    report_.dof = info_.nv - rows.rank;
    for (const int row : rows.redundant) {
      report_.redundant.push_back(info_.rows[static_cast<std::size_t>(row)]);
    }
    reactions_.begin(t_, state_, rows.rank);
    rows_.set_rank(rows.rank);
    if (drawn_.misfit > 0.0) report_.warnings.push_back(describe_misfit(drawn_.misfit));
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
    samples_.begin_step(t_, y_);
    const StepReport step = stepper_.step(field_, t_, as_span(y_), until_);
    if (step.status != StepStatus::ok) return fail(failures_.of_step(step, reached()));
    times_.lap(PartTimes::kSteps);
    if (const auto failure = corrector_.correct(t_, y_, step.h, true)) return fail(*failure);
    times_.lap(PartTimes::kCorrections);
    if (!stepper_.accept(field_, t_, as_span(y_),
                         corrector_.is_active() ? Change::corrected : Change::unchanged)) {
      return fail_field();
    }
    times_.lap(PartTimes::kSteps);
    state_.measure(t_, y_);
    turns_.accept(state_.v, step.h);
    report_.min_rank = std::min(report_.min_rank, field_.rank());
    reactions_.accept(t_, state_, field_.rank());
    if (!check_figures()) {
      state_.forget_last();
      return false;
    }
    system_.accept(t_, state_.q, state_.v, evaluator_.ws());
    last_good_ = y_;
    if (parts_.projects && !watch_.is_visibly_open()) {
      last_closed_ = y_;
      t_closed_ = t_;
    }
    if (!write_samples(t_old, step)) return false;
    if (!recentre()) return false;
    times_.end_step(PartTimes::kSamples);
    tell(step.h);
    if (!stall_.accept(t_)) return fail(failures_.of_stall(step, reached()));
    return !is_stopped();
  }

  /// Charts of orientations move on with the motion.
  bool recentre() {
    const Change change = field_.recentre(as_span(y_), !stepper_.keeps_history());
    if (change == Change::unchanged) return true;
    last_good_ = y_;
    return stepper_.accept(field_, t_, as_span(y_), change) || fail_field();
  }

  /// No infinity gets past here, and no constraint that stays open.
  bool check_figures() {
    if (bounded_drives_) {
      if (const auto failure = find_outside_motion(evaluator_, state_.q, t_)) return fail(*failure);
    }
    if (auto failure = state_.find_not_finite()) {
      failure->suggestion = "check the start values and the step";
      blame_step(*failure);
      return fail(*failure);
    }
    const bool is_kept = watch_.accept(state_, evaluator_.ws());
    if (is_kept && !(watch_.is_visibly_open() && info_.has_time_rows)) return true;
    Failure failure = watch_.describe_failure(t_, evaluator_.ws());
    if (!check_reach()) return false;
    if (is_kept) return true;
    blame_step(failure);
    return fail(failures_.of_following(failure, {t_before_, t_}, reached()));
  }

  /// Whether shorter steps would have kept the constraints closed.
  void blame_step(Failure& failure) {
    if (!parts_.projects) return;
    ShorterSteps shorter(
        system_, parts_, method_, state_, watch_,
        [this](double t, Vector& y, double h) { return !corrector_.correct(t, y, h, false); });
    const auto text = shorter.explain(last_closed_, t_closed_, t_);
    if (!text) return;
    failure.message += "; " + *text;
    failure.suggestion = fmt::format(
        "try --step {}, or --method braun_goldfarb/dopri5 --tolerance 1e-6, whose steps are short "
        "only where they have to be",
        shorter.suggest_step());
  }

  /// Open constraints that time moves: if no pose closes them, it is not the step that is too long. Of steps that are too
  /// long all through a run, the first ones are asked.
  bool check_reach() {
    constexpr int kMostTests = 20;
    if (!info_.has_time_rows || reach_tests_ >= kMostTests) return true;
    ++reach_tests_;
    const auto failure = failures_.find_out_of_reach({t_before_, t_}, reached());
    return !failure || fail(*failure);
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
        if (const auto failure = samples_.find(t, (t - t_old) / (t_ - t_old))) {
          t_ = t;
          return fail(*failure);
        }
        state_.measure(t, samples_.y());
        if (!watch_.accept_sample(state_, evaluator_.ws())) {
          state_.forget_last();
          const Failure open = watch_.describe_failure(t, evaluator_.ws());
          return fail(failures_.of_following(open, {t_old, t_}, reached()));
        }
      }
      rows_.write(t, state_, on_step ? y_ : samples_.y(), step.h, step.order);
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
    if (const auto where = find_row_source(info_, failure.worst)) report_.failure.where = *where;
    return false;
  }
  bool fail_field() { return fail(describe_field_failure(field_, info_)); }
  RunFailures::Reached reached() const {
    return {t_, {t_start_, until_}, last_good_, report_.redundant};
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
      if (suggestion.empty()) suggestion = failures_.suggest(started_);
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
    add(parts_.describe_unused_tolerance(method_.integrator), report_.warnings);
    add(turns_.describe(), of_steps);
    add(describe_halved_steps(), of_steps);
    add(state_.describe_lost_energy(), of_steps);
    if (!drifts) {  // else drift explains them
      for (const auto& control : parts_.controls) control->add_warnings(of_steps);
      state_.add_warnings(of_steps);
    }
    for (const std::string& warning : of_steps)
      report_.warnings.push_back(warning + "; " + failures_.suggest_for_steps());
  }

  const System& system_;
  const SystemInfo& info_;
  const Method& method_;
  const RunOptions& options_;
  ResultSink& sink_;
  const StartRows& start_rows_;
  const DrawnRank& drawn_;  // of these
  WorkingMethod parts_;
  Evaluator& evaluator_;      // of parts_
  AccelerationField& field_;  // of parts_
  Stepper& stepper_;          // of parts_
  RunState state_;
  Corrector corrector_;
  SampleFinder samples_;
  ConstraintWatch watch_;
  RunFailures failures_;
  TurnWatch turns_;
  ReactionWatch reactions_;
  StallWatch stall_;
  PartTimes times_;
  RowWriter rows_;
  Report report_;
  int reach_tests_ = 0;
  const bool bounded_drives_ = has_bounded_drives(system_);
  bool started_ = false;  // the start is written, steps may follow
  double t_, t_start_, until_, every_;
  double t_before_ = 0.0;  // of the step that is made
  double t_closed_ = 0.0;  // of last_closed_
  Vector y_, last_good_;
  Vector last_closed_;  // where constraints were last seen closed; empty: nowhere since the start
  long next_sample_ = 0;
  std::chrono::steady_clock::time_point next_tell_{};
};

}  // namespace

Report simulate(const System& system, const State& start, const StartRows& rows,
                const Method& method, const RunOptions& options, ResultSink& sink) {
  check_run(system.info(), start, method, options);
  const FlushTiny flush;
  return Simulation(system, start, rows, method, options, sink).run();
}

Report simulate(const System& system, const State& start, const Method& method,
                const RunOptions& options, ResultSink& sink) {
  check_run(system.info(), start, method, options);
  return simulate(system, start, look_at_start(system, start), method, options, sink);
}

Result simulate(const System& system, const State& start, const Method& method,
                const RunOptions& options) {
  MemorySink sink;
  simulate(system, start, method, options, sink);
  return sink.take();
}

}  // namespace driftless
