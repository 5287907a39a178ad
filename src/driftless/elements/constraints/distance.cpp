// With d = p1 - p0 and the length L,
//
//   (d·d - L²) / 2L = 0                 in metres; on the set the gradient is the unit vector d/L                [DIS.1]
//
// Rejected: |d| - L, the same set and slope, but no derivative at d = 0; and d·d - L², whose multiplier is not a force.
// With [DIS.1] the multiplier is the tension of the rod. Singular: d = 0, where the gradient vanishes and everything is
// finite; a length of 0 would make that pose the whole set, and is refused: three rows are needed, a spherical joint.

#include "driftless/elements/constraints/distance.hpp"

#include <cassert>

#include "driftless/elements/frame_pair.hpp"

namespace driftless {
namespace {

struct DistanceRows {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 1;

  double length = 0.0;

  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    const Vec3<S> d = f[1].origin - f[0].origin;
    out[0] = (dot(d, d) - length * length) / (2.0 * length);
  }
  void jacobian(const Frame<double>* f, double* out, double* J) const {
    (*this)(f, out);
    hand_written::write_half_square(f, 1.0 / length, J);
  }
  void motion(const FrameMotion* f, double* first, double* second) const {
    const hand_written::Moving d = hand_written::find_gap_motion(f);
    *first = dot(d.value, d.first) / length;
    *second = (dot(d.first, d.first) + dot(d.value, d.second)) / length;
  }
  void rate(const Frame<double>* /*f*/, const Twist* twists, double* rate) const {
    const Vector3 change = (1.0 / length) * (twists[1].linear - twists[0].linear);
    hand_written::write_row(-change, {}, change, {}, rate);
  }
};

}  // namespace

ConstraintParts make_constraint(const Distance& spec, Space /*space*/) {
  assert(spec.length);
  ConstraintParts parts;
  parts.rows = make_frame_function(DistanceRows{*spec.length});
  parts.row_names = {"length"};
  parts.rod_length = *spec.length;
  return parts;
}

}  // namespace driftless
