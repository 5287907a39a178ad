// With (a, b, c) = p1 - p0 along the axes of frame 0,
//
//   a = b = 0                           the line is z0                                                           [PTL.1]
//   b = 0                               in the plane, where the line is x0                                       [PTL.2]
//
// Rejected: z0 × (p1 - p0) = 0, three rows of rank two; and the distance from the line, whose gradient vanishes on it.
// Nothing is singular.

#include "driftless/elements/constraints/point_on_line.hpp"

#include "driftless/elements/pair_scalars.hpp"

namespace driftless {
namespace {

using PointOnLineRows = PairFunction<Shift<Axis::x>, Shift<Axis::y>>;

using PlanePointOnLineRows = PairFunction<Shift<Axis::y>>;

}  // namespace

ConstraintParts make_constraint(const PointOnLine& /*spec*/, Space space) {
  ConstraintParts parts;
  if (space == Space::plane) {
    parts.rows = make_frame_function(PlanePointOnLineRows{});
    parts.row_names = {"y"};
  } else {
    parts.rows = make_frame_function(PointOnLineRows{});
    parts.row_names = {"x", "y"};
  }
  return parts;
}

}  // namespace driftless
