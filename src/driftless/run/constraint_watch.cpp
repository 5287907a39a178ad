#include "driftless/run/constraint_watch.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/base/names.hpp"
#include "driftless/system/opposed_rows.hpp"

namespace driftless {
namespace {

// Gaps are relative to the mechanism. A projection leaves the square of what a step has opened: where a gap shows at all
// [DRW.5], the step is too long.
// Steps in a row that may leave the constraints open before the run is called unsolvable.
constexpr int kOpenSteps = 5;
constexpr double kOpen = 1e-4;
// A gap of the order of the mechanism itself ends the run: what follows is no motion of it.
constexpr double kTorn = 0.05;
// Without a projection gaps drift open; only one that grows like this over a few steps is a blow-up.
constexpr double kBlowUp = 10.0;

/// "0.012 m". A cosine that should be 0 is the sine of the angle that is missing.
std::string describe_gap_of(const SystemInfo& info, int row, double gap) {
  const std::string unit =
      info.row_units.empty() ? std::string() : info.row_units[static_cast<std::size_t>(row)];
  const double size = std::abs(gap);
  if (unit == "1") return fmt::format("{:.3g} rad", std::asin(std::min(size, 1.0)));
  return fmt::format("{:.3g}{}{}", size, unit.empty() ? "" : " ", unit);
}

}  // namespace

void ConstraintWatch::begin(const RunState& state, const DrawnRank& drawn) {
  phi_history_.fill(state.phi);
  visible_ = drawn.find_visible_gap();
  open_ = std::max(kOpen, visible_);
  phi_start_ = state.phi;
  closed_size_ = max_abs(state.q);
  sizes_ = drawn.sizes;
  if (sizes_.size() != info_.position_rows) sizes_ = Vector::Zero(info_.position_rows);
}

void ConstraintWatch::measure(const RunState& state, const Workspace& ws) {
  // By the size when the constraints were last closed: a step that throws the state far off makes no gap small.
  const double size =
      1.0 + (projects_ ? std::min(closed_size_, max_abs(state.q)) : max_abs(state.q));
  worst_ = 0.0;
  worst_row_ = 0;
  for (int i = 0; i < info_.position_rows; ++i) {
    double whole = sizes_[i] > 0.0 ? sizes_[i] : ws.jacobian.find_row_norm(i) * size;
    if (!(whole > 0.0)) whole = 1.0;  // no motion changes it: in its own unit
    const double open = std::abs(ws.phi[i]) / whole;
    if (open > worst_) {
      worst_ = open;
      worst_row_ = i;
    }
  }
  if (worst_ > max_open_) {
    max_open_ = worst_;
    widest_ = {worst_row_, ws.phi[worst_row_], state.t};
  }
}

bool ConstraintWatch::accept(const RunState& state, const Workspace& ws) {
  if (info_.position_rows == 0) return true;
  measure(state, ws);
  if (worst_ <= open_) closed_size_ = max_abs(state.q);
  return projects_ ? accept_projected(state.phi) : accept_drifting(state.phi);
}

bool ConstraintWatch::accept_sample(const RunState& state, const Workspace& ws) {
  if (info_.position_rows == 0) return true;
  measure(state, ws);
  return !projects_ || worst_ <= kTorn;
}

bool ConstraintWatch::accept_projected(double phi) {
  open_steps_ = worst_ > open_ && phi >= phi_before_ ? open_steps_ + 1 : 0;
  phi_before_ = phi;
  return open_steps_ < kOpenSteps && worst_ <= kTorn;
}

bool ConstraintWatch::accept_drifting(double phi) {
  const bool is_sudden = worst_ > kTorn && phi > kBlowUp * phi_history_[history_next_];
  phi_history_[history_next_] = phi;
  history_next_ = (history_next_ + 1) % kHistory;
  return !is_sudden;
}

bool ConstraintWatch::is_visibly_open() const { return projects_ && worst_ > visible_; }

Failure ConstraintWatch::describe_failure(double t, const Workspace& ws) const {
  Failure failure;
  failure.worst = info_.rows[static_cast<std::size_t>(worst_row_)];
  if (!projects_) {
    failure.message =
        fmt::format("the state left the constraints at t = {:.6g}: '{}' is open by {}", t,
                    failure.worst, describe_gap_of(info_, worst_row_, ws.phi[worst_row_]));
    return failure;
  }
  failure.message =
      fmt::format("the constraints cannot be met at t = {:.6g}: '{}' stays open by {}", t,
                  failure.worst, describe_gap_of(info_, worst_row_, ws.phi[worst_row_]));
  failure.suggestion =
      worst_ > kTorn ? "try a smaller step; if that fails at the same time, the constraints cannot "
                       "be met together there"
                     : "check that the constraints can be met together at this time; a smaller "
                       "step helps only if they can";
  return failure;
}

std::string ConstraintWatch::describe_gaps(const std::string& method) const {
  const double bound = projects_ ? visible_ : kTorn;
  if (!(max_open_ > bound && std::abs(widest_.gap) > kBlowUp * phi_start_)) return {};
  const std::string gap =
      fmt::format("'{}' by {} at t = {:.6g}", info_.rows[static_cast<std::size_t>(widest_.row)],
                  describe_gap_of(info_, widest_.row, widest_.gap), widest_.t);
  if (!projects_) {
    return fmt::format("the constraints drifted open, {}: {} does not close them, project does",
                       gap, method);
  }
  return fmt::format("the constraints came open for a while, {}: the step is too long there", gap);
}

std::optional<Failure> find_contradiction(const SystemInfo& info, const Workspace& ws,
                                          const Vector& rates, const Vector& acceleration,
                                          const std::vector<std::string>& redundant,
                                          const DrawnRank& drawn) {
  if (redundant.empty()) return {};
  const std::vector<int> opposed = find_opposed_rows(info, ws, rates, acceleration, drawn);
  if (opposed.empty()) return {};
  Failure failure;
  failure.worst = info.rows[static_cast<std::size_t>(opposed.front())];
  failure.message = fmt::format(
      "the constraints contradict each other: '{}' asks for an acceleration that the others "
      "exclude",
      failure.worst);
  failure.suggestion = fmt::format(
      "rows that depend on others here: {}; if one is wrong, remove it; if the pose "
      "is singular, as where a linkage is drawn flat, start beside it or give the "
      "rates of further joints as well",
      fmt::join(redundant, ", "));
  if (drawn.is_stuck_without_drives) {
    failure.message += "; without its drives the mechanism has no degree of freedom";
    failure.suggestion = fmt::format(
        "if axes are meant to be parallel, or points to lie in a plane, draw them so to {:.0e} of "
        "the mechanism; else a joint with more freedom is needed: rows that depend on others here: "
        "{}",
        kDrawnTolerance, fmt::join(redundant, ", "));
  }
  return failure;
}

std::string describe_singular_pose(const System& system, const Workspace& ws,
                                   const std::vector<std::string>& redundant) {
  const SystemInfo& info = system.info();
  constexpr double kNearlyDependent = 1e-3;
  if (!ws.jacobian.is_finite() || !ws.mass.is_finite()) return {};
  const auto add = [](std::string name, std::vector<std::string>& list) {
    if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(std::move(name));
  };
  std::vector<std::string> owners;
  for (const int row :
       find_row_report(system.find_row_metric(ws), ws.jacobian, kNearlyDependent).redundant) {
    const std::string& name = info.rows[static_cast<std::size_t>(row)];
    if (std::find(redundant.begin(), redundant.end(), name) != redundant.end()) continue;
    add(info.elements.empty() ? name : name.substr(0, name.rfind('.')), owners);
  }
  if (owners.empty()) return {};
  return fmt::format(", near a singular pose: there the rows of {} depend on the others",
                     join_names(owners));
}

}  // namespace driftless
