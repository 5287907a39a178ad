#include "driftless/run/reach.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/assembly/asked_values.hpp"
#include "driftless/assembly/metric.hpp"
#include "driftless/math/decompositions.hpp"
#include "driftless/system/drawn_rank.hpp"

namespace driftless {
namespace {

constexpr int kTimes = 16;            // within a step
constexpr int kIterations = 60;       // of Newton's method
constexpr int kHalvings = 12;         // of its step
constexpr int kTries = 3;             // from beside the pose, in case it is singular
constexpr double kClosed = 1e-10;     // relative to the mechanism
constexpr double kOutOfReach = 1e-8;  // likewise
constexpr double kRank = 1e-9;
constexpr double kBeside = 1e-3;

}  // namespace

ReachTest::ReachTest(Evaluator& evaluator, const ReachLimits& limits)
    : evaluator_(evaluator),
      rank_(limits.misfit > 0.0 ? limits.rank_tolerance : kRank),
      closed_(std::max(kClosed, kGapMisfits * limits.misfit)),
      out_of_reach_(std::max(kOutOfReach, kGapMisfits * limits.misfit)),
      q_(Vector::Zero(evaluator.info().nq)),
      from_(q_),
      best_(q_),
      x_(Vector::Zero(evaluator.info().nv)),
      b_(Vector::Zero(evaluator.info().position_rows)) {}

double ReachTest::find_gap(double t, ConstVectorRef sizes) {
  evaluator_.set_configuration(t, q_);
  const Workspace& ws = evaluator_.ws();
  double largest = 0.0;
  for (Eigen::Index i = 0; i < b_.size(); ++i) {
    double whole = sizes[i];
    if (!(whole > 0.0)) {
      whole = ws.jacobian.find_row_norm(static_cast<int>(i)) * (1.0 + max_abs(q_));
      if (!(whole > 0.0)) whole = 1.0;
    }
    const double gap = std::abs(ws.phi[i]) / whole;
    if (!(gap <= largest)) largest = gap;  // also if it is not a number
  }
  return largest;
}

// [RCH.1]
double ReachTest::close_from_here(double t, ConstVectorRef sizes) {
  const System& system = evaluator_.system();
  double gap = find_gap(t, sizes);
  for (int k = 0; k < kIterations && gap > closed_; ++k) {
    if (!std::isfinite(gap)) break;
    b_ = -evaluator_.ws().phi;
    if (!evaluator_.solve_position(rank_, b_, x_) || !x_.allFinite()) break;
    from_ = q_;
    double next = gap;
    for (int halving = 0; halving <= kHalvings; ++halving) {
      q_ = from_;
      system.retract(q_, x_);
      next = find_gap(t, sizes);
      if (next < gap) break;
      x_ *= 0.5;
    }
    if (!(next < gap)) {
      q_ = from_;
      break;
    }
    gap = next;
  }
  system.normalize(q_);
  return gap;
}

double ReachTest::close(double t, ConstVectorRef q, ConstVectorRef sizes) {
  q_ = q;
  double least = close_from_here(t, sizes);
  best_ = q_;
  for (int k = 1; k < kTries && !(least <= closed_); ++k) {
    q_ = q;
    for (Eigen::Index i = 0; i < x_.size(); ++i)
      x_[i] = kBeside * (1.0 + max_abs(q)) * std::sin(1.0 + 2.3 * static_cast<double>(k * i + k));
    evaluator_.system().retract(q_, x_);
    const double gap = close_from_here(t, sizes);
    if (!(gap < least)) continue;
    least = gap;
    best_ = q_;
  }
  q_ = best_;
  return least;
}

std::optional<Failure> ReachTest::find_failure(ConstVectorRef q, const TimeSpan& span,
                                               ConstVectorRef sizes) {
  const bool bounded = has_bounded_drives(evaluator_.system());
  double worst = out_of_reach_;
  double worst_t = 0.0;
  Vector pose;
  for (int k = 1; k <= kTimes; ++k) {
    const double t = k == kTimes ? span.to : span.from + (span.to - span.from) * k / kTimes;
    if (bounded) {
      if (auto outside = find_outside_motion(evaluator_, q, t)) return outside;
    }
    const double gap = close(t, q, sizes);
    if (!(gap > worst) || !std::isfinite(gap)) continue;
    worst = gap;
    worst_t = t;
    pose = q_;
  }
  if (pose.size() == 0) return {};
  q_ = pose;
  return describe(worst_t, span, sizes);
}

/// What a drive asks for, and the nearest that can be reached [RCH.2].
std::optional<Failure> ReachTest::describe_asked(Eigen::Index row, double t, double missing) {
  const auto* system = dynamic_cast<const DrivenSystem*>(&evaluator_.system());
  if (system == nullptr) return {};
  const std::vector<DrivenRow> rows = system->list_driven_rows();
  const std::vector<double> asked = system->find_asked(t, q_, evaluator_.ws());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (rows[k].row != row) continue;
    const std::string nearest = describe_value(asked[k] + missing, rows[k].unit);
    Failure failure;
    failure.worst = evaluator_.info().rows[static_cast<std::size_t>(row)];
    const bool is_own = rows[k].value == failure.worst;  // of a path
    failure.message = fmt::format(
        "the prescribed motion is out of reach at t = {:.6g}: '{}' asks for {}{}, which is {} "
        "beyond the nearest that can be reached, about {}",
        t, failure.worst, is_own ? "" : rows[k].value + " = ",
        describe_value(asked[k], rows[k].unit), describe_value(std::abs(missing), rows[k].unit, 3),
        nearest);
    failure.suggestion = fmt::format(
        "keep the motion that '{}' prescribes on this side of {}, or change the dimensions that "
        "limit it",
        failure.worst, nearest);
    return failure;
  }
  return {};
}

Failure ReachTest::describe(double t, const TimeSpan& span, ConstVectorRef sizes) {
  const SystemInfo& info = evaluator_.info();
  // Rows that time changes, with the bodies held.
  evaluator_.set_configuration(span.from, q_);
  Vector change = evaluator_.ws().phi;
  evaluator_.set_configuration(span.to, q_);
  change -= evaluator_.ws().phi;
  find_gap(t, sizes);
  const Workspace& ws = evaluator_.ws();
  // [RCH.2]
  Vector norms;
  const Vector scale = find_diagonal_scale(ws.mass.dense());
  const Matrix rows =
      normalize_rows(ws.jacobian.dense().topRows(b_.size()) * scale.asDiagonal(), norms);
  const Vector r = ws.phi.cwiseQuotient(norms);
  const Vector z = r - rows * solve_least_norm(rows, r, kBeside);
  Eigen::Index driven = -1;
  for (Eigen::Index i = 0; i < z.size(); ++i) {
    if (change[i] == 0.0) continue;
    if (driven < 0 || std::abs(z[i]) > std::abs(z[driven])) driven = i;
  }
  Failure failure;
  if (driven < 0 || !(std::abs(z[driven]) > 1e-6 * max_abs(z))) {
    ws.phi.cwiseAbs().maxCoeff(&driven);
    failure.worst = info.rows[static_cast<std::size_t>(driven)];
    failure.message = fmt::format(
        "the constraints cannot be met at t = {:.6g}: no pose closes '{}'", t, failure.worst);
    failure.suggestion = "check that the constraints can be met together at this time";
    return failure;
  }
  const auto row = static_cast<std::size_t>(driven);
  if (auto told = describe_asked(driven, t, z.dot(r) / z[driven] * norms[driven])) return *told;
  const std::string unit = info.row_units.empty() ? std::string() : info.row_units[row];
  const double missing = std::abs(z.dot(r) / z[driven]) * norms[driven];
  failure.worst = info.rows[row];
  failure.message = fmt::format(
      "the prescribed motion is out of reach at t = {:.6g}: '{}' asks for {:.3g}{}{} more than the "
      "joints allow",
      t, failure.worst, missing, unit.empty() ? "" : " ", unit);
  failure.suggestion = fmt::format(
      "make the motion that '{}' prescribes smaller by that much, or change the dimensions that "
      "limit it",
      failure.worst);
  return failure;
}

}  // namespace driftless
