#pragma once
// From a model file to everything a run needs: system, consistent start, method, times.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driftless/assembly/start.hpp"
#include "driftless/equations/compile.hpp"
#include "driftless/mechanism/compile.hpp"
#include "driftless/model/equation_model.hpp"
#include "driftless/run/method_reader.hpp"
#include "driftless/run/simulate.hpp"

namespace driftless {

/// What the caller asks for on top of the file.
struct RunRequest {
  MethodRequest method = {};
  std::optional<double> until = {};
  std::optional<double> every = {};
};

struct PreparedModel {
  CompiledModel compiled;
  State start;
  StartReport start_report;
  StartRows start_rows;               ///< at that start, if it could be made consistent
  MethodContext context;              ///< for further methods of the same model
  RunOptions options;                 ///< times and info; no watcher, no stop flag
  std::vector<std::string> warnings;  ///< unused names, start values that were changed
  std::vector<std::pair<std::string, Source>> body_places;  ///< bodies of a mechanism, in the file

  const System& system() const { return *compiled.system; }
};

/// [run] as numbers; what is left out is empty.
struct RunTimes {
  std::optional<double> until = {};
  std::optional<double> every = {};
  bool keeps_start = false;  ///< start = "given"
};

/// Throws ModelError with all findings.
RunTimes read_run_times(const RunSpec& run,
                        const std::vector<std::pair<std::string, double>>& parameters);

/// Compiles, makes the start consistent (unless run.start = "given"), reads the times. Throws ModelError; a start that
/// cannot be made consistent is not one: see start_report.success.
PreparedModel prepare_model(const ModelFile& file, const RunRequest& request);

Method prepare_method(const ModelFile& file, const PreparedModel& model,
                      const MethodRequest& request);

/// Runs one method. A start that cannot be made consistent gives a report with status failed.
Report run_prepared(const PreparedModel& model, const Method& method, const RunOptions& options,
                    ResultSink& sink);
Result run_prepared(const PreparedModel& model, const Method& method, const RunOptions& options);

/// Why a run would fail at its start: before its first step, or in it.
std::optional<Failure> find_start_failure(const PreparedModel& model, const Method& method);

}  // namespace driftless
