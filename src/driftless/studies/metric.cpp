#include "driftless/studies/metric.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "driftless/base/error.hpp"

namespace driftless {
namespace {

const std::vector<std::string> kFunctions{"max", "min", "last", "mean", "rms", "l2"};

std::vector<std::pair<std::string, double>> list_figures(const Report& report) {
  std::vector<std::pair<std::string, double>> figures{
      {"max_phi", report.max_phi},
      {"max_phi_dot", report.max_phi_dot},
      {"max_energy_error", report.max_energy_error},
      {"steps", static_cast<double>(report.steps)},
      {"rejected", static_cast<double>(report.rejected)},
      {"evaluations", static_cast<double>(report.evaluations)},
      {"factorisations", static_cast<double>(report.factorisations)},
      {"cpu_seconds", report.cpu_seconds},
      {"t_end", report.t_end},
      {"dof", static_cast<double>(report.dof)},
      {"rank", static_cast<double>(report.rank)},
      {"min_rank", static_cast<double>(report.min_rank)},
  };
  figures.insert(figures.end(), report.figures.begin(), report.figures.end());
  return figures;
}

/// ∫ f dt by the trapezoidal rule over the samples.
template <class Function>
double integrate(const std::vector<double>& t, const std::vector<double>& x, Function&& f) {
  double sum = 0.0;
  for (std::size_t k = 1; k < t.size(); ++k) {
    sum += 0.5 * (t[k] - t[k - 1]) * (f(x[k]) + f(x[k - 1]));
  }
  return sum;
}

double eval_function(const std::string& function, const std::vector<double>& t,
                     const std::vector<double>& x) {
  if (x.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto square = [](double value) { return value * value; };
  const double span = t.back() - t.front();
  if (function == "last") return x.back();
  if (function == "min") return *std::min_element(x.begin(), x.end());
  if (function == "max") {
    return std::abs(*std::max_element(
        x.begin(), x.end(), [](double a, double b) { return std::abs(a) < std::abs(b); }));
  }
  if (function == "mean") return integrate(t, x, [](double value) { return value; }) / span;
  if (function == "rms") return std::sqrt(integrate(t, x, square) / span);
  return std::sqrt(integrate(t, x, square));
}

}  // namespace

Metric parse_metric(std::string_view text) {
  const std::size_t open = text.find('(');
  if (open == std::string_view::npos) return {std::string(text), "", std::string(text)};
  if (text.back() != ')') {
    throw ModelError(fmt::format("'{}': the closing parenthesis is missing", text),
                     "for example max(x1)");
  }
  Metric metric{std::string(text), std::string(text.substr(0, open)),
                std::string(text.substr(open + 1, text.size() - open - 2))};
  if (std::find(kFunctions.begin(), kFunctions.end(), metric.function) == kFunctions.end()) {
    throw ModelError(
        fmt::format("'{}': there is no function '{}' of a column", text, metric.function),
        suggest(metric.function, kFunctions));
  }
  return metric;
}

double eval_metric(const Metric& metric, const Result& result) {
  if (metric.function.empty()) {
    std::vector<std::string> known;
    for (const auto& [name, value] : list_figures(result.report)) {
      if (name == metric.name) return value;
      known.push_back(name);
    }
    throw ModelError(
        "the report has no figure '" + metric.name + "'",
        suggest(metric.name, known) + "; columns: max(x), last(x), rms(x), l2(x), ...");
  }
  const int column = result.find_column(metric.name);
  if (column < 0) {
    if (result.report.status != Status::ok) return std::numeric_limits<double>::quiet_NaN();
    std::vector<std::string> known;
    for (const Column& each : result.columns) known.push_back(each.name);
    throw ModelError("there is no column '" + metric.name + "'", suggest(metric.name, known));
  }
  return eval_function(metric.function, result.column(0),
                       result.column(static_cast<std::size_t>(column)));
}

std::vector<std::string> all_figures() {
  std::vector<std::string> names;
  for (const auto& figure : list_figures(Report{})) names.push_back(figure.first);
  return names;
}

}  // namespace driftless
