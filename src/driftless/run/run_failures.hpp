#pragma once
// Why a run ends before its time, in words: what failed, at which element, and what may help.

#include <optional>
#include <string>
#include <vector>

#include "driftless/formulations/acceleration_field.hpp"
#include "driftless/integrators/stepper.hpp"
#include "driftless/run/constraint_watch.hpp"
#include "driftless/run/method.hpp"
#include "driftless/run/prescribed_motion.hpp"
#include "driftless/run/reach.hpp"
#include "driftless/run/run_state.hpp"

namespace driftless {

/// The field has no value at the state it was last asked for.
Failure describe_field_failure(const AccelerationField& field, const SystemInfo& info);

/// Where in the model file the row of that name stands; nothing: there is no such row, or no file.
std::optional<Source> find_row_source(const SystemInfo& info, const std::string& name);

class RunFailures {
 public:
  RunFailures(const System& system, const Method& method, Evaluator& evaluator,
              AccelerationField& field, const RunState& state, const ConstraintWatch& watch,
              const ReachLimits& limits)
      : system_(system),
        info_(system.info()),
        method_(method),
        evaluator_(evaluator),
        field_(field),
        state_(state),
        watch_(watch),
        limits_(limits) {}

  /// What the run has come to when it fails.
  struct Reached {
    double t;
    TimeSpan span;            ///< from the start to the planned end
    const Vector& last_good;  ///< y of the last step that was accepted; empty: none was
    const std::vector<std::string>& redundant;
  };

  /// Steps that do not get on, or that the stepper gave up.
  Failure of_stall(const StepReport& step, const Reached& reached);
  Failure of_step(const StepReport& step, const Reached& reached);
  /// That one; or, if what time prescribes within a span is wild, that.
  Failure of_following(const Failure& failure, const TimeSpan& span, const Reached& reached) const;
  /// Constraints that stay open within a span though no step is too long: no pose closes them.
  std::optional<Failure> find_out_of_reach(const TimeSpan& span, const Reached& reached);

  /// `started`: steps could be made.
  std::string suggest(bool started) const;
  std::string suggest_for_steps() const;

 private:
  /// Of a step that became small: likewise a little ahead, where what is prescribed may also be out of reach.
  Failure of_ahead(const Failure& failure, double h, const Reached& reached);
  /// Implicit equations that have no solution near the last state.
  Failure of_newton(const StepReport& step, const Reached& reached);
  Failure of_rounding(const StepReport& step, const Reached& reached);
  Vector find_last_good(const Reached& reached) const;
  void set_evaluator(const Reached& reached);
  std::string describe_pose(const Reached& reached);
  std::string suggest_for_blow_up() const;

  const System& system_;
  const SystemInfo& info_;
  const Method& method_;
  Evaluator& evaluator_;
  AccelerationField& field_;
  const RunState& state_;
  const ConstraintWatch& watch_;
  ReachLimits limits_;
};

}  // namespace driftless
