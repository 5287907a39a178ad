#include "driftless/expressions/parser.hpp"

#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include "driftless/expressions/syntax.hpp"

namespace driftless {

std::optional<int> Scope::find_table(std::string_view) const { return std::nullopt; }

namespace {

using Kind = SyntaxItem::Kind;

// Runs over the postfix items with a stack of nodes.
class GraphBuilder {
 public:
  GraphBuilder(const PlacedText& text, const Scope& scope, Graph& graph)
      : text_(text), scope_(scope), graph_(graph) {}

  NodeId build(const std::vector<SyntaxItem>& items) {
    for (const SyntaxItem& item : items) {
      Value value = make_value(item);
      if (value.fault == nullptr && graph_.is_constant(value.node) &&
          !std::isfinite(graph_.value(value.node)))
        value.fault = &item;
      stack_.push_back(value);
    }
    assert(stack_.size() == 1);
    if (stack_.back().fault != nullptr) fail_not_finite(text_, *stack_.back().fault);
    return stack_.back().node;
  }

 private:
  // `fault` is the first part that is not finite. It is reported at the end only, since a constant
  // condition may leave the part out: if(k == 0, 0, 1/k).
  struct Value {
    NodeId node = -1;
    const SyntaxItem* fault = nullptr;
  };

  std::vector<Value> pop(int count) {
    const auto first = stack_.end() - count;
    std::vector<Value> values(first, stack_.end());
    stack_.erase(first, stack_.end());
    return values;
  }

  static const SyntaxItem* find_fault(std::span<const Value> values) {
    for (const Value& value : values)
      if (value.fault != nullptr) return value.fault;
    return nullptr;
  }

  Value make_value(const SyntaxItem& item) {
    switch (item.kind) {
      case Kind::number: return {graph_.constant(item.value)};
      case Kind::name: return {find_name(item)};
      case Kind::call: return call(item, pop(item.count));
      default: break;
    }
    const std::vector<Value> x = pop(item.kind == Kind::negate || item.kind == Kind::table ? 1 : 2);
    const SyntaxItem* fault = find_fault(x);
    switch (item.kind) {
      case Kind::negate: return {graph_.neg(x[0].node), fault};
      case Kind::table: return {graph_.spline(find_table(item), 0, x[0].node), fault};
      case Kind::compare: return {compare(item.text, x[0].node, x[1].node), fault};
      default: break;
    }
    if (item.text == "/" && graph_.is_zero(x[1].node) && fault == nullptr) fault = &item;
    return {combine(item.text[0], x[0].node, x[1].node), fault};
  }

  NodeId find_name(const SyntaxItem& item) {
    const std::string name =
        std::string(item.text) + std::string(static_cast<std::size_t>(item.quotes), '\'');
    const std::optional<NodeId> node = scope_.find(name);
    if (!node) fail_unknown_name(text_, item, scope_.names());
    return *node;
  }

  int find_table(const SyntaxItem& item) {
    const std::optional<int> index = scope_.find_table(item.text);
    if (!index)
      text_.fail(
          item.at, fmt::format("unknown table '{}'", item.text),
          fmt::format("declare it in the model: [table] {} = \"{}.csv\", a file beside the model",
                      item.text, item.text));
    return *index;
  }

  NodeId combine(char operation, NodeId a, NodeId b) {
    switch (operation) {
      case '+': return graph_.add(a, b);
      case '-': return graph_.sub(a, b);
      case '*': return graph_.mul(a, b);
      case '/': return graph_.div(a, b);
      default: return graph_.binary(Op::pow, a, b);
    }
  }

  NodeId compare(std::string_view operation, NodeId a, NodeId b) {
    if (operation == "<") return graph_.binary(Op::less, a, b);
    if (operation == ">") return graph_.binary(Op::less, b, a);
    if (operation == "<=") return graph_.binary(Op::less_equal, a, b);
    if (operation == ">=") return graph_.binary(Op::less_equal, b, a);
    const NodeId is_equal = graph_.binary(Op::equal, a, b);
    return operation == "==" ? is_equal : graph_.sub(graph_.constant(1.0), is_equal);
  }

  Value call(const SyntaxItem& item, const std::vector<Value>& x) {
    const SyntaxItem* fault = find_fault(x);
    if (const auto op = find_unary_function(item.text))
      return {graph_.unary(*op, x[0].node), fault};
    if (item.text == "atan2") return {graph_.binary(Op::atan2, x[0].node, x[1].node), fault};
    if (item.text == "if") {
      if (graph_.is_constant(x[0].node)) {
        const Value& taken = graph_.value(x[0].node) != 0.0 ? x[1] : x[2];
        return {taken.node, x[0].fault != nullptr ? x[0].fault : taken.fault};
      }
      return {graph_.select(x[0].node, x[1].node, x[2].node), fault};
    }
    if (item.text == "step") return {make_step(item, x), fault};
    const Op op = item.text == "min" ? Op::min : Op::max;
    NodeId result = x[0].node;
    for (std::size_t i = 1; i < x.size(); ++i) result = graph_.binary(op, result, x[i].node);
    return {result, fault};
  }

  // y0 + (y1 - y0)*s^2*(3 - 2*s) with s = (x - x0)/(x1 - x0) between x0 and x1: value and slope are
  // continuous.
  NodeId make_step(const SyntaxItem& item, const std::vector<Value>& values) {
    const NodeId x = values[0].node, x0 = values[1].node, y0 = values[2].node, x1 = values[3].node,
                 y1 = values[4].node;
    if (graph_.is_constant(x0) && graph_.is_constant(x1) && !(graph_.value(x0) < graph_.value(x1)))
      text_.fail(
          item.at,
          fmt::format("step from x0 = {} to x1 = {}: x0 must be less than x1", graph_.value(x0),
                      graph_.value(x1)),
          "write step(x, x0, y0, x1, y1) with x0 < x1; to step down, let y1 be less than y0");
    const NodeId s = graph_.div(graph_.sub(x, x0), graph_.sub(x1, x0));
    const NodeId ramp = graph_.mul(
        graph_.powi(s, 2), graph_.sub(graph_.constant(3.0), graph_.mul(graph_.constant(2.0), s)));
    const NodeId between = graph_.add(y0, graph_.mul(graph_.sub(y1, y0), ramp));
    const NodeId up_to_x1 = graph_.select(graph_.binary(Op::less, x, x1), between, y1);
    return graph_.select(graph_.binary(Op::less_equal, x, x0), y0, up_to_x1);
  }

  const PlacedText& text_;
  const Scope& scope_;
  Graph& graph_;
  std::vector<Value> stack_;
};

}  // namespace

NodeId parse_expression(std::string_view text, const Source& where, const Scope& scope,
                        Graph& graph, const ExpressionLimits& limits) {
  const PlacedText placed(text, where);
  const auto is_declared = [&scope](std::string_view name) { return scope.find(name).has_value(); };
  return GraphBuilder(placed, scope, graph).build(parse_syntax(placed, is_declared, limits));
}

}  // namespace driftless
