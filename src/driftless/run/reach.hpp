#pragma once
// Whether what time prescribes, a drive or a path, can be met at all. Where a step leaves the constraints open, the step
// may be too long, or the motion is beyond what the joints allow: then no pose closes them. To tell them apart they are
// closed by Newton's method in the mass metric, each step halved until the gap falls,
//
//   q <- q ⊕ α x,   x = -G⁺ Φ(t, q),   α = 1, ½, ¼, ...                                                          [RCH.1]
//
// at several times within the step. What stays open, r, is borne by forces in balance: the part z of r that no motion
// changes, Gᵀz = 0, all rows scaled to length 1. If row d alone gave way, it would be by                         [RCH.2]
//
//   z·r / z_d.

#include <optional>

#include "driftless/run/prescribed_motion.hpp"
#include "driftless/run/run_state.hpp"

namespace driftless {

struct ReachLimits {
  double misfit = 0.0;  ///< of redundant rows [DRW.3]: they stay open by that much at any pose
  double rank_tolerance = 0.0;  ///< of the run, which such rows take
};

class ReachTest {
 public:
  ReachTest(Evaluator& evaluator, const ReachLimits& limits);

  /// The failure, if at some time within the span no pose near q closes the constraints. `sizes` as in
  /// prescribed_motion.hpp. Leaves the evaluator elsewhere.
  std::optional<Failure> find_failure(ConstVectorRef q, const TimeSpan& span, ConstVectorRef sizes);

 private:
  /// The largest gap that is left, relative to the rows' sizes; q_ becomes that pose.
  double close(double t, ConstVectorRef q, ConstVectorRef sizes);
  double close_from_here(double t, ConstVectorRef sizes);
  double find_gap(double t, ConstVectorRef sizes);
  std::optional<Failure> describe_asked(Eigen::Index row, double t, double missing);
  Failure describe(double t, const TimeSpan& span, ConstVectorRef sizes);

  Evaluator& evaluator_;
  double rank_;          // tolerance
  double closed_;        // gaps relative to the mechanism: closed, and
  double out_of_reach_;  // beyond what any pose closes
  Vector q_, from_, best_, x_, b_;
};

}  // namespace driftless
