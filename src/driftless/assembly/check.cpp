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

// Coordinates that share in the motions of which `is_bad` holds for the eigenvalue, in the metric of is_positive_definite.
// Motions of one eigenvalue mix: counted is a coordinate's part in all of them together.
template <class IsBad>
std::vector<std::string> find_sharing(const SystemInfo& info, const Vector& eigenvalues,
                                      const Matrix& vectors, IsBad is_bad) {
  constexpr double kShare = 0.1;  // of the largest part
  Vector part = Vector::Zero(vectors.rows());
  for (Eigen::Index k = 0; k < eigenvalues.size(); ++k)
    if (is_bad(eigenvalues[k])) part += vectors.col(k).cwiseAbs2();
  const std::vector<std::string>& names = info.nq == info.nv ? info.coordinates : info.rates;
  std::vector<std::string> sharing;
  for (Eigen::Index i = 0; i < part.size(); ++i)
    if (part[i] > 0.0 && part[i] > kShare * part.maxCoeff())
      sharing.push_back(names[static_cast<std::size_t>(i)]);
  return sharing;
}

void find_bad_inertia(const SystemInfo& info, const Matrix& inertia, CheckReport& report) {
  constexpr double kZero = 1e-12;  // as is_positive_definite, in units of the diagonal
  Vector scale = inertia.diagonal().cwiseAbs();
  for (double& entry : scale) entry = entry > 0.0 ? 1.0 / std::sqrt(entry) : 1.0;
  const Matrix scaled = scale.asDiagonal() * inertia * scale.asDiagonal();
  Vector eigenvalues;
  Matrix vectors;
  const Eigen::Index n = inertia.rows();
  if (!find_modes(Matrix::Identity(n, n), scaled, eigenvalues, vectors)) return;
  report.negative_inertia =
      find_sharing(info, eigenvalues, vectors, [](double value) { return value < -kZero; });
  report.without_inertia = find_sharing(info, eigenvalues, vectors,
                                        [](double value) { return std::abs(value) <= kZero; });
}

std::string describe_negative_inertia(const SystemInfo& info, const Workspace& ws,
                                      const CheckReport& report) {
  const std::vector<std::string>& names = info.nq == info.nv ? info.coordinates : info.rates;
  for (int i = 0; i < info.nv; ++i) {
    if (ws.mass(i, i) < 0.0)
      return fmt::format("the inertia of '{}' is {:.6g}: it must be greater than 0",
                         names[static_cast<std::size_t>(i)], ws.mass(i, i));
  }
  return fmt::format(
      "the mass matrix is indefinite: {} are coupled more strongly than their own inertias allow, "
      "so a motion of them has negative kinetic energy",
      join_names(report.negative_inertia));
}

void check_mass(const SystemInfo& info, const Workspace& ws, CheckReport& report) {
  report.mass_definite = is_positive_definite(ws.mass);
  if (report.mass_definite) return;
  const Matrix inertia = add_constraint_inertia(ws);
  report.mass_definite_on_tangent = is_positive_definite(inertia);
  if (report.mass_definite_on_tangent) {
    CheckReport own;
    find_bad_inertia(info, ws.mass, own);
    const auto& names = own.negative_inertia.empty() ? own.without_inertia : own.negative_inertia;
    report.warnings.push_back(
        fmt::format("the mass matrix is singular, {} having no inertia of {} own; only the "
                    "constraints make the "
                    "motion unique, so not every method can run it",
                    join_names(names), names.size() == 1 ? "its" : "their"));
    return;
  }
  find_bad_inertia(info, inertia, report);
  if (!report.negative_inertia.empty())
    report.errors.push_back(describe_negative_inertia(info, ws, report));
  if (!report.without_inertia.empty()) {
    report.errors.push_back(fmt::format(
        "the mass matrix is singular along a motion that the constraints allow: {} {} no inertia",
        join_names(report.without_inertia), report.without_inertia.size() == 1 ? "has" : "have"));
  }
}

// A redundant row is a combination c of the needed ones; its residuals and γ must be the same
// combination of theirs. Returns the groups of rows that contradict each other.
std::vector<std::string> check_redundant(const SystemInfo& info, const Workspace& ws,
                                         const Matrix& rows, const Vector& norms,
                                         const RowChoice& choice, CheckReport& report) {
  std::vector<std::string> groups;
  for (const Eigen::Index i : choice.redundant) {
    const std::string& name = info.rows[static_cast<std::size_t>(i)];
    report.redundant.push_back(name);
    const Vector c = find_combination(rows, choice, i);
    const auto contradicts = [&](const Vector& value) {
      const Vector scaled = value.cwiseQuotient(norms);
      const double left = scaled[i] - c.dot(scaled);
      const double size = 1.0 + std::abs(scaled[i]) + c.cwiseAbs().dot(scaled.cwiseAbs());
      return std::abs(left) > kContradict * size;
    };
    // The residuals of position rows at position level; all rows at velocity and acceleration
    // level.
    Vector phi = Vector::Zero(rows.rows());
    phi.head(info.position_rows) = ws.phi;
    const bool is_position = i < info.position_rows;
    if ((is_position && contradicts(phi)) || contradicts(ws.velocity_residual) ||
        contradicts(ws.gamma)) {
      report.inconsistent.push_back(name);
      std::vector<std::string> group;
      for (Eigen::Index k = 0; k < c.size(); ++k)
        if (k == i || c[k] != 0.0) group.push_back(info.rows[static_cast<std::size_t>(k)]);
      groups.push_back(join_names(group));
    }
  }
  return groups;
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
  const std::vector<std::string> groups = check_redundant(info, ws, rows, norms, choice, report);

  if (!report.redundant.empty()) {
    report.warnings.push_back(fmt::format("{} of {} constraint rows are redundant at the start: {}",
                                          report.redundant.size(), report.rows,
                                          fmt::join(report.redundant, ", ")));
  }
  if (!report.inconsistent.empty()) {
    report.warnings.push_back(
        fmt::format("rows contradict each other at the start: {}", fmt::join(groups, "; ")));
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
  report.not_finite = find_not_finite(info, *ws);
  if (!report.not_finite.empty()) {
    report.errors.push_back(
        fmt::format("{} is not finite at the start: change the start values", report.not_finite));
    return report;
  }
  check_residuals(info, *ws, report);
  check_mass(info, *ws, report);
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
