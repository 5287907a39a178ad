#pragma once
// Springs and dampers along a scalar s with the rest value s0: U = k (s - s0)²/2, applied force -c s' - law.     [SPR.1]
// The law is a formula that may also use `stretch` = s - s0 and `rate` = s'. What it does is not counted as potential
// energy, even where it depends on the stretch alone, but as work. For .cpp files.

#include <utility>

#include "driftless/elements/law.hpp"

namespace driftless {

inline ScalarForce make_spring(const ScalarNode& s, double stiffness, double damping, double rest,
                               const Formula& law, LawScope& scope) {
  Graph& g = scope.graph();
  ScalarForce force;
  force.along = s;
  if (!scope.has("stiffness") && !scope.has("damping") && !scope.has("law")) {
    scope.fault("stiffness", "none of stiffness, damping and law is given, so that nothing acts",
                "give at least one of them");
  }
  const NodeId stretch = g.sub(s.value, g.constant(rest));
  if (stiffness != 0.0) {
    force.potential = g.mul(g.constant(0.5 * stiffness), g.powi(stretch, 2));
  }
  if (damping != 0.0) force.applied = g.mul(g.constant(-damping), s.rate);
  if (law.given()) {
    const std::pair<std::string_view, NodeId> locals[] = {{"stretch", stretch}, {"rate", s.rate}};
    const NodeId pull = scope.parse(law, FormulaScope::motion, locals);
    force.applied = force.applied < 0 ? g.neg(pull) : g.sub(force.applied, pull);
  }
  return force;
}

}  // namespace driftless
