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
  void jacobian(const Frame<double>* f, double* out, double* J) const {
    hand_written::write_shift(f, f[0].axes.x, out, J);
    hand_written::write_shift(f, f[0].axes.y, out + 1, J + 12);
  }
  void motion(const FrameMotion* f, double* first, double* second) const {
    using namespace hand_written;
    const Moving d = find_gap_motion(f);
    write_dot_motion(turn_with(f[0], f[0].pose.axes.x), d, first, second);
    write_dot_motion(turn_with(f[0], f[0].pose.axes.y), d, first + 1, second + 1);
  }
  void rate(const Frame<double>* f, const Twist* twists, double* rate) const {
    hand_written::write_shift_rate(f, f[0].axes.x, twists, rate);
    hand_written::write_shift_rate(f, f[0].axes.y, twists, rate + 12);
  }
};

struct PlanePointOnLineRows {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 1;
  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    out[0] = find_shift(f).y;
  }
  void jacobian(const Frame<double>* f, double* out, double* J) const {
    hand_written::write_shift(f, f[0].axes.y, out, J);
  }
  void motion(const FrameMotion* f, double* first, double* second) const {
    using namespace hand_written;
    write_dot_motion(turn_with(f[0], f[0].pose.axes.y), find_gap_motion(f), first, second);
  }
  void rate(const Frame<double>* f, const Twist* twists, double* rate) const {
    hand_written::write_shift_rate(f, f[0].axes.y, twists, rate);
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
