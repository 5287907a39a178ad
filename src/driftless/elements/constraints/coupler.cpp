// Φ(t, s) = 0 as written. Its multiplier has the unit of energy per unit of Φ.                                     [COU.1]

#include "driftless/elements/constraints/coupler.hpp"

namespace driftless {

Relation make_relation(const Coupler& spec, LawScope& scope) {
  Relation relation;
  relation.rows = {{"equation", scope.parse(spec.equation, FormulaScope::position), ""}};
  relation.effort = "effort";
  return relation;
}

}  // namespace driftless
