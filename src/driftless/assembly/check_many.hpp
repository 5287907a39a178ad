#pragma once
// What `check` says of masses and rows if there are very many of them, at the cost of a few evaluations.

#include <optional>

#include "driftless/assembly/check.hpp"

namespace driftless {

/// From so many rows on: what needs all entries of M and G at once, such as singular values and the rows from which a
/// redundant one follows, is not told.
inline constexpr int kManyCheckRows = 500;
/// Or so many rates, however few rows hold them.
inline constexpr int kManyCheckRates = 1500;

/// Whether M is definite, if it is a block per body; nothing: it is not made of such blocks.
std::optional<bool> is_definite_by_blocks(const BlockMatrix& mass);

/// Rank, degrees of freedom, redundant and contradictory rows; inertia on the null space of G.
void check_many_rows(const System& system, const State& state, CheckReport& report);

}  // namespace driftless
