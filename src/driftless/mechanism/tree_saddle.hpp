#pragma once
// The saddle point in joint coordinates. With M⁻¹ = Lᵀ L from the recursions (tree_recursion.hpp), x = Lᵀ z turns
//
//   M x + Gᵀλ = f,  G x = b      into      z + (G Lᵀ)ᵀλ = L f,  (G Lᵀ) z = b                                       [TSA.1]
//
// with the unit matrix as mass and the same λ: any engine solves it, with the rule of saddle.hpp for redundant rows and
// singular poses, because the length of a row of G Lᵀ is its length in the mass metric. Without rows nothing is left but
// the recursions. Where M is singular, M and G themselves go to the dense engine.
//
// Masses far apart [SAD.3]: L has the masses in it, so that with even masses the rows are others, G L̂ᵀ of the same tree
// with even masses. They are made where an engine asks for them.                                                 [TSA.2]

#include <memory>
#include <optional>

#include "driftless/mechanism/tree_rows.hpp"
#include "driftless/saddle/saddle.hpp"

namespace driftless {

/// `tree` is where the poses are when `factorize` is called; it must outlive the engine. `even_radius2`: of even masses, if
/// they are needed (mass_range.hpp).
std::unique_ptr<SaddleEngine> make_tree_saddle(const TreeRecursion& recursion, const TreeRows& rows,
                                               const TreeState& tree, int count, EngineKind kind,
                                               std::optional<double> even_radius2);

}  // namespace driftless
