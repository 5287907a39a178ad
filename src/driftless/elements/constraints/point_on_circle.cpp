// With (a, b, c) = p1 - p0 along the axes of frame 0, and the radius r,
//
//   (a² + b² - r²) / 2r = 0             on the cylinder; slope 1 there, as for the distance                      [PTC.1]
//   c = 0                               in the plane of the circle                                               [PTC.2]
//
// Rejected for [PTC.1]: the sphere a² + b² + c² = r². The circle is the same, but the gradients of cylinder and plane are
// perpendicular everywhere, those of sphere and plane only where c = 0.
// Singular: on the axis a = b = 0, where the gradient of [PTC.1] vanishes and everything is finite.
// In the plane: [PTC.1] alone, which is the distance r.

#include "driftless/elements/constraints/point_on_circle.hpp"

#include <cassert>

#include "driftless/elements/frame_pair.hpp"

namespace driftless {
namespace {

template <class S>
S find_excess(const Vec3<S>& shift, double radius) {
  return (shift.x * shift.x + shift.y * shift.y - radius * radius) / (2.0 * radius);
}

struct PointOnCircleRows {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 2;

  double radius = 0.0;

  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    const Vec3<S> shift = find_shift(f);
    out[0] = find_excess(shift, radius);
    out[1] = shift.z;
  }
};

struct PlanePointOnCircleRows {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 1;

  double radius = 0.0;

  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    out[0] = find_excess(find_shift(f), radius);
  }
};

}  // namespace

ConstraintParts make_constraint(const PointOnCircle& spec, Space space) {
  ConstraintParts parts;
  if (space == Space::plane) {
    parts.rows = make_frame_function(PlanePointOnCircleRows{spec.radius});
    parts.row_names = {"radius"};
  } else {
    parts.rows = make_frame_function(PointOnCircleRows{spec.radius});
    parts.row_names = {"radius", "z"};
  }
  return parts;
}

}  // namespace driftless
