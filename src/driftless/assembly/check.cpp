#include "driftless/assembly/check.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/assembly/check_many.hpp"
#include "driftless/assembly/contradiction.hpp"
#include "driftless/assembly/mass_check.hpp"
#include "driftless/assembly/rank_check.hpp"
#include "driftless/assembly/uniqueness.hpp"
#include "driftless/base/names.hpp"
#include "driftless/system/start_help.hpp"

namespace driftless {

namespace {

constexpr double kUnmet = 1e-9;  // residuals above are worth a word

void check_residuals(const SystemInfo& info, const Workspace& ws, CheckReport& report) {
  report.max_phi = max_abs(ws.phi);
  report.max_rho = max_abs(ws.velocity_residual);
  for (int i = 0; i < info.row_count(); ++i) {
    const bool position_unmet = i < info.position_rows && !(std::abs(ws.phi[i]) <= kUnmet);
    if (position_unmet || !(std::abs(ws.velocity_residual[i]) <= kUnmet))
      report.unmet.push_back(info.rows[static_cast<std::size_t>(i)]);
  }
}

// The first field that is not finite, by name; empty if all are.
std::string find_not_finite(const System& system, const State& state, Workspace& ws,
                            std::string& remedy) {
  const SystemInfo& info = system.info();
  for (int i = 0; i < info.row_count(); ++i) {
    const bool is_finite = (i >= info.position_rows || std::isfinite(ws.phi[i])) &&
                           std::isfinite(ws.velocity_residual[i]) && std::isfinite(ws.gamma[i]) &&
                           ws.jacobian.is_row_finite(i);
    if (!is_finite)
      return fmt::format("constraint '{}' is not finite", info.rows[static_cast<std::size_t>(i)]);
  }
  for (int i = 0; i < info.nv; ++i) {
    if (!std::isfinite(ws.force[i])) {
      const auto [name, where] = system.find_faulty_force(state.t, state.q, state.v, ws);
      if (!name.empty()) {
        const ForceFault fault = explain_force(system, name, ws);
        remedy = fault.remedy;
        return fmt::format("force '{}' ({}) {}", name, format_source(where),
                           fault.reason.empty() ? "is not finite" : fault.reason);
      }
      return fmt::format("the force on '{}' is not finite",
                         info.rates[static_cast<std::size_t>(i)]);
    }
    if (!ws.mass.is_row_finite(i))
      return fmt::format("the inertia of '{}' is not finite",
                         info.rates[static_cast<std::size_t>(i)]);
  }
  return {};
}

Source find_not_finite_source(const SystemInfo& info, const Workspace& ws) {
  for (std::size_t i = 0; i < info.row_sources.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    const bool is_finite = std::isfinite(ws.velocity_residual[row]) &&
                           std::isfinite(ws.gamma[row]) &&
                           ws.jacobian.is_row_finite(static_cast<int>(i));
    if (!is_finite) return info.row_sources[i];
  }
  return {};
}

void check_bodies(const SystemInfo& info, CheckReport& report) {
  report.bodies = static_cast<int>(info.bodies.size());
  for (const BodyInfo& body : info.bodies)
    if (!body.is_held) report.loose_bodies.push_back(body.name);
  if (report.loose_bodies.empty()) return;
  const bool is_one = report.loose_bodies.size() == 1;
  report.warnings.push_back(
      fmt::format("{} {} not held by anything: no joint, constraint or force connects {} with the "
                  "ground",
                  join_names(report.loose_bodies), is_one ? "is" : "are", is_one ? "it" : "them"));
}

void check_reactions(const System& system, const State& state, CheckReport& report) {
  report.not_unique = UniquenessProbe(system).find(state).names;
  if (report.not_unique.empty()) return;
  report.warnings.push_back(
      fmt::format("{} reaction{} not unique: redundant rows can share the load in other ways, and "
                  "the values of least norm are given",
                  report.not_unique.size(), report.not_unique.size() == 1 ? " is" : "s are"));
}

void check_derivatives(const System& system, const State& state, CheckReport& report) {
  Vector row_errors;
  Vector probe_errors;
  report.derivatives = check_derivatives(system, state, &row_errors, &probe_errors);
  for (const DerivativeCheck& check : report.derivatives) {
    if (check.error <= kDerivativeTolerance) continue;
    report.derivatives_ok = false;
    report.warnings.push_back(
        fmt::format("{}: relative error {:.1e} at '{}'", check.what, check.error, check.worst));
  }
  for (const ElementInfo& element : system.info().elements) {
    ElementCheck check{element.name, 0.0};
    for (const int row : element.rows) check.error = std::max(check.error, row_errors[row]);
    report.elements.push_back(check);
  }
  const std::vector<std::string>& probes = system.info().probes;
  for (std::size_t k = 0; k < probes.size(); ++k) {
    if (k == 0 || probes[k] != probes[k - 1]) report.elements.push_back({probes[k], 0.0});
    double& error = report.elements.back().error;
    error = std::max(error, probe_errors[static_cast<Eigen::Index>(k)]);
  }
}

/// Joint coordinates: M = Jᵀ M_bodies J is definite where the masses of the bodies are, as no motion of joints leaves all
/// bodies at rest. Of a small body that carries a large one little of M itself is left of that in numbers.
bool is_definite_as_drawn(const System& system, const State& state) {
  const System& drawn = system.start_system();
  if (&drawn == &system) return false;
  const State at = system.find_drawn_state(state);
  const auto ws = drawn.make_workspace();
  drawn.eval_configuration(at.t, at.q, *ws);
  return ws->mass.is_finite() && is_definite_by_blocks(ws->mass).value_or(false);
}

}  // namespace

CheckReport check_system(const System& system, const State& state, const CheckOptions& options) {
  const SystemInfo& info = system.info();
  CheckReport report;
  report.coordinates = info.nq;
  report.rates = report.dof = report.dof_beside = info.nv;
  report.rows = info.row_count();
  report.gruebler = report.rates - report.rows;
  const auto ws = system.make_workspace();
  system.eval_configuration(state.t, state.q, *ws);
  system.eval_motion(state.t, state.q, state.v, *ws);
  report.not_finite = find_not_finite(system, state, *ws, report.remedy);
  if (!report.not_finite.empty()) {
    report.errors.push_back(
        fmt::format("{} at the start: change the start values", report.not_finite));
    report.where = find_not_finite_source(info, *ws);
    return report;
  }
  const auto tell = [&](const char* what) {
    if (options.watch) options.watch(what);
  };
  check_residuals(info, *ws, report);
  const std::optional<bool> is_definite = is_definite_by_blocks(ws->mass);
  if (is_definite && (info.row_count() >= kManyCheckRows || info.nv >= kManyCheckRates)) {
    report.mass_definite = *is_definite;
    tell("rank and redundancy");
    check_many_rows(system, state, report);
    check_bodies(info, report);
    tell("uniqueness of reactions");
    check_reactions(system, state, report);
  } else {
    tell("masses");
    if (!is_definite_as_drawn(system, state)) check_mass(info, *ws, report);
    tell("rank and redundancy");
    check_rank(system, state, *ws, report);
    check_bodies(info, report);
    tell("uniqueness of reactions");
    check_reactions(system, state, report);
    tell("prescribed motion");
    check_prescribed_motion(system, state, options.until, report);
  }
  tell("derivatives");
  check_derivatives(system, state, report);
  return report;
}

}  // namespace driftless
