#pragma once
// Where a mechanism lives: in the plane frames have z as the normal and count their turns (math/vec3.hpp).

namespace driftless {

enum class Space { plane, space };

}  // namespace driftless
