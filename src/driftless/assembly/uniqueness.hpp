#pragma once
// Which reactions are the same whatever way redundant constraints share their load.

#include <string>
#include <vector>

#include "driftless/system/system.hpp"

namespace driftless {

/// How λ can change without changing Gᵀλ: one such change per column, in the rows' own units. None if all rows are
/// independent. `known_rank` of them; -1: by their own parts.
Matrix find_free_multipliers(ConstMatrixRef mass, ConstMatrixRef jacobian, int known_rank = -1);

/// True: w·λ is the same for every λ of the same Gᵀλ, that is, w lies in the range of G.
bool is_unique(ConstVectorRef coefficients, ConstMatrixRef free_multipliers);

struct NotUnique {
  int dimension = 0;  ///< of the free multipliers: rows beyond the rank
  std::vector<std::string> names;
};
/// Records that are made of reactions and not unique at this state, in their order.
NotUnique find_not_unique(const System& system, const State& state);

}  // namespace driftless
