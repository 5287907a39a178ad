// With the ratio i,
//
//   s2 - i s1 - offset = 0              rad; the multiplier is the torque on the second angle                      [GEA.1]
//
// The angles count their turns, so the teeth keep their places over any number of them. Rejected: the row of the rates
// alone, s2' - i s1' = 0, which drifts; and a row of sines, which holds on every tooth at once.

#include "driftless/elements/constraints/gear.hpp"

#include "driftless/elements/constraints/proportional.hpp"

namespace driftless {

Relation make_relation(const Gear& spec, LawScope& scope) {
  const auto pair = find_pair(spec.of, "rad", "rad", scope);
  Relation relation = make_proportional(pair, -spec.ratio, 1.0, spec.offset, scope);
  relation.rows[0].name = "ratio";
  relation.rows[0].unit = "rad";
  relation.effort = "torque";
  relation.effort_unit = "N*m";
  return relation;
}

}  // namespace driftless
