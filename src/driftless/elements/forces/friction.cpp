// τ = -c s' - F tanh(s'/v0)                                                                                        [FRI.1]
//
// Dry friction with the sign of s' has no derivative at rest, and a solver chatters there; tanh is smooth, never adds
// energy, and creeps at rest by at most v0: a body on a slope slides by v0 artanh(load/F). Choose v0 small against the
// speeds of interest; steps must resolve v0 M/F, the time in which the force turns.

#include "driftless/elements/forces/friction.hpp"

namespace driftless {

ScalarForce make_law(const Friction& spec, LawScope& scope) {
  ScalarForce force;
  force.along = scope.find_measure(spec.of);
  if (!scope.has("viscous") && !scope.has("dry")) {
    scope.fault("viscous", "neither viscous nor dry is given, so that nothing rubs",
                "give one or both of them");
    return force;
  }
  if (spec.dry > 0.0 && !(spec.speed > 0.0)) {
    scope.fault(
        "speed", scope.has("speed") ? "it is 0, must be greater than 0" : "it is missing",
        "the rate below which dry friction fades, for example a thousandth of the usual one");
    return force;
  }
  Graph& g = scope.graph();
  const NodeId rate = force.along.rate;
  force.applied = g.mul(g.constant(-spec.viscous), rate);
  if (spec.dry > 0.0) {
    const NodeId sign = g.unary(Op::tanh, g.mul(g.constant(1.0 / spec.speed), rate));
    force.applied = g.sub(force.applied, g.mul(g.constant(spec.dry), sign));
  }
  return force;
}

}  // namespace driftless
