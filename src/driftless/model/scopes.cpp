#include "driftless/model/scopes.hpp"

#include <fmt/format.h>

namespace driftless {

void UnavailableNames::set(const std::string& name, std::string message, std::string remedy) {
  notes_[name] = {std::move(message), std::move(remedy)};
}

void UnavailableNames::note(std::string_view name) const {
  if (notes_.find(name) != notes_.end()) asked_.emplace_back(name);
}

ModelError UnavailableNames::explain(const ModelError& error, const Text& text) const {
  std::vector<Diagnostic> diagnostics = error.diagnostics();
  for (Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.where.line == 0) diagnostic.where = text.where;
    for (const std::string& name : asked_) {
      if (diagnostic.message.find(fmt::format("'{}'", name)) == std::string::npos) continue;
      const Note& note = notes_.find(name)->second;
      diagnostic.message = note.message;
      diagnostic.remedy = note.remedy;
      break;
    }
  }
  return ModelError(std::move(diagnostics));
}

std::optional<Quantity> ParameterScope::find(std::string_view name) const {
  const auto place = values_.find(name);
  if (place == values_.end()) {
    unavailable_.note(name);
    return {};
  }
  used_->insert(place->first);
  return place->second;
}

bool ParameterScope::is_doubtful(std::string_view name) const {
  const auto place = values_.find(name);
  return place != values_.end() && place->second.doubtful;
}

std::vector<std::string> ParameterScope::names() const {
  std::vector<std::string> names;
  for (const auto& [name, value] : values_) names.push_back(name);
  return names;
}

Quantity ParameterScope::evaluate(const Text& text) const {
  if (text.doubtful) return {.value = 1.0, .dimension = {}, .doubtful = true};
  unavailable_.forget();
  try {
    return evaluate_constant(text.text, text.where, *this);
  } catch (const ModelError& error) {
    throw unavailable_.explain(error, text);
  }
}

void NodeScope::add(const std::string& name, NodeId node, const std::string& owner) {
  entries_[name] = {node, owner};
}

std::optional<NodeId> NodeScope::find(std::string_view name) const {
  const auto place = entries_.find(name);
  if (place == entries_.end()) {
    unavailable_.note(name);
    return {};
  }
  used_->insert(place->second.owner);
  return place->second.node;
}

std::vector<std::string> NodeScope::names() const {
  std::vector<std::string> names;
  for (const auto& [name, entry] : entries_) names.push_back(name);
  return names;
}

std::optional<int> NodeScope::find_table(std::string_view name) const {
  const auto place = tables_.find(name);
  if (place == tables_.end()) return {};
  used_->insert(place->first);
  return place->second;
}

NodeId NodeScope::parse(const Text& text, Graph& graph) const {
  unavailable_.forget();
  try {
    return parse_expression(text.text, text.where, *this, graph);
  } catch (const ModelError& error) {
    throw unavailable_.explain(error, text);
  }
}

}  // namespace driftless
