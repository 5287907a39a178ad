#pragma once
// Stops of joints in a drawing: blocks of rubber where the second body meets them, on the first one, as on the report page
// (viewer/src/buffers.ts).

#include <vector>

#include "driftless/io/scene_figures.hpp"

namespace driftless {

/// Of stops on joints that slide or turn; one on another measure has no place.
std::vector<Figure> list_stops(const Scene& scene, double thickness);

}  // namespace driftless
