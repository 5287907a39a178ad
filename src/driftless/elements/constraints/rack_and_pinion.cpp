// With the pinion's radius R,
//
//   s2 - R s1 - offset = 0              m; the multiplier is the force on the rack                                 [RAP.1]

#include "driftless/elements/constraints/rack_and_pinion.hpp"

#include "driftless/elements/constraints/proportional.hpp"

namespace driftless {

Relation make_relation(const RackAndPinion& spec, LawScope& scope) {
  const auto pair = find_pair(spec.of, "rad", "m", scope);
  Relation relation = make_proportional(pair, -spec.radius, 1.0, spec.offset, scope);
  relation.rows[0].name = "shift";
  relation.effort = "force";
  relation.effort_unit = "N";
  return relation;
}

}  // namespace driftless
