#include "driftless/math/ordering.hpp"

#include <algorithm>

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

namespace driftless {
namespace {

/// Level by level from `first`; nodes of other parts of the graph are left out.
std::vector<int> walk(const Neighbours& neighbours, int first, std::vector<bool>& seen) {
  std::vector<int> order{first};
  seen[static_cast<std::size_t>(first)] = true;
  for (std::size_t at = 0; at < order.size(); ++at) {
    const std::size_t begin = order.size();
    for (const int next : neighbours[static_cast<std::size_t>(order[at])]) {
      if (seen[static_cast<std::size_t>(next)]) continue;
      seen[static_cast<std::size_t>(next)] = true;
      order.push_back(next);
    }
    std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(begin), order.end(),
                     [&](int a, int b) {
                       return neighbours[static_cast<std::size_t>(a)].size() <
                              neighbours[static_cast<std::size_t>(b)].size();
                     });
  }
  return order;
}

}  // namespace

std::vector<int> find_line_order(const Neighbours& neighbours) {
  std::vector<int> order;
  std::vector<bool> seen(neighbours.size(), false);
  for (std::size_t k = 0; k < neighbours.size(); ++k) {
    if (seen[k]) continue;
    const std::vector<int> trial = walk(neighbours, static_cast<int>(k), seen);
    for (const int node : trial) seen[static_cast<std::size_t>(node)] = false;
    const std::vector<int> part = walk(neighbours, trial.back(), seen);
    order.insert(order.end(), part.begin(), part.end());
  }
  std::reverse(order.begin(), order.end());
  return order;
}

std::vector<int> find_minimum_degree_order(const Neighbours& neighbours) {
  const auto count = static_cast<int>(neighbours.size());
  std::vector<Eigen::Triplet<double>> entries;
  for (int k = 0; k < count; ++k) {
    entries.emplace_back(k, k, 1.0);
    for (const int other : neighbours[static_cast<std::size_t>(k)])
      entries.emplace_back(k, other, 1.0);
  }
  Eigen::SparseMatrix<double> graph(count, count);
  graph.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(graph, order);
  return {order.indices().data(), order.indices().data() + count};
}

std::vector<int> find_column_order(int size, const std::vector<int>& first,
                                   const std::vector<int>& row) {
  const std::vector<double> ones(row.size(), 1.0);
  const Eigen::SparseMatrix<double> pattern = Eigen::Map<const Eigen::SparseMatrix<double>>(
      size, size, static_cast<Eigen::Index>(row.size()), first.data(), row.data(), ones.data());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> place;
  Eigen::COLAMDOrdering<int>()(pattern, place);
  std::vector<int> order(static_cast<std::size_t>(size), 0);
  for (int column = 0; column < size; ++column)
    order[static_cast<std::size_t>(place.indices()[column])] = column;
  return order;
}

}  // namespace driftless
