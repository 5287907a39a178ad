#pragma once
// Rows of constraints between bodies of a tree: which joints they depend on. A row that acts on a few bodies depends on
// the joints on their ways to the ground and on no others, so that G, and G Lᵀ of tree_recursion.hpp, have blocks there.

#include <vector>

#include "driftless/math/block_matrix.hpp"
#include "driftless/mechanism/tree_bodies.hpp"

namespace driftless {

class TreeRows {
 public:
  /// `of_bodies` has the blocks of the rows in absolute coordinates.
  TreeRows(const MechanismParts& parts, const SpanningTree& spanning,
           const TreeRecursion& recursion, const BlockMatrix& of_bodies);

  /// Zero, with the blocks of the rows in joint coordinates.
  BlockMatrix make_matrix() const;
  /// The unit matrix, a block for each joint.
  BlockMatrix make_unit() const;

  /// G = G_b V with the shares of its rows, from `first` to `last`, which are whole strips; see [JSY.2].
  void carry(const BlockMatrix& of_bodies, int first, int last, const TreeBodies& bodies,
             const TreeState& tree, TreeBodiesWorkspace& ws, BlockMatrix& rows) const;
  /// γ = γ_b - G_b b; zero where it is not above the rounding of its terms.
  void find_bias(const BlockMatrix& of_bodies, ConstVectorRef b, ConstVectorRef gamma_b,
                 VectorRef gamma) const;
  /// G Lᵀ of the first `count` rows.
  void reduce(const BlockMatrix& rows, int count, TreeState& tree, std::vector<TreeWrench>& scratch,
              BlockMatrix& reduced) const;

 private:
  /// One of the joints that a strip depends on.
  struct Step {
    int number = 0;
    int parent = -1;        ///< its step, which comes later; -1: the ground
    int block = -1;         ///< of the matrix; -1: the joint has no rates
    bool is_inside = true;  ///< it does not carry all bodies of the strip
  };
  struct Way {
    int row = 0;
    int rows = 0;
    int of_bodies = 0;           ///< strip in absolute coordinates
    std::vector<Step> steps;     ///< from the tips to the ground
    std::vector<int> step_of;    ///< per block in absolute coordinates
    std::vector<int> number_of;  ///< likewise: the body
  };

  void find_blocks();

  const SpanningTree& spanning_;
  const TreeRecursion& recursion_;
  int row_count_ = 0;
  std::vector<Way> ways_;
  std::vector<BlockPlace> places_;
  std::size_t longest_ = 0;
};

}  // namespace driftless
