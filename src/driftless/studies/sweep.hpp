#pragma once
// Many runs over a grid of values. Runs are independent and spread over threads; the table does not depend on how many
// there are.

#include <atomic>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/result/result.hpp"
#include "driftless/studies/metric.hpp"

namespace driftless {

/// One varied name with its values.
struct Axis {
  std::string name;
  std::vector<double> values;
};

/// "alpha=1:50:20" (20 values from 1 to 50), "h=1e-4:1e-1:7:log", "n=1,2,5". Throws ModelError.
Axis parse_axis(std::string_view text);

struct SweepPoint {
  std::vector<double> values;   ///< one per axis
  std::vector<double> metrics;  ///< one per metric; NaN if the run failed
  Status status = Status::ok;
  std::string message;
};

struct SweepOptions {
  int threads = 1;
  std::function<void(std::size_t done, std::size_t all)> watch;  ///< from any thread, one at a time
  const std::atomic<bool>* stop = nullptr;
};

/// The first axis varies slowest. `run` gets one value per axis and must be safe to call from several threads. A
/// ModelError of one run is the whole sweep's. Points that were not reached after a stop are left out.
std::vector<SweepPoint> sweep(const std::vector<Axis>& axes, const std::vector<Metric>& metrics,
                              const std::function<Result(const std::vector<double>&)>& run,
                              const SweepOptions& options);

}  // namespace driftless
