// The plane passes p0 with the normal n = z0; the ball has its centre at p1 and the radius R, and touches at p1 - R n:
//
//   n·(p1 - p0) - R = 0                 m                                                                          [ROB.1]
//   x0·u = y0·u = 0                     m/s, u = u1 - ω1×(R n) - u0 - ω0×(p1 - R n - p0)                           [ROB.2]
//
// It may spin about the normal: three freedoms of velocity are left, five of position.

#include "driftless/elements/constraints/rolling_ball.hpp"

#include "driftless/elements/constraints/contact_slip.hpp"

namespace driftless {
namespace {

struct Bottom {
  double radius = 0.0;
  template <class S>
  Vec3<S> operator()(const Frame<S>& plane, const Frame<S>& /*ball*/) const {
    return S(-radius) * plane.axes.z;
  }
};

struct RollingBallHeight {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 1;
  double radius = 0.0;
  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    out[0] = dot(f[0].axes.z, f[1].origin - f[0].origin) - radius;
  }
};

}  // namespace

Relation make_relation(const RollingBall& spec, LawScope& scope) {
  return make_rolling(make_frame_function(RollingBallHeight{spec.radius}),
                      make_velocity_function(ContactSlip<Bottom, 2>{{spec.radius}}), scope);
}

}  // namespace driftless
