//   x0·z1 = y0·z1 = 0                   z1 along ±z0                                                             [PAR.1]
//   angle1 - angle0 = 0                 in the plane: x1 along x0, turns count                                   [PAR.2]
//
// Rejected for [PAR.1]: z0 × z1 = 0, three rows of rank two; and z0·z1 = 1, whose gradient vanishes wherever it holds.
// [PAR.1] is regular on both its sets, equal and opposed, and no motion that keeps the rows leads from one to the other.
// Singular: z1 perpendicular to z0, where tilting further changes neither row to first order in one direction.
// Rejected for [PAR.2]: y0·x1 = 0, which also holds with the axes opposed.

#include "driftless/elements/constraints/parallel_axes.hpp"

#include "driftless/elements/pair_scalars.hpp"

namespace driftless {
namespace {

using ParallelAxesRows = PairFunction<Product<Axis::x, Axis::z>, Product<Axis::y, Axis::z>>;

using PlaneParallelAxesRows = PairFunction<PlaneTurn>;

}  // namespace

ConstraintParts make_constraint(const ParallelAxes& /*spec*/, Space space) {
  ConstraintParts parts;
  if (space == Space::plane) {
    parts.rows = make_frame_function(PlaneParallelAxesRows{});
    parts.row_names = {"turn"};
  } else {
    parts.rows = make_frame_function(ParallelAxesRows{});
    parts.row_names = {"tilt_x", "tilt_y"};
  }
  return parts;
}

}  // namespace driftless
