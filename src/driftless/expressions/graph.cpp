#include "driftless/expressions/graph.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "driftless/base/error.hpp"
#include "driftless/expressions/operations.hpp"
#include "driftless/expressions/spline.hpp"

namespace driftless {

namespace {

// About 1.5 GB of graph; a model that needs more was meant otherwise.
constexpr std::size_t kMaxNodes = 20'000'000;

std::uint64_t make_key(std::int32_t high, std::int32_t low) {
  return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(high)) << 32U) |
         static_cast<std::uint32_t>(low);
}

std::uint64_t mix(std::uint64_t h) {
  h ^= h >> 33U;
  h *= 0xff51afd7ed558ccdULL;
  h ^= h >> 33U;
  h *= 0xc4ceb9fe1a85ec53ULL;
  return h ^ (h >> 33U);
}

std::uint64_t hash_node(const Node& n) {
  std::uint64_t h =
      mix(make_key(n.a, n.b) + 0x9e3779b97f4a7c15ULL * static_cast<std::uint64_t>(n.op));
  h = mix(h ^ make_key(n.c, n.index));
  return mix(h ^ std::bit_cast<std::uint64_t>(n.value));
}

// By bits, not by ==: NaN must be found again.
bool is_same(const Node& x, const Node& y) {
  return x.op == y.op && x.a == y.a && x.b == y.b && x.c == y.c && x.index == y.index &&
         std::bit_cast<std::uint64_t>(x.value) == std::bit_cast<std::uint64_t>(y.value);
}

}  // namespace

Graph::Graph() : table_(64, -1) {
  sets_.emplace_back();
  set_ids_.emplace(std::vector<int>{}, 0);
}

NodeId Graph::intern(const Node& node) {
  if (nodes_.size() * 2 >= table_.size()) grow_table();
  const std::size_t mask = table_.size() - 1;
  std::size_t slot = hash_node(node) & mask;
  for (; table_[slot] >= 0; slot = (slot + 1) & mask)
    if (is_same(nodes_[index_of(table_[slot])], node)) return table_[slot];
  if (nodes_.size() >= kMaxNodes)
    throw ModelError(
        fmt::format("the expressions of this model need more than {} nodes", kMaxNodes),
        "simplify the expressions or split the model");
  const NodeId id = static_cast<NodeId>(nodes_.size());
  set_of_.push_back(find_set(node));
  nodes_.push_back(node);
  marks_.push_back(0);
  table_[slot] = id;
  return id;
}

void Graph::grow_table() {
  std::vector<NodeId> larger(table_.size() * 2, -1);
  const std::size_t mask = larger.size() - 1;
  for (NodeId id = 0; index_of(id) < nodes_.size(); ++id) {
    std::size_t slot = hash_node(nodes_[index_of(id)]) & mask;
    while (larger[slot] >= 0) slot = (slot + 1) & mask;
    larger[slot] = id;
  }
  table_ = std::move(larger);
}

// -- building -------------------------------------------------------------------------------------

NodeId Graph::constant(double value) {
  Node node;
  // One zero and one NaN, whatever their sign.
  if (value == 0.0) value = 0.0;
  node.value = std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value;
  return intern(node);
}

NodeId Graph::variable(int index) {
  assert(index >= 0);
  Node node;
  node.op = Op::variable;
  node.index = index;
  return intern(node);
}

NodeId Graph::unary(Op op, NodeId a) {
  assert(operations::is_unary(op));
  if (is_constant(a)) return constant(operations::calc_unary(op, value(a)));
  if (const NodeId simple = simplify_unary(op, a); simple >= 0) return simple;
  Node node;
  node.op = op;
  node.a = a;
  return intern(node);
}

NodeId Graph::binary(Op op, NodeId a, NodeId b) {
  assert(operations::is_binary(op));
  if (is_constant(a) && is_constant(b))
    return constant(operations::calc_binary(op, value(a), value(b)));
  // One order for commutative operands: constants first, then by age.
  if (operations::is_commutative(op) && (is_constant(b) || (!is_constant(a) && b < a)))
    std::swap(a, b);
  if (const NodeId simple = simplify_binary(op, a, b); simple >= 0) return simple;
  Node node;
  node.op = op;
  node.a = a;
  node.b = b;
  return intern(node);
}

NodeId Graph::select(NodeId condition, NodeId if_true, NodeId if_false) {
  if (is_constant(condition)) return value(condition) != 0.0 ? if_true : if_false;
  if (if_true == if_false) return if_true;
  Node node;
  node.op = Op::select;
  node.a = condition;
  node.b = if_true;
  node.c = if_false;
  return intern(node);
}

NodeId Graph::spline(int spline_index, int derivative, NodeId argument) {
  assert(derivative >= 0);
  if (derivative > 3) return constant(0.0);
  if (is_constant(argument))
    return constant(spline_data(spline_index).value(value(argument), derivative));
  Node node;
  node.op = Op::spline;
  node.a = argument;
  node.value = derivative;
  node.index = spline_index;
  return intern(node);
}

int Graph::add_spline(CubicSpline spline) {
  splines_.push_back(std::make_shared<const CubicSpline>(std::move(spline)));
  return static_cast<int>(splines_.size()) - 1;
}

const CubicSpline& Graph::spline_data(int index) const {
  return *splines_[static_cast<std::size_t>(index)];
}

std::shared_ptr<const CubicSpline> Graph::share_spline(int index) const {
  return splines_[static_cast<std::size_t>(index)];
}

// -- what a node depends on -----------------------------------------------------------------------

Graph::SetId Graph::find_set(const Node& node) {
  if (node.op == Op::variable) return intern_set({node.index});
  SetId set = 0;
  for (const NodeId operand : {node.a, node.b, node.c})
    if (operand >= 0) set = unite(set, set_of_[index_of(operand)]);
  return set;
}

Graph::SetId Graph::intern_set(std::vector<int> variables) {
  const auto [place, is_new] =
      set_ids_.try_emplace(std::move(variables), static_cast<SetId>(sets_.size()));
  if (is_new) sets_.push_back(place->first);
  return place->second;
}

Graph::SetId Graph::unite(SetId a, SetId b) {
  if (a == b || b == 0) return a;
  if (a == 0) return b;
  const auto [place, is_new] = unions_.try_emplace(make_key(std::min(a, b), std::max(a, b)), 0);
  if (!is_new) return place->second;
  const std::vector<int>& x = sets_[index_of(a)];
  const std::vector<int>& y = sets_[index_of(b)];
  std::vector<int> both;
  both.reserve(x.size() + y.size());
  std::set_union(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(both));
  return place->second = intern_set(std::move(both));
}

const std::vector<int>& Graph::dependencies(NodeId node) const {
  return sets_[index_of(set_of_[index_of(node)])];
}

bool Graph::depends_on(NodeId node, int variable_index) const {
  const std::vector<int>& set = dependencies(node);
  return std::binary_search(set.begin(), set.end(), variable_index);
}

}  // namespace driftless
