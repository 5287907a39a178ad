#include "driftless/mechanism/unused_parts.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace driftless {
namespace {

/// A frame is used by who stands on it, or by name as a measure: crank.tip.x.
void warn_of_frames(const DrawnBody& drawn, const MechanismModel& model,
                    const ReadingContext& context, const std::set<std::string>& used,
                    std::vector<std::string>& warnings) {
  for (std::size_t k = 0; k < drawn.frames.size(); ++k) {
    const std::string name = drawn.body.name + "." + drawn.frames[k].first;
    const auto begins = [&](const std::string& measure) { return measure.starts_with(name + "."); };
    const bool is_measured =
        std::any_of(used.begin(), used.end(), begins) ||
        std::any_of(model.start.begin(), model.start.end(),
                    [&](const NamedValue& start) { return begins(start.name); });
    if (is_measured || context.used_frames.count(name) > 0) continue;
    warnings.push_back(
        fmt::format("line {}: frame '{}' is never used", drawn.frame_sources[k].line, name));
  }
}

}  // namespace

void warn_of_unused(const MechanismModel& model, const std::vector<DrawnBody>& bodies,
                    const ReadingContext& context, const std::set<std::string>& used,
                    std::vector<std::string>& warnings) {
  const auto warn = [&](int line, const char* kind, const std::string& name) {
    warnings.push_back(fmt::format("line {}: {} '{}' is never used", line, kind, name));
  };
  for (const NamedValue& point : model.points)
    if (context.used_points.count(point.name) == 0) warn(point.where.line, "point", point.name);
  for (const TableSpec& table : model.tables)
    if (used.count(table.name) == 0) warn(table.where.line, "table", table.name);
  for (const DrawnBody& drawn : bodies) warn_of_frames(drawn, model, context, used, warnings);
  for (const NamedText& parameter : model.parameters)
    if (used.count(parameter.name) == 0) warn(parameter.where.line, "parameter", parameter.name);
}

}  // namespace driftless
