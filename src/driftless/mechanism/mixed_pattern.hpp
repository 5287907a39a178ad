#pragma once
// The mixed-coordinate matrix of a mechanism (Arnold 2016, (18) with (48), (50), (51), and example 7): the unknowns are
// the accelerations p'' of the bodies, q'' of the joints of a spanning tree, and the forces μ of these joints, one for
// each coordinate of the body; with the multipliers λ of what closes loops,
//
//   M_i p_i'' + K_iᵀ μ_i + Σ H_jᵀ μ_j + Gᵀ λ = f_i,     J_iᵀ μ_i = 0,     K_i p_i'' + H_i p_π'' + J_i q_i'' = ...     [MXP.1]
//
// As written, all p come first, then all q, μ and λ, so that K and H lie as far from the diagonal as there are bodies.
// Ordered along the tree, from the tips to the ground, with p_i, q_i, μ_i of a body together, the matrix of a chain is block
// tridiagonal and each branch adds one block beside the band; λ follows the last of the bodies that it acts on.   [MXP.2]
//
// Entries are counted where the structure has them: M a diagonal and, in space, a full inertia; K the unit matrix; H the
// shift of a point, unit matrices and [r×]; J and G full within their blocks.

#include "driftless/math/block_matrix.hpp"
#include "driftless/mechanism/spanning_tree.hpp"
#include "driftless/system/matrix_pattern.hpp"

namespace driftless {

/// `rows` has the blocks of all rows in absolute coordinates.
MatrixPattern find_mixed_pattern(const MechanismParts& parts, const SpanningTree& spanning,
                                 const BlockMatrix& rows);

}  // namespace driftless
