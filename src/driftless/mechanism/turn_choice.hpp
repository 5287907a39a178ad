#pragma once
// At which turn the counted angles begin, as far as drives, gears, racks and couplers say so.
//
// An angle between bodies in space is known up to whole turns, and its rows need the right one: a drive that begins at
// 1000 deg, the last wheel of a train of gears. A turn of the counter k changes the residual r of a row by s, so a row
// with one open counter asks for n = -r/s turns of it.                                                          [TRN.1]

#include <vector>

#include "driftless/mechanism/laws.hpp"
#include "driftless/mechanism/parts.hpp"

namespace driftless {

/// Counters of laws whose turn is open. Those in `joint_counters` are left alone: which thread a screw is on decides where
/// its bodies are.
std::vector<int> find_open_counters(const MechanismParts& parts, const Laws& laws,
                                    const std::vector<int>& joint_counters, TurnFreedom freedom);

/// Row after row decides about the one counter in it that is still open, as along a train of gears. Where no row can, one
/// of the open counters begins at its nearest turn. The positions of `laws` are set for the chosen turns.
void choose_turns(const MechanismParts& parts, const Laws& laws,
                  const std::vector<int>& joint_counters, MotionState& motion, LawWorkspace& ws);

}  // namespace driftless
