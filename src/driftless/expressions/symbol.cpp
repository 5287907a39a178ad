#include "driftless/expressions/symbol.hpp"

#include "driftless/base/error.hpp"
#include "driftless/expressions/operations.hpp"

namespace driftless {

namespace {

// The graph of the operands; null if all are plain numbers.
Graph* find_graph(const Symbol& a, const Symbol& b) {
  if (a.graph() == nullptr) return b.graph();
  if (b.graph() != nullptr && b.graph() != a.graph())
    throw ModelError("two symbols of different graphs in one operation",
                     "make all variables in one Graph");
  return a.graph();
}

}  // namespace

NodeId Symbol::node(Graph& graph) const {
  if (graph_ == nullptr) return graph.constant(value_);
  if (graph_ != &graph)
    throw ModelError("this symbol belongs to another graph", "make all variables in one Graph");
  return node_;
}

Symbol Symbol::apply(Op op, const Symbol& a) {
  if (a.graph_ == nullptr) return operations::calc_unary(op, a.value_);
  return {*a.graph_, a.graph_->unary(op, a.node_)};
}

Symbol Symbol::apply(Op op, const Symbol& a, const Symbol& b) {
  Graph* graph = find_graph(a, b);
  if (graph == nullptr) return operations::calc_binary(op, a.value_, b.value_);
  return {*graph, graph->binary(op, a.node(*graph), b.node(*graph))};
}

SymbolCondition operator<(const Symbol& a, const Symbol& b) {
  return SymbolCondition(Symbol::apply(Op::less, a, b));
}
SymbolCondition operator<=(const Symbol& a, const Symbol& b) {
  return SymbolCondition(Symbol::apply(Op::less_equal, a, b));
}
SymbolCondition operator>(const Symbol& a, const Symbol& b) { return b < a; }
SymbolCondition operator>=(const Symbol& a, const Symbol& b) { return b <= a; }
SymbolCondition operator==(const Symbol& a, const Symbol& b) {
  return SymbolCondition(Symbol::apply(Op::equal, a, b));
}
SymbolCondition operator!=(const Symbol& a, const Symbol& b) { return !(a == b); }

Symbol select(const SymbolCondition& condition, const Symbol& if_true, const Symbol& if_false) {
  const Symbol& truth = condition.truth();
  if (truth.graph_ == nullptr) return truth.value_ != 0.0 ? if_true : if_false;
  Graph* graph = truth.graph_;
  return {*graph, graph->select(truth.node_, if_true.node(*graph), if_false.node(*graph))};
}

}  // namespace driftless
