#pragma once
// Bodies in a drawing: their shapes, arms to joints beside these, or spokes where there is no shape.

#include <vector>

#include "driftless/io/scene_figures.hpp"

namespace driftless {

/// How far a body reaches from its mass centre.
double find_reach(const Scene& scene, int body);

/// Half the width of what has none.
double find_thickness(const Scene& scene, double size);

/// `size` and `thickness`: of the scene, in m.
void add_body_figures(const Scene& scene, int body, double size, double thickness,
                      std::vector<Figure>& figures);

}  // namespace driftless
