#include "driftless/mechanism/record_reader.hpp"

#include <fmt/format.h>

#include "driftless/expressions/unit_of.hpp"

namespace driftless {

RecordReader::RecordReader(MechanismParts& parts, const MeasureList& measures,
                           const ParameterScope& parameters, std::set<std::string>& used)
    : parts_(parts),
      measures_(measures),
      parameters_(parameters),
      scope_(parts.record_graph, measures, *this, used) {
  scope_.add("t", RecordReader::time());
}

std::optional<NodeId> RecordReader::find_node(const Measure& measure) {
  const auto [place, is_new] =
      variables_.try_emplace(measure.name, static_cast<int>(parts_.measures.size()) + 1);
  if (is_new) parts_.measures.push_back(measure);
  return graph().variable(place->second);
}

std::optional<NodeId> RecordReader::find_rate(int variable) {
  if (variable == 0) return graph().constant(1.0);
  const Measure& measure = parts_.measures[static_cast<std::size_t>(variable) - 1];
  const Measure* rate = measures_.find(measure.name + "'");
  if (rate == nullptr) return {};
  return find_node(*rate);
}

std::pair<std::string, std::string> RecordReader::explain_refusal(const Measure& measure) const {
  return {fmt::format("'{}' cannot be recorded", measure.name), ""};
}

std::pair<std::string, std::string> RecordReader::explain_later(
    std::string_view name, const MeasureList::Later& /*later*/) const {
  return {fmt::format("'{}' cannot be recorded", name), ""};  // all are known by then
}

std::string RecordReader::find_unit(std::string_view text, const Source& where) const {
  return find_unit_of(
      text, where, [this](std::string_view name) { return scope_.find(name).has_value(); },
      [this](std::string_view name) { return find_unit_of_name(name); });
}

std::string RecordReader::find_unit_of_name(std::string_view name) const {
  if (name == "t") return "s";
  if (const Measure* measure = measures_.find(name)) return measure->unit;
  if (const Formula* formula = measures_.find_expression(name)) {
    return find_unit(formula->text, formula->where);
  }
  if (name.ends_with('\''))
    return find_unit_of_rate(find_unit_of_name(name.substr(0, name.size() - 1)));
  const std::optional<Quantity> parameter = parameters_.find(name);
  return parameter && parameter->dimension ? to_string(*parameter->dimension) : "";
}

void RecordReader::read(const std::vector<NamedText>& records,
                        const std::vector<std::string>& expressions, DiagnosticList& errors) {
  for (const Measure& measure : measures_.standard()) {
    parts_.record_names.push_back(measure.name);
    parts_.record_units.push_back(measure.unit);
    parts_.records.push_back(*find_node(measure));
  }
  const auto add = [&](const char* table, const std::string& name, const Text& text) {
    try {
      parts_.records.push_back(scope_.parse(text));
      parts_.record_names.push_back(name);
      const std::string unit = find_unit(text.text, text.where);
      parts_.record_units.push_back(unit == "1" ? "" : unit);
    } catch (const ModelError& error) {
      errors.add(error, fmt::format("{}.{}", table, name), text.where);
    }
  };
  for (const std::string& name : expressions) {
    const Formula* formula = measures_.find_expression(name);
    add("measure", name, {formula->text, formula->where});
  }
  for (const NamedText& record : records) add("record", record.name, record.value);
}

}  // namespace driftless
