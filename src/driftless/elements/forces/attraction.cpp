// With the distance s of the points and the strength k,
//
//   U = -k/s,   force along s: -k/s²    k = G m1 m2 for gravity, G = 6.67430e-11 N m²/kg² (CODATA 2018)            [ATT.1]
//
// Negative strength repels. Singular: the points meet; a run that comes there ends with a status.

#include "driftless/elements/forces/attraction.hpp"

#include "driftless/elements/forces/point_distance.hpp"

namespace driftless {

ScalarForce make_law(const Attraction& spec, LawScope& scope) {
  constexpr double kGravity = 6.67430e-11;
  const double strength = spec.strength.value_or(kGravity * scope.find_mass_product());
  if (strength == 0.0) {
    scope.fault("strength", "the ground has no mass", "give the strength, in N*m^2");
  }
  ScalarForce force;
  force.along = scope.add_function(make_frame_function(PointDistance{.least_squared = 0.0}))[0];
  Graph& g = scope.graph();
  force.potential = g.div(g.constant(-strength), force.along.value);
  return force;
}

}  // namespace driftless
