#pragma once
// Every force type, by name. A new one is enrolled here; reading and listing follow.

#include <tuple>

#include "driftless/elements/forces/spring_damper.hpp"

namespace driftless {

using AllForces = std::tuple<SpringDamper>;

}  // namespace driftless
