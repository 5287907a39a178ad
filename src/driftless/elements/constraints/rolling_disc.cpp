// The plane passes p0 with the normal n = z0; the disc has its centre at p1, its axis a = z1 and the radius R. The rim's
// point nearest to the plane is p1 + R e with
//
//   w = n - (n·a) a,   e = -w/|w|                                                                                  [ROD.1]
//   n·(p1 - p0) - R |w| = 0             the rim touches the plane, m                                               [ROD.2]
//   x0·u = y0·u = 0                     no slip, m/s, with the velocity u of the disc's material at the contact
//   u = u1 + ω1×(R e) - u0 - ω0×(p1 + R e - p0)                            relative to the plane's body            [ROD.3]
//
// The third component of u vanishes by [ROD.2]. In the plane the line is x0 and its normal y0; e = -y0. Rejected: a row for
// the contact point as a coordinate of its own; it is known in closed form. Singular: the disc flat on the plane, w = 0.

#include "driftless/elements/constraints/rolling_disc.hpp"

#include "driftless/elements/constraints/contact_slip.hpp"

namespace driftless {
namespace {

/// R e
struct Rim {
  double radius = 0.0;
  template <class S>
  Vec3<S> operator()(const Frame<S>& plane, const Frame<S>& disc) const {
    const Vec3<S> w = plane.axes.z - dot(plane.axes.z, disc.axes.z) * disc.axes.z;
    return (-radius / norm(w)) * w;
  }
};

struct RollingDiscHeight {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 1;
  double radius = 0.0;
  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    const Vec3<S> n = f[0].axes.z;
    const Vec3<S> w = n - dot(n, f[1].axes.z) * f[1].axes.z;
    out[0] = dot(n, f[1].origin - f[0].origin) - radius * norm(w);
  }
};

/// In the plane.
struct WheelRim {
  double radius = 0.0;
  template <class S>
  Vec3<S> operator()(const Frame<S>& line, const Frame<S>& /*wheel*/) const {
    return S(-radius) * line.axes.y;
  }
};

struct WheelHeight {
  static constexpr int kFrames = 2;
  static constexpr int kOutputs = 1;
  double radius = 0.0;
  template <class S>
  void operator()(const Frame<S>* f, S* out) const {
    out[0] = dot(f[0].axes.y, f[1].origin - f[0].origin) - radius;
  }
};

}  // namespace

Relation make_relation(const RollingDisc& spec, LawScope& scope) {
  if (scope.space() == Space::plane) {
    return make_rolling(make_frame_function(WheelHeight{spec.radius}),
                        make_velocity_function(ContactSlip<WheelRim, 1>{{spec.radius}}), scope);
  }
  return make_rolling(make_frame_function(RollingDiscHeight{spec.radius}),
                      make_velocity_function(ContactSlip<Rim, 2>{{spec.radius}}), scope);
}

}  // namespace driftless
