#include "driftless/io/display.hpp"

#include "driftless/base/units.hpp"
#include "driftless/io/model_file.hpp"

namespace driftless {
namespace {

/// What is known of a column's dimension before a run: the unit of t and energy_error.
std::string find_own_unit(const std::string& column) {
  if (column == "t") return "s";
  return column == "energy_error" ? "J" : "";
}

}  // namespace

void check_display(const ModelFile& file) {
  DiagnosticList findings;
  for (const auto& [column, value] : file.display) {
    if (!value.is_text()) continue;  // told by the reader
    const std::optional<Unit> unit = parse_unit(value.text());
    if (!unit) {
      findings.add(value.where, "display." + column + ": '" + value.text() + "' is not a unit",
                   "for example \"mm\", \"deg\", \"N/mm\"");
      continue;
    }
    const std::string own = find_own_unit(column);
    if (!own.empty() && unit->dimension != parse_unit(own)->dimension) {
      findings.add(
          value.where,
          "display." + column + ": '" + value.text() + "' does not fit: the column is in " + own,
          "give a unit that converts to " + own);
    }
  }
  findings.finish();
}

std::map<std::string, DisplayUnit> find_display(const ModelFile& file) {
  std::map<std::string, DisplayUnit> display;
  for (const auto& [column, value] : file.display) {
    if (!value.is_text()) continue;
    const std::optional<Unit> unit = parse_unit(value.text());
    if (unit) display[column] = {value.text(), unit->factor};
  }
  for (const CoordinateSpec& coordinate : file.model.coordinates) {
    const auto found = display.find(coordinate.name);
    if (found == display.end()) continue;
    display.try_emplace(coordinate.name + "'",
                        DisplayUnit{found->second.unit + "/s", found->second.factor});
  }
  return display;
}

std::map<std::string, DisplayUnit> find_display(const RunInfo& info) {
  if (info.model_text.empty()) return {};
  try {
    return find_display(parse_model(info.model_text, info.model_path));
  } catch (const ModelError&) {
    return {};  // written by another version, or its tables are gone: SI it is
  }
}

DisplayUnit find_display_unit(const std::map<std::string, DisplayUnit>& display,
                              const Column& column) {
  const auto found = display.find(column.name);
  return found == display.end() ? DisplayUnit{column.unit, 1.0} : found->second;
}

}  // namespace driftless
