#include "driftless/run/run_failures.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "driftless/problem/dae_problem.hpp"
#include "driftless/run/reach.hpp"

namespace driftless {
namespace {

std::optional<std::size_t> find_row(const SystemInfo& info, const std::string& name) {
  const auto place = std::find(info.rows.begin(), info.rows.end(), name);
  if (name.empty() || place == info.rows.end()) return {};
  return static_cast<std::size_t>(place - info.rows.begin());
}

/// To one digit.
std::string round_up(double value) {
  const double unit = std::pow(10.0, std::floor(std::log10(value)));
  return fmt::format("{:.0e}", unit * std::ceil(value / unit * (1.0 - 1e-9)));
}

}  // namespace

std::optional<Source> find_row_source(const SystemInfo& info, const std::string& name) {
  const auto row = find_row(info, name);
  if (!row || info.row_sources.empty()) return {};
  return info.row_sources[*row];
}

Failure describe_field_failure(const AccelerationField& field, const SystemInfo& info) {
  Failure failure;
  failure.message = field.failure();
  failure.worst = field.worst();
  failure.suggestion = field.remedy();
  if (failure.suggestion.empty() && find_row(info, failure.worst)) {
    failure.suggestion = fmt::format(
        "change '{}': at that time and place it has no finite value or derivative (a division by "
        "zero, a root or logarithm at the end of its range, or numbers too large)",
        failure.worst);
  }
  return failure;
}

Failure RunFailures::of_stall(const StepReport& step, const Reached& reached) {
  Failure failure;
  if (step.worst_component >= 0) failure.worst = field_.component_name(step.worst_component);
  failure.message = fmt::format("steps of {:.3g} s do not get beyond t = {:.6g}{}", step.h,
                                reached.t, describe_pose(reached));
  failure.suggestion =
      "a larger tolerance, or braun_goldfarb, which passes singular poses; if a motion is "
      "prescribed, see whether the mechanism can follow it";
  return of_ahead(failure, step.h, reached);
}

Failure RunFailures::of_step(const StepReport& step, const Reached& reached) {
  if (step.possible_rtol > 0.0 && field_.failure().empty()) return of_rounding(step, reached);
  if (step.status == StepStatus::eval_failed && field_.failure().empty())
    return of_newton(step, reached);
  if (step.status != StepStatus::step_too_small) return describe_field_failure(field_, info_);
  Failure failure;
  if (step.worst_component >= 0) failure.worst = field_.component_name(step.worst_component);
  failure.message = fmt::format(
      "the step became too small at t = {:.6g}: {} cannot be followed within the tolerance{}",
      reached.t, failure.worst.empty() ? "the motion" : "'" + failure.worst + "'",
      describe_pose(reached));
  failure.suggestion =
      "look at the motion just before: a force may be discontinuous, a pose singular, or a "
      "prescribed motion beyond reach; braun_goldfarb passes singular poses, a larger tolerance "
      "passes kinks";
  return of_ahead(failure, step.h, reached);
}

Failure RunFailures::of_rounding(const StepReport& step, const Reached& reached) {
  Failure failure;
  if (step.worst_component >= 0) {
    DaeProblem* equations = field_.dae();
    const bool is_equation = step.status == StepStatus::eval_failed && equations != nullptr;
    failure.worst = is_equation ? equations->equation_name(step.worst_component)
                                : "'" + field_.component_name(step.worst_component) + "'";
  }
  failure.message = fmt::format(
      "the tolerance {:g} is below what double precision gives at t = {:.6g}{}: round-off alone is "
      "larger{}",
      method_.integrator.rtol, reached.t,
      failure.worst.empty() ? "" : ", worst in " + failure.worst, describe_pose(reached));
  failure.suggestion = fmt::format("give a tolerance of {} or more", round_up(step.possible_rtol));
  return of_ahead(failure, step.h, reached);
}

Failure RunFailures::of_newton(const StepReport& step, const Reached& reached) {
  DaeProblem* equations = field_.dae();
  Failure failure;
  failure.message = fmt::format("Newton's method does not converge at t = {:.6g}", reached.t);
  if (step.worst_component >= 0) {
    failure.message +=
        ": worst is " + (equations != nullptr ? equations->equation_name(step.worst_component)
                                              : field_.component_name(step.worst_component));
  }
  failure.message += describe_pose(reached);
  failure.suggestion =
      "braun_goldfarb passes singular poses; else look at the motion just before (a force that "
      "jumps, a prescribed motion beyond reach), or try another tolerance or step";
  return of_ahead(failure, step.h, reached);
}

Failure RunFailures::of_following(const Failure& failure, const TimeSpan& span,
                                  const Reached& reached) const {
  const auto wild =
      find_wild_motion(evaluator_, find_last_good(reached), reached.t, span, watch_.sizes());
  return wild.value_or(failure);
}

Failure RunFailures::of_ahead(const Failure& failure, double h, const Reached& reached) {
  const double t = reached.t, until = reached.span.to, whole = until - reached.span.from;
  const Vector q = find_last_good(reached);
  const double ahead = std::max(100.0 * h, 1e-9 * std::max(std::abs(t), whole));
  if (const auto wild = find_wild_motion(evaluator_, q, t, {t, t + ahead}, watch_.sizes()))
    return *wild;
  if (!info_.has_time_rows) return failure;
  const TimeSpan further{t, std::min(t + std::max(ahead, 1e-3 * whole), until)};
  return ReachTest(evaluator_, limits_).find_failure(q, further, watch_.sizes()).value_or(failure);
}

std::optional<Failure> RunFailures::find_out_of_reach(const TimeSpan& span,
                                                      const Reached& reached) {
  const Vector q = find_last_good(reached);
  // A wild motion is told as such, but only if it is not kept after all.
  std::optional<Failure> failure;
  if (!find_wild_motion(evaluator_, q, reached.t, span, watch_.sizes()))
    failure = ReachTest(evaluator_, limits_).find_failure(q, span, watch_.sizes());
  set_evaluator(reached);
  return failure;
}

Vector RunFailures::find_last_good(const Reached& reached) const {
  Vector q = state_.q, v = state_.v;
  std::vector<double> work = state_.work;
  if (reached.last_good.size() > 0) field_.to_state(as_span(reached.last_good), q, v, work);
  return q;
}

void RunFailures::set_evaluator(const Reached& reached) {
  evaluator_.set_configuration(reached.t, state_.q);
  evaluator_.set_velocity(state_.v);
}

std::string RunFailures::describe_pose(const Reached& reached) {
  set_evaluator(reached);
  return describe_singular_pose(system_, evaluator_.ws(), reached.redundant);
}

std::string RunFailures::suggest(bool started) const {
  if (started) return suggest_for_blow_up();
  // Before the first step no step can be at fault.
  return "the equations cannot be solved at the start: change the start values, or the masses, "
         "forces or constraints that are not defined there; driftless check lists them";
}

std::string RunFailures::suggest_for_blow_up() const {
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

std::string RunFailures::suggest_for_steps() const {
  return method_.integrator.adaptive
             ? "try a smaller tolerance"
             : "try a smaller step, or --method braun_goldfarb/dopri5 --tolerance 1e-6";
}

}  // namespace driftless
