#pragma once
// Consistent start values of systems with very many rows, at the cost of a few evaluations.

#include "driftless/assembly/start.hpp"

namespace driftless {

/// From so many rows on make_consistent goes this way.
inline constexpr int kManyStartRows = 400;

/// As make_consistent, but from the given pose alone: no other poses are tried, no values weighed against each other.
/// Wanted values that are exact or preferred count as further rows, guesses do not count.
StartReport make_many_consistent(const System& system, State& state, const GivenFlags& given,
                                 const StartOptions& options);

/// What the start has changed, by name, into the report.
void list_changes(const SystemInfo& info, const State& before, const State& after,
                  StartReport& report);

}  // namespace driftless
