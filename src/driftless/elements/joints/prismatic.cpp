// With (a, b, c) = p1 - p0 along the axes of frame 0,
//
//   a = b = 0                           the origin of frame 1 is on the axis                                     [PRI.1]
//   x0·z1 = y0·z1 = 0                   the axes are parallel                                                    [PRI.2]
//   y0·x1 = 0                           no turn about the axis                                                   [PRI.3]
//   position = c                                                                                                 [PRI.4]
//
// [PRI.2] and [PRI.3] hold at four orientations: the common one and the half turns about x0, y0, z0. The rows are regular
// at each of them, and no motion that keeps the rows leads from one to another.
// Rejected: the vector part of R0ᵀR1. It is symmetric in the frames, but vanishes at every half turn: a two-parameter set
// on which its rows are singular.
// In the plane, where the axis is x:
//
//   b = 0, angle1 - angle0 = 0, position = a                                                                     [PRI.5]
//
// The angles count turns: a frame wound up by a whole turn does not satisfy [PRI.5]. In exchange the row is linear and
// has no second solution.

#include "driftless/elements/joints/prismatic.hpp"

#include "driftless/elements/joints/nearest_pose.hpp"

namespace driftless {
namespace {

struct PrismaticRows {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 5;
  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    const Vec3<S> shift = find_shift(f);
    out[0] = shift.x;
    out[1] = shift.y;
    out[2] = dot(f[0].axes.x, f[1].axes.z);
    out[3] = dot(f[0].axes.y, f[1].axes.z);
    out[4] = dot(f[0].axes.y, f[1].axes.x);
  }
  void jacobian(const Frame<double>* f, double* out, double* J) const {
    using namespace hand_written;
    write_shift(f, f[0].axes.x, out, J);
    write_shift(f, f[0].axes.y, out + 1, J + 12);
    write_product(f[0].axes.x, f[1].axes.z, out + 2, J + 24);
    write_product(f[0].axes.y, f[1].axes.z, out + 3, J + 36);
    write_product(f[0].axes.y, f[1].axes.x, out + 4, J + 48);
  }
  void motion(const FrameMotion* f, double* first, double* second) const {
    using namespace hand_written;
    const Moving d = find_gap_motion(f);
    const Moving x = turn_with(f[0], f[0].pose.axes.x), y = turn_with(f[0], f[0].pose.axes.y);
    const Moving other_x = turn_with(f[1], f[1].pose.axes.x);
    const Moving other_z = turn_with(f[1], f[1].pose.axes.z);
    write_dot_motion(x, d, first, second);
    write_dot_motion(y, d, first + 1, second + 1);
    write_dot_motion(x, other_z, first + 2, second + 2);
    write_dot_motion(y, other_z, first + 3, second + 3);
    write_dot_motion(y, other_x, first + 4, second + 4);
  }
  void rate(const Frame<double>* f, const Twist* twists, double* rate) const {
    using namespace hand_written;
    write_shift_rate(f, f[0].axes.x, twists, rate);
    write_shift_rate(f, f[0].axes.y, twists, rate + 12);
    write_product_rate(f[0].axes.x, f[1].axes.z, twists, rate + 24);
    write_product_rate(f[0].axes.y, f[1].axes.z, twists, rate + 36);
    write_product_rate(f[0].axes.y, f[1].axes.x, twists, rate + 48);
  }
};

struct PrismaticPosition {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 1;
  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    out[0] = find_shift(f).z;
  }
  void jacobian(const Frame<double>* f, double* out, double* J) const {
    hand_written::write_shift(f, f[0].axes.z, out, J);
  }
  void motion(const FrameMotion* f, double* first, double* second) const {
    using namespace hand_written;
    write_dot_motion(turn_with(f[0], f[0].pose.axes.z), find_gap_motion(f), first, second);
  }
  void rate(const Frame<double>* f, const Twist* twists, double* rate) const {
    hand_written::write_shift_rate(f, f[0].axes.z, twists, rate);
  }
};

struct PlanePrismaticRows {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 2;
  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    out[0] = find_shift(f).y;
    out[1] = f[1].angle - f[0].angle;
  }
  void jacobian(const Frame<double>* f, double* out, double* J) const {
    hand_written::write_shift(f, f[0].axes.y, out, J);
    PlanePairAngle{}.jacobian(f, out + 1, J + 12);
  }
  void motion(const FrameMotion* f, double* first, double* second) const {
    using namespace hand_written;
    write_dot_motion(turn_with(f[0], f[0].pose.axes.y), find_gap_motion(f), first, second);
    PlanePairAngle{}.motion(f, first + 1, second + 1);
  }
  void rate(const Frame<double>* f, const Twist* twists, double* rate) const {
    hand_written::write_shift_rate(f, f[0].axes.y, twists, rate);
    PlanePairAngle{}.rate(f, twists, rate + 12);
  }
};

struct PlanePosition {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 1;
  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    out[0] = find_shift(f).x;
  }
  void jacobian(const Frame<double>* f, double* out, double* J) const {
    hand_written::write_shift(f, f[0].axes.x, out, J);
  }
  void motion(const FrameMotion* f, double* first, double* second) const {
    using namespace hand_written;
    write_dot_motion(turn_with(f[0], f[0].pose.axes.x), find_gap_motion(f), first, second);
  }
  void rate(const Frame<double>* f, const Twist* twists, double* rate) const {
    hand_written::write_shift_rate(f, f[0].axes.x, twists, rate);
  }
};

Frame<double> find_nearest_prismatic(const Frame<double>* f) {
  return {keep_shift(f, false, false, true), f[0].axes, f[1].angle};
}

}  // namespace

JointParts make_joint(const Prismatic& /*spec*/, Space space) {
  JointParts parts;
  parts.joint_form = JointForm::prismatic;
  if (space == Space::plane) {
    parts.rows = make_frame_function(PlanePrismaticRows{});
    parts.row_names = {"y", "turn"};
    parts.coordinates = make_frame_function(PlanePosition{});
  } else {
    parts.find_nearest = find_nearest_prismatic;
    parts.rows = make_frame_function(PrismaticRows{});
    parts.row_names = {"x", "y", "tilt_x", "tilt_y", "turn"};
    parts.coordinates = make_frame_function(PrismaticPosition{});
  }
  parts.coordinate_info = {{"position", "speed", "m", false}};
  return parts;
}

}  // namespace driftless
