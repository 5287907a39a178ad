#pragma once
// What a run needs before its first step: the request checked, the method set to work on one system, the columns.

#include <memory>
#include <string>
#include <vector>

#include "driftless/drift/drift_control.hpp"
#include "driftless/formulations/acceleration_field.hpp"
#include "driftless/integrators/stepper.hpp"
#include "driftless/run/simulate.hpp"
#include "driftless/system/start_rows.hpp"

namespace driftless {

/// Time between two samples: as asked for, or a thousandth of the run.
double find_sample_distance(const State& start, const RunOptions& options);

/// Throws ModelError: a start state of the wrong size or not finite, times that cannot be, a drift control without the
/// quantity that it keeps.
void check_run(const SystemInfo& info, const State& start, const Method& method,
               const RunOptions& options);

/// Its integrator, to begin anywhere.
std::unique_ptr<Stepper> make_stepper(const IntegratorChoice& choice);

/// Names and units of what a row holds.
std::vector<Column> make_columns(const SystemInfo& info);

/// A method at work on one system. Its parts refer to each other, so it stays where it is made.
struct WorkingMethod {
  /// Throws ModelError: gains of the wrong shape, a tableau or a step that cannot be.
  WorkingMethod(const System& system, const State& start, const StartRows& rows,
                const Method& method);
  WorkingMethod(const WorkingMethod&) = delete;
  WorkingMethod& operator=(const WorkingMethod&) = delete;

  StartKind start_kind;  ///< [DRW.7], of a few rows
  Evaluator evaluator;
  std::vector<std::unique_ptr<DriftControl>> controls;
  std::unique_ptr<BaumgarteTerm> baumgarte;  ///< null with other formulations
  std::unique_ptr<AccelerationField> field;
  std::unique_ptr<Stepper> stepper;
  /// Another one, for steps to samples; null unless it is an explicit Runge-Kutta method that chooses its steps.
  std::unique_ptr<Stepper> aside;
  double rank_tolerance;
  bool corrects = false;  ///< some control changes the state after a step
  bool projects = false;  ///< one of them closes the constraints
  std::vector<std::string> warnings;

  /// Which one solves, and why: of the same three that it was made with.
  std::string describe_engine(const System& system, const DrawnRank& drawn,
                              const Method& method) const;
  /// After the start: what is to be said of a tolerance that is smaller than its integrator makes use of; else empty.
  std::string describe_unused_tolerance(const IntegratorChoice& choice) const;

 private:
  void make_controls(const Method& method);
  void warn_of_feedback(const Method& method);
  void make_field(const Method& method);
  void make_baumgarte(const Baumgarte& spec);
};

}  // namespace driftless
