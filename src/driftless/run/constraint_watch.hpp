#pragma once
// Whether the constraints can be kept. With a projection they must close: if they stay open for a few steps, or tear,
// they cannot be met, or not with these steps; less than that is warned of. Without one they drift open, which is the method's nature and only warned of, until they are torn within a few
// steps. A gap is compared with the mechanism: a length with the size of the bodies that it is
// between [DRW.10], an angle with 1; in equation models, whose units are not known, with the row's length times the
// largest coordinate.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "driftless/run/run_state.hpp"
#include "driftless/system/drawn_rank.hpp"

namespace driftless {

class ConstraintWatch {
 public:
  ConstraintWatch(const SystemInfo& info, bool projects) : info_(info), projects_(projects) {}

  /// With the figures of the start.
  void begin(const RunState& state, const DrawnRank& drawn);
  /// After each step. False: the run must end; `describe_failure` says why.
  bool accept(const RunState& state, const Workspace& ws);
  /// The same for a sample between two steps.
  bool accept_sample(const RunState& state, const Workspace& ws);
  /// At the last step or sample: further than a projection leaves them after a step of the right length.
  bool is_visibly_open() const;
  Failure describe_failure(double t, const Workspace& ws) const;
  /// Per position row: what a gap is compared with; 0: not known.
  const Vector& sizes() const { return sizes_; }
  /// A warning if the constraints were open on the way, far beyond what they were at the start; else empty.
  std::string describe_gaps(const std::string& method) const;

 private:
  void measure(const RunState& state, const Workspace& ws);
  bool accept_projected(double phi);
  bool accept_drifting(double phi);

  struct Gap {
    int row = 0;
    double gap = 0.0;
    double t = 0.0;
  };
  static constexpr int kHistory = 3;

  const SystemInfo& info_;
  bool projects_;
  Vector sizes_;        // what a gap is compared with, of each row; 0: not known
  double worst_ = 0.0;  // of the rows at the last step, relative
  int worst_row_ = 0;
  double closed_size_ = 0.0;  // largest coordinate when the constraints were last closed
  double phi_start_ = 0.0;
  double visible_ = 0.0;  // relative gaps that show, and that end a run if they stay
  double open_ = 0.0;
  double max_open_ = 0.0;  // relative
  Gap widest_;
  // with a projection
  double phi_before_ = 0.0;
  int open_steps_ = 0;
  // without one
  std::array<double, kHistory> phi_history_{};
  std::size_t history_next_ = 0;
};

/// Redundant rows must ask for the same acceleration. For the start, where everything is consistent.
std::optional<Failure> find_contradiction(const SystemInfo& info, const Workspace& ws,
                                          const Vector& rates, const Vector& acceleration,
                                          const std::vector<std::string>& redundant,
                                          const DrawnRank& drawn);

/// ", near a singular pose: there the rows of 'A' depend on the others", which are not among those that always do; empty:
/// none do. Needs the configuration and the velocity rows.
std::string describe_singular_pose(const System& system, const Workspace& ws,
                                   const std::vector<std::string>& redundant);

}  // namespace driftless
