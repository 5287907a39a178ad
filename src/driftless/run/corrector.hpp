#pragma once
// The drift controls of a method at work on a state: at the end of a step, or at a sample before it.

#include <optional>

#include "driftless/run/run_setup.hpp"
#include "driftless/run/run_state.hpp"

namespace driftless {

class Corrector {
 public:
  Corrector(const System& system, WorkingMethod& parts, RunState& state)
      : system_(system), parts_(parts), state_(state) {}

  /// Whether it changes anything.
  bool is_active() const { return parts_.corrects || system_.info().normalizes; }

  /// (t, y), in place, at the end of a step of length h or, if it is no step, within one. The failure, if there is one: then
  /// y is not corrected.
  std::optional<Failure> correct(double t, Vector& y, double h, bool is_step);

 private:
  const System& system_;
  WorkingMethod& parts_;
  RunState& state_;
};

}  // namespace driftless
