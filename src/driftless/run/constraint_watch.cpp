#include "driftless/run/constraint_watch.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace driftless {
namespace {

// Steps in a row that may leave the constraints open before the run is called unsolvable.
constexpr int kOpenSteps = 20;
// Relative to a row's length times the size of q.
constexpr double kOpen = 1e-4;
// A gap as large as the mechanism itself ends the run at once, but for a step or two that are not the last ones.
constexpr double kTorn = 0.05;
// Without a projection gaps drift open; only one that grows like this over a few steps is a blow-up.
constexpr double kBlowUp = 10.0;

}  // namespace

void ConstraintWatch::begin(const RunState& state) {
  phi_history_.fill(state.phi);
  phi_start_ = state.phi;
  closed_size_ = max_abs(state.q);
}

bool ConstraintWatch::accept(const RunState& state, const Workspace& ws, bool is_last) {
  if (info_.position_rows == 0) return true;
  // By the size when the constraints were last closed: a step that throws the state far off makes no gap small.
  const double size =
      1.0 + (projects_ ? std::min(closed_size_, max_abs(state.q)) : max_abs(state.q));
  worst_ = 0.0;
  worst_row_ = 0;
  for (int i = 0; i < info_.position_rows; ++i) {
    const double open = std::abs(ws.phi[i]) / std::max(ws.jacobian.row(i).norm() * size, 1e-300);
    if (open > worst_) {
      worst_ = open;
      worst_row_ = i;
    }
  }
  if (worst_ <= kOpen) closed_size_ = max_abs(state.q);
  return projects_ ? accept_projected(state.phi, is_last) : accept_drifting(state.phi);
}

bool ConstraintWatch::accept_projected(double phi, bool is_last) {
  open_steps_ = worst_ > kOpen && phi >= phi_before_ ? open_steps_ + 1 : 0;
  torn_steps_ = worst_ > kTorn ? torn_steps_ + 1 : 0;
  phi_before_ = phi;
  const bool torn = torn_steps_ >= kTornSteps || (torn_steps_ > 0 && is_last);
  return open_steps_ < kOpenSteps && !torn;
}

bool ConstraintWatch::accept_drifting(double phi) {
  max_open_ = std::max(max_open_, worst_);
  const bool is_sudden = worst_ > kTorn && phi > kBlowUp * phi_history_[history_next_];
  phi_history_[history_next_] = phi;
  history_next_ = (history_next_ + 1) % kTornSteps;
  return !is_sudden;
}

Failure ConstraintWatch::describe_failure(double t, const Workspace& ws) const {
  Failure failure;
  failure.worst = info_.rows[static_cast<std::size_t>(worst_row_)];
  if (!projects_) {
    failure.message =
        fmt::format("the state left the constraints at t = {:.6g}: '{}' is open by {:.3g}", t,
                    failure.worst, ws.phi[worst_row_]);
    return failure;
  }
  failure.message =
      fmt::format("the constraints cannot be met at t = {:.6g}: '{}' stays open by {:.3g}", t,
                  failure.worst, ws.phi[worst_row_]);
  failure.suggestion =
      worst_ > kTorn ? "try a smaller step; if that fails at the same time, the constraints cannot "
                       "be met together there"
                     : "check that the constraints can be met together at this time; a smaller "
                       "step helps only if they can";
  return failure;
}

bool ConstraintWatch::drifted(double max_phi) const {
  return max_open_ > kTorn && max_phi > kBlowUp * phi_start_;
}

std::optional<Failure> find_contradiction(const SystemInfo& info, const Workspace& ws,
                                          const Vector& acceleration,
                                          const std::vector<std::string>& redundant) {
  if (redundant.empty()) return {};
  const Vector residual = ws.jacobian * acceleration - ws.gamma;
  for (int i = 0; i < info.row_count(); ++i) {
    const double scale =
        ws.jacobian.row(i).norm() * (1.0 + max_abs(acceleration)) + std::abs(ws.gamma[i]);
    if (std::abs(residual[i]) <= 1e-6 * scale) continue;
    Failure failure;
    failure.worst = info.rows[static_cast<std::size_t>(i)];
    failure.message = fmt::format(
        "the constraints contradict each other: '{}' asks for an acceleration that the others "
        "exclude",
        failure.worst);
    failure.suggestion =
        fmt::format("redundant rows: {}; remove the wrong one", fmt::join(redundant, ", "));
    return failure;
  }
  return {};
}

}  // namespace driftless
