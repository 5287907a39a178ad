#pragma once
// [table]: CSV files in the model's own folder, as splines of a graph.

#include <string>

#include "driftless/expressions/graph.hpp"
#include "driftless/model/model_common.hpp"

namespace driftless {

/// The spline's number in the graph. A fault is noted and a straight line takes its place, so that one fault gives one
/// message.
int add_table(const TableSpec& table, const std::string& folder, Graph& graph,
              DiagnosticList& errors);

}  // namespace driftless
