//   z0·z1 = 0                           in space                                                                 [PER.1]
//   x0·x1 = 0                           in the plane                                                             [PER.2]
//
// Rejected: the angle between the axes less π/2; the same set, but no derivative at parallel axes.
// Singular: parallel axes, where the gradient z0 × z1 vanishes; on the set it is a unit vector.

#include "driftless/elements/constraints/perpendicular_axes.hpp"

#include "driftless/elements/pair_scalars.hpp"

namespace driftless {
namespace {

using PerpendicularAxesRows = PairFunction<Product<Axis::z, Axis::z>>;

using PlanePerpendicularAxesRows = PairFunction<Product<Axis::x, Axis::x>>;

}  // namespace

ConstraintParts make_constraint(const PerpendicularAxes& /*spec*/, Space space) {
  ConstraintParts parts;
  parts.rows = space == Space::plane ? make_frame_function(PlanePerpendicularAxesRows{})
                                     : make_frame_function(PerpendicularAxesRows{});
  parts.row_names = {"cosine"};
  return parts;
}

}  // namespace driftless
