// With (a, b, c) = p1 - p0 along the axes of frame 0,
//
//   c = 0                                                                                                        [PTP.1]
//
// A signed distance: its multiplier is the normal force. Rejected: its square, whose gradient vanishes on the plane.
// Nothing is singular.

#include "driftless/elements/constraints/point_on_plane.hpp"

#include <cassert>

#include "driftless/elements/pair_scalars.hpp"

namespace driftless {
namespace {

using PointOnPlaneRows = PairFunction<Shift<Axis::z>>;

}  // namespace

ConstraintParts make_constraint(const PointOnPlane& /*spec*/, [[maybe_unused]] Space space) {
  assert(space == Space::space);
  ConstraintParts parts;
  parts.rows = make_frame_function(PointOnPlaneRows{});
  parts.row_names = {"z"};
  return parts;
}

}  // namespace driftless
