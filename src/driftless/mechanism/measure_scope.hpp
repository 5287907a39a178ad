#pragma once
// What names mean in the expressions of a mechanism: parameters, t, measures, measures that are expressions themselves,
// and tables. A measure becomes a node the first time that somebody asks for it; whoever owns the graph says which.

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "driftless/elements/law.hpp"
#include "driftless/expressions/parser.hpp"
#include "driftless/mechanism/measures.hpp"
#include "driftless/model/scopes.hpp"

namespace driftless {

/// How a graph stands for measures.
class MeasureNodes {
 public:
  virtual ~MeasureNodes() = default;
  /// The time; it also stands in for what is not known, since nothing is reckoned with it.
  virtual NodeId time() = 0;
  /// Empty: this measure cannot be used here, which is then said with `refusal`.
  virtual std::optional<NodeId> find_node(const Measure& measure) = 0;
  /// The derivative with respect to time of a variable of the graph; empty: not known here.
  virtual std::optional<NodeId> find_rate(int variable) = 0;
  /// Whether `find_node` would find it, and nobody would refuse it later: what to suggest.
  virtual bool is_usable(const Measure& measure) const = 0;
  /// Why a measure cannot be used, and what to do.
  virtual std::pair<std::string, std::string> explain_refusal(const Measure& measure) const = 0;
  /// Likewise of a measure of an element that is being read or declared later.
  virtual std::pair<std::string, std::string> explain_later(
      std::string_view name, const MeasureList::Later& later) const = 0;
};

class MeasureScope final : public Scope {
 public:
  MeasureScope(Graph& graph, const MeasureList& measures, MeasureNodes& nodes,
               std::set<std::string>& used)
      : graph_(graph), measures_(measures), nodes_(nodes), used_(used) {}

  void add(const std::string& name, NodeId node) { entries_[name] = node; }
  void add_table(const std::string& name, int spline) { tables_[name] = spline; }

  std::optional<NodeId> find(std::string_view name) const override;
  std::vector<std::string> names() const override;
  std::optional<int> find_table(std::string_view name) const override;

  /// Throws ModelError with the best explanation there is. `locals` count before everything else.
  NodeId parse(const Text& text, LocalNames locals = {}) const;

 private:
  /// A measure that is an expression holds what cannot be used by whoever names it.
  struct Refusal {
    std::string message;
    std::string remedy;
  };

  NodeId find_expression(const std::string& name, const Formula& formula) const;
  NodeId parse_inner(const std::string& name, const Formula& formula) const;
  std::optional<NodeId> derive(NodeId node) const;
  bool is_usable(const std::string& name, int depth = 0) const;

  Graph& graph_;
  const MeasureList& measures_;
  MeasureNodes& nodes_;
  std::set<std::string>& used_;
  std::map<std::string, NodeId, std::less<>> entries_;
  std::map<std::string, int, std::less<>> tables_;
  mutable std::map<std::string, NodeId, std::less<>> expressions_;  // parsed ones
  mutable std::vector<std::string> open_;                           // being parsed
  mutable UnavailableNames unavailable_;
  mutable LocalNames locals_;
};

}  // namespace driftless
