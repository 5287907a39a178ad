#pragma once
// For tests only: scopes over a few names, and the text of the error that something throws.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "driftless/expressions/parser.hpp"

namespace driftless::testing {

/// x, y, a, m, s with rates x', y' as variables 0 to 6; t as 7; the constant parameter k = 0; table
/// "road".
class TestScope : public Scope {
 public:
  static constexpr int kCount = 8;

  explicit TestScope(Graph& graph, int table = -1) : table_(table) {
    int index = 0;
    for (const char* name : {"x", "y", "a", "m", "s", "x'", "y'", "t"})
      nodes_[name] = graph.variable(index++);
    nodes_["k"] = graph.constant(0.0);
  }
  std::optional<NodeId> find(std::string_view name) const override {
    const auto place = nodes_.find(std::string(name));
    if (place == nodes_.end()) return std::nullopt;
    return place->second;
  }
  std::vector<std::string> names() const override {
    std::vector<std::string> all;
    for (const auto& entry : nodes_) all.push_back(entry.first);
    return all;
  }
  std::optional<int> find_table(std::string_view name) const override {
    if (name != "road" || table_ < 0) return std::nullopt;
    return table_;
  }

 private:
  std::map<std::string, NodeId> nodes_;
  int table_;
};

class TestConstants : public ConstantScope {
 public:
  void set(const std::string& name, Quantity quantity) { values_[name] = quantity; }
  std::optional<Quantity> find(std::string_view name) const override {
    const auto place = values_.find(std::string(name));
    if (place == values_.end()) return std::nullopt;
    return place->second;
  }
  std::vector<std::string> names() const override {
    std::vector<std::string> all;
    for (const auto& entry : values_) all.push_back(entry.first);
    return all;
  }

 private:
  std::map<std::string, Quantity> values_;
};

/// "line:column: message | remedy" of the ModelError that `action` throws; "no error" if it does
/// not.
template <class Action>
std::string find_error(Action action) {
  try {
    action();
  } catch (const ModelError& error) {
    const Diagnostic& d = error.diagnostics().at(0);
    return std::to_string(d.where.line) + ":" + std::to_string(d.where.column) + ": " + d.message +
           " | " + d.remedy;
  }
  return "no error";
}

}  // namespace driftless::testing
