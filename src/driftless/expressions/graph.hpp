#pragma once
// Expressions as one shared graph.
//
// A node is a constant, a variable or an operation on earlier nodes. Equal nodes are the same node
// (hash-consing), so a common subexpression exists once, in values and in derivatives alike.
// Building a node simplifies it: constants fold, x + 0, 1*x, 0*x, x^1, --x and a - a vanish, like
// terms are gathered (2*x + x = 3*x), u*sin(x)^2 + u*cos(x)^2 is u for constant u. (0*x = 0 assumes
// finite x; a run stops on non-finite values anyway.)
//
// Operands come before the node that uses them, so ids are a topological order: every traversal is
// a sweep over ids, and no recursion is as deep as an expression.
//
// Derivatives are exact and symbolic: differentiating adds nodes to the same graph. A list of nodes
// is then compiled to a Tape (tape.hpp), flat code without branches on the graph.
//
// Conventions at kinks: abs' = sign, so 0 at 0; sign' = 0; at a tie min and max have the derivative
// of the operand that was built first; comparisons have derivative 0.

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace driftless {

enum class Op : std::uint8_t {
  constant,
  variable,
  add,
  sub,
  mul,
  div,
  neg,
  pow,   // pow: general exponent; integer powers become powi
  powi,  // a^k, k in Node::value
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  sqrt,
  abs,
  sign,
  min,
  max,
  less,
  less_equal,
  equal,   // 1 or 0; derivative 0
  select,  // select(c, a, b): a if c != 0 else b; operands in Node::a, b, c in this order
  spline,  // table: spline index in Node::index, derivative order in Node::value, argument a
};

using NodeId = std::int32_t;

inline std::size_t index_of(NodeId id) { return static_cast<std::size_t>(id); }

struct Node {
  Op op = Op::constant;
  NodeId a = -1, b = -1, c = -1;
  double value = 0.0;      // constant's value; powi's exponent; spline's derivative order
  std::int32_t index = 0;  // variable's index; spline's index
  bool operator==(const Node&) const = default;
};

class CubicSpline;  // spline.hpp

class Graph {
 public:
  Graph();

  NodeId constant(double value);
  NodeId variable(int index);  ///< variables are numbered by the caller: 0, 1, 2, ...
  NodeId unary(Op op, NodeId a);
  NodeId binary(Op op, NodeId a, NodeId b);
  NodeId powi(NodeId a, int exponent);
  NodeId select(NodeId condition, NodeId if_true, NodeId if_false);
  NodeId spline(int spline_index, int derivative, NodeId argument);

  NodeId add(NodeId a, NodeId b) { return binary(Op::add, a, b); }
  NodeId sub(NodeId a, NodeId b) { return binary(Op::sub, a, b); }
  NodeId mul(NodeId a, NodeId b) { return binary(Op::mul, a, b); }
  NodeId div(NodeId a, NodeId b) { return binary(Op::div, a, b); }
  NodeId neg(NodeId a) { return unary(Op::neg, a); }

  /// d node / d variable(index). Kept: asking again, also for a larger node over this one, costs
  /// only what is new.
  NodeId derivative(NodeId node, int variable_index);

  /// All of d node/d variable(wrt[k]) in one backward sweep. The results share their parts, so that
  /// for a function of many variables this is far smaller than one `derivative` per variable (a
  /// chain's energy: n nodes, not n^2).
  std::vector<NodeId> gradient(NodeId node, std::span<const int> wrt);

  /// Sum over k of d node/d variable(wrt[k]) * direction[k]: the derivative along a direction, in
  /// one sweep.
  NodeId directional(NodeId node, std::span<const int> wrt, std::span<const NodeId> direction);

  /// The node with variables replaced by other nodes.
  NodeId substitute(NodeId node, const std::unordered_map<int, NodeId>& replacement);

  bool is_constant(NodeId node) const {
    return nodes_[static_cast<std::size_t>(node)].op == Op::constant;
  }
  bool is_zero(NodeId node) const { return is_constant(node) && value(node) == 0.0; }
  double value(NodeId node) const { return nodes_[static_cast<std::size_t>(node)].value; }
  bool depends_on(NodeId node, int variable_index) const;
  /// Sorted indices of the variables that the node depends on. The reference stays valid.
  const std::vector<int>& dependencies(NodeId node) const;

  const Node& node(NodeId id) const { return nodes_[static_cast<std::size_t>(id)]; }
  std::size_t size() const { return nodes_.size(); }

  int add_spline(CubicSpline spline);
  const CubicSpline& spline_data(int index) const;
  /// For who needs a table longer than the graph lives.
  std::shared_ptr<const CubicSpline> share_spline(int index) const;
  int spline_count() const { return static_cast<int>(splines_.size()); }

 private:
  using SetId = std::int32_t;  // of a set of variables in sets_
  // coefficient * factor, the form in which sums and products look at a term.
  struct Term {
    double coefficient;
    NodeId factor;
  };

  // graph.cpp
  NodeId intern(const Node& node);
  void grow_table();
  SetId find_set(const Node& node);
  SetId intern_set(std::vector<int> variables);
  SetId unite(SetId a, SetId b);

  // graph_derivative.cpp
  class NodeMap;
  /// Nodes under `root` for which keep() holds, ascending. What only a refused node reaches is not
  /// visited.
  template <class Keep>
  std::vector<NodeId> collect(NodeId root, Keep keep);
  std::vector<NodeId> collect_touched(NodeId root, std::span<const int> variables);
  NodeId push(NodeId id, int operand, NodeId d);
  NodeId push_binary(NodeId id, int operand, NodeId d);
  NodeId push_unary(NodeId id, NodeId d);
  NodeId combine(NodeId id, const std::array<NodeId, 3>& d);
  NodeId rebuild(const Node& node, const std::array<NodeId, 3>& operands);

  // graph_simplify.cpp: each returns a simpler equal node or -1.
  NodeId simplify_unary(Op op, NodeId a);
  NodeId simplify_binary(Op op, NodeId a, NodeId b);
  NodeId simplify_add(NodeId a, NodeId b);
  NodeId simplify_sub(NodeId a, NodeId b);
  NodeId simplify_mul(NodeId a, NodeId b);
  NodeId simplify_div(NodeId a, NodeId b);
  NodeId simplify_neg(NodeId a);
  NodeId simplify_pow(NodeId a, NodeId b);
  NodeId merge_terms(NodeId a, NodeId b, double sign);
  NodeId find_power(NodeId a, NodeId b);
  Term split_term(NodeId a) const;
  NodeId find_negated(NodeId a);
  NodeId scale(double coefficient, NodeId factor);
  bool is_op(NodeId a, Op op) const { return node(a).op == op; }

  std::vector<Node> nodes_;
  std::vector<NodeId> table_;  // open addressing, power of two, -1: free
  std::vector<std::shared_ptr<const CubicSpline>> splines_;

  // Sets of variables exist once each: nodes hold a number, a union is looked up.
  std::vector<SetId> set_of_;          // per node
  std::deque<std::vector<int>> sets_;  // a deque, since references are handed out
  std::map<std::vector<int>, SetId> set_ids_;
  std::unordered_map<std::uint64_t, SetId> unions_;

  std::unordered_map<std::uint64_t, NodeId> derivatives_;  // by (variable, node)

  std::vector<std::uint32_t> marks_;  // per node: the traversal that last saw it
  std::uint32_t traversal_ = 0;
};

}  // namespace driftless
