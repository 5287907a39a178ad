// τ = formula(t, s, r) along the measure; it acts between the two bodies of the measure, action and reaction.     [MOT.1]

#include "driftless/elements/forces/motor.hpp"

namespace driftless {

ScalarForce make_law(const Motor& spec, LawScope& scope) {
  ScalarForce force;
  force.along = scope.find_measure(spec.of);
  if (force.along.unit.empty()) {  // it is not known, which is noted
    scope.parse(spec.torque, FormulaScope::motion);
    scope.parse(spec.force, FormulaScope::motion);
    return force;
  }
  const bool is_angle = force.along.unit == "rad";
  const Formula& wanted = is_angle ? spec.torque : spec.force;
  const Formula& other = is_angle ? spec.force : spec.torque;
  const std::string key = is_angle ? "torque" : "force";
  if (other.given()) {
    scope.fault(is_angle ? "force" : "torque",
                "'" + spec.of.name + "' is " + (is_angle ? "an angle" : "a length"),
                "give the " + key + " instead");
  } else if (!wanted.given()) {
    scope.fault(key, "it is missing", "for example " + key + " = \"2*sin(t)\"");
  }
  force.applied = scope.parse(wanted, FormulaScope::motion);
  return force;
}

}  // namespace driftless
