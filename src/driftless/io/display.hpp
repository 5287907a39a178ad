#pragma once
// [display] of a model file: units in which columns are shown. Results hold SI.

#include <map>
#include <string>
#include <vector>

#include "driftless/model/equation_model.hpp"
#include "driftless/result/result.hpp"

namespace driftless {

/// How a column is shown: value = SI / factor, in `unit` (may be empty: not known).
struct DisplayUnit {
  std::string unit;
  double factor = 1.0;
};

/// Notes units that are not known.
void check_display(const ModelFile& file, DiagnosticList& findings);

/// Notes columns that the result will not have, and units that do not fit.
void check_display(const ModelFile& file, const std::vector<Column>& columns,
                   DiagnosticList& findings);

/// Units of the file by column. A coordinate's unit also holds for its rate, per second.
std::map<std::string, DisplayUnit> find_display(const ModelFile& file);

/// The same for a run, from the model text that its result holds.
std::map<std::string, DisplayUnit> find_display(const RunInfo& info);
inline std::map<std::string, DisplayUnit> find_display(const Result& result) {
  return find_display(result.info);
}

/// The unit of a column: asked for, or its own.
DisplayUnit find_display_unit(const std::map<std::string, DisplayUnit>& display,
                              const Column& column);

}  // namespace driftless
