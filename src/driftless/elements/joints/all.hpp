#pragma once
// Every joint type, by name. A new one is enrolled here; reading, listing and the exam follow.

#include <tuple>

#include "driftless/elements/joints/revolute.hpp"

namespace driftless {

using AllJoints = std::tuple<Revolute>;

}  // namespace driftless
