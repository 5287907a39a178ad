// With the prescribed value f of time and, if wanted, of measures m of position,
//
//   s - f(t, m) = 0                                                                                                [DRV.1]
//
// The drive's force along s is -λ. Its power -λ ∂f/∂t = λ Φ_t feeds the energy balance; what it does along s and along m
// cancels else, as between two gears. An angle counts its turns, so f may grow for ever.

#include "driftless/elements/constraints/drive.hpp"

namespace driftless {

Relation make_relation(const Drive& spec, LawScope& scope) {
  const ScalarNode s = scope.find_measure(spec.of);
  const NodeId value = scope.parse(spec.value, FormulaScope::position);
  Relation relation;
  relation.rows = {{"value", scope.graph().sub(s.value, value), s.unit, value, s.least}};
  relation.effort = s.unit == "rad" ? "torque" : "force";
  relation.effort_unit = s.unit == "rad" ? "N*m" : "N";
  relation.drives = spec.of.name;
  relation.prescribes = true;
  return relation;
}

}  // namespace driftless
