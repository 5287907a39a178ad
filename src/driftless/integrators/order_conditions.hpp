#pragma once
// The order conditions of Runge-Kutta methods, by rooted trees (Butcher 1963; Hairer, Norsett,
// Wanner 1993, II.2).
//
// A tree t with subtrees t1..tm (what is left when the root is cut off) has
//
//   order     |t|      = 1 + |t1| + ... + |tm|
//   density   gamma(t) = |t| gamma(t1) ... gamma(tm)
//   weights   phi_i(t) = (a phi(t1))_i ... (a phi(tm))_i,   phi_i(root alone) = 1
//
// and the method b has order p if and only if for all trees with |t| <= p
//
//   sum_i b_i phi_i(t) = 1 / gamma(t).                                              [OC.1]
//
// At the point th of a dense output with weights b(th) the right-hand side is th^|t| / gamma(t).
// There are 1, 1, 2, 4, 9, 20, 48, 115 trees of order 1..8. A table of printed polynomial
// conditions would do up to order 5; the trees themselves are shorter, reach order 8 and cannot be
// mistyped.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace driftless {

struct RootedTree {
  std::vector<std::size_t> subtrees;  ///< indices into the list of trees, not increasing
  int order = 1;
  double density = 1.0;
};

/// All rooted trees up to `max_order`, by increasing order.
std::vector<RootedTree> make_rooted_trees(int max_order);

/// The tree in brackets: "[]" is the root alone, "[[][]]" a root with two leaves.
std::string to_string(const std::vector<RootedTree>& trees, std::size_t tree);

/// How far a condition is from being met.
struct OrderDefect {
  double residual = 0.0;  ///< |sum b phi - th^|t| / gamma|, relative to max(1, sum |b phi|)
  int order = 0;          ///< of the tree
  std::string tree;
};

/// The worst defect over all trees up to `max_order` of the weights `b` over stages with matrix `a`
/// (rows may be short). theta: see [OC.1].
OrderDefect calc_worst_defect(const std::vector<std::vector<double>>& a, std::span<const double> b,
                              int max_order, double theta = 1.0);

}  // namespace driftless
