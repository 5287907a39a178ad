// With the axes (x, y, z) of the frames,
//
//   p1 - p0 = 0                         the origins meet                                                         [RVL.1]
//   x0·z1 = y0·z1 = 0                   the axes are parallel                                                    [RVL.2]
//   angle = atan2(y0·x1, x0·x1)         from x0 to x1 about z0, up to whole turns                                [RVL.3]
//
// Rejected for [RVL.2]: z0 × z1 = 0, three rows of which one is always redundant. [RVL.2] also holds with the axes
// opposed; its rows are regular there, and a continuous motion does not get from one to the other.
// In the plane: the first two rows, and the difference of the frames' angles, which counts turns by itself.

#include "driftless/elements/joints/revolute.hpp"

#include "driftless/elements/joints/nearest_pose.hpp"

namespace driftless {
namespace {

struct RevoluteRows {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 5;
  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    const Vec3<S> gap = find_gap(f);
    out[0] = gap.x;
    out[1] = gap.y;
    out[2] = gap.z;
    out[3] = dot(f[0].axes.x, f[1].axes.z);
    out[4] = dot(f[0].axes.y, f[1].axes.z);
  }
};

struct PlaneRevoluteRows {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 2;
  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    const Vec3<S> gap = find_gap(f);
    out[0] = gap.x;
    out[1] = gap.y;
  }
};

Frame<double> find_nearest_revolute(const Frame<double>* f) {
  return {f[0].origin, align_axis(f), f[1].angle};
}

}  // namespace

JointParts make_joint(const Revolute& /*spec*/, Space space) {
  JointParts parts;
  parts.joint_form = JointForm::revolute;
  if (space == Space::plane) {
    parts.rows = make_frame_function(PlaneRevoluteRows{});
    parts.form = {true, {}};
    parts.row_names = {"x", "y"};
    parts.coordinates = make_frame_function(PlanePairAngle{});
    parts.coordinate_info = {{"angle", "rate", "rad", false}};
  } else {
    parts.find_nearest = find_nearest_revolute;
    parts.rows = make_frame_function(RevoluteRows{});
    parts.form = {true, {{0, 2}, {1, 2}}};
    parts.row_names = {"x", "y", "z", "tilt_x", "tilt_y"};
    parts.coordinates = make_frame_function(PairAngle{});
    parts.coordinate_info = {{"angle", "rate", "rad", true}};
  }
  return parts;
}

}  // namespace driftless
