// [SPR.1] along the distance of the points, [PTD.1].

#include "driftless/elements/forces/spring_damper.hpp"

#include "driftless/elements/forces/point_distance.hpp"
#include "driftless/elements/forces/spring_law.hpp"

namespace driftless {

ScalarForce make_law(const SpringDamper& spec, LawScope& scope) {
  const ScalarNode s = scope.add_function(make_frame_function(PointDistance{}))[0];
  return make_spring(s, spec.stiffness, spec.damping, spec.length.value_or(s.drawn), spec.law,
                     scope);
}

}  // namespace driftless
