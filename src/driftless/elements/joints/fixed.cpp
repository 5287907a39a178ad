//   p1 - p0 = 0                         the origins meet                                                         [FIX.1]
//   x0·z1 = y0·z1 = y0·x1 = 0           no turning                                                               [FIX.2]
//
// [FIX.2] holds at four orientations, regular and apart from each other, as for the prismatic joint, where the vector part
// of R0ᵀR1 is rejected. In the plane:
//
//   p1 - p0 = 0, angle1 - angle0 = 0    turns count                                                              [FIX.3]

#include "driftless/elements/joints/fixed.hpp"

#include "driftless/elements/joints/nearest_pose.hpp"

namespace driftless {
namespace {

struct FixedRows {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 6;
  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    const Vec3<S> gap = find_gap(f);
    out[0] = gap.x;
    out[1] = gap.y;
    out[2] = gap.z;
    out[3] = dot(f[0].axes.x, f[1].axes.z);
    out[4] = dot(f[0].axes.y, f[1].axes.z);
    out[5] = dot(f[0].axes.y, f[1].axes.x);
  }
};

struct PlaneFixedRows {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 3;
  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    const Vec3<S> gap = find_gap(f);
    out[0] = gap.x;
    out[1] = gap.y;
    out[2] = f[1].angle - f[0].angle;
  }
};

Frame<double> find_nearest_fixed(const Frame<double>* f) {
  return {f[0].origin, f[0].axes, f[1].angle};
}

}  // namespace

JointParts make_joint(const Fixed& /*spec*/, Space space) {
  JointParts parts;
  parts.joint_form = JointForm::fixed;
  if (space == Space::plane) {
    parts.rows = make_frame_function(PlaneFixedRows{});
    parts.row_names = {"x", "y", "turn"};
  } else {
    parts.find_nearest = find_nearest_fixed;
    parts.rows = make_frame_function(FixedRows{});
    parts.form = {true, {{0, 2}, {1, 2}, {1, 0}}};
    parts.row_names = {"x", "y", "z", "tilt_x", "tilt_y", "turn"};
  }
  return parts;
}

}  // namespace driftless
