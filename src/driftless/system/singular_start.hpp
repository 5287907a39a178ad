#pragma once

#include "driftless/system/drawn_rank.hpp"

namespace driftless {

/// [DRW.7]. singular: beside the start, where the mechanism is closed again, more rows say something new than in it.
/// overconstrained: beside it they do so where it is open, and not where it is closed.
enum class StartKind { ordinary, singular, overconstrained };
StartKind find_start_kind(const System& system, const State& state, const DrawnRank& drawn);

}  // namespace driftless
