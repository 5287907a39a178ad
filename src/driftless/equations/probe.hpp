#pragma once
// Values of nodes at a few fixed, irregular points: to tell whether two expressions are equal where
// their graphs differ.

#include "driftless/expressions/graph.hpp"

namespace driftless {

/// True if the two nodes differ by more than round-off at some of a few irregular points. Points
/// where one of them is not finite do not count.
bool is_different(const Graph& graph, int variable_count, NodeId a, NodeId b);

}  // namespace driftless
