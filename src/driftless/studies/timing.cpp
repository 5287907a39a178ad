#include "driftless/studies/timing.hpp"

#include <algorithm>

namespace driftless {

double find_least_seconds(const PreparedModel& model, const Method& method,
                          const RunOptions& options, double first) {
  constexpr int kMostRuns = 20;
  constexpr double kEnough = 0.1;
  RunOptions silent = options;
  silent.watch = {};
  double least = first;
  double sum = first;
  for (int k = 0; k < kMostRuns && sum < kEnough; ++k) {
    if (options.stop != nullptr && options.stop->load()) break;
    const Report report = run_prepared(model, method, silent).report;
    if (report.status == Status::interrupted) break;  // a part of a run is no less costly run
    least = std::min(least, report.cpu_seconds);
    sum += report.cpu_seconds;
  }
  return least;
}

}  // namespace driftless
