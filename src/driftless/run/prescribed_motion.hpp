#pragma once
// Whether the motion that time prescribes, a drive's or a path's, is at fault where a run ends. A projection spreads what a
// drive jumps over all joints in its way, so the row that is open widest is not the one to blame. With the bodies held,
// whatever a row changes by is what time asks for:
//
//   ΔΦ_i = Φ_i(t, q) - Φ_i(t0, q),  t0 < t <= t1                                                                  [PRM.1]
//
// A jump or a pole shows in what this differs from the slope at t0 times t - t0; a motion that is merely fast, in itself.

#include <optional>

#include "driftless/base/status.hpp"
#include "driftless/system/evaluator.hpp"

namespace driftless {

struct TimeSpan {
  double from = 0.0;
  double to = 0.0;
};

/// The failure at `t`, said of a row that asks for what no pose gives within the span, or that time moves most wildly
/// there, so that no step follows, or that has no value; leaves the evaluator elsewhere; nothing if there is none. `sizes` has what a gap of each row is compared with;
/// 0: not known.
std::optional<Failure> find_wild_motion(Evaluator& evaluator, ConstVectorRef q, double t,
                                        const TimeSpan& span, ConstVectorRef sizes);

/// What is prescribed at t is outside of what any pose gives, such as a distance below 0.
std::optional<Failure> find_outside_motion(Evaluator& evaluator, ConstVectorRef q, double t);

}  // namespace driftless
