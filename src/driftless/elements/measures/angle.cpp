// atan2(y0·x1, x0·x1): the angle of x1's shadow in the plane across z0. In the plane angles count their turns.   [ANG.1]
// Undefined where x1 stands along z0.

#include "driftless/elements/measures/angle.hpp"

#include "driftless/elements/frame_pair.hpp"

namespace driftless {
namespace {

struct Angle {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 1;
  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    out[0] = find_angle(f);
  }
};

struct PlaneAngle {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 1;
  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    out[0] = f[1].angle - f[0].angle;
  }
};

}  // namespace

MeasureParts make_measure(const AngleMeasure& /*spec*/, Space space) {
  if (space == Space::plane) return {make_frame_function(PlaneAngle{}), {{"", "rad"}}};
  return {make_frame_function(Angle{}), {{"", "rad", true}}};
}

}  // namespace driftless
