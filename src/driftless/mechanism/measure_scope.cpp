#include "driftless/mechanism/measure_scope.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driftless/model/names.hpp"

namespace driftless {

std::optional<NodeId> MeasureScope::find(std::string_view name) const {
  for (const auto& [local, node] : locals_) {
    if (local == name) return node;
  }
  if (const auto place = entries_.find(name); place != entries_.end()) {
    used_.insert(place->first);
    return place->second;
  }
  if (const Formula* formula = measures_.find_expression(name)) {
    return find_expression(std::string(name), *formula);
  }
  if (const Measure* measure = measures_.find(name)) {
    used_.insert(measure->name);
    if (const auto node = nodes_.find_node(*measure)) return node;
    auto [message, remedy] = nodes_.explain_refusal(*measure);
    unavailable_.set(std::string(name), std::move(message), std::move(remedy));
    unavailable_.note(name);
    return {};
  }
  if (measures_.is_doubtful(name)) return nodes_.time();
  if (const MeasureList::Later* later = measures_.find_later(name)) {
    auto [message, remedy] = nodes_.explain_later(name, *later);
    unavailable_.set(std::string(name), std::move(message), std::move(remedy));
    unavailable_.note(name);
    return {};
  }
  if (name.empty() || name.back() != '\'') return {};
  const std::string base(name.substr(0, name.size() - 1));
  const Formula* formula = measures_.find_expression(base);
  if (formula == nullptr) return {};
  if (const auto node = derive(find_expression(base, *formula))) return node;
  unavailable_.set(std::string(name),
                   fmt::format("'{}': the rate of '{}' needs accelerations, which are not known "
                               "here",
                               name, base),
                   "use expressions of positions and t, whose rates are known");
  unavailable_.note(name);
  return {};
}

NodeId MeasureScope::find_expression(const std::string& name, const Formula& formula) const {
  if (const auto place = expressions_.find(name); place != expressions_.end()) {
    return place->second;
  }
  if (std::find(open_.begin(), open_.end(), name) != open_.end()) {
    throw ModelError(Diagnostic{
        formula.where,
        fmt::format("measure.{} depends on itself: {} -> {}", name, fmt::join(open_, " -> "), name),
        "break the circle"});
  }
  open_.push_back(name);
  const LocalNames locals = std::exchange(locals_, {});
  const NodeId node = parse_inner(name, formula);
  locals_ = locals;
  open_.pop_back();
  expressions_[name] = node;
  return node;
}

/// If the measure holds what must not be used here, that is the fault of whoever uses it: both are named.
NodeId MeasureScope::parse_inner(const std::string& name, const Formula& formula) const {
  try {
    return parse({formula.text, formula.where});
  } catch (const ModelError& error) {
    if (!unavailable_.is_asked()) throw;
    const Diagnostic& inner = error.diagnostics().front();
    throw Refusal{fmt::format("'{}' cannot be used here: measure.{} is \"{}\"{}, and {}", name,
                              name, shorten(formula.text),
                              formula.where.line > 0 ? fmt::format(" (line {})", formula.where.line)
                                                     : std::string(),
                              inner.message),
                  inner.remedy};
  }
}

std::optional<NodeId> MeasureScope::derive(NodeId node) const {
  const std::vector<int> variables = graph_.dependencies(node);
  std::vector<NodeId> direction;
  for (const int variable : variables) {
    const auto rate = nodes_.find_rate(variable);
    if (!rate) return {};
    direction.push_back(*rate);
  }
  return graph_.directional(node, variables, direction);
}

/// A measure that is an expression can be used if all that it is made of can.
bool MeasureScope::is_usable(const std::string& name, int depth) const {
  constexpr int kDeepest = 20;  // also of measures that depend on each other
  if (const Measure* measure = measures_.find(name)) return nodes_.is_usable(*measure);
  const Formula* formula = measures_.find_expression(name);
  if (formula == nullptr || depth > kDeepest) return true;
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '\'';
  };
  const std::string& text = formula->text;
  for (auto begin = text.begin(); begin != text.end();) {
    begin = std::find_if(begin, text.end(), is_part);
    const auto end = std::find_if_not(begin, text.end(), is_part);
    if (!is_usable(std::string(begin, end), depth + 1)) return false;
    begin = end;
  }
  return true;
}

std::vector<std::string> MeasureScope::names() const {
  std::vector<std::string> names = measures_.names();
  std::erase_if(names, [this](const std::string& name) { return !is_usable(name); });
  for (const auto& [name, node] : entries_) names.push_back(name);
  for (const auto& [local, node] : locals_) names.emplace_back(local);
  return names;
}

std::optional<int> MeasureScope::find_table(std::string_view name) const {
  const auto place = tables_.find(name);
  if (place == tables_.end()) return {};
  used_.insert(place->first);
  return place->second;
}

NodeId MeasureScope::parse(const Text& text, LocalNames locals) const {
  if (!locals.empty()) locals_ = locals;
  const bool is_outermost = open_.empty();
  if (is_outermost) unavailable_.forget();
  try {
    const NodeId node = parse_expression(text.text, text.where, *this, graph_);
    if (!locals.empty()) locals_ = {};
    return node;
  } catch (const Refusal& refusal) {
    locals_ = {};
    if (!is_outermost) throw;
    open_.clear();
    throw ModelError(Diagnostic{text.where, refusal.message, refusal.remedy});
  } catch (const ModelError& error) {
    locals_ = {};
    if (is_outermost) open_.clear();
    throw unavailable_.explain(error, text);
  }
}

}  // namespace driftless
