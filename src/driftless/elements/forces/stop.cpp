// With the depth δ = s - high (or low - s) and its rate δ',
//
//   push  P = max(0, k δ + c ramp(δ) δ')  for δ > 0,  else 0           never pulls                                 [STP.1]
//   ramp(δ) = min(1, δ/depth)             1 if the depth is 0
//   U = k max(0, δ)²/2,   applied: the rest, P - k δ, against the intrusion                                        [STP.2]
//
// The damping begins with a jump if the depth is 0, which costs an integrator its order at that instant; with a depth the
// force is continuous.

#include "driftless/elements/forces/stop.hpp"

#include <fmt/format.h>

namespace driftless {
namespace {

/// Adds one side; `depth` grows into the stop, and `along` is its sign along s.
void add_side(const Stop& spec, NodeId depth, NodeId rate, double along, Graph& g,
              ScalarForce& force) {
  const NodeId zero = g.constant(0.0);
  const NodeId inside = g.binary(Op::less, zero, depth);
  const NodeId spring = g.mul(g.constant(spec.stiffness), depth);
  const NodeId energy =
      g.mul(g.constant(0.5 * spec.stiffness), g.powi(g.binary(Op::max, zero, depth), 2));
  force.potential = force.potential < 0 ? energy : g.add(force.potential, energy);
  if (spec.damping == 0.0) return;
  NodeId damping = g.mul(g.constant(spec.damping), rate);
  if (spec.depth > 0.0) {
    const NodeId part = g.mul(g.constant(1.0 / spec.depth), depth);
    damping = g.mul(g.binary(Op::min, g.constant(1.0), part), damping);
  }
  const NodeId push = g.binary(Op::max, zero, g.add(spring, damping));
  const NodeId rest = g.select(inside, g.sub(push, spring), zero);
  const NodeId signed_rest = g.mul(g.constant(-along), rest);
  force.applied = force.applied < 0 ? signed_rest : g.add(force.applied, signed_rest);
}

}  // namespace

ScalarForce make_law(const Stop& spec, LawScope& scope) {
  ScalarForce force;
  force.along = scope.find_measure(spec.of);
  if (!spec.low && !spec.high) {
    scope.fault("low", "neither low nor high is given", "give one or both limits");
    return force;
  }
  if (spec.low && spec.high && !(*spec.low < *spec.high)) {
    scope.fault("low", fmt::format("{:.6g} is not below high = {:.6g}", *spec.low, *spec.high),
                *spec.low > *spec.high
                    ? "exchange low and high"
                    : "give the range some width; to hold it in place use a drive");
    return force;
  }
  Graph& g = scope.graph();
  const ScalarNode& s = force.along;
  if (spec.high) add_side(spec, g.sub(s.value, g.constant(*spec.high)), s.rate, 1.0, g, force);
  if (spec.low)
    add_side(spec, g.sub(g.constant(*spec.low), s.value), g.neg(s.rate), -1.0, g, force);
  return force;
}

}  // namespace driftless
