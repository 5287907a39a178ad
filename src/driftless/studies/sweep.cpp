#include "driftless/studies/sweep.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <exception>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "driftless/base/error.hpp"
#include "driftless/base/units.hpp"

namespace driftless {
namespace {

constexpr std::size_t kMaxPoints = 1000000;

[[noreturn]] void refuse(std::string_view text, const std::string& what) {
  throw ModelError(fmt::format("--vary {}: {}", text, what),
                   "write NAME=from:to:count, NAME=from:to:count:log, or NAME=a,b,c; units may "
                   "follow the numbers: NAME=10 deg:60 deg:6");
}

double parse_number(std::string_view part, std::string_view text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
  if (error != std::errc{} || end != part.data() + part.size() || !std::isfinite(value)) {
    refuse(text, fmt::format("'{}' is not a number", part));
  }
  return value;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// Numbers with their units: each its own, else that of the last one that has one.
std::vector<double> parse_quantities(const std::vector<std::string_view>& parts,
                                     std::string_view text, Axis& axis) {
  std::vector<double> numbers;
  std::vector<std::optional<Unit>> units;
  std::optional<Unit> common;
  for (const std::string_view each : parts) {
    const std::string_view part = trim(each);
    double value = 0.0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    const std::string_view word = trim(std::string_view(end, part.data() + part.size()));
    if (error != std::errc{} || !std::isfinite(value)) {
      refuse(text, fmt::format("'{}' is not a number", part));
    }
    numbers.push_back(value);
    units.push_back(word.empty() ? std::nullopt : parse_unit(word));
    if (word.empty()) continue;
    if (!units.back()) refuse(text, fmt::format("'{}' is not a number with a unit", part));
    if (common && common->dimension != units.back()->dimension) {
      refuse(text, fmt::format("'{}' and '{}' have different dimensions", axis.shown_unit, word));
    }
    common = units.back();
    axis.shown_unit = word;
    axis.shown_factor = common->factor;
  }
  if (!common) return numbers;
  if (common->dimension != Dimension{}) axis.unit = to_string(common->dimension);
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    numbers[k] = to_si(numbers[k], units[k].value_or(*common));
  }
  return numbers;
}

std::vector<double> make_range(const std::vector<std::string_view>& parts, std::string_view text,
                               Axis& axis) {
  if (parts.size() < 3 || parts.size() > 4)
    refuse(text, "a range has three parts, or four with log");
  const std::vector<double> ends = parse_quantities({parts[0], parts[1]}, text, axis);
  const double from = ends[0];
  const double to = ends[1];
  const double count = parse_number(parts[2], text);
  if (count != std::floor(count) || count < 1 || count > static_cast<double>(kMaxPoints)) {
    refuse(text,
           fmt::format("the count {} is not a whole number from 1 to {}", parts[2], kMaxPoints));
  }
  const bool logarithmic = parts.size() == 4;
  if (logarithmic && parts[3] != "log") refuse(text, fmt::format("'{}' is not known", parts[3]));
  if (logarithmic && !(from > 0.0 && to > 0.0)) refuse(text, "a log range needs positive ends");
  const auto n = static_cast<std::size_t>(count);
  std::vector<double> values(n);
  for (std::size_t k = 0; k < n; ++k) {
    const double share = n == 1 ? 0.0 : static_cast<double>(k) / static_cast<double>(n - 1);
    values[k] = logarithmic ? from * std::pow(to / from, share) : from + (to - from) * share;
  }
  if (n > 1) values.back() = to;
  return values;
}

}  // namespace

Axis parse_axis(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0)
    refuse(text, "the name or the values are missing");
  Axis axis;
  axis.name = text.substr(0, equals);
  const std::string_view values = text.substr(equals + 1);
  if (values.find(':') != std::string_view::npos) {
    axis.values = make_range(split(values, ':'), text, axis);
  } else {
    axis.values = parse_quantities(split(values, ','), text, axis);
  }
  return axis;
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
  std::vector<char> finished(total, 0);
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
        finished[index] = point.status == Status::interrupted ? 0 : 1;
        const std::lock_guard lock(mutex);
        if (options.watch) options.watch(++done, total);
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
    if (finished[index] != 0) reached.push_back(std::move(points[index]));
  }
  return reached;
}

}  // namespace driftless
