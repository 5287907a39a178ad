// The blade is x1, on a plane with the normal z0 that belongs to body 0. With the velocity of p1 relative to body 0,
// u = u1 - u0 - ω0×(p1 - p0),
//
//   (z0×x1)·u = 0                       m/s                                                                        [KNI.1]
//
// The blade's point is not held in the plane by this: add a point_on_plane. Singular: the blade upright, x1 along z0.

#include "driftless/elements/constraints/knife_edge.hpp"

#include "driftless/elements/velocity_function_of.hpp"

namespace driftless {
namespace {

struct Slip {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 1;
  template <class S>
  void operator()(const MovingFrame<S>* f, S* out) const {
    const Vec3<S> arm = f[1].pose.origin - f[0].pose.origin;
    const Vec3<S> u = f[1].linear - f[0].linear - cross(f[0].angular, arm);
    out[0] = dot(cross(f[0].pose.axes.z, f[1].pose.axes.x), u);
  }
};

}  // namespace

Relation make_relation(const KnifeEdge& /*spec*/, LawScope& scope) {
  const std::vector<NodeId> slip = scope.add_function(make_velocity_function(Slip{}));
  Relation relation;
  relation.velocity_rows = {{"slip", slip[0], "m/s"}};
  return relation;
}

}  // namespace driftless
