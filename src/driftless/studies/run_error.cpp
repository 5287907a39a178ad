#include "driftless/studies/run_error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>

#include "driftless/base/error.hpp"
#include "driftless/formulations/index1.hpp"
#include "driftless/system/evaluator.hpp"

namespace driftless {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// "A.force.x", "rod.force": of the element `name`.
bool is_reaction(const std::string& column, const std::string& unit, const std::string& element) {
  return (unit == "N" || unit == "N*m") && column.size() > element.size() &&
         column.starts_with(element) && column[element.size()] == '.';
}

/// The record of a constraint's multiplier.
std::string name_multiplier(const std::string& row) { return "lambda_" + row; }

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// [ERR.2]
double find_angle(const std::array<double, 4>& a, const std::array<double, 4>& b) {
  double aa = 0.0, bb = 0.0;
  for (std::size_t k = 0; k < 4; ++k) aa += a[k] * a[k], bb += b[k] * b[k];
  double minus = 0.0, plus = 0.0;
  for (std::size_t k = 0; k < 4; ++k) {
    const double x = a[k] / std::sqrt(aa), y = b[k] / std::sqrt(bb);
    minus += (x - y) * (x - y);
    plus += (x + y) * (x + y);
  }
  return 4.0 * std::asin(std::min(1.0, std::sqrt(std::min(minus, plus)) / 2.0));
}

/// NaN does not get past a comparison: it counts as infinite.
void raise(double& largest, double value) {
  if (!(value <= largest)) largest = std::isnan(value) ? kInfinity : value;
}

}  // namespace

ErrorMeasure::ErrorMeasure(const SystemInfo& info, Result reference, const std::string& name)
    : reference_(std::move(reference)), name_(name) {
  if (reference_.row_count() == 0 || reference_.find_column("t") < 0)
    throw ModelError(fmt::format("{} has no samples to compare with", name_),
                     "take a result that driftless run wrote");
  add_coordinates(info);
  for (std::size_t k = 0; k < info.rates.size(); ++k)
    add(Kind::rates, info.rates[k], k < info.rate_units.size() ? info.rate_units[k] : "");
  add_reactions(info);
  find_sizes();
}

void ErrorMeasure::add(Kind kind, const std::string& column, const std::string& unit) {
  const int index = reference_.find_column(column);
  if (index < 0) {
    if (kind == Kind::reactions) return;
    throw ModelError(fmt::format("{} has no column '{}', which the model has", name_, column),
                     "take a result of the same model, or leave --reference out");
  }
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    if (groups_[g].kind != kind || units_[g] != unit) continue;
    groups_[g].columns.push_back(static_cast<std::size_t>(index));
    return;
  }
  groups_.push_back({kind, {static_cast<std::size_t>(index)}});
  units_.push_back(unit);
}

void ErrorMeasure::add_coordinates(const SystemInfo& info) {
  std::vector<int> first_of_four(info.coordinates.size(), 0);
  for (const BodyInfo& body : info.bodies) {
    if (body.turns == 3)
      first_of_four[static_cast<std::size_t>(body.coordinate + body.rates - 3)] = 1;
  }
  for (std::size_t k = 0; k < info.coordinates.size(); ++k) {
    if (first_of_four[k] == 0) {
      const std::vector<std::string>& units = info.coordinate_units;
      add(Kind::coordinates, info.coordinates[k], k < units.size() ? units[k] : "");
      continue;
    }
    // Named after its first part, so that each orientation is a group of its own.
    for (std::size_t part = 0; part < 4; ++part)
      add(Kind::orientation, info.coordinates[k + part], info.coordinates[k]);
    k += 3;
  }
}

void ErrorMeasure::add_reactions(const SystemInfo& info) {
  for (std::size_t k = 0; k < info.records.size() && k < info.record_units.size(); ++k) {
    const std::string& column = info.records[k];
    const std::string& unit = info.record_units[k];
    const auto is_of = [&](const ElementInfo& each) {
      return is_reaction(column, unit, each.name);
    };
    if (std::any_of(info.elements.begin(), info.elements.end(), is_of) &&
        !contains(reference_.report.not_unique, column))
      add(Kind::reactions, column, unit);
  }
  // Of equations: the multipliers, whose unit is that of their constraint
  for (const std::string& row : info.rows) {
    const std::string column = name_multiplier(row);
    if (contains(info.records, column) && !contains(reference_.report.not_unique, column))
      add(Kind::reactions, column, "");
  }
}

void record_multipliers(ModelFile& file) {
  if (file.mechanism) return;
  EquationModel& model = file.model;
  std::set<std::string> taken;
  const auto take = [&](const auto& parts) {
    for (const auto& each : parts) taken.insert(each.name);
  };
  take(model.records), take(model.parameters), take(model.coordinates), take(model.states);
  take(model.constraints), take(model.velocity_constraints), take(model.tables);
  for (const auto* rows : {&model.constraints, &model.velocity_constraints}) {
    for (const NamedText& row : *rows) {
      const std::string name = name_multiplier(row.name);
      if (!taken.contains(name))
        model.records.push_back({name, {row.name + ".lambda", row.where}, row.where});
    }
  }
}

namespace {

/// Where a result has the columns of these names; empty: it lacks one.
std::vector<std::size_t> find_columns(const Result& result, const std::vector<std::string>& names) {
  std::vector<std::size_t> found;
  for (const std::string& name : names) {
    const int column = result.find_column(name);
    if (column < 0) return {};
    found.push_back(static_cast<std::size_t>(column));
  }
  return found;
}

Vector pick(std::span<const double> row, const std::vector<std::size_t>& columns) {
  Vector values(static_cast<Eigen::Index>(columns.size()));
  for (std::size_t k = 0; k < columns.size(); ++k)
    values[static_cast<Eigen::Index>(k)] = row[columns[k]];
  return values;
}

}  // namespace

void add_multipliers(const System& system, Result& result) {
  const SystemInfo& info = system.info();
  std::vector<std::size_t> missing;  // rows
  for (std::size_t row = 0; row < info.rows.size(); ++row) {
    const std::string name = name_multiplier(info.rows[row]);
    if (contains(info.records, name) && result.find_column(name) < 0) missing.push_back(row);
  }
  const auto t = find_columns(result, {"t"}), q = find_columns(result, info.coordinates),
             v = find_columns(result, info.rates), c = find_columns(result, info.states);
  if (missing.empty() || t.empty() || q.empty() || v.empty() || c.size() != info.states.size())
    return;
  if (!result.report.redundant.empty()) return;
  Evaluator evaluator(system);
  Vector v_dot = Vector::Zero(info.nv), lambda = Vector::Zero(info.row_count());
  std::vector<double> data;
  for (std::size_t sample = 0; sample < result.row_count(); ++sample) {
    const auto row = result.row(sample);
    evaluator.set_states(pick(row, c));
    evaluator.set_configuration(row[t[0]], pick(row, q));
    evaluator.eval_motion(pick(row, v));
    if (!evaluator.factorize(Index1{}.rank_tolerance)) return;
    evaluator.solve(evaluator.ws().force, evaluator.ws().gamma, v_dot, lambda);
    data.insert(data.end(), row.begin(), row.end());
    for (const std::size_t each : missing) data.push_back(lambda[static_cast<Eigen::Index>(each)]);
  }
  for (const std::size_t each : missing)
    result.columns.push_back({name_multiplier(info.rows[each]), ""});
  result.data = std::move(data);
}

void ErrorMeasure::find_sizes() {
  constexpr double kRoundOff = 1e-9;
  std::map<Kind, double> largest_of_kind;
  for (Group& group : groups_) {
    if (group.kind == Kind::orientation) continue;
    double largest = 0.0;
    for (std::size_t row = 0; row < reference_.row_count(); ++row) {
      for (const std::size_t column : group.columns)
        raise(largest, std::abs(reference_.row(row)[column]));
    }
    group.size = largest;
    raise(largest_of_kind[group.kind], largest);
  }
  for (Group& group : groups_) {
    if (group.kind == Kind::orientation) continue;
    const double most = largest_of_kind[group.kind];
    if (group.size <= kRoundOff * most) group.size = most > 0.0 ? most : 1.0;
  }
}

std::vector<ErrorMeasure::Pair> ErrorMeasure::find_common_times(const Result& run) const {
  const std::vector<double> times = run.column(static_cast<std::size_t>(run.find_column("t")));
  const std::vector<double> others =
      reference_.column(static_cast<std::size_t>(reference_.find_column("t")));
  std::vector<Pair> pairs;
  std::size_t k = 0;
  for (std::size_t row = 0; row < times.size(); ++row) {
    const double round_off = 64.0 * std::numeric_limits<double>::epsilon() *
                             std::max(std::abs(times[row]), std::abs(times.back()));
    while (k < others.size() && others[k] < times[row] - round_off) ++k;
    if (k < others.size() && std::abs(others[k] - times[row]) <= round_off)
      pairs.push_back({row, k});
  }
  return pairs;
}

double ErrorMeasure::find_error(const Group& group, const Result& run,
                                const std::vector<Pair>& pairs) const {
  std::vector<std::size_t> own;  // the same columns of the run
  std::vector<std::size_t> columns;
  for (const std::size_t column : group.columns) {
    const std::string& name = reference_.columns[column].name;
    const int index = run.find_column(name);
    if (index < 0 || contains(run.report.not_unique, name)) continue;
    own.push_back(static_cast<std::size_t>(index));
    columns.push_back(column);
  }
  double largest = own.empty() ? kNothing : 0.0;
  for (const Pair& pair : pairs) {
    const auto x = run.row(pair.row);
    const auto y = reference_.row(pair.reference_row);
    if (group.kind == Kind::orientation) {
      raise(largest, find_angle({x[own[0]], x[own[1]], x[own[2]], x[own[3]]},
                                {y[columns[0]], y[columns[1]], y[columns[2]], y[columns[3]]}));
      continue;
    }
    for (std::size_t k = 0; k < own.size(); ++k)
      raise(largest, std::abs(x[own[k]] - y[columns[k]]) / group.size);
  }
  return largest;
}

RunErrors ErrorMeasure::find(const Result& run) const {
  const std::vector<Pair> pairs = find_common_times(run);
  if (pairs.size() < 2) {
    const auto times = reference_.column(static_cast<std::size_t>(reference_.find_column("t")));
    throw ModelError(
        fmt::format("{} has no time in common with the runs but the start", name_),
        fmt::format("give --every as it was there: it has {} samples from {:.6g} s to {:.6g} s",
                    times.size(), times.front(), times.back()));
  }
  RunErrors errors{kNothing, kNothing, kNothing, pairs.size()};
  for (const Group& group : groups_) {
    double& error = group.kind == Kind::rates       ? errors.v
                    : group.kind == Kind::reactions ? errors.lambda
                                                    : errors.q;
    const double own = find_error(group, run, pairs);
    if (std::isnan(own)) continue;
    error = std::isnan(error) ? own : std::max(error, own);
  }
  return errors;
}

}  // namespace driftless
