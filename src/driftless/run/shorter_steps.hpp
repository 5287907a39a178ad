#pragma once
// Whether a step was too long. Where a heavy rocker flings a light crank over its dead centre, the crank turns by radians
// within a step at both ends of which it is slow: nothing that is known at these ends tells. So from where the constraints
// were last closed the way is gone once more, by shorter steps, as short as it takes to keep them closed.

#include <functional>
#include <optional>

#include "driftless/run/constraint_watch.hpp"
#include "driftless/run/run_setup.hpp"

namespace driftless {

class ShorterSteps {
 public:
  /// `correct`: the drift controls at (t, y), behind a step h; false: they fail.
  using Correct = std::function<bool(double t, Vector& y, double h)>;

  ShorterSteps(const System& system, WorkingMethod& parts, const Method& method, RunState& state,
               const ConstraintWatch& watch, Correct correct)
      : system_(system),
        parts_(parts),
        method_(method),
        state_(state),
        watch_(watch),
        correct_(std::move(correct)) {}

  /// From (t0, y0), where the constraints were closed, to t1, where fixed steps have left them open: what to say of it, if
  /// shorter ones do not. Leaves everything elsewhere.
  std::optional<std::string> explain(const Vector& y0, double t0, double t1);
  /// After that: a step that will do, in one digit.
  std::string suggest_step() const;

 private:
  bool follow(const Vector& y0, double t0, double t1, int parts);

  const System& system_;
  WorkingMethod& parts_;
  const Method& method_;
  RunState& state_;
  const ConstraintWatch& watch_;
  Correct correct_;
  double step_ = 0.0;
  double fastest_ = 0.0;  // turn on the way, rad/s
  std::string body_;
};

}  // namespace driftless
