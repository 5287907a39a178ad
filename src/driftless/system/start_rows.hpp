#pragma once
// What is looked at once of the rows where a run begins, whatever its method: singular values and what lies beside the
// start cost as much as a hundred evaluations.

#include "driftless/system/drawn_rank.hpp"

namespace driftless {

/// [DRW.7]. singular: beside the start, where the mechanism is closed again, more rows say something new than in it.
/// overconstrained: beside it they do so where it is open, and not where it is closed.
enum class StartKind { ordinary, singular, overconstrained };

struct StartRows {
  DrawnRank drawn;
  RowReport report;
  StartKind kind = StartKind::ordinary;
};
StartRows look_at_start(const System& system, const State& start);

}  // namespace driftless
