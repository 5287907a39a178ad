// Ψ(t, s, r) = 0 as written; it may be nonlinear in the rates, and then acts along dΨ/dv (Chetaev's rule).         [VEL.1]

#include "driftless/elements/constraints/velocity.hpp"

namespace driftless {

Relation make_relation(const Velocity& spec, LawScope& scope) {
  Relation relation;
  relation.velocity_rows = {{"equation", scope.parse(spec.equation, FormulaScope::motion), ""}};
  relation.effort = "effort";
  return relation;
}

}  // namespace driftless
