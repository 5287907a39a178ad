// The motions without inertia are the eigenvectors of D^(-1/2) M D^(-1/2), D = diag(M), with an eigenvalue of 0; several
// of them mix, so that only their projector P = Σ u uᵀ has a meaning. A coordinate's part in them is P_ii; a body's
// motion is the largest eigenvector of its own block of P.                                                       [MCK.1]

#include "driftless/assembly/mass_check.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/assembly/metric.hpp"
#include "driftless/base/names.hpp"
#include "driftless/math/decompositions.hpp"

namespace driftless {
namespace {

constexpr double kZero = 1e-12;      // as is_positive_definite, in units of the diagonal
constexpr double kMassShare = 0.1;   // of the largest part
constexpr double kBodyShare = 1e-4;  // likewise, of bodies
constexpr double kRoundOff = 1e-9;   // of a projector

/// Of a symmetric matrix in units of its diagonal.
struct Spectrum {
  Vector scale;  ///< D^(-1/2)
  Vector values;
  Matrix vectors;

  template <class IsBad>
  Matrix make_projector(IsBad is_bad) const {
    Matrix projector = Matrix::Zero(vectors.rows(), vectors.rows());
    for (Eigen::Index k = 0; k < values.size(); ++k)
      if (is_bad(values[k])) projector += vectors.col(k) * vectors.col(k).transpose();
    return projector;
  }
};

bool find_spectrum(const Matrix& matrix, Spectrum& spectrum) {
  spectrum.scale = matrix.diagonal().cwiseAbs();
  for (double& entry : spectrum.scale) entry = entry > 0.0 ? 1.0 / std::sqrt(entry) : 1.0;
  const Matrix scaled = spectrum.scale.asDiagonal() * matrix * spectrum.scale.asDiagonal();
  const Eigen::Index n = matrix.rows();
  return find_modes(Matrix::Identity(n, n), scaled, spectrum.values, spectrum.vectors);
}

const std::vector<std::string>& find_names(const SystemInfo& info) {
  return info.nq == info.nv ? info.coordinates : info.rates;
}

std::vector<std::string> find_sharing(const SystemInfo& info, const Matrix& projector) {
  const Vector part = projector.diagonal();
  std::vector<std::string> sharing;
  for (Eigen::Index i = 0; i < part.size(); ++i)
    if (part[i] > 0.0 && part[i] > kMassShare * part.maxCoeff())
      sharing.push_back(find_names(info)[static_cast<std::size_t>(i)]);
  return sharing;
}

/// "[0.6, 0.8, 0]" of length 1, the largest entry positive.
std::string describe_direction(Vector direction) {
  direction.normalize();
  Eigen::Index largest = 0;
  direction.cwiseAbs().maxCoeff(&largest);
  if (direction[largest] < 0.0) direction = -direction;
  std::string text;
  for (const double entry : direction)
    text += fmt::format("{}{:.3g}", text.empty() ? "" : ", ", std::abs(entry) < 1e-6 ? 0.0 : entry);
  return "[" + text + "]";
}

/// A body's motion without inertia, in units of the diagonal, and how much of such motions it is, 1 at most.
struct BodyPart {
  const BodyInfo* body = nullptr;
  Vector part;
  double share = 0.0;
};

std::string describe_motion(const BodyPart& found, const Spectrum& spectrum) {
  const BodyInfo& body = *found.body;
  const Vector motion = spectrum.scale.segment(body.rate, body.rates).cwiseProduct(found.part);
  const int shifts = body.rates - body.turns;
  if (found.part.tail(body.turns).norm() < found.part.head(shifts).norm())
    return "shifting along " + describe_direction(motion.head(shifts));
  if (body.turns < 3) return "turning";
  return "turning about " + describe_direction(motion.tail(3)) + " (its own axes)";
}

/// [MCK.1]: the bodies that can move without inertia, and how. Of a motion that many make together each has a small part.
std::vector<MasslessMotion> find_massless(const SystemInfo& info, const Spectrum& spectrum) {
  const Matrix projector =
      spectrum.make_projector([](double value) { return std::abs(value) <= kZero; });
  std::vector<BodyPart> parts;
  double largest = 0.0;
  for (const BodyInfo& body : info.bodies) {
    if (body.rates == 0) continue;  // joint coordinates: fixed to the ground, or to another body
    const Matrix block = projector.block(body.rate, body.rate, body.rates, body.rates);
    Vector values;
    Matrix vectors;
    if (!find_modes(Matrix::Identity(body.rates, body.rates), block, values, vectors)) continue;
    parts.push_back({&body, vectors.col(body.rates - 1), values[body.rates - 1]});
    largest = std::max(largest, parts.back().share);
  }
  std::vector<MasslessMotion> found;
  for (const BodyPart& each : parts) {
    if (each.share > kRoundOff && each.share > kBodyShare * largest)
      found.push_back({each.body->name, describe_motion(each, spectrum)});
  }
  return found;
}

std::string describe_negative_inertia(const SystemInfo& info, const Workspace& ws,
                                      const CheckReport& report) {
  const Matrix& mass = ws.mass.dense();
  for (int i = 0; i < info.nv; ++i) {
    if (mass(i, i) < 0.0)
      return fmt::format("the inertia of '{}' is {:.6g}: it must be greater than 0",
                         find_names(info)[static_cast<std::size_t>(i)], mass(i, i));
  }
  return fmt::format(
      "the mass matrix is indefinite: {} are coupled more strongly than their own inertias allow, "
      "so a motion of them has negative kinetic energy",
      join_names(report.negative_inertia));
}

std::vector<std::string> list_bodies(const std::vector<MasslessMotion>& motions) {
  std::vector<std::string> names;
  for (const MasslessMotion& motion : motions) names.push_back(motion.body);
  return names;
}

/// M itself is singular, but what has no inertia is held by constraints.
void warn_of_held_motions(const SystemInfo& info, const Workspace& ws, CheckReport& report) {
  Spectrum own;
  if (!find_spectrum(ws.mass.dense(), own)) return;
  const std::vector<MasslessMotion> motions = find_massless(info, own);
  if (!motions.empty()) {
    const bool is_one = motions.size() == 1;
    const bool all_turn = std::all_of(motions.begin(), motions.end(), [](const auto& motion) {
      return motion.how.starts_with("turning");
    });
    report.warnings.push_back(fmt::format(
        "{} {} no inertia {}; the constraints hold {} there, so the motion is unique, but not "
        "every method can run it",
        join_names(list_bodies(motions)), is_one ? "has" : "have",
        !all_turn ? "in some direction"
        : is_one  ? "about one of its axes"
                  : "about one of their axes",
        is_one ? "it" : "them"));
    return;
  }
  auto names = find_sharing(info, own.make_projector([](double value) { return value < -kZero; }));
  if (names.empty())
    names = find_sharing(info,
                         own.make_projector([](double value) { return std::abs(value) <= kZero; }));
  report.warnings.push_back(
      fmt::format("the mass matrix is singular, {} having no inertia of {} own; only the "
                  "constraints make the "
                  "motion unique, so not every method can run it",
                  join_names(names), names.size() == 1 ? "its" : "their"));
}

void refuse_massless_bodies(CheckReport& report) {
  std::string text;
  std::vector<std::string> told;  // motions: bodies that move alike are told together
  for (const MasslessMotion& motion : report.massless) {
    if (std::find(told.begin(), told.end(), motion.how) != told.end()) continue;
    told.push_back(motion.how);
    std::vector<MasslessMotion> alike = report.massless;
    std::erase_if(alike, [&](const MasslessMotion& each) { return each.how != motion.how; });
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", join_names(list_bodies(alike)),
                        motion.how);
  }
  report.errors.push_back(
      fmt::format("a motion that the constraints allow has no inertia: {}", text));
  report.remedy = fmt::format(
      "give {} an inertia there (a cylinder with a radius instead of a rod), or a joint that "
      "prevents that motion",
      join_names(list_bodies(report.massless)));
}

}  // namespace

Matrix add_constraint_inertia(const Workspace& ws) {
  Vector norms;
  const Matrix rows = normalize_rows(ws.jacobian.dense(), norms);
  const Matrix& mass = ws.mass.dense();
  const double size = mass.size() == 0 ? 1.0 : mass.cwiseAbs().maxCoeff();
  return mass + (size > 0.0 ? size : 1.0) * (rows.transpose() * rows);
}

void check_mass(const SystemInfo& info, const Workspace& ws, CheckReport& report) {
  report.mass_definite = is_positive_definite(ws.mass.dense());
  if (report.mass_definite) return;
  const Matrix inertia = add_constraint_inertia(ws);
  report.mass_definite_on_tangent = is_positive_definite(inertia);
  if (report.mass_definite_on_tangent) {
    warn_of_held_motions(info, ws, report);
    return;
  }
  Spectrum spectrum;
  if (!find_spectrum(inertia, spectrum)) return;
  report.negative_inertia =
      find_sharing(info, spectrum.make_projector([](double value) { return value < -kZero; }));
  report.without_inertia = find_sharing(
      info, spectrum.make_projector([](double value) { return std::abs(value) <= kZero; }));
  report.massless = find_massless(info, spectrum);
  if (!report.negative_inertia.empty())
    report.errors.push_back(describe_negative_inertia(info, ws, report));
  if (!report.massless.empty()) {
    refuse_massless_bodies(report);
  } else if (!report.without_inertia.empty()) {
    report.errors.push_back(fmt::format(
        "the mass matrix is singular along a motion that the constraints allow: {} {} no inertia",
        join_names(report.without_inertia), report.without_inertia.size() == 1 ? "has" : "have"));
  }
}

}  // namespace driftless
