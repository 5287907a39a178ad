#pragma once
// Every type of measure that a user may declare. A new one is enrolled here; reading and listing follow.

#include <tuple>
#include <utility>

#include "driftless/elements/measures/angle.hpp"
#include "driftless/elements/measures/distance.hpp"
#include "driftless/elements/measures/expression.hpp"
#include "driftless/elements/measures/point.hpp"

namespace driftless {

/// Functions of frames: make_measure.
using FrameMeasures = std::tuple<DistanceMeasure, AngleMeasure, PointMeasure>;
using AllMeasures =
    decltype(std::tuple_cat(std::declval<FrameMeasures>(), std::tuple<ExpressionMeasure>{}));

}  // namespace driftless
