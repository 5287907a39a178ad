// A run is: one step of the integrator; the drift controls' corrections; `accept`, which evaluates the field at the
// corrected state; the figures there; the samples that the step has passed, each interpolated between the corrected
// ends and corrected like a step. Nothing here allocates after the first step, nothing throws.

#include "driftless/run/simulate.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include <fmt/format.h>
#include <time.h>

#include "driftless/base/build_info.hpp"
#include "driftless/base/error.hpp"
#include "driftless/drift/drift_control.hpp"
#include "driftless/integrators/all.hpp"
#include "driftless/integrators/explicit_rk.hpp"

namespace driftless {
namespace {

double cpu_now() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Steps in a row that may leave the constraints open before the run is called unsolvable.
constexpr int kOpenSteps = 20;
// Relative to a row's length times the size of q.
constexpr double kOpen = 1e-4;
// A gap as large as the mechanism itself ends the run at once, but for a step or two that are not the last ones.
constexpr double kTorn = 0.05;
constexpr int kTornSteps = 3;
// Without a projection gaps drift open; only one that grows like this over kTornSteps steps is a blow-up.
constexpr double kBlowUp = 10.0;

class Simulation {
 public:
  Simulation(const System& system, const State& start, const Method& method,
             const RunOptions& options, ResultSink& sink)
      : system_(system),
        info_(system.info()),
        method_(method),
        options_(options),
        sink_(sink),
        evaluator_(system),
        t_(start.t),
        until_(options.until),
        every_(options.every > 0.0 ? options.every : (options.until - start.t) / 1000.0),
        q_(start.q),
        v_(start.v) {
    check(start);
    make_controls();
    make_field();
    const IntegratorChoice& integrator = method.integrator;
    stepper_ = integrator.tableau
                   ? make_explicit_rk(*integrator.tableau, make_step_control(), integrator.adaptive)
                   : make_stepper(integrator.name, make_step_control(), integrator.adaptive);
    y_ = Vector::Zero(field_->size());
    sample_y_ = y_;
    work_.assign(info_.invariants.size(), 0.0);
    row_.resize(1 + static_cast<std::size_t>(info_.nq + info_.nv) + info_.records.size() + 3);
    records_ = Vector::Zero(static_cast<Eigen::Index>(info_.records.size()));
    v_dot_ = Vector::Zero(info_.nv);
    lambda_ = Vector::Zero(info_.row_count());
    residual_ = Vector::Zero(info_.row_count());
    max_invariant_error_ = Vector::Zero(static_cast<Eigen::Index>(info_.invariants.size()));
    t_start_ = t_;
  }

  Report run() {
    begin();
    if (report_.status == Status::ok) loop();
    finish();
    return report_;
  }

 private:
  // --- setting up ------------------------------------------------------------------------------

  void check(const State& start) const {
    if (start.q.size() != info_.nq || start.v.size() != info_.nv) {
      throw ModelError(
          fmt::format("the start state has {} coordinates and {} rates; the system has {} and {}",
                      start.q.size(), start.v.size(), info_.nq, info_.nv));
    }
    check_finite(start.q, info_.coordinates);
    check_finite(start.v, info_.rates);
    if (!std::isfinite(options_.until) || !(options_.until > start.t)) {
      throw ModelError(fmt::format("run.until = {} s: must be greater than the start time {} s",
                                   options_.until, start.t),
                       "give the time at which the run ends, in seconds");
    }
    if (!std::isfinite(options_.every) || options_.every < 0.0) {
      throw ModelError(fmt::format("run.every = {} s: must be greater than 0", options_.every),
                       "give the time between two samples, in seconds");
    }
    const double samples = (until_ - start.t) / every_;
    if (samples > 1e9) {
      throw ModelError(fmt::format("run.every = {} s makes {:.3g} samples; at most 1e9 are written",
                                   every_, samples),
                       "choose a larger time between samples");
    }
    for (const DriftSpec& drift : method_.drift) check_drift(drift);
  }

  static void check_finite(const Vector& values, const std::vector<std::string>& names) {
    for (Eigen::Index i = 0; i < values.size(); ++i) {
      if (std::isfinite(values[i])) continue;
      throw ModelError(fmt::format("the start value {} = {} is not finite",
                                   names[static_cast<std::size_t>(i)], values[i]),
                       "give a finite number");
    }
  }

  void check_drift(const DriftSpec& drift) const {
    const std::string_view name = std::visit([](const auto& d) { return d.kName; }, drift);
    const bool energy_control = name != Project::kName && name != InvariantCorrection::kName;
    if (energy_control && (info_.invariants.empty() || !info_.invariants[0].is_energy)) {
      throw ModelError(
          fmt::format("drift control '{}' needs the energy T + U, which this system does not have",
                      name),
          "leave it out, or declare the energy");
    }
    if (name == InvariantCorrection::kName && info_.invariants.empty()) {
      throw ModelError("drift control 'invariant' needs a conserved quantity, and there is none",
                       "declare one under [conserved], or leave it out");
    }
  }

  void make_controls() {
    rank_tolerance_ = find_rank_tolerance(method_);
    for (const DriftSpec& drift : method_.drift) {
      controls_.push_back(
          std::visit([&](const auto& spec) { return make_control(spec, info_); }, drift));
      corrects_ = corrects_ || controls_.back()->corrects();
      projects_ = projects_ || std::holds_alternative<Project>(drift);
    }
  }

  void make_field() {
    std::vector<FieldTerm*> terms;
    if (const auto* baumgarte = std::get_if<Baumgarte>(&method_.formulation)) {
      const BaumgarteGains gains =
          resolve_gains(*baumgarte, info_.position_rows, info_.velocity_rows);
      const auto eigenvalues = find_error_eigenvalues(gains);
      if (!eigenvalues.empty() && eigenvalues.front().real() > 1e-12) {
        report_.warnings.push_back(fmt::format(
            "the gains are unstable: the constraint error grows with the eigenvalue {:.6g}{:+.6g}i",
            eigenvalues.front().real(), eigenvalues.front().imag()));
      }
      baumgarte_ = std::make_unique<BaumgarteTerm>(gains);
      terms.push_back(baumgarte_.get());
    }
    for (const auto& control : controls_) {
      if (FieldTerm* term = control->field_term()) terms.push_back(term);
    }
    FieldOptions field_options =
        std::visit([](const auto& spec) { return spec.field_options(); }, method_.formulation);
    if (method_.integrator.adaptive) field_options.stage_factor = 0.0;  // see braun_goldfarb.hpp
    field_ = std::make_unique<AccelerationField>(evaluator_, field_options, std::move(terms));
  }

  StepControl make_step_control() const {
    const IntegratorChoice& choice = method_.integrator;
    return {.step = choice.step,
            .rtol = choice.rtol,
            .atol = choice.atol,
            .max_step = choice.max_step.value_or(0.0)};
  }

  std::vector<Column> make_columns() const {
    std::vector<Column> columns{{"t", "s"}};
    for (const std::string& name : info_.coordinates) columns.push_back({name, ""});
    for (const std::string& name : info_.rates) columns.push_back({name, ""});
    for (std::size_t k = 0; k < info_.records.size(); ++k) {
      columns.push_back(
          {info_.records[k], k < info_.record_units.size() ? info_.record_units[k] : ""});
    }
    columns.push_back({"phi", ""});
    columns.push_back({"phi_dot", ""});
    columns.push_back({"energy_error", "J"});
    return columns;
  }

  void begin() {
    RunInfo info = options_.info;
    info.method = describe(method_);
    info.options = describe_options(method_);
    info.version = kVersion;
    if (info.model_name.empty()) info.model_name = info_.name;
    sink_.begin(info, make_columns());

    evaluator_.set_configuration(t_, q_);
    evaluator_.set_velocity(v_);
    Workspace& ws = evaluator_.ws();
    const RowReport rows = find_row_report(ws.mass, ws.jacobian);
    report_.rows = info_.row_count();
    report_.rank = report_.min_rank = rows.rank;
    report_.dof = info_.nv - rows.rank;
    for (const int row : rows.redundant) {
      report_.redundant.push_back(info_.rows[static_cast<std::size_t>(row)]);
    }
    system_.eval_invariants(t_, q_, v_, ws);
    balance_ = Balance(ws.invariant);
    for (const auto& control : controls_) control->start(balance_);

    as_vector(as_span(y_)).head(info_.nq) = q_;
    y_.segment(info_.nq, info_.nv) = v_;
    if (!stepper_->start(*field_, t_, as_span(y_), until_)) {
      fail_field("");
      return;
    }
    check_redundant_rows();
    watch_state(t_, y_);
    phi_history_.fill(phi_now_);
    phi_start_ = phi_now_;
    closed_size_ = max_abs(q_);
    if (!is_finite()) return;
    write_row(t_);
    next_sample_ = 1;
    started_ = true;
  }

  // --- the loop --------------------------------------------------------------------------------

  void loop() {
    const double loop_start = cpu_now();
    while (t_ < until_ && report_.status == Status::ok) {
      const double t_old = t_;
      const StepReport step = stepper_->step(*field_, t_, as_span(y_), until_);
      if (step.status != StepStatus::ok) {
        fail_step(step);
        break;
      }
      if (!correct(t_, y_)) break;
      if (!stepper_->accept(
              *field_, t_, as_span(y_),
              corrects_ || info_.normalizes ? Change::corrected : Change::unchanged)) {
        fail_field("");
        break;
      }
      watch_state(t_, y_);
      system_.accept(q_, evaluator_.ws());
      watch_rank();
      if (!watch_constraints()) break;
      last_good_ = y_;
      write_samples(t_old);
      tell(step.h);
      if (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed)) {
        report_.status = Status::interrupted;
        report_.message = fmt::format("stopped at t = {:.6g} s", t_);
      }
    }
    report_.cpu_seconds = cpu_now() - loop_start - writing_seconds_;
  }

  /// The drift controls on (t, y), in place.
  bool correct(double t, Vector& y) {
    if (info_.normalizes) system_.normalize(y.head(info_.nq));
    if (!corrects_) return true;
    read_state(y);
    CorrectionPoint point{t, q_, v_, work_, evaluator_, rank_tolerance_};
    for (const auto& control : controls_) {
      if (control->correct(point) == CorrectionStatus::ok) continue;
      t_ = t;
      fail(fmt::format("the mass matrix is not positive definite on the motions that the "
                       "constraints leave free, "
                       "at t = {:.6g}",
                       t),
           "");
      return false;
    }
    y.head(info_.nq) = q_;
    y.segment(info_.nq, info_.nv) = v_;
    return true;
  }

  void read_state(const Vector& y) {
    q_ = y.head(info_.nq);
    v_ = y.segment(info_.nq, info_.nv);
    const StateLayout& layout = field_->layout();
    for (std::size_t k = 0; k < work_.size(); ++k) {
      work_[k] = layout.work_slot[k] < 0 ? 0.0 : y[layout.work_slot[k]];
    }
  }

  // --- figures ---------------------------------------------------------------------------------

  void watch_state(double t, const Vector& y) {
    read_state(y);
    watched_ = t;
    evaluator_.set_configuration(t, q_);
    evaluator_.set_velocity(v_);
    Workspace& ws = evaluator_.ws();
    phi_now_ = max_abs(ws.phi);
    phi_dot_now_ = max_abs(ws.velocity_residual);
    system_.eval_invariants(t, q_, v_, ws);
    const Vector& error = balance_.eval(ws, work_);
    max_invariant_error_ = max_invariant_error_.cwiseMax(error.cwiseAbs());
    energy_error_now_ = has_energy() ? std::abs(error[0]) : 0.0;
    report_.max_phi = std::max(report_.max_phi, phi_now_);
    report_.max_phi_dot = std::max(report_.max_phi_dot, phi_dot_now_);
    report_.max_energy_error = std::max(report_.max_energy_error, energy_error_now_);
  }

  bool has_energy() const { return !info_.invariants.empty() && info_.invariants[0].is_energy; }

  void watch_rank() {
    const int rank = evaluator_.rank();
    report_.min_rank = std::min(report_.min_rank, rank);
  }

  /// No infinity gets past here: fails and names the row.
  bool is_finite() {
    const Workspace& ws = evaluator_.ws();
    if (ws.phi.allFinite() && ws.velocity_residual.allFinite() && ws.invariant.allFinite())
      return true;
    std::string what = "the energy";
    for (int i = 0; i < info_.row_count(); ++i) {
      const bool finite = std::isfinite(ws.velocity_residual[i]) &&
                          (i >= info_.position_rows || std::isfinite(ws.phi[i]));
      if (finite) continue;
      report_.failure.worst = info_.rows[static_cast<std::size_t>(i)];
      what = "constraint '" + report_.failure.worst + "'";
      break;
    }
    fail(fmt::format("{} is not finite at t = {:.6g}", what, t_),
         started_ ? "check the start values and the step" : "");
    return false;
  }

  /// With a projection the constraints must close: if they stay open for many steps they cannot be met. Without one
  /// they drift open, which is the method's nature and only warned of, until they are torn within a few steps.
  bool watch_constraints() {
    if (!is_finite()) return false;
    if (info_.position_rows == 0) return true;
    const Workspace& ws = evaluator_.ws();
    // By the size when the constraints were last closed: a step that throws the state far off makes no gap small.
    const double size = 1.0 + (projects_ ? std::min(closed_size_, max_abs(q_)) : max_abs(q_));
    double worst = 0.0;
    int worst_row = 0;
    for (int i = 0; i < info_.position_rows; ++i) {
      const double open = std::abs(ws.phi[i]) / std::max(ws.jacobian.row(i).norm() * size, 1e-300);
      if (open > worst) {
        worst = open;
        worst_row = i;
      }
    }
    if (worst <= kOpen) closed_size_ = max_abs(q_);
    const bool kept = projects_ ? watch_projected(worst) : watch_drifting(worst);
    if (kept) return true;
    report_.failure.worst = info_.rows[static_cast<std::size_t>(worst_row)];
    if (projects_) {
      fail(fmt::format("the constraints cannot be met at t = {:.6g}: '{}' stays open by {:.3g}", t_,
                       report_.failure.worst, ws.phi[worst_row]),
           worst > kTorn
               ? "try a smaller step; if that fails at the same time, the constraints cannot be "
                 "met together there"
               : "check that the constraints can be met together at this time; a smaller step "
                 "helps only if they can");
    } else {
      fail(fmt::format("the state left the constraints at t = {:.6g}: '{}' is open by {:.3g}", t_,
                       report_.failure.worst, ws.phi[worst_row]),
           "");
    }
    return false;
  }

  bool watch_projected(double worst) {
    open_steps_ = worst > kOpen && phi_now_ >= phi_before_ ? open_steps_ + 1 : 0;
    torn_steps_ = worst > kTorn ? torn_steps_ + 1 : 0;
    phi_before_ = phi_now_;
    const bool torn = torn_steps_ >= kTornSteps || (torn_steps_ > 0 && t_ >= until_);
    return open_steps_ < kOpenSteps && !torn;
  }

  bool watch_drifting(double worst) {
    max_open_ = std::max(max_open_, worst);
    const bool is_sudden = worst > kTorn && phi_now_ > kBlowUp * phi_history_[history_next_];
    phi_history_[history_next_] = phi_now_;
    history_next_ = (history_next_ + 1) % kTornSteps;
    return !is_sudden;
  }

  /// Redundant rows must ask for the same acceleration. Checked at the start, where everything is consistent.
  void check_redundant_rows() {
    if (report_.redundant.empty()) return;
    const Workspace& ws = evaluator_.ws();
    residual_.noalias() = ws.jacobian * field_->acceleration() - ws.gamma;
    for (int i = 0; i < info_.row_count(); ++i) {
      const double scale = ws.jacobian.row(i).norm() * (1.0 + max_abs(field_->acceleration())) +
                           std::abs(ws.gamma[i]);
      if (std::abs(residual_[i]) <= 1e-6 * scale) continue;
      report_.failure.worst = info_.rows[static_cast<std::size_t>(i)];
      fail(fmt::format("the constraints contradict each other: '{}' asks for an acceleration that "
                       "the others exclude",
                       report_.failure.worst),
           fmt::format("redundant rows: {}; remove the wrong one",
                       fmt::join(report_.redundant, ", ")));
      return;
    }
  }

  // --- samples ---------------------------------------------------------------------------------

  double sample_time(long index) const {
    return std::min(until_, t_start_ + static_cast<double>(index) * every_);
  }

  /// Rows for all sample times in (t_old, t_], the end of the run included.
  void write_samples(double t_old) {
    while (report_.status == Status::ok && last_written_ < until_) {
      const double t = sample_time(next_sample_);
      const double slack = 1e-9 * (t_ - t_old);
      if (t > t_ + slack) return;
      ++next_sample_;
      if (t >= t_ - slack) {  // on a step: the state is there
        if (watched_ != t_) watch_state(t_, y_);
        write_row(t);
        continue;
      }
      if (!stepper_->interpolate(*field_, (t - t_old) / (t_ - t_old), as_span(sample_y_))) {
        fail_field("");
        return;
      }
      if (!correct(t, sample_y_)) return;
      watch_state(t, sample_y_);
      write_row(t);
    }
  }

  /// Acceleration and reactions at the state whose figures are the current ones.
  void solve_moment(double t) {
    if (!info_.records_need_reactions) return;
    evaluator_.set_configuration(t, q_);
    evaluator_.eval_motion(v_);
    if (!evaluator_.factorize(rank_tolerance_)) return;  // the next step says so
    const Workspace& ws = evaluator_.ws();
    evaluator_.solve(ws.force, ws.gamma, v_dot_, lambda_);
  }

  void write_row(double t) {
    solve_moment(t);
    system_.eval_records({t, q_, v_, v_dot_, lambda_}, evaluator_.ws(), records_);
    double* cell = row_.data();
    *cell++ = t;
    cell = std::copy(q_.begin(), q_.end(), cell);
    cell = std::copy(v_.begin(), v_.end(), cell);
    cell = std::copy(records_.begin(), records_.end(), cell);
    *cell++ = phi_now_;
    *cell++ = phi_dot_now_;
    *cell++ = energy_error_now_;
    const double before = cpu_now();
    sink_.row(row_);
    writing_seconds_ += cpu_now() - before;
    last_written_ = t;
  }

  void tell(double h) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point now = Clock::now();
    if (now < next_tell_) return;
    next_tell_ = now + std::chrono::milliseconds(200);
    sink_.poll();  // rows do not wait for the next one when steps take long
    if (!options_.watch) return;
    options_.watch(
        {t_, until_, h, stepper_->counts().steps, report_.max_phi, report_.max_energy_error});
  }

  // --- endings ---------------------------------------------------------------------------------

  void fail(const std::string& message, const std::string& suggestion) {
    report_.status = Status::failed;
    report_.message = message;
    report_.failure.t = t_;
    report_.failure.message = message;
    report_.failure.suggestion = suggestion;
  }

  void fail_field(const std::string& suggestion) {
    report_.failure.worst = field_->worst();
    fail(field_->failure(), suggestion);
  }

  void fail_step(const StepReport& step) {
    if (step.status == StepStatus::step_too_small) {
      const std::string name =
          step.worst_component < 0 ? "" : field_->component_name(step.worst_component);
      report_.failure.worst = name;
      fail(fmt::format("the step became too small at t = {:.6g}: '{}' cannot be followed within "
                       "the tolerance",
                       t_, name),
           "look at the motion just before: a force may be discontinuous or a pose singular; "
           "braun_goldfarb passes "
           "singular poses, a larger tolerance passes kinks");
      return;
    }
    fail_field(suggest_for_blow_up());
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
    if (method_.integrator.adaptive)
      return "look at the motion just before: it may grow without bound; else try a smaller "
             "tolerance";
    return "try a smaller step, or --method braun_goldfarb/dopri5 --tolerance 1e-6";
  }

  void finish() {
    report_.t_end = last_written_;
    if (report_.status != Status::ok && last_good_.size() > 0) {
      // What was reached counts, also between two samples.
      read_state(last_good_);
      report_.failure.last_good.assign(q_.begin(), q_.end());
      report_.failure.last_good.insert(report_.failure.last_good.end(), v_.begin(), v_.end());
    }
    if (report_.status == Status::failed) {
      report_.failure.rank = evaluator_.rank();
      std::string& suggestion = report_.failure.suggestion;
      if (suggestion.empty()) suggestion = started_ ? suggest_for_blow_up() : suggest_for_start();
    }
    if (report_.status == Status::interrupted) report_.t_end = t_;
    const StepperCounts& counts = stepper_->counts();
    report_.steps = counts.steps;
    report_.rejected = counts.rejected;
    report_.evaluations = evaluator_.counts().acceleration_solves;
    report_.factorisations = evaluator_.counts().factorisations;
    for (const auto& control : controls_) control->add_figures(report_.figures);
    warn_of_limits();
    warn_of_drift();
    for (std::size_t k = has_energy() ? 1 : 0; k < info_.invariants.size(); ++k) {
      report_.figures.emplace_back("max_" + info_.invariants[k].name + "_error",
                                   max_invariant_error_[static_cast<Eigen::Index>(k)]);
    }
    sink_.finish(report_);
  }

  void warn_of_limits() {
    for (const auto& [name, value] : report_.figures) {
      if (!name.ends_with("_corrections_limited")) continue;
      const auto steps = static_cast<double>(report_.steps);
      if (value <= 0.01 * steps || (value < 3.0 && value < 0.5 * steps)) continue;
      report_.warnings.push_back(fmt::format(
          "the energy correction reached its limit {} times in {} steps: the step is too long",
          value, report_.steps));
    }
  }

  void warn_of_drift() {
    if (max_open_ <= kTorn || report_.max_phi <= kBlowUp * phi_start_) return;
    report_.warnings.push_back(fmt::format(
        "the constraints drifted open, up to {:.3g}: {} does not close them, project does",
        report_.max_phi, describe(method_)));
  }

  const System& system_;
  const SystemInfo& info_;
  const Method& method_;
  const RunOptions& options_;
  ResultSink& sink_;
  Evaluator evaluator_;
  Report report_;
  std::vector<std::unique_ptr<DriftControl>> controls_;
  std::unique_ptr<BaumgarteTerm> baumgarte_;
  std::unique_ptr<AccelerationField> field_;
  std::unique_ptr<Stepper> stepper_;
  Balance balance_;
  bool corrects_ = false;
  bool projects_ = false;
  bool started_ = false;  // the start is written, steps may follow
  double rank_tolerance_ = kDefaultRankTolerance;
  double t_, t_start_ = 0.0, until_, every_;
  Vector q_, v_, y_, sample_y_, last_good_, records_, residual_, max_invariant_error_, v_dot_,
      lambda_;
  std::vector<double> work_, row_;
  double phi_now_ = 0.0, phi_dot_now_ = 0.0, energy_error_now_ = 0.0, phi_before_ = 0.0;
  int open_steps_ = 0;
  int torn_steps_ = 0;
  double max_open_ = 0.0;  // of constraints that drift, relative
  double phi_start_ = 0.0;
  double closed_size_ = 0.0;  // largest coordinate when the constraints were last closed
  std::array<double, kTornSteps> phi_history_{};
  std::size_t history_next_ = 0;
  long next_sample_ = 0;
  double last_written_ = 0.0;
  double watched_ = 0.0;  // time of the state whose figures are the current ones
  double writing_seconds_ = 0.0;
  std::chrono::steady_clock::time_point next_tell_{};
};

}  // namespace

Report simulate(const System& system, const State& start, const Method& method,
                const RunOptions& options, ResultSink& sink) {
  return Simulation(system, start, method, options, sink).run();
}

Result simulate(const System& system, const State& start, const Method& method,
                const RunOptions& options) {
  MemorySink sink;
  simulate(system, start, method, options, sink);
  return sink.take();
}

}  // namespace driftless
