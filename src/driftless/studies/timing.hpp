#pragma once
// What a run costs.

#include "driftless/run/prepare.hpp"

namespace driftless {

/// The least CPU time of several runs, given that of the `first`. A run of milliseconds says little about its cost: it is
/// repeated for a tenth of a second. Ends early if options.stop asks for it.
double find_least_seconds(const PreparedModel& model, const Method& method,
                          const RunOptions& options, double first);

}  // namespace driftless
