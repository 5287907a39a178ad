#pragma once
// Work and precision: methods run over steps or tolerances, with their errors against a reference, their costs and the
// order that shows.
//
// With errors e_i at steps (or tolerances) h_i,
//   between rows    p = log(e_i/e_(i+1)) / log(h_i/h_(i+1))                                                    [CNV.1]
//   of a method     p = the slope of the least-squares line through (log h_i, log e_i)                         [CNV.2]
// Not used are errors that the reference does not know, e_i < 10 δ, where δ is the difference of two references made by
// other formulations and integrators, and in [CNV.2] those that are no longer small, e_i > 0.1. Of two references with
// errors a and b the difference is at most a + b, and a is at most about δ unless both err alike; the factor of ten
// leaves e_i a digit.

#include <atomic>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/run/prepare.hpp"
#include "driftless/studies/run_error.hpp"

namespace driftless {

// ---- what is run

/// One method with its settings: as many methods as settings, the same but for that.
struct ConvergeMethod {
  std::string name;  ///< as the user calls it
  bool adaptive = false;
  std::vector<double> settings = {};  ///< tolerances if adaptive, else steps in s
  std::vector<Method> methods = {};
};

/// Whether its steps can follow a tolerance: by its error estimate; and by what the formulation makes of a step that changes.
bool can_adapt(const IntegratorChoice& integrator);
bool can_adapt(const Method& method);

/// Steps around `step`: four times, twice, once, half and a quarter of it, but at least ten in a run of so many seconds.
std::vector<double> make_default_steps(double step, double until);
/// 1e-3 to 1e-9.
std::vector<double> make_default_tolerances();

// ---- what it is compared with

inline constexpr double kReferenceTolerance = 1e-12;

struct Reference {
  std::string name;   ///< "braun_goldfarb/dop853/project at tolerance 1e-12", or a file's path
  Result result;      ///< the run; its status is not ok if none of those tried ended
  std::string other;  ///< the second one, for doubt; empty: none ended
  /// How far the two are apart; NaN: not known.
  RunErrors doubt{.q = NAN, .v = NAN, .lambda = NAN};
};

/// A reference for the model, and a second one to check it. `given`: what the user wants as the first.
Reference make_reference(const PreparedModel& model, const RunOptions& options,
                         std::optional<Reference> given = {});

// ---- what comes out

struct ConvergeRun {
  double setting = 0.0;
  Report report;         ///< CPU time, evaluations and factorisations without those of the samples
  double seconds = 0.0;  ///< CPU time, of short runs the least of several
  RunErrors errors;      ///< NaN if the run did not end well
};

struct ConvergeCurve {
  std::string name;
  std::string words;  ///< "index1/dopri5"
  bool adaptive = false;
  std::vector<ConvergeRun> runs;
};

struct ConvergeOptions {
  /// At 1, CPU times are undisturbed.
  int threads = 1;
  bool repeats = true;  ///< short runs, for their CPU time
  /// Run options for the run that is about to begin: to watch it. From any thread.
  std::function<RunOptions(const ConvergeMethod& method, double setting)> begin = {};
  std::function<void(std::size_t done, std::size_t all)> watch = {};  ///< one at a time
};

/// Runs every method with every setting. What was not reached after a stop is left out. Throws ModelError as a run does.
std::vector<ConvergeCurve> converge(const PreparedModel& model,
                                    const std::vector<ConvergeMethod>& methods,
                                    const ErrorMeasure& measure, const ConvergeOptions& options);

// ---- what it shows

/// Beyond, an error is no power of the step: it is not used in [CNV.2].
inline constexpr double kLargeError = 0.1;

/// One of RunErrors' q, v and lambda.
using ErrorKind = double RunErrors::*;

/// Whether the error is known in spite of the reference's own.
bool is_known(const ConvergeRun& run, const RunErrors& doubt, ErrorKind kind);

/// [CNV.1]; NaN if one of the errors is not known.
double find_order(const ConvergeRun& a, const ConvergeRun& b, const RunErrors& doubt,
                  ErrorKind kind);

struct OrderFit {
  double order = 0.0;  ///< [CNV.2]; NaN with fewer than two rows
  int rows = 0;        ///< used
};
OrderFit fit_order(const ConvergeCurve& curve, const RunErrors& doubt, ErrorKind kind);

/// What keeps the study from showing orders: a reference that is too coarse. Empty: nothing.
std::string find_reference_problem(const std::vector<ConvergeCurve>& curves,
                                   const Reference& reference);

}  // namespace driftless
