#pragma once
// Whole turns in loops of joints that hold the angle in the plane.

#include <vector>

#include "driftless/mechanism/parts.hpp"

namespace driftless {

/// Adds whole turns to second frames of rows called "turn", so that those in a loop can hold together: see the source.
void settle_whole_turns(const std::vector<RowBlock>& rows, std::vector<BodyFrame>& frames);

}  // namespace driftless
