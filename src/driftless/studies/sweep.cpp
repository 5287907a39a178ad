#include "driftless/studies/sweep.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "driftless/base/error.hpp"

namespace driftless {
namespace {

constexpr std::size_t kMaxPoints = 1000000;

[[noreturn]] void refuse(std::string_view text, const std::string& what) {
  throw ModelError(fmt::format("--vary {}: {}", text, what),
                   "write NAME=from:to:count, NAME=from:to:count:log, or NAME=a,b,c");
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

std::vector<double> make_range(const std::vector<std::string_view>& parts, std::string_view text) {
  if (parts.size() < 3 || parts.size() > 4)
    refuse(text, "a range has three parts, or four with log");
  const double from = parse_number(parts[0], text);
  const double to = parse_number(parts[1], text);
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
  Axis axis{std::string(text.substr(0, equals)), {}};
  const std::string_view values = text.substr(equals + 1);
  if (values.find(':') != std::string_view::npos) {
    axis.values = make_range(split(values, ':'), text);
  } else {
    for (const std::string_view part : split(values, ','))
      axis.values.push_back(parse_number(part, text));
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
          const bool ok = point.status == Status::ok;
          const double value = eval_metric(metric, result);
          point.metrics.push_back(ok ? value : std::numeric_limits<double>::quiet_NaN());
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
