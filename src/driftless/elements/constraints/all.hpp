#pragma once
// Every constraint type, by name. A new one is enrolled here; reading, listing and the exam follow.

#include <tuple>
#include <utility>

#include "driftless/elements/constraints/belt.hpp"
#include "driftless/elements/constraints/coupler.hpp"
#include "driftless/elements/constraints/distance.hpp"
#include "driftless/elements/constraints/drive.hpp"
#include "driftless/elements/constraints/gear.hpp"
#include "driftless/elements/constraints/knife_edge.hpp"
#include "driftless/elements/constraints/parallel_axes.hpp"
#include "driftless/elements/constraints/path.hpp"
#include "driftless/elements/constraints/perpendicular_axes.hpp"
#include "driftless/elements/constraints/point_on_circle.hpp"
#include "driftless/elements/constraints/point_on_line.hpp"
#include "driftless/elements/constraints/point_on_plane.hpp"
#include "driftless/elements/constraints/rack_and_pinion.hpp"
#include "driftless/elements/constraints/rolling_ball.hpp"
#include "driftless/elements/constraints/rolling_disc.hpp"
#include "driftless/elements/constraints/velocity.hpp"

namespace driftless {

/// Rows of two frames: make_constraint.
using FrameConstraints =
    std::tuple<Distance, PointOnLine, PointOnPlane, PointOnCircle, ParallelAxes, PerpendicularAxes>;
/// Rows of measures, of time and of velocities: make_relation.
using Relations = std::tuple<Gear, RackAndPinion, Belt, Coupler, Drive, Path, RollingDisc,
                             RollingBall, KnifeEdge, Velocity>;
using AllConstraints =
    decltype(std::tuple_cat(std::declval<FrameConstraints>(), std::declval<Relations>()));

}  // namespace driftless
