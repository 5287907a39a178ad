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
  std::vector<double> values;   ///< SI
  std::string unit = {};        ///< SI, if one was given that is no angle's
  std::string shown_unit = {};  ///< as given, "" if none was
  double shown_factor = 1.0;    ///< of that unit
};

/// "alpha=1:50:20" (20 values from 1 to 50), "h=1e-4:1e-1:7:log", "n=1,2,5"; with units "th=10 deg:60 deg:6",
/// "l=50,80,120 mm". A number without a unit takes that of the others; if none has one, all are SI. Throws ModelError.
Axis parse_axis(std::string_view text);

struct SweepPoint {
  std::vector<double> values;   ///< one per axis
  std::vector<double> metrics;  ///< one per metric; NaN unless the run is ok
  Status status = Status::ok;
  std::string message;
};

struct SweepOptions {
  int threads = 1;
  std::function<void(std::size_t done, std::size_t all)> watch;  ///< from any thread, one at a time
  const std::atomic<bool>* stop = nullptr;
};

/// The first axis varies slowest. `run` gets one value per axis and must be safe to call from several threads. A
/// ModelError of one run is the whole sweep's. Runs that a stop ends have the status interrupted and no
/// metrics; points that were not reached after it are left out.
std::vector<SweepPoint> sweep(const std::vector<Axis>& axes, const std::vector<Metric>& metrics,
                              const std::function<Result(const std::vector<double>&)>& run,
                              const SweepOptions& options);

}  // namespace driftless
