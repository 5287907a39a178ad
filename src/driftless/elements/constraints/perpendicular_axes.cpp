//   z0·z1 = 0                           in space                                                                 [PER.1]
//   x0·x1 = 0                           in the plane                                                             [PER.2]
//
// Rejected: the angle between the axes less π/2; the same set, but no derivative at parallel axes.
// Singular: parallel axes, where the gradient z0 × z1 vanishes; on the set it is a unit vector.

#include "driftless/elements/constraints/perpendicular_axes.hpp"

#include "driftless/elements/frame_pair.hpp"

namespace driftless {
namespace {

struct PerpendicularAxesRows {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 1;
  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    out[0] = dot(f[0].axes.z, f[1].axes.z);
  }
};

struct PlanePerpendicularAxesRows {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 1;
  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    out[0] = dot(f[0].axes.x, f[1].axes.x);
  }
};

}  // namespace

ConstraintParts make_constraint(const PerpendicularAxes& /*spec*/, Space space) {
  ConstraintParts parts;
  parts.rows = space == Space::plane ? make_frame_function(PlanePerpendicularAxesRows{})
                                     : make_frame_function(PerpendicularAxesRows{});
  parts.row_names = {"cosine"};
  return parts;
}

}  // namespace driftless
