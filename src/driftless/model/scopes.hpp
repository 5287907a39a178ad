#pragma once
// What the names in a model's texts mean, and what to say about those that mean nothing at that
// place.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "driftless/expressions/parser.hpp"
#include "driftless/model/equation_model.hpp"

namespace driftless {

/// Names that exist but not here, each with a message and a remedy: a parameter that is defined
/// later, T in a force.
class UnavailableNames {
 public:
  void set(const std::string& name, std::string message, std::string remedy);
  void remove(const std::string& name) { notes_.erase(name); }
  /// To be told by a scope that was asked for such a name.
  void note(std::string_view name) const;
  /// The error that a text caused, with a better message if it asked for one of these names.
  ModelError explain(const ModelError& error, const Text& text) const;
  void forget() const { asked_.clear(); }
  bool is_asked() const { return !asked_.empty(); }

 private:
  struct Note {
    std::string message;
    std::string remedy;
  };
  std::map<std::string, Note, std::less<>> notes_;
  mutable std::vector<std::string> asked_;
};

/// Parameters with known values.
class ParameterScope final : public ConstantScope {
 public:
  explicit ParameterScope(std::set<std::string>& used) : used_(&used) {}

  void add(const std::string& name, const Quantity& value) { values_[name] = value; }
  UnavailableNames& unavailable() { return unavailable_; }
  /// True if another value stands in for that of a parameter, because it is wrong.
  bool is_doubtful(std::string_view name) const;

  std::optional<Quantity> find(std::string_view name) const override;
  std::vector<std::string> names() const override;

  /// Throws ModelError with the best explanation there is.
  Quantity evaluate(const Text& text) const;

 private:
  std::map<std::string, Quantity, std::less<>> values_;
  UnavailableNames unavailable_;
  std::set<std::string>* used_;  // names that were found
};

/// Parameters, coordinates, rates, t and tables as nodes of a graph.
class NodeScope final : public Scope {
 public:
  explicit NodeScope(std::set<std::string>& used) : used_(&used) {}

  /// `owner` is what counts as used when the name is: the coordinate of a rate.
  void add(const std::string& name, NodeId node, const std::string& owner);
  void add_table(const std::string& name, int spline) { tables_[name] = spline; }
  UnavailableNames& unavailable() { return unavailable_; }

  std::optional<NodeId> find(std::string_view name) const override;
  std::vector<std::string> names() const override;
  std::optional<int> find_table(std::string_view name) const override;

  /// Throws ModelError with the best explanation there is.
  NodeId parse(const Text& text, Graph& graph) const;

 private:
  struct Entry {
    NodeId node;
    std::string owner;
  };
  std::map<std::string, Entry, std::less<>> entries_;
  std::map<std::string, int, std::less<>> tables_;
  UnavailableNames unavailable_;
  std::set<std::string>* used_;  // names that were found
};

}  // namespace driftless
