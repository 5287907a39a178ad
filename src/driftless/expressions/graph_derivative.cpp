// Derivatives and substitution: sweeps over the affected nodes in the order of their ids.
//
// One table of rules serves both directions. push(f, k, d) is (∂f/∂operand k)·d. Forward
// (derivative, directional), d is the operand's derivative and the pushes are summed; backward
// (gradient), d is f's adjoint and the push is added to the operand's. `combine` only writes the
// forward sum of some operations more compactly.

#include <algorithm>
#include <cassert>

#include "driftless/expressions/graph.hpp"

namespace driftless {

namespace {

std::array<NodeId, 3> operands_of(const Node& node) { return {node.a, node.b, node.c}; }

// Where only one of two operands counts. A backward sweep would go into both with an adjoint that
// is 0 on one side, and 0 times the infinite slope of what is not chosen is NaN: if(x > 0, sqrt(x),
// 0) at x <= 0. So it stops here, and the forward rule chooses between finished derivatives.
bool is_choice(Op op) { return op == Op::select || op == Op::min || op == Op::max; }

}  // namespace

// A value per node of an ascending list.
class Graph::NodeMap {
 public:
  NodeMap(std::vector<NodeId> ids, NodeId initial)
      : ids_(std::move(ids)), values_(ids_.size(), initial) {}

  /// The place of a node's value, null if the node is not in the list.
  NodeId* find(NodeId id) {
    const auto place = std::lower_bound(ids_.begin(), ids_.end(), id);
    if (place == ids_.end() || *place != id) return nullptr;
    return &values_[static_cast<std::size_t>(place - ids_.begin())];
  }
  const std::vector<NodeId>& ids() const { return ids_; }

 private:
  std::vector<NodeId> ids_;
  std::vector<NodeId> values_;
};

template <class Keep>
std::vector<NodeId> Graph::collect(NodeId root, Keep keep) {
  ++traversal_;
  std::vector<NodeId> found;
  std::vector<NodeId> open;
  const auto visit = [&](NodeId id) {
    if (id < 0 || marks_[index_of(id)] == traversal_) return;
    marks_[index_of(id)] = traversal_;
    if (keep(id)) open.push_back(id);
  };
  visit(root);
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    found.push_back(id);
    for (const NodeId operand : operands_of(nodes_[index_of(id)])) visit(operand);
  }
  std::sort(found.begin(), found.end());
  return found;
}

// Nodes under `root` that depend on any of the variables. The answer is the same for all nodes of
// one set, and there are far fewer sets than nodes.
std::vector<NodeId> Graph::collect_touched(NodeId root, std::span<const int> variables) {
  std::vector<int> sorted(variables.begin(), variables.end());
  std::sort(sorted.begin(), sorted.end());
  enum : signed char { unknown = -1, no = 0, yes = 1 };
  std::vector<signed char> touched(sets_.size(), unknown);
  return collect(root, [&](NodeId id) {
    signed char& answer = touched[index_of(set_of_[index_of(id)])];
    if (answer == unknown) {
      const std::vector<int>& set = dependencies(id);
      const bool any = std::any_of(set.begin(), set.end(), [&](int variable) {
        return std::binary_search(sorted.begin(), sorted.end(), variable);
      });
      answer = any ? yes : no;
    }
    return answer == yes;
  });
}

// -- sweeps ---------------------------------------------------------------------------------------

NodeId Graph::derivative(NodeId node, int variable_index) {
  const auto key = [variable_index](NodeId id) {
    return (static_cast<std::uint64_t>(variable_index) << 32U) | static_cast<std::uint32_t>(id);
  };
  if (!depends_on(node, variable_index)) return constant(0.0);
  if (const auto known = derivatives_.find(key(node)); known != derivatives_.end())
    return known->second;
  const std::vector<NodeId> affected = collect(node, [&](NodeId id) {
    return depends_on(id, variable_index) && !derivatives_.contains(key(id));
  });
  const NodeId zero = constant(0.0);
  NodeId result = zero;
  for (const NodeId id : affected) {
    if (nodes_[index_of(id)].op == Op::variable) {
      result = constant(1.0);
    } else {
      std::array<NodeId, 3> d = operands_of(nodes_[index_of(id)]);
      for (NodeId& operand : d) {
        const bool is_affected = operand >= 0 && depends_on(operand, variable_index);
        operand = is_affected ? derivatives_.at(key(operand)) : zero;
      }
      result = combine(id, d);
    }
    derivatives_.emplace(key(id), result);
  }
  return result;
}

NodeId Graph::directional(NodeId node, std::span<const int> wrt,
                          std::span<const NodeId> direction) {
  assert(wrt.size() == direction.size());
  const NodeId zero = constant(0.0);
  // A row of a long chain contains few of its variables: only these are looked at again.
  std::vector<std::size_t> found;
  std::vector<int> variables;
  for (std::size_t k = 0; k < wrt.size(); ++k) {
    if (!depends_on(node, wrt[k])) continue;
    found.push_back(k);
    variables.push_back(wrt[k]);
  }
  NodeMap d(collect_touched(node, variables), zero);
  for (const std::size_t k : found)
    if (NodeId* place = d.find(variable(wrt[k]))) *place = add(*place, direction[k]);
  for (const NodeId id : d.ids()) {
    if (nodes_[index_of(id)].op == Op::variable) continue;
    std::array<NodeId, 3> operands = operands_of(nodes_[index_of(id)]);
    for (NodeId& operand : operands) {
      const NodeId* place = d.find(operand);
      operand = place != nullptr ? *place : zero;
    }
    *d.find(id) = combine(id, operands);
  }
  const NodeId* result = d.find(node);
  return result != nullptr ? *result : zero;
}

std::vector<NodeId> Graph::gradient(NodeId node, std::span<const int> wrt) {
  const NodeId zero = constant(0.0);
  NodeMap adjoint(collect_touched(node, wrt), zero);
  if (NodeId* root = adjoint.find(node)) *root = constant(1.0);
  for (std::size_t i = adjoint.ids().size(); i-- > 0;) {
    const NodeId id = adjoint.ids()[i];
    const NodeId d = *adjoint.find(id);
    if (nodes_[index_of(id)].op == Op::variable || is_zero(d)) continue;
    if (is_choice(nodes_[index_of(id)].op)) {
      for (const int index : dependencies(id))
        if (NodeId* place = adjoint.find(variable(index)))
          *place = add(*place, mul(d, derivative(id, index)));
      continue;
    }
    const std::array<NodeId, 3> operands = operands_of(nodes_[index_of(id)]);
    for (int k = 0; k < 3; ++k) {
      if (NodeId* place = adjoint.find(operands[static_cast<std::size_t>(k)]))
        *place = add(*place, push(id, k, d));
    }
  }
  std::vector<NodeId> result;
  for (const int index : wrt) {
    const NodeId* place = adjoint.find(variable(index));
    result.push_back(place != nullptr ? *place : zero);
  }
  return result;
}

NodeId Graph::substitute(NodeId node, const std::unordered_map<int, NodeId>& replacement) {
  std::vector<int> variables;
  variables.reserve(replacement.size());
  for (const auto& entry : replacement) variables.push_back(entry.first);
  NodeMap image(collect_touched(node, variables), -1);
  for (const NodeId id : image.ids()) {
    const Node old = nodes_[index_of(id)];
    if (old.op == Op::variable) {
      *image.find(id) = replacement.at(old.index);
      continue;
    }
    std::array<NodeId, 3> operands = operands_of(old);
    for (NodeId& operand : operands)
      if (const NodeId* place = image.find(operand)) operand = *place;
    *image.find(id) = rebuild(old, operands);
  }
  const NodeId* result = image.find(node);
  return result != nullptr ? *result : node;
}

NodeId Graph::rebuild(const Node& node, const std::array<NodeId, 3>& operands) {
  const auto [a, b, c] = operands;
  switch (node.op) {
    case Op::powi: return powi(a, static_cast<int>(node.value));
    case Op::select: return select(a, b, c);
    case Op::spline: return spline(node.index, static_cast<int>(node.value), a);
    default: return b >= 0 ? binary(node.op, a, b) : unary(node.op, a);
  }
}

// -- rules ----------------------------------------------------------------------------------------

// Σ_k push(id, k, d[k]).
NodeId Graph::combine(NodeId id, const std::array<NodeId, 3>& d) {
  const Node n = nodes_[index_of(id)];
  switch (n.op) {
    case Op::add: return add(d[0], d[1]);
    case Op::sub: return sub(d[0], d[1]);
    case Op::mul: return add(mul(d[0], n.b), mul(n.a, d[1]));
    case Op::div: return div(sub(d[0], mul(id, d[1])), n.b);
    case Op::atan2:
      return div(sub(mul(n.b, d[0]), mul(n.a, d[1])), add(powi(n.a, 2), powi(n.b, 2)));
    case Op::min: return select(binary(Op::less_equal, n.a, n.b), d[0], d[1]);
    case Op::max: return select(binary(Op::less_equal, n.b, n.a), d[0], d[1]);
    case Op::select: return select(n.a, d[1], d[2]);
    case Op::pow: return add(push(id, 0, d[0]), push(id, 1, d[1]));
    default: return push(id, 0, d[0]);
  }
}

NodeId Graph::push(NodeId id, int operand, NodeId d) {
  if (is_zero(d)) return d;
  return nodes_[index_of(id)].b >= 0 ? push_binary(id, operand, d) : push_unary(id, d);
}

NodeId Graph::push_binary(NodeId id, int operand, NodeId d) {
  const Node n = nodes_[index_of(id)];
  const bool first = operand == 0;
  switch (n.op) {
    case Op::add: return d;
    case Op::sub: return first ? d : neg(d);
    case Op::mul: return mul(first ? n.b : n.a, d);
    case Op::div: return first ? div(d, n.b) : neg(div(mul(id, d), n.b));
    case Op::pow:
      if (first) return mul(mul(n.b, binary(Op::pow, n.a, sub(n.b, constant(1.0)))), d);
      return mul(mul(id, unary(Op::log, n.a)), d);
    case Op::atan2: {
      const NodeId quotient = div(mul(first ? n.b : n.a, d), add(powi(n.a, 2), powi(n.b, 2)));
      return first ? quotient : neg(quotient);
    }
    default: return constant(0.0);  // comparisons
  }
}

NodeId Graph::push_unary(NodeId id, NodeId d) {
  const Node n = nodes_[index_of(id)];
  const NodeId one = constant(1.0);
  const auto square = [this](NodeId x) { return powi(x, 2); };
  switch (n.op) {
    case Op::neg: return neg(d);
    case Op::powi: return mul(mul(constant(n.value), powi(n.a, static_cast<int>(n.value) - 1)), d);
    case Op::sin: return mul(unary(Op::cos, n.a), d);
    case Op::cos: return neg(mul(unary(Op::sin, n.a), d));
    case Op::tan: return mul(add(one, square(id)), d);
    case Op::asin: return div(d, unary(Op::sqrt, sub(one, square(n.a))));
    case Op::acos: return neg(div(d, unary(Op::sqrt, sub(one, square(n.a)))));
    case Op::atan: return div(d, add(one, square(n.a)));
    case Op::sinh: return mul(unary(Op::cosh, n.a), d);
    case Op::cosh: return mul(unary(Op::sinh, n.a), d);
    case Op::tanh: return mul(sub(one, square(id)), d);
    case Op::exp: return mul(id, d);
    case Op::log: return div(d, n.a);
    case Op::sqrt: return div(d, mul(constant(2.0), id));
    case Op::abs: return mul(unary(Op::sign, n.a), d);
    case Op::spline: return mul(spline(n.index, static_cast<int>(n.value) + 1, n.a), d);
    default: return constant(0.0);  // sign
  }
}

}  // namespace driftless
