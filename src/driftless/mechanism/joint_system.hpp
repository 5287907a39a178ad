#pragma once
// Bodies, frames, rows, laws and forces as a System in joint coordinates: those of a spanning tree of the joints. The
// joints of the tree hold by themselves; what closes loops stays a row.
//
// Elements see the frames of bodies and nothing else, so they are evaluated as in absolute coordinates, by a System of the
// same bodies without the joints of the tree, and what it gives is carried to the joints. With the absolute velocities
// v_b = V(q) v ([TRB.1]) and b = (V v)' for v' = 0,
//
//   Q = Vᵀ Q_b + Q_i            Q_i: inertia by the recursion ([TRR.3])                                              [JSY.1]
//   G = G_b V,   γ = γ_b - G_b b,   Φ and ρ as they are                                                              [JSY.2]
//   dI/dv = I_v V,   dI/dq = I_q V + I_v d(V v)/dq         of an invariant; likewise of velocity rows                [JSY.3]
//   residual Vᵀ r_b:   d(Vᵀ r_b) = dVᵀ r_b + Vᵀ (K_b V + D_b d(V v) + M_b d(V v)')                                   [JSY.4]
//
// Where no element sees a body (an open chain under its weight) nothing of this is done: gravity is an acceleration of the
// ground ([TRR.1]), and the recursions are all.
//
// Reactions of a joint of the tree: the sum of M_b v_b' + G_bᵀλ - Q_b over all bodies that hang on it is the wrench that it
// exerts; its multipliers follow from the rows that it would have in absolute coordinates.                       [JSY.5]
// Where rows that close loops are redundant, so are they together with those of the tree, and the least of all multipliers
// with the same forces are told, as in absolute coordinates: joints of the tree, which are independent, add their number to
// the rank, so that λ is projected onto the range of that dimension.                                            [JSY.6]

#include <memory>

#include "driftless/mechanism/spanning_tree.hpp"
#include "driftless/system/system.hpp"

namespace driftless {

std::unique_ptr<System> make_joint_system(std::shared_ptr<const MechanismParts> parts,
                                          std::shared_ptr<const SpanningTree> spanning);

}  // namespace driftless
