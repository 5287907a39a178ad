#pragma once
// Every force type, by name. A new one is enrolled here; reading and listing follow.

#include <tuple>
#include <utility>

#include "driftless/elements/forces/attraction.hpp"
#include "driftless/elements/forces/bushing.hpp"
#include "driftless/elements/forces/friction.hpp"
#include "driftless/elements/forces/maxwell.hpp"
#include "driftless/elements/forces/motor.hpp"
#include "driftless/elements/forces/point_force.hpp"
#include "driftless/elements/forces/spring_damper.hpp"
#include "driftless/elements/forces/stop.hpp"
#include "driftless/elements/forces/torsion_spring.hpp"

namespace driftless {

/// Along one scalar: make_law.
using ScalarForces =
    std::tuple<SpringDamper, Maxwell, TorsionSpring, Motor, Friction, Stop, Attraction>;
/// On frames: make_force.
using FrameForces = std::tuple<PointForce, Bushing>;
using AllForces =
    decltype(std::tuple_cat(std::declval<ScalarForces>(), std::declval<FrameForces>()));

}  // namespace driftless
