// Rank is decided on A = D G U with U Uᵀ = M⁻¹ and unit rows (D): the rows that a pivoted
// Gram-Schmidt process leaves over are redundant. The decision is local to each row, as in saddle/:
// on a straight chain of N rods the smallest singular value falls as 1/N, the part of each row
// outside the span of the others does not.
//
// If M is only definite on the null space of G, M + s Gᵀ D² G takes its place in U.

#include "driftless/assembly/check.hpp"

#include <cmath>

#include <fmt/format.h>

#include "driftless/assembly/metric.hpp"
#include "driftless/math/decompositions.hpp"

namespace driftless {

namespace {

constexpr double kUnmet = 1e-9;       // residuals above are worth a word
constexpr double kContradict = 1e-8;  // relative, of a redundant row against those it depends on
constexpr double kNearSingular = 1e-6;

Matrix add_constraint_inertia(const Workspace& ws) {
  Vector norms;
  const Matrix rows = normalize_rows(ws.jacobian, norms);
  const double size = ws.mass.size() == 0 ? 1.0 : ws.mass.cwiseAbs().maxCoeff();
  return ws.mass + (size > 0.0 ? size : 1.0) * (rows.transpose() * rows);
}

void check_mass(const Workspace& ws, CheckReport& report) {
  report.mass_definite = is_positive_definite(ws.mass);
  report.mass_definite_on_tangent =
      report.mass_definite || is_positive_definite(add_constraint_inertia(ws));
  if (!report.mass_definite_on_tangent) {
    report.errors.push_back(
        "the mass matrix is singular along a motion that the constraints allow: some coordinate "
        "has no inertia");
  } else if (!report.mass_definite) {
    report.warnings.push_back(
        "the mass matrix is singular; only the constraints make the motion unique, so not every "
        "method can run it");
  }
}

// A redundant row is a combination c of the needed ones; its residuals and γ must be the same
// combination of theirs.
void check_redundant(const SystemInfo& info, const Workspace& ws, const Matrix& rows,
                     const Vector& norms, const RowChoice& choice, CheckReport& report) {
  Matrix needed(rows.cols(), static_cast<Eigen::Index>(choice.needed.size()));
  for (std::size_t k = 0; k < choice.needed.size(); ++k)
    needed.col(static_cast<Eigen::Index>(k)) = rows.row(choice.needed[k]).transpose();
  for (const Eigen::Index i : choice.redundant) {
    const std::string& name = info.rows[static_cast<std::size_t>(i)];
    report.redundant.push_back(name);
    const Vector c = solve_least_norm(needed, rows.row(i).transpose());
    const auto contradicts = [&](const Vector& value) {
      double left = value[i] / norms[i];
      double size = 1.0 + std::abs(left);
      for (std::size_t k = 0; k < choice.needed.size(); ++k) {
        const double term =
            c[static_cast<Eigen::Index>(k)] * value[choice.needed[k]] / norms[choice.needed[k]];
        left -= term;
        size += std::abs(term);
      }
      return std::abs(left) > kContradict * size;
    };
    // The residuals of position rows at position level; all rows at velocity and acceleration
    // level.
    Vector phi = Vector::Zero(rows.rows());
    phi.head(info.position_rows) = ws.phi;
    const bool is_position = i < info.position_rows;
    if ((is_position && contradicts(phi)) || contradicts(ws.velocity_residual) ||
        contradicts(ws.gamma))
      report.inconsistent.push_back(name);
  }
}

void check_rank(const SystemInfo& info, const Workspace& ws, CheckReport& report) {
  const Matrix inertia = report.mass_definite ? ws.mass : add_constraint_inertia(ws);
  Vector norms;
  const Matrix rows = normalize_rows(ws.jacobian * make_mass_scaling(inertia), norms);
  report.singular_values = find_singular_values(rows);
  const RowChoice choice = choose_rows(rows);
  report.rank = static_cast<int>(choice.needed.size());
  report.dof = report.rates - report.rank;
  if (report.rank > 0)
    report.smallest_singular_value =
        report.singular_values[report.rank - 1] / report.singular_values[0];
  check_redundant(info, ws, rows, norms, choice, report);

  if (!report.redundant.empty()) {
    report.warnings.push_back(fmt::format("{} of {} constraint rows are redundant at the start: {}",
                                          report.redundant.size(), report.rows,
                                          fmt::join(report.redundant, ", ")));
  }
  if (!report.inconsistent.empty()) {
    report.warnings.push_back(fmt::format("redundant rows contradict the others at the start: {}",
                                          fmt::join(report.inconsistent, ", ")));
  }
  if (report.smallest_singular_value < kNearSingular) {
    report.warnings.push_back(fmt::format(
        "the start is close to a singular pose: smallest relative singular value {:.1e}",
        report.smallest_singular_value));
  }
  if (report.dof == 0)
    report.warnings.push_back("there is no degree of freedom left: nothing but drives can move it");
}

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
std::string find_not_finite(const SystemInfo& info, const Workspace& ws) {
  for (int i = 0; i < info.row_count(); ++i) {
    const bool is_finite = (i >= info.position_rows || std::isfinite(ws.phi[i])) &&
                           std::isfinite(ws.velocity_residual[i]) && std::isfinite(ws.gamma[i]) &&
                           ws.jacobian.row(i).allFinite();
    if (!is_finite) return fmt::format("constraint '{}'", info.rows[static_cast<std::size_t>(i)]);
  }
  for (int i = 0; i < info.nv; ++i) {
    if (!std::isfinite(ws.force[i]))
      return fmt::format("the force on '{}'", info.rates[static_cast<std::size_t>(i)]);
    if (!ws.mass.row(i).allFinite())
      return fmt::format("the inertia of '{}'", info.rates[static_cast<std::size_t>(i)]);
  }
  return {};
}

}  // namespace

CheckReport check_system(const System& system, const State& state) {
  const SystemInfo& info = system.info();
  CheckReport report;
  report.rates = report.dof = info.nv;
  report.rows = info.row_count();
  const auto ws = system.make_workspace();
  system.eval_configuration(state.t, state.q, *ws);
  system.eval_motion(state.t, state.q, state.v, *ws);
  if (const std::string what = find_not_finite(info, *ws); !what.empty()) {
    report.errors.push_back(
        fmt::format("{} is not finite at the start: change the start values", what));
    return report;
  }
  check_residuals(info, *ws, report);
  check_mass(*ws, report);
  check_rank(info, *ws, report);
  report.derivatives = check_derivatives(system, state);
  for (const DerivativeCheck& check : report.derivatives) {
    if (check.error <= kDerivativeTolerance) continue;
    report.derivatives_ok = false;
    report.warnings.push_back(
        fmt::format("{}: relative error {:.1e} at '{}'", check.what, check.error, check.worst));
  }
  return report;
}

}  // namespace driftless
