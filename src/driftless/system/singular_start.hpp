#pragma once

#include "driftless/system/drawn_rank.hpp"

namespace driftless {

/// Beside the start, where the mechanism is closed again, more rows say something new than in it [DRW.7].
bool is_singular_start(const System& system, const State& state, const DrawnRank& drawn);

}  // namespace driftless
