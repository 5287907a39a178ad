// [SPR.1] along an angle that counts its turns.

#include "driftless/elements/forces/torsion_spring.hpp"

#include "driftless/elements/forces/spring_law.hpp"

namespace driftless {

ScalarForce make_law(const TorsionSpring& spec, LawScope& scope) {
  const ScalarNode s = scope.find_measure(spec.of, "rad");
  return make_spring(s, spec.stiffness, spec.damping, spec.angle.value_or(s.drawn), spec.law,
                     scope);
}

}  // namespace driftless
