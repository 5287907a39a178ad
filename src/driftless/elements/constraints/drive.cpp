// With the prescribed value f(t),
//
//   s - f(t) = 0                                                                                                   [DRV.1]
//
// The drive's force along s is -λ, and its power -λ f' = λ Φ_t, which feeds the energy balance. An angle counts its turns,
// so f may grow for ever.

#include "driftless/elements/constraints/drive.hpp"

namespace driftless {

Relation make_relation(const Drive& spec, LawScope& scope) {
  const ScalarNode s = scope.find_measure(spec.of);
  const NodeId value = scope.parse(spec.value, FormulaScope::time);
  Relation relation;
  relation.rows = {{"value", scope.graph().sub(s.value, value), s.unit}};
  relation.effort = s.unit == "rad" ? "torque" : "force";
  relation.effort_unit = s.unit == "rad" ? "N*m" : "N";
  relation.drives = spec.of.name;
  relation.prescribes = true;
  return relation;
}

}  // namespace driftless
