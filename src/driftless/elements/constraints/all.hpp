#pragma once
// Every constraint type, by name. A new one is enrolled here; reading, listing and the exam follow.

#include <tuple>

#include "driftless/elements/constraints/distance.hpp"
#include "driftless/elements/constraints/parallel_axes.hpp"
#include "driftless/elements/constraints/perpendicular_axes.hpp"
#include "driftless/elements/constraints/point_on_circle.hpp"
#include "driftless/elements/constraints/point_on_line.hpp"
#include "driftless/elements/constraints/point_on_plane.hpp"

namespace driftless {

using AllConstraints =
    std::tuple<Distance, PointOnLine, PointOnPlane, PointOnCircle, ParallelAxes, PerpendicularAxes>;

}  // namespace driftless
