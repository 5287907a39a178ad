// With (a, b, c) = p1 - p0 along the axes of frame 0 and the prescribed x(t), y(t), z(t),
//
//   a - x = 0,   b - y = 0,   c - z = 0                                                                            [PTH.1]
//
// each only if its expression is given. The power of whatever moves the point is Σ λ Φ_t.

#include "driftless/elements/constraints/path.hpp"

#include "driftless/elements/pair_scalars.hpp"

namespace driftless {
namespace {

using PathShift = PairFunction<Shift<Axis::x>, Shift<Axis::y>, Shift<Axis::z>>;

}  // namespace

Relation make_relation(const Path& spec, LawScope& scope) {
  Relation relation;
  if (!spec.along_x.given() && !spec.along_y.given() && !spec.along_z.given()) {
    scope.fault("along_x", "none of along_x, along_y and along_z is given",
                "for example along_x = \"0.2*cos(t)\"");
    return relation;
  }
  if (scope.space() == Space::plane && spec.along_z.given()) {
    scope.fault("along_z", "there is no z in the plane", "leave it out");
    return relation;
  }
  relation.prescribes = true;
  const std::vector<ScalarNode> shift = scope.add_function(make_frame_function(PathShift{}));
  const Formula* formulas[] = {&spec.along_x, &spec.along_y, &spec.along_z};
  const std::string_view names[] = {"x", "y", "z"};
  for (std::size_t k = 0; k < 3; ++k) {
    if (!formulas[k]->given()) continue;
    const NodeId value = scope.parse(*formulas[k], FormulaScope::time);
    relation.rows.push_back({names[k], scope.graph().sub(shift[k].value, value), "m", value});
  }
  return relation;
}

}  // namespace driftless
