#include "driftless/run/prescribed_motion.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/assembly/asked_values.hpp"

namespace driftless {
namespace {

constexpr int kLooks = 8;
constexpr double kFirst = 1e-4;      // of the span, for the slope
constexpr double kWildBend = 0.3;    // of the row's size
constexpr double kWildChange = 2.0;  // likewise

struct WildRow {
  std::size_t row = 0;
  double change = 0.0;    // within the span, in the row's unit
  bool is_finite = true;  // else the row has no value at t
  double t = 0.0;
};

std::optional<WildRow> find_wild_row(Evaluator& evaluator, ConstVectorRef q, const TimeSpan& span,
                                     ConstVectorRef sizes) {
  evaluator.set_configuration(span.from, q);
  const Workspace& ws = evaluator.ws();
  const Vector before = ws.phi;
  if (!before.allFinite() || !ws.jacobian.is_finite()) return {};
  Vector whole = sizes;
  const double size = 1.0 + max_abs(q);
  for (Eigen::Index i = 0; i < whole.size(); ++i) {
    if (!(whole[i] > 0.0)) whole[i] = ws.jacobian.find_row_norm(static_cast<int>(i)) * size;
    whole[i] = std::max(whole[i], 1e-300);
  }
  const double first = kFirst * (span.to - span.from);
  evaluator.set_configuration(span.from + first, q);
  const Vector slope = (ws.phi - before) / first;
  std::optional<WildRow> wildest;
  double most = 1.0;
  for (int k = 1; k <= kLooks; ++k) {
    const double t = k == kLooks ? span.to : span.from + (span.to - span.from) * k / kLooks;
    evaluator.set_configuration(t, q);
    for (Eigen::Index i = 0; i < before.size(); ++i) {
      const double change = ws.phi[i] - before[i];
      if (!std::isfinite(change)) return WildRow{static_cast<std::size_t>(i), 0.0, false, t};
      const double bend = change - slope[i] * (t - span.from);
      const double wildness = std::max(std::abs(bend) / (kWildBend * whole[i]),
                                       std::abs(change) / (kWildChange * whole[i]));
      if (!(wildness > most)) continue;
      most = wildness;
      wildest = WildRow{static_cast<std::size_t>(i), change, true, t};
    }
  }
  return wildest;
}

/// "'d.value' moves by 50 rad within 0.01 s".
std::string describe(const SystemInfo& info, const WildRow& wild, const TimeSpan& span) {
  const std::string& name = info.rows[wild.row];
  if (!wild.is_finite) return fmt::format("'{}' has no finite value at t = {:.10g}", name, wild.t);
  const std::string unit = info.row_units.empty() ? std::string() : info.row_units[wild.row];
  return fmt::format("'{}' moves by {:.3g}{}{} within {:.3g} s", name, std::abs(wild.change),
                     unit.empty() ? "" : " ", unit, span.to - span.from);
}

}  // namespace

std::optional<Failure> find_outside_motion(Evaluator& evaluator, ConstVectorRef q, double t) {
  evaluator.set_configuration(t, q);
  const auto outside = find_outside_domain(evaluator.system(), t, q, evaluator.ws());
  if (!outside) return {};
  Failure failure;
  failure.worst = outside->row;
  failure.message = "the prescribed motion cannot be followed: " + outside->message;
  failure.suggestion = outside->remedy;
  return failure;
}

std::optional<Failure> find_wild_motion(Evaluator& evaluator, ConstVectorRef q, double t,
                                        const TimeSpan& span, ConstVectorRef sizes) {
  const SystemInfo& info = evaluator.info();
  if (!info.has_time_rows || !q.allFinite()) return {};
  if (has_bounded_drives(evaluator.system())) {
    for (int k = 1; k <= kLooks; ++k) {
      const double at = span.from + (span.to - span.from) * k / kLooks;
      if (auto outside = find_outside_motion(evaluator, q, at)) return outside;
    }
  }
  const auto wild = find_wild_row(evaluator, q, span, sizes);
  if (!wild) return {};
  Failure failure;
  failure.worst = info.rows[wild->row];
  failure.message = fmt::format("the prescribed motion cannot be followed at t = {:.6g}: {}", t,
                                describe(info, *wild, span));
  failure.suggestion = fmt::format(
      "change '{}', which jumps or grows beyond all bounds there, to a smooth motion, for example "
      "by step(t, t0, from, t1, to); if it is meant to be that fast, try a smaller step",
      failure.worst);
  return failure;
}

}  // namespace driftless
