// With (a, b, c) = p1 - p0 along the axes of frame 0,
//
//   a = b = 0                           the line is z0                                                           [PTL.1]
//   b = 0                               in the plane, where the line is x0                                       [PTL.2]
//
// Rejected: z0 × (p1 - p0) = 0, three rows of rank two; and the distance from the line, whose gradient vanishes on it.
// Nothing is singular.

#include "driftless/elements/constraints/point_on_line.hpp"

#include "driftless/elements/frame_pair.hpp"

namespace driftless {
namespace {

struct PointOnLineRows {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 2;
  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    const Vec3<S> shift = find_shift(f);
    out[0] = shift.x;
    out[1] = shift.y;
  }
};

struct PlanePointOnLineRows {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 1;
  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    out[0] = find_shift(f).y;
  }
};

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
