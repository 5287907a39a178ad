#include "driftless/io/display.hpp"

#include <algorithm>

#include "driftless/base/units.hpp"
#include "driftless/io/model_file.hpp"
#include "driftless/model/names.hpp"

namespace driftless {

void check_display(const ModelFile& file, DiagnosticList& findings) {
  for (const auto& [column, value] : file.display) {
    if (!value.is_text() || parse_unit(value.text())) continue;  // the first is told by the reader
    findings.add(value.where, "display." + column + ": '" + value.text() + "' is not a unit",
                 "for example \"mm\", \"deg\", \"N/mm\"");
  }
}

void check_display(const ModelFile& file, const std::vector<Column>& columns,
                   DiagnosticList& findings) {
  for (const auto& [name, value] : file.display) {
    const auto column =
        std::find_if(columns.begin(), columns.end(),
                     [&, &key = name](const Column& each) { return each.name == key; });
    if (column == columns.end()) {
      std::vector<std::string> known;
      for (const Column& each : columns) known.push_back(each.name);
      findings.add(value.where, "display." + name + ": the result has no column of that name",
                   suggest_name(name, known));
      continue;
    }
    const std::optional<Unit> unit = value.is_text() ? parse_unit(value.text()) : std::nullopt;
    const std::optional<Unit> own = parse_unit(column->unit);
    if (!unit || !own || unit->dimension == own->dimension) continue;
    findings.add(value.where,
                 "display." + name + ": '" + value.text() + "' does not fit: the column is in " +
                     column->unit,
                 "give a unit that converts to " + column->unit);
  }
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
