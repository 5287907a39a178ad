#pragma once
// Redundant rows must ask for the same acceleration: one decision for `check`, for the start of a run and for its first step.
//
// With v' of the rows as far as they can be met together, in least squares, row i is opposed if             [OPR.1]
//
//   |G v' - γ|_i > e |G_i| (1 + |v'| + |v|²) + 1e-6 (|G_i| (1 + |v'|) + |γ_i|)
//
// with |G_i| whole, whatever a tree of joints leaves of it, and e what rows of a rounded drawing may be off by at a rate of 1,
// 100 s [DRW.3]; 4 τ where that is not known. Of a row that no motion changes, nothing is left but rounding.

#include <string>
#include <vector>

#include "driftless/system/drawn_rank.hpp"

namespace driftless {

/// [OPR.1], ascending. Needs G and γ at a state with these rates, and v' as the system's own engine solves for it.
std::vector<int> find_opposed_rows(const SystemInfo& info, const Workspace& ws, const Vector& rates,
                                   const Vector& acceleration, const DrawnRank& drawn);

/// The same with v' found here, with the tolerance that a run would take; none if the masses do not allow it.
std::vector<int> find_opposed_rows(const System& system, const State& state,
                                   const DrawnRank& drawn);

}  // namespace driftless
