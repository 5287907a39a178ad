// Along the distance s of the points, [PTD.1], with the stretch c of the damper as a first-order state:
//
//   both carry the same force   F = k (s - s0 - c) = η c'                                                          [MXW.1]
//   U = k (s - s0 - c)²/2,      c' = k (s - s0 - c)/η                                                              [MXW.2]
//
// -dU/ds is the pull on the points; U_c c' = -η c'² is what the damper takes, which the energy balance finds by itself
// (system.hpp [SYS.6]). Held at a length, F fades as exp(-k t/η); slowly moved, it is a damper, quickly, a spring.
// The form with F itself as the state, F' = k s' - k F/η, is the same with rates instead of lengths; it would drift away
// from the length where c' is integrated inexactly, and it stores no energy that can be written down as U(s, c).

#include "driftless/elements/forces/maxwell.hpp"

#include "driftless/elements/forces/point_distance.hpp"

namespace driftless {

ScalarForce make_law(const Maxwell& spec, LawScope& scope) {
  Graph& g = scope.graph();
  ScalarForce force;
  force.along = scope.add_function(make_frame_function(PointDistance{}))[0];
  const NodeId c = scope.add_state("damper", "m", spec.damper);
  const NodeId rest = g.constant(spec.length.value_or(force.along.drawn));
  const NodeId stretch = g.sub(g.sub(force.along.value, rest), c);
  force.potential = g.mul(g.constant(0.5 * spec.stiffness), g.powi(stretch, 2));
  scope.set_rate(c, g.mul(g.constant(spec.stiffness / spec.damping), stretch));
  return force;
}

}  // namespace driftless
