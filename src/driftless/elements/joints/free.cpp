// No rows, no coordinates: the motion of a free body is told by its pose, which has no singular place.

#include "driftless/elements/joints/free.hpp"

namespace driftless {

JointParts make_joint(const Free& /*spec*/, Space /*space*/) { return {}; }

}  // namespace driftless
