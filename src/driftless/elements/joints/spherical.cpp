//   p1 - p0 = 0                         the origins meet                                                         [SPH.1]
//
// along the world's axes, [GAP.1]; the multipliers are the force. Nothing is singular. No coordinates: any three angles of
// a ball are singular somewhere.

#include "driftless/elements/joints/spherical.hpp"

#include <cassert>

#include "driftless/elements/joints/nearest_pose.hpp"

namespace driftless {
namespace {

struct SphericalRows {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 3;
  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    const Vec3<S> gap = find_gap(f);
    out[0] = gap.x;
    out[1] = gap.y;
    out[2] = gap.z;
  }
};

Frame<double> find_nearest_spherical(const Frame<double>* f) {
  return {f[0].origin, f[1].axes, f[1].angle};
}

}  // namespace

JointParts make_joint(const Spherical& /*spec*/, [[maybe_unused]] Space space) {
  assert(space == Space::space);
  JointParts parts;
  parts.joint_form = JointForm::spherical;
  parts.find_nearest = find_nearest_spherical;
  parts.rows = make_frame_function(SphericalRows{});
  parts.form = {true, {}};
  parts.row_names = {"x", "y", "z"};
  return parts;
}

}  // namespace driftless
