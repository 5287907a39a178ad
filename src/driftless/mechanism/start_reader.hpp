#pragma once
// [start] of a mechanism: wanted values of measures, each with a priority.

#include <vector>

#include "driftless/mechanism/measures.hpp"
#include "driftless/system/start_targets.hpp"

namespace driftless {

struct StartValues {
  std::vector<StartTarget> targets;
  std::vector<Measure> measures;  ///< as many
};

/// Faults are noted.
StartValues read_start(const std::vector<NamedValue>& entries, const MeasureList& measures,
                       ReadingContext& context);

/// At which turn the angles begin that are given, as far as whole turns are open: counters in `parts`, and the angles of
/// bodies in the plane, whose whole turns leave everything where it is, in `q`.
void set_first_turns(const StartValues& start, MechanismParts& parts, Vector& q);

}  // namespace driftless
