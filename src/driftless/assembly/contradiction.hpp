#pragma once
// Constraints that cannot hold together, at the start or later, because they ask for different values of the same thing.

#include <vector>

#include "driftless/assembly/check.hpp"
#include "driftless/assembly/start_level.hpp"

namespace driftless {

/// Rows that contradict each other wherever the level's values are; empty if there are none.
std::vector<int> find_contradictory_rows(StartLevel& level);

/// Follows what is prescribed from the start to a few random times before `until`, and tells of rows that contradict each
/// other there. For systems in which rows are redundant; those that the report lists.
void check_prescribed_motion(const System& system, const State& start, double until,
                             CheckReport& report);

}  // namespace driftless
