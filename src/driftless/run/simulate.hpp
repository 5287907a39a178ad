#pragma once
// The one loop: steps, corrections, samples, figures.

#include <atomic>
#include <functional>

#include "driftless/result/result.hpp"
#include "driftless/run/method.hpp"
#include "driftless/system/start_rows.hpp"

namespace driftless {

/// What a watcher of a long run wants to know.
struct Progress {
  double t = 0.0;
  double until = 0.0;
  double step = 0.0;
  long steps = 0;
  double max_phi = 0.0;
  double max_energy_error = 0.0;
};

struct RunOptions {
  double until = 10.0;
  double every = 0.0;  ///< 0: until/1000
  RunInfo info = {};   ///< passed on to the sink; method and options are filled in
  std::function<void(const Progress&)> watch = {};  ///< called a few times a second, may be empty
  std::vector<std::pair<std::string, double>> seconds_before = {};  ///< of parts before the run
  const std::atomic<bool>* stop =
      nullptr;  ///< set it to end at the next step, keeping what was computed
};

/// Runs the method from a start state. Misuse throws ModelError before the first step; a numerical failure is a status
/// in the report. Rows go to `sink` as they are computed. `rows`: what look_at_start found there.
Report simulate(const System& system, const State& start, const StartRows& rows,
                const Method& method, const RunOptions& options, ResultSink& sink);
Report simulate(const System& system, const State& start, const Method& method,
                const RunOptions& options, ResultSink& sink);

/// The same, kept in memory.
Result simulate(const System& system, const State& start, const Method& method,
                const RunOptions& options);

}  // namespace driftless
