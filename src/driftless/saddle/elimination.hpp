#pragma once
// In which order the strips of G are eliminated from S = G M⁻¹ Gᵀ, and all block operations that this takes, listed once.
//
// Two strips meet in S if they touch the same body. Eliminating one couples all that it met and that are still there
// (fill). Chains, trees and ladders of loops have orders without fill, or with little: candidates are the order of the
// file, the one that follows the graph from an end (reverse Cuthill-McKee), and the approximate minimum degree; the
// cheapest by its operations is taken, the file's if it is nearly as cheap, because it walks through memory in a line.
//
// Rejected: from both ends in turn, so that two chains of strips do not wait for each other. Where they meet on a long
// open chain, of the last strip only 1/N is its own, and the local test of rank (sparse_class.hpp) takes it for a redundant one.

#include <vector>

#include "driftless/math/block_matrix.hpp"

namespace driftless {

/// All offsets count doubles.
struct EliminationPlan {
  struct Node {
    int row = 0;   ///< first row of the strip
    int rows = 0;  ///< r
    int diagonal = 0;
    int entries = 0;  ///< of its column: blocks below the diagonal
    int updates = 0;
  };
  /// A block (r_i x r_k) below the diagonal.
  struct Entry {
    int row = 0;
    int rows = 0;
    int value = 0;
  };
  /// target -= left · Z of `right`, both in the column of the node.
  struct Update {
    int left = 0;
    int right = 0;
    int target = 0;
    int left_rows = 0;
    int right_rows = 0;
  };
  /// target += G_left · H_rightᵀ, H = G M⁻¹.
  struct Product {
    int left = 0;
    int right = 0;
    int target = 0;
    int left_rows = 0;
    int right_rows = 0;
    int columns = 0;
  };
  struct Span {
    int first = 0;
    int count = 0;
  };
  std::vector<Node> nodes;        ///< in the order of elimination
  std::vector<Entry> entries;     ///< column by column
  std::vector<Update> updates;    ///< likewise
  std::vector<Product> products;  ///< by target
  std::vector<Span> fill;         ///< blocks of S that are 0 before the elimination
  int size = 0;                   ///< of all blocks
  double operations = 0;          ///< multiplications of a factorisation, about
};

/// Of the strips of G up to `rows`; each block must lie in the columns of one body.
EliminationPlan make_elimination_plan(const BlockMatrix& jacobian, int rows);

}  // namespace driftless
