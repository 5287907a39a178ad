#include "driftless/studies/sweep.hpp"

#include <exception>
#include <limits>
#include <mutex>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "driftless/base/error.hpp"
#include "driftless/studies/value_list.hpp"

namespace driftless {
namespace {

constexpr std::size_t kMaxPoints = kMaxValues;

constexpr const char* kForms =
    "write NAME=from:to:count, NAME=from:to:count:log, or NAME=a,b,c; units may "
    "follow the numbers: NAME=10 deg:60 deg:6";

}  // namespace

Axis parse_axis(std::string_view text) {
  const ValuePlace place{fmt::format("--vary {}", text), kForms};
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0)
    throw ModelError(place.shown + ": the name or the values are missing", place.remedy);
  ValueList list = parse_values(text.substr(equals + 1), place, Spacing::even);
  return {std::string(text.substr(0, equals)), std::move(list.values), std::move(list.unit),
          std::move(list.shown_unit), list.shown_factor};
}

std::vector<SweepPoint> sweep(const std::vector<Axis>& axes, const std::vector<Metric>& metrics,
                              const std::function<Result(const std::vector<double>&)>& run,
                              const SweepOptions& options) {
  std::size_t total = 1;
  for (const Axis& axis : axes) {
    total *= axis.values.size();
    if (total > kMaxPoints)
      throw ModelError(fmt::format("the grid has more than {} points", kMaxPoints),
                       "vary fewer values");
  }
  std::vector<SweepPoint> points(total);
  for (std::size_t index = 0; index < total; ++index) {
    std::size_t rest = index;
    points[index].values.resize(axes.size());
    for (std::size_t k = axes.size(); k-- > 0;) {
      points[index].values[k] = axes[k].values[rest % axes[k].values.size()];
      rest /= axes[k].values.size();
    }
  }

  std::atomic<std::size_t> next{0};
  std::size_t done = 0;
  std::vector<char> begun(total, 0);
  std::exception_ptr failure;
  std::mutex mutex;
  const auto stopped = [&] { return options.stop != nullptr && options.stop->load(); };
  const auto work = [&] {
    for (std::size_t index = next++; index < total && !stopped(); index = next++) {
      try {
        SweepPoint& point = points[index];
        const Result result = run(point.values);
        point.status = result.report.status;
        point.message = result.report.message;
        for (const Metric& metric : metrics) {
          // A run that failed at its start has no columns.
          point.metrics.push_back(point.status == Status::ok
                                      ? eval_metric(metric, result)
                                      : std::numeric_limits<double>::quiet_NaN());
        }
        begun[index] = 1;
        const std::lock_guard lock(mutex);
        if (options.watch && point.status != Status::interrupted) options.watch(++done, total);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
        next = total;
      }
    }
  };
  std::vector<std::thread> threads;
  for (int k = 1; k < options.threads; ++k) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
  std::vector<SweepPoint> reached;
  for (std::size_t index = 0; index < total; ++index) {
    if (begun[index] != 0) reached.push_back(std::move(points[index]));
  }
  return reached;
}

}  // namespace driftless
