#pragma once
// Orders in which the nodes of a graph may be eliminated with little fill.

#include <vector>

namespace driftless {

/// Per node its neighbours, without itself; symmetric.
using Neighbours = std::vector<std::vector<int>>;

/// Along the graph from an end, level by level, and backward (reverse Cuthill-McKee): no fill on lines and trees, little
/// on ladders.
std::vector<int> find_line_order(const Neighbours& neighbours);

/// Always a node with (about) the fewest neighbours left.
std::vector<int> find_minimum_degree_order(const Neighbours& neighbours);

/// Of the columns of a square matrix that is to be factorised with exchanges of rows: little fill, whatever these are.
/// Column k has entries in row[first[k]] to row[first[k + 1] - 1].
std::vector<int> find_column_order(int size, const std::vector<int>& first,
                                   const std::vector<int>& row);

}  // namespace driftless
