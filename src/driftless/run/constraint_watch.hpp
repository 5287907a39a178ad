#pragma once
// Whether the constraints can be kept. With a projection they must close: if they stay open for many steps they cannot
// be met. Without one they drift open, which is the method's nature and only warned of, until they are torn within a few
// steps. A gap is measured relative to its row's length times the size of the mechanism.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "driftless/run/run_state.hpp"

namespace driftless {

class ConstraintWatch {
 public:
  ConstraintWatch(const SystemInfo& info, bool projects) : info_(info), projects_(projects) {}

  /// With the figures of the start.
  void begin(const RunState& state);
  /// After each step. False: the run must end; `describe_failure` says why.
  bool accept(const RunState& state, const Workspace& ws, bool is_last);
  Failure describe_failure(double t, const Workspace& ws) const;
  /// Without a projection: the constraints are open far beyond what they were at the start.
  bool drifted(double max_phi) const;

 private:
  bool accept_projected(double phi, bool is_last);
  bool accept_drifting(double phi);

  static constexpr int kTornSteps = 3;

  const SystemInfo& info_;
  bool projects_;
  double worst_ = 0.0;  // of the rows at the last step, relative
  int worst_row_ = 0;
  double closed_size_ = 0.0;  // largest coordinate when the constraints were last closed
  double phi_start_ = 0.0;
  // with a projection
  double phi_before_ = 0.0;
  int open_steps_ = 0;
  int torn_steps_ = 0;
  // without one
  double max_open_ = 0.0;  // relative
  std::array<double, kTornSteps> phi_history_{};
  std::size_t history_next_ = 0;
};

/// Redundant rows must ask for the same acceleration. For the start, where everything is consistent.
std::optional<Failure> find_contradiction(const SystemInfo& info, const Workspace& ws,
                                          const Vector& acceleration,
                                          const std::vector<std::string>& redundant);

}  // namespace driftless
