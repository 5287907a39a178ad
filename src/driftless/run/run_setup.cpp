#include "driftless/run/run_setup.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/base/error.hpp"
#include "driftless/integrators/all.hpp"
#include "driftless/integrators/explicit_rk.hpp"
#include "driftless/run/run_state.hpp"

namespace driftless {
namespace {

void check_finite(const Vector& values, const std::vector<std::string>& names) {
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) continue;
    throw ModelError(fmt::format("the start value {} = {} is not finite",
                                 names[static_cast<std::size_t>(i)], values[i]),
                     "give a finite number");
  }
}

void check_times(const State& start, const RunOptions& options) {
  if (!std::isfinite(options.until) || !(options.until > start.t)) {
    throw ModelError(fmt::format("run.until = {} s: must be greater than the start time {} s",
                                 options.until, start.t),
                     "give the time at which the run ends, in seconds");
  }
  if (!std::isfinite(options.every) || options.every < 0.0) {
    throw ModelError(fmt::format("run.every = {} s: must be greater than 0", options.every),
                     "give the time between two samples, in seconds");
  }
  const double every = find_sample_distance(start, options);
  const double samples = (options.until - start.t) / every;
  if (samples > 1e9) {
    throw ModelError(fmt::format("run.every = {} s makes {:.3g} samples; at most 1e9 are written",
                                 every, samples),
                     "choose a larger time between samples");
  }
}

void check_drift(const DriftSpec& drift, const SystemInfo& info) {
  const std::string_view name = std::visit([](const auto& spec) { return spec.kName; }, drift);
  const bool energy_control = name != Project::kName && name != InvariantCorrection::kName;
  if (energy_control && !has_energy(info)) {
    throw ModelError(
        fmt::format("drift control '{}' needs the energy T + U, which this system does not have",
                    name),
        "leave it out, or declare the energy");
  }
  if (name == InvariantCorrection::kName && info.invariants.empty()) {
    throw ModelError("drift control 'invariant' needs a conserved quantity, and there is none",
                     "declare one under [conserved], or leave it out");
  }
}

/// Its stages, or its drift, are off the constraints [DRW.7].
bool leaves_rows(const Method& method) {
  const Formulation& formulation = method.formulation;
  return std::holds_alternative<BraunGoldfarb>(formulation) ||
         std::holds_alternative<Index1>(formulation) ||
         std::holds_alternative<UdwadiaKalaba>(formulation) ||
         std::holds_alternative<Baumgarte>(formulation) ||
         find_shape(method.integrator) == ProblemShape::half_explicit;
}

/// Newton's method looks at rows beside the constraints, by about what its integrator's tolerance leaves open. Of rows that
/// are redundant where the mechanism is closed that much is their own there, and would be solved for: with steps in Euler's
/// angles, which leave a loop's plane, none of it converged. So more than that is asked of a row.
double find_least_tolerance(const Method& method, const DrawnRank& drawn, int rows) {
  const double tolerance = find_rank_tolerance(method);
  const IntegratorChoice& integrator = method.integrator;
  const bool is_redundant = drawn.is_known && drawn.rank < rows;
  if (!is_redundant || !is_implicit(find_shape(integrator))) return tolerance;
  constexpr double kShare = 0.1, kMost = 1e-3;
  const double open = integrator.adaptive ? kShare * integrator.rtol : 0.0;
  return std::max(tolerance, std::clamp(open, kDrawnTolerance, kMost));
}

constexpr int kMostDenseRows = 64;

struct EngineChoice {
  EngineKind kind;
  std::string reason;  // empty: by the form of rows and masses
};

/// With a misfit it matters which of the rows that do not fit together are left out. The sparse engine leaves out those
/// that come last, and misses the others by the misfit over the own part of what it keeps: of slender bodies a
/// thousandth. The dense one leaves out directions [DEN.2] and misses by the misfit. And in a singular pose the sparse
/// engine would learn that rows are redundant by structure which are so only there. Of an overconstrained mechanism that
/// drifts no rows are redundant: those that are left out are open, and where others take their place, as they must on the
/// way round, these are fed back or corrected at once. So of Bennett's linkage `baumgarte` lost the energy within turns.
EngineChoice choose_engine(const System& system, const Method& method, const DrawnRank& drawn,
                           StartKind start) {
  const EngineKind kind = *find_engine_kind(method.integrator.engine);
  if (kind != EngineKind::automatic) return {kind, "the model asks for it"};
  const bool drifts =
      leaves_rows(method) && !std::holds_alternative<BraunGoldfarb>(method.formulation);
  if (system.info().row_count() <= kMostDenseRows) {
    if (drawn.misfit > 0.0)
      return {EngineKind::dense, "rows are redundant but for rounding of the drawing"};
    if (start == StartKind::singular)
      return {EngineKind::dense, "the start is a singular pose of few rows"};
    if (start == StartKind::overconstrained && drifts)
      return {EngineKind::dense,
              "the method drifts, and rows are redundant only where loops close"};
  }
  return {kind, {}};
}

}  // namespace

std::unique_ptr<Stepper> make_stepper(const IntegratorChoice& choice) {
  const StepControl control{.step = choice.step,
                            .rtol = choice.rtol,
                            .atol = choice.atol,
                            .max_step = choice.max_step.value_or(0.0),
                            .rho = choice.newmark.rho_infinity,
                            .alpha = choice.newmark.hht_alpha,
                            .correct_start = choice.newmark.start_velocity == "corrected"};
  return choice.tableau ? make_explicit_rk(*choice.tableau, control, choice.adaptive)
                        : make_stepper(choice.name, control, choice.adaptive);
}

double find_sample_distance(const State& start, const RunOptions& options) {
  return options.every > 0.0 ? options.every : (options.until - start.t) / 1000.0;
}

void check_run(const SystemInfo& info, const State& start, const Method& method,
               const RunOptions& options) {
  if (start.q.size() != info.nq || start.v.size() != info.nv) {
    throw ModelError(
        fmt::format("the start state has {} coordinates and {} rates; the system has {} and {}",
                    start.q.size(), start.v.size(), info.nq, info.nv));
  }
  check_finite(start.q, info.coordinates);
  check_finite(start.v, info.rates);
  if (start.c.size() > 0 && start.c.size() != info.nc) {
    throw ModelError(fmt::format("the start state has {} first-order states; the system has {}",
                                 start.c.size(), info.nc));
  }
  check_finite(start.c.size() > 0 ? start.c : info.state_start, info.states);
  check_times(start, options);
  for (const DriftSpec& drift : method.drift) check_drift(drift, info);
}

std::vector<Column> make_columns(const SystemInfo& info) {
  std::vector<Column> columns{{"t", "s"}};
  const auto add = [&](const std::vector<std::string>& names,
                       const std::vector<std::string>& units) {
    for (std::size_t k = 0; k < names.size(); ++k) {
      columns.push_back({names[k], k < units.size() ? units[k] : ""});
    }
  };
  add(info.coordinates, info.coordinate_units);
  add(info.rates, info.rate_units);
  add(info.states, info.state_units);
  add(info.records, info.record_units);
  columns.push_back({"phi", ""});
  columns.push_back({"phi_dot", ""});
  columns.push_back({"energy_error", "J"});
  columns.push_back({"sigma_min", ""});
  columns.push_back({"step", "s"});
  columns.push_back({"order", ""});
  return columns;
}

WorkingMethod::WorkingMethod(const System& system, const State& start, const StartRows& rows,
                             const Method& given)
    : start_kind(system.info().row_count() <= kMostDenseRows ? rows.kind : StartKind::ordinary),
      evaluator(system, choose_engine(system, given, rows.drawn, start_kind).kind),
      rank_tolerance(
          find_run_tolerance(system, start, rows.drawn,
                             find_least_tolerance(given, rows.drawn, system.info().row_count()),
                             rows.kind == StartKind::overconstrained && leaves_rows(given))) {
  Method method = given;
  std::visit([&](auto& spec) { spec.rank_tolerance = rank_tolerance; }, method.formulation);
  make_controls(method);
  make_field(method);
  stepper = make_stepper(method.integrator);
  const IntegratorChoice& integrator = method.integrator;
  if (!corrects || !integrator.adaptive || (!integrator.tableau && !find_tableau(integrator.name)))
    return;
  aside = make_stepper(integrator);
}

std::string WorkingMethod::describe_engine(const System& system, const DrawnRank& drawn,
                                           const Method& method) const {
  const std::string engine = evaluator.describe_engine();
  const EngineChoice choice = choose_engine(system, method, drawn, start_kind);
  const bool has_bodies = !system.info().bodies.empty();
  const bool is_refused = choice.kind == EngineKind::sparse && !has_bodies;
  std::string reason = choice.reason;
  if (reason.empty() || is_refused) {
    if (&system.start_system() != &system)
      reason = "coordinates are those of joints";
    else if (engine.starts_with("sparse"))
      reason = "each row touches one body or two";
    else
      reason = has_bodies ? "there are few rows" : "equations do not tell bodies apart";
  }
  return engine + ", because " + reason;
}

std::string WorkingMethod::describe_unused_tolerance(const IntegratorChoice& choice) const {
  const double least = stepper->least_rtol();
  if (!choice.adaptive || choice.rtol >= least) return {};
  return fmt::format(
      "a tolerance of {:g} is less than {} makes use of: below {:.1e} round-off decides; radau5 "
      "and "
      "explicit methods go further",
      choice.rtol, choice.name, least);
}

void WorkingMethod::make_controls(const Method& method) {
  const SystemInfo& info = evaluator.info();
  for (const DriftSpec& drift : method.drift) {
    controls.push_back(
        std::visit([&](const auto& spec) { return make_control(spec, info); }, drift));
    corrects = corrects || controls.back()->corrects();
    const auto* project = std::get_if<Project>(&drift);
    projects = projects || (project != nullptr && project->projection_bound == 0.0);
    if (project != nullptr) warn_of_feedback(method);
  }
}

/// index2_baumgarte, in implicit_field.hpp.
void WorkingMethod::warn_of_feedback(const Method& method) {
  constexpr int kOrderLeft = 3;
  const IntegratorInfo* info = find_integrator(method.integrator.name);
  if (!std::holds_alternative<Index2Baumgarte>(method.formulation) || info->order <= kOrderLeft)
    return;
  warnings.push_back(fmt::format(
      "project takes away the gaps on which the feedback of index2_baumgarte builds: with it {} is "
      "of order {} in positions and velocities instead of {}; leave it out, or use index2, whose "
      "order it keeps",
      info->name, kOrderLeft, info->order));
}

void WorkingMethod::make_field(const Method& method) {
  std::vector<FieldTerm*> terms;
  if (const auto* spec = std::get_if<Baumgarte>(&method.formulation)) {
    make_baumgarte(*spec);
    terms.push_back(baumgarte.get());
  }
  for (const auto& control : controls) {
    if (FieldTerm* term = control->field_term()) terms.push_back(term);
  }
  const FieldRequest request{.shape = find_shape(method.integrator),
                             .fixed_steps = !method.integrator.adaptive,
                             .is_projected = projects,
                             .rotations = find_rotations(method.integrator),
                             .along_screws = method.integrator.newmark.group == "se3"};
  field = driftless::make_field(method.formulation, evaluator, request, std::move(terms));
  corrects = corrects || field->corrects();
  projects = projects || field->corrects();
}

void WorkingMethod::make_baumgarte(const Baumgarte& spec) {
  const SystemInfo& info = evaluator.info();
  const BaumgarteGains gains = resolve_gains(spec, info.position_rows, info.velocity_rows);
  const auto eigenvalues = find_error_eigenvalues(gains);
  if (!eigenvalues.empty() && eigenvalues.front().real() > 1e-12) {
    warnings.push_back(fmt::format(
        "the gains are unstable: the constraint error grows with the eigenvalue {:.6g}{:+.6g}i",
        eigenvalues.front().real(), eigenvalues.front().imag()));
  }
  baumgarte = std::make_unique<BaumgarteTerm>(gains);
}

}  // namespace driftless
