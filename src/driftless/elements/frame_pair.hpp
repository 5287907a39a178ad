#pragma once
// What the rows of joints and constraints between two frames have in common. For .cpp files.

#include "driftless/elements/pair_scalars.hpp"

namespace driftless {

/// p1 - p0 along the world's axes, for origins that meet: three rows of the same set as those of find_shift. Along axes that
/// turn with a body, the rows' Jacobian would change with the gap itself. In the stages of an explicit method the gap is
/// O(h²), and near a singular pose that much noise in G turns the motion into another one.                        [GAP.1]
template <class S>
Vec3<S> find_gap(const Frame<S>* f) {
  return f[1].origin - f[0].origin;
}

/// p1 - p0 along the axes of frame 0.
template <class S>
Vec3<S> find_shift(const Frame<S>* f) {
  const Vec3<S> d = f[1].origin - f[0].origin;
  return {dot(f[0].axes.x, d), dot(f[0].axes.y, d), dot(f[0].axes.z, d)};
}

/// The angle from x0 to x1 about z0, up to whole turns; regular also with z1 = -z0. Undefined where x1 is along z0.
template <class S>
S find_angle(const Frame<S>* f) {
  using std::atan2;
  return atan2(dot(f[0].axes.y, f[1].axes.x), dot(f[0].axes.x, f[1].axes.x));
}

/// find_angle as a function of frames.
struct PairAngle {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 1;
  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    out[0] = find_angle(f);
  }

  // With s = y0·x1 and c = x0·x1, d atan2(s, c) = (c ds - s dc)/(s² + c²), and c y0 - s x0 = e:
  // the turns enter by e×x1 alone.
  void jacobian(const Frame<double>* f, double* out, double* J) const {
    const double s = dot(f[0].axes.y, f[1].axes.x);
    const double c = dot(f[0].axes.x, f[1].axes.x);
    out[0] = std::atan2(s, c);
    const double weight = 1.0 / (s * s + c * c);
    const Vector3 e = weight * (c * f[0].axes.y - s * f[0].axes.x);
    const Vector3 turn = cross(e, f[1].axes.x);
    hand_written::write_row({}, turn, {}, -turn, J);
  }
  // ' = (c s' - s c')/(s² + c²), and '' is (c s'' - s c'')/(s² + c²) less what the weight changes.
  void motion(const FrameMotion* f, double* first, double* second) const {
    using namespace hand_written;
    const Moving x1 = turn_with(f[1], f[1].pose.axes.x);
    const auto find = [&](const Vector3& axis, double& change, double& change2) {
      write_dot_motion(turn_with(f[0], axis), x1, &change, &change2);
      return dot(axis, x1.value);
    };
    double s1 = 0.0, s2 = 0.0, c1 = 0.0, c2 = 0.0;
    const double s = find(f[0].pose.axes.y, s1, s2);
    const double c = find(f[0].pose.axes.x, c1, c2);
    const double weight = 1.0 / (s * s + c * c);
    *first = weight * (c * s1 - s * c1);
    *second = weight * (c * s2 - s * c2 - 2.0 * (c * c1 + s * s1) * *first);
  }
};

/// In the plane, where frames count their turns.
using PlanePairAngle = PairFunction<PlaneTurn>;

}  // namespace driftless
