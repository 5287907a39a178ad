#include <cmath>

#include "bench/common/data.hpp"
#include "bench/peers/planar.hpp"

namespace bench {
namespace {

constexpr double kPi = 3.14159265358979323846;

PlanarJoint pin(int a, double ax, double ay, int b, double bx, double by) {
  return {RowKind::pin_x, a, b, ax, ay, bx, by};
}

PlanarModel make_pendulum() {
  PlanarModel model;
  model.end = kPendulumEnd;
  model.gravity = kGravity;
  // A point has no angle: it turns freely, with nothing that would turn it.
  model.bodies = {{1, 1, -1, 0, 0, 0, 0, 0}};
  model.joints = {{RowKind::rod, -1, 0, 0, 0, 1.0, 0}};
  return model;
}

PlanarModel make_ladder(int n) {
  PlanarModel model;
  model.end = kLadderEnd;
  model.gravity = kGravity;
  model.shown_x = 0.5;
  const double w = kLadderRate;
  for (int k = 0; k <= n; ++k)
    model.bodies.push_back({1, 1.0 / 12, double(k), 0.5, kPi / 2, -0.5 * w, 0, w});
  for (int k = 0; k < n; ++k) model.bodies.push_back({1, 1.0 / 12, k + 0.5, 1, 0, -w, 0, 0});
  for (int k = 0; k <= n; ++k) {
    model.joints.push_back(pin(-1, k, 0, k, -0.5, 0));
    if (k > 0) model.joints.push_back(pin(k, 0.5, 0, n + k, 0.5, 0));
    if (k < n) model.joints.push_back(pin(k, 0.5, 0, n + 1 + k, -0.5, 0));
  }
  return model;
}

PlanarModel make_slider_crank() {
  PlanarModel model;
  model.end = kSliderEnd;
  model.gravity = kGravity;
  model.shows_angle = true;
  const double c = std::cos(kSliderStart), s = std::sin(kSliderStart);
  model.bodies = {{1, 1.0 / 12, 0.5 * c, 0.5 * s, kSliderStart, 0, 0, 0},
                  {1, 1.0 / 12, 1.5 * c, 0.5 * s, -kSliderStart, 0, 0, 0}};
  model.joints = {pin(-1, 0, 0, 0, -0.5, 0),
                  pin(0, 0.5, 0, 1, -0.5, 0),
                  {RowKind::height, -1, 1, 0, 0, 0.5, 0}};
  return model;
}

/// In the plane: 8 rows, none of them redundant.
PlanarModel make_four_bar() {
  const FourBar f;
  PlanarModel model;
  model.end = kFourBarEnd;
  model.gravity = kGravity;
  struct Rod {
    double x0, y0, x1, y1, mass;
  };
  const Rod rods[] = {{0, 0, f.bx, f.by, f.crank_mass},
                      {f.bx, f.by, f.cx, f.cy, f.coupler_mass},
                      {f.dx, f.dy, f.cx, f.cy, f.rocker_mass}};
  // C moves with B and turns with the coupler about it, and turns about D with the rocker.
  const double vbx = -f.rate * f.by, vby = f.rate * f.bx;
  const double ux = f.cx - f.bx, uy = f.cy - f.by, wx = f.cx - f.dx, wy = f.cy - f.dy;
  const double coupler = (vbx * wx + vby * wy) / (uy * wx - ux * wy);
  const double rocker = (vbx * ux + vby * uy) / (uy * wx - ux * wy);
  const double rates[] = {f.rate, coupler, rocker};
  double half[3];
  for (int k = 0; k < 3; ++k) {
    const Rod& rod = rods[k];
    const double length = std::hypot(rod.x1 - rod.x0, rod.y1 - rod.y0);
    half[k] = length / 2;
    const double vx0 = k == 1 ? vbx : 0, vy0 = k == 1 ? vby : 0;
    model.bodies.push_back({rod.mass, rod.mass * length * length / 12, (rod.x0 + rod.x1) / 2,
                            (rod.y0 + rod.y1) / 2, std::atan2(rod.y1 - rod.y0, rod.x1 - rod.x0),
                            vx0 - rates[k] * (rod.y1 - rod.y0) / 2,
                            vy0 + rates[k] * (rod.x1 - rod.x0) / 2, rates[k]});
  }
  model.shown_x = half[0];
  model.joints = {pin(-1, 0, 0, 0, -half[0], 0), pin(0, half[0], 0, 1, -half[1], 0),
                  pin(1, half[1], 0, 2, half[2], 0), pin(-1, f.dx, f.dy, 2, -half[2], 0)};
  return model;
}

/// Each body's axes: x along its rod, from `along` before the mass centre.
PlanarModel make_andrews() {
  const Andrews a;
  PlanarModel model;
  model.end = kAndrewsEnd;
  model.shows_angle = true;
  const double fx = a.rr * std::cos(a.beta), fy = a.rr * std::sin(a.beta);
  const double gx = a.xa + a.zt * std::cos(a.delta), gy = a.ya + a.zt * std::sin(a.delta);
  const double hx = a.xa + a.u * std::sin(a.epsilon), hy = a.ya - a.u * std::cos(a.epsilon);
  const double ex = (a.rr - a.d) * std::cos(a.beta), ey = (a.rr - a.d) * std::sin(a.beta);
  const auto add = [&](int body, double x0, double y0, double x1, double y1, double along,
                       double across) {
    const double length = std::hypot(x1 - x0, y1 - y0), c = (x1 - x0) / length,
                 s = (y1 - y0) / length;
    const AndrewsBody& each = a.body[static_cast<std::size_t>(body - 1)];
    model.bodies.push_back({each.mass, each.inertia, x0 + along * c - across * s,
                            y0 + along * s + across * c, std::atan2(s, c), 0, 0, 0});
  };
  add(1, 0, 0, fx, fy, a.ra, 0);
  add(2, fx, fy, ex, ey, a.da, 0);
  add(3, a.xb, a.yb, ex, ey, a.sa, a.sb);
  add(4, gx, gy, ex, ey, a.e - a.ea, 0);
  add(5, a.xa, a.ya, gx, gy, a.ta, a.tb);
  add(6, hx, hy, ex, ey, a.zf - a.fa, 0);
  add(7, a.xa, a.ya, hx, hy, a.ua, -a.ub);
  const double e4 = a.e - a.ea, e6 = a.zf - a.fa;
  model.joints = {pin(-1, 0, 0, 0, -a.ra, 0),
                  pin(0, a.rr - a.ra, 0, 1, -a.da, 0),
                  pin(-1, a.xb, a.yb, 2, -a.sa, -a.sb),
                  pin(1, a.d - a.da, 0, 2, a.ss - a.sa, -a.sb),
                  pin(1, a.d - a.da, 0, 3, a.e - e4, 0),
                  pin(1, a.d - a.da, 0, 5, a.zf - e6, 0),
                  pin(4, a.zt - a.ta, -a.tb, 3, -e4, 0),
                  pin(-1, a.xa, a.ya, 4, -a.ta, -a.tb),
                  pin(6, a.u - a.ua, a.ub, 5, -e6, 0),
                  pin(-1, a.xa, a.ya, 6, -a.ua, a.ub)};
  model.torque_body = 0;
  model.torque = a.torque;
  model.spring_body = 2;
  model.spring_x = a.sc - a.sa;
  model.spring_y = a.sd - a.sb;
  model.anchor_x = a.xc;
  model.anchor_y = a.yc;
  model.stiffness = a.stiffness;
  model.length = a.length;
  return model;
}

}  // namespace

void set_evaluation_pose(PlanarModel& model) {
  if (model.name != "n_four_bar") return;
  const int n = (static_cast<int>(model.bodies.size()) - 1) / 2;
  const double c = std::cos(1.0), s = std::sin(1.0), w = kLadderRate;
  for (int k = 0; k <= n; ++k) {
    model.bodies[static_cast<std::size_t>(k)] = {1,   1.0 / 12,     k + 0.5 * c, 0.5 * s,
                                                 1.0, -0.5 * s * w, 0.5 * c * w, w};
    if (k == n) break;
    model.bodies[static_cast<std::size_t>(n + 1 + k)] = {1, 1.0 / 12, k + 0.5 + c, s,
                                                         0, -s * w,   c * w,       0};
  }
}

std::size_t find_checked_rate(const PlanarModel& model) {
  return static_cast<std::size_t>(model.nq() + (model.name == "pendulum" ? 1 : 2));
}

PlanarModel make_planar_model(const Arguments& arguments) {
  const std::string& name = arguments.problem();
  PlanarModel model;
  if (name == "pendulum") {
    model = make_pendulum();
  } else if (name == "n_four_bar") {
    model = make_ladder(arguments.whole("n", 1));
  } else if (name == "slider_crank") {
    model = make_slider_crank();
  } else if (name == "four_bar_3d") {
    model = make_four_bar();
  } else if (name == "andrews") {
    model = make_andrews();
  } else {
    throw NotOffered("this program is written for plane mechanisms");
  }
  model.name = name;
  return model;
}

}  // namespace bench
