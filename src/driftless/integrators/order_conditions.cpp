#include "driftless/integrators/order_conditions.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

// Appends every tree whose root carries `chosen` and further subtrees, of orders that sum to
// `missing`; the further ones are taken from the list at or before `last`, so that each multiset
// appears once.
void append_trees(std::vector<RootedTree>& trees, std::vector<std::size_t>& chosen, int missing,
                  std::size_t last) {
  if (missing == 0) {
    RootedTree tree{.subtrees = chosen};
    for (const std::size_t s : chosen) tree.order += trees[s].order;
    tree.density = tree.order;
    for (const std::size_t s : chosen) tree.density *= trees[s].density;
    trees.push_back(std::move(tree));
    return;
  }
  for (std::size_t s = 0; s <= last && trees[s].order <= missing; ++s) {
    chosen.push_back(s);
    append_trees(trees, chosen, missing - trees[s].order, s);
    chosen.pop_back();
  }
}

double product(const std::vector<double>& row, const std::vector<double>& x) {
  double sum = 0.0;
  for (std::size_t j = 0; j < std::min(row.size(), x.size()); ++j) sum += row[j] * x[j];
  return sum;
}

}  // namespace

std::vector<RootedTree> make_rooted_trees(int max_order) {
  std::vector<RootedTree> trees;
  if (max_order >= 1) trees.push_back({});
  for (int order = 2; order <= max_order; ++order) {
    std::vector<std::size_t> chosen;
    append_trees(trees, chosen, order - 1, trees.size() - 1);
  }
  return trees;
}

std::string to_string(const std::vector<RootedTree>& trees, std::size_t tree) {
  std::string text = "[";
  for (const std::size_t s : trees[tree].subtrees) text += to_string(trees, s);
  return text + "]";
}

OrderDefect calc_worst_defect(const std::vector<std::vector<double>>& a, std::span<const double> b,
                              int max_order, double theta) {
  const std::size_t s = b.size();
  const std::vector<RootedTree> trees = make_rooted_trees(max_order);
  std::vector<std::vector<double>> a_phi(trees.size(), std::vector<double>(s));
  OrderDefect worst;
  for (std::size_t t = 0; t < trees.size(); ++t) {
    std::vector<double> phi(s, 1.0);
    for (const std::size_t sub : trees[t].subtrees) {
      for (std::size_t i = 0; i < s; ++i) phi[i] *= a_phi[sub][i];
    }
    for (std::size_t i = 0; i < s; ++i) a_phi[t][i] = product(a[i], phi);

    double sum = 0.0;
    double size = 1.0;
    for (std::size_t i = 0; i < s; ++i) {
      sum += b[i] * phi[i];
      size += std::abs(b[i] * phi[i]);
    }
    const double wanted = std::pow(theta, trees[t].order) / trees[t].density;
    const double residual = std::abs(sum - wanted) / std::max(1.0, size - 1.0);
    if (worst.order == 0 || !(residual <= worst.residual)) {
      worst = {residual, trees[t].order, to_string(trees, t)};
    }
  }
  return worst;
}

}  // namespace driftless
