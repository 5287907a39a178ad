#pragma once
// Every joint type, by name. A new one is enrolled here; reading, listing and the exam follow.

#include <tuple>

#include "driftless/elements/joints/constant_velocity.hpp"
#include "driftless/elements/joints/cylindrical.hpp"
#include "driftless/elements/joints/fixed.hpp"
#include "driftless/elements/joints/free.hpp"
#include "driftless/elements/joints/planar.hpp"
#include "driftless/elements/joints/prismatic.hpp"
#include "driftless/elements/joints/revolute.hpp"
#include "driftless/elements/joints/screw.hpp"
#include "driftless/elements/joints/slot.hpp"
#include "driftless/elements/joints/spherical.hpp"
#include "driftless/elements/joints/universal.hpp"

namespace driftless {

using AllJoints = std::tuple<Revolute, Prismatic, Cylindrical, Spherical, Universal,
                             ConstantVelocity, Planar, Screw, Slot, Fixed, Free>;

}  // namespace driftless
