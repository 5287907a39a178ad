#include "driftless/run/prescribed_failure.hpp"

#include "driftless/run/reach.hpp"
#include "driftless/run/run_failures.hpp"

namespace driftless {

std::optional<Failure> find_prescribed_failure(const System& system, const HaltedMotion& halted) {
  const State& pose = halted.way.back();
  const DrawnRank& drawn = halted.drawn;
  const ReachLimits limits{drawn.misfit, halted.rank_tolerance};
  Evaluator evaluator(system);
  const Vector rest = Vector::Zero(system.info().nv);
  for (const State& each : halted.way) system.accept(each.t, each.q, rest, evaluator.ws());
  std::optional<Failure> failure =
      ReachTest(evaluator, limits).find_failure(pose.q, {pose.t, halted.until}, drawn.sizes);
  if (failure)
    if (const auto source = find_row_source(system.info(), failure->worst))
      failure->where = *source;
  return failure;
}

}  // namespace driftless
