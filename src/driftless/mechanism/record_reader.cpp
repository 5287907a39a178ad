#include "driftless/mechanism/record_reader.hpp"

#include <fmt/format.h>

namespace driftless {

RecordReader::RecordReader(MechanismParts& parts, const MeasureList& measures,
                           std::set<std::string>& used)
    : parts_(parts), measures_(measures), scope_(parts.record_graph, measures, *this, used) {
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

std::pair<std::string, std::string> RecordReader::explain_later(std::string_view name,
                                                                const Source& /*where*/) const {
  return {fmt::format("'{}' cannot be recorded", name), ""};  // all forces are known by then
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
      parts_.record_units.emplace_back();
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
