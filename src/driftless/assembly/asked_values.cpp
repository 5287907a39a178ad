#include "driftless/assembly/asked_values.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "driftless/assembly/start.hpp"

namespace driftless {
namespace {

template <class Describe>
std::string list_values(const std::vector<AskedValue>& values, Describe&& value_of) {
  std::string text;
  for (const AskedValue& each : values) {
    text += fmt::format("{}{} = {}", text.empty() ? "" : " and ", each.row.value,
                        describe_value(value_of(each), each.row.unit));
  }
  return text;
}

}  // namespace

std::vector<AskedValue> find_asked_values(StartLevel& level, const ElementInfo& element) {
  std::vector<AskedValue> values;
  const auto* system = dynamic_cast<const DrivenSystem*>(&level.system());
  if (system == nullptr) return values;
  const std::vector<DrivenRow> rows = system->list_driven_rows();
  const std::vector<double> asked = level.find_asked();
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const bool is_its =
        std::find(element.rows.begin(), element.rows.end(), rows[k].row) != element.rows.end();
    if (is_its) values.push_back({rows[k], asked[k], asked[k] + level.row_residual()[rows[k].row]});
  }
  return values;
}

std::string describe_value(double value, const std::string& unit, int digits) {
  constexpr double kRoundOff = 1e-14;  // in m, rad and their rates: nobody means less
  const bool is_angle = unit == "rad";
  const double shown = std::abs(value) < kRoundOff ? 0.0 : value;
  return fmt::format("{:.{}g} {}", is_angle ? shown * 180.0 / std::numbers::pi : shown, digits,
                     is_angle ? "deg" : unit);
}

std::string describe_asked(const std::vector<AskedValue>& values) {
  return list_values(values, [](const AskedValue& each) { return each.asked; });
}

std::string describe_reached(const std::vector<AskedValue>& values) {
  return list_values(values, [](const AskedValue& each) { return each.reached; });
}

std::optional<OutsideDomain> find_outside_domain(const System& system, double t, ConstVectorRef q,
                                                 Workspace& ws) {
  constexpr double kNoDirection = 1e-9;  // from the bound, in the value's unit
  const auto* driven = dynamic_cast<const DrivenSystem*>(&system);
  if (driven == nullptr) return {};
  const std::vector<DrivenRow> rows = driven->list_driven_rows();
  const std::vector<double> asked = driven->find_asked(t, q, ws);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (!(asked[k] <= rows[k].least + kNoDirection)) continue;
    const std::string name = system.info().rows[static_cast<std::size_t>(rows[k].row)];
    const std::string least = describe_value(rows[k].least, rows[k].unit);
    return OutsideDomain{
        name,
        fmt::format(
            "'{}' asks for {} = {} at t = {:.6g}, which must be greater than {}: it is never "
            "less, and there it has no direction",
            name, rows[k].value, describe_value(asked[k], rows[k].unit), t, least),
        fmt::format("let '{}' stay above {}; if it is to pass through, prescribe something "
                    "with a sign: a joint's position, or a point's x, y or z",
                    name, least)};
  }
  return {};
}

bool has_bounded_drives(const System& system) {
  const auto* driven = dynamic_cast<const DrivenSystem*>(&system);
  if (driven == nullptr) return false;
  const std::vector<DrivenRow> rows = driven->list_driven_rows();
  return std::any_of(rows.begin(), rows.end(),
                     [](const DrivenRow& row) { return std::isfinite(row.least); });
}

bool check_domains(const System& system, const State& state, StartReport& report) {
  if (!has_bounded_drives(system)) return true;
  const auto ws = system.make_workspace();
  const auto outside = find_outside_domain(system, state.t, state.q, *ws);
  if (!outside) return true;
  const SystemInfo& info = system.info();
  report.worst_row = outside->row;
  report.message = "the prescribed motion cannot begin: " + outside->message;
  report.suggestion = outside->remedy;
  const auto row = std::find(info.rows.begin(), info.rows.end(), outside->row);
  if (!info.row_sources.empty())
    report.where = info.row_sources[static_cast<std::size_t>(row - info.rows.begin())];
  return false;
}

}  // namespace driftless
