// With the radii R1, R2,
//
//   R2 s2 - R1 s1 - offset = 0          m; open belt                                                               [BLT.1]
//   R2 s2 + R1 s1 - offset = 0          m; crossed belt                                                            [BLT.2]
//
// The multiplier is the difference of the tensions in the belt's two runs.

#include "driftless/elements/constraints/belt.hpp"

#include "driftless/elements/constraints/proportional.hpp"

namespace driftless {

Relation make_relation(const Belt& spec, LawScope& scope) {
  const auto pair = find_pair(spec.of, "rad", "rad", scope);
  Relation relation = make_proportional(pair, spec.crossed ? spec.first_radius : -spec.first_radius,
                                        spec.second_radius, spec.offset, scope);
  relation.rows[0].name = "length";
  relation.effort = "force";
  relation.effort_unit = "N";
  return relation;
}

}  // namespace driftless
