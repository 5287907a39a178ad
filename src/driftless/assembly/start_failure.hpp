#pragma once
// Why a start cannot be made consistent: which joints stay open and by how much, which constraints contradict each
// other, which wanted values are in the way, and what to change.

#include "driftless/assembly/start.hpp"
#include "driftless/assembly/start_search.hpp"

namespace driftless {

/// Numbers whose squares leave the range of double precision. False: there is one, and it is named.
bool check_range(const Vector& values, const std::vector<std::string>& names, StartReport& report);

/// Of the level whose search failed with what `found` tells. Leaves the level's values changed. True: nothing is to explain,
/// because all but one element could be closed and that one then, too; the values are those.
bool explain_failure(StartLevel& level, const Wishes& wishes, const SearchReport& found,
                     const SearchLimits& limits, StartReport& report);

/// "A.angle = 150 deg"
std::string describe_target(const StartTarget& target, double value);

}  // namespace driftless
