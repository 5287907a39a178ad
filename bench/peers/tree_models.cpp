#include <cmath>

#include "bench/common/data.hpp"
#include "bench/peers/tree.hpp"

namespace bench {
namespace {

constexpr double kPi = 3.14159265358979323846;

Vec3 sphere(double inertia) { return {inertia, inertia, inertia}; }

/// A slender rod from its joint to `tip`, in the plane.
TreeBody rod(int parent, Vec3 origin, Vec3 tip, double mass, double rate) {
  return {parent, JointKind::hinge_z, origin, mass, 0.5 * tip, sphere(mass * dot(tip, tip) / 12), 0,
          rate};
}

TreeModel make_pendulum() {
  TreeModel model;
  model.end = kPendulumEnd;
  model.gravity = kGravity;
  model.bodies = {{-1, JointKind::hinge_z, {}, 1, {-1, 0, 0}, sphere(1e-12), 0, 0}};
  model.crank_offset = kPi;
  return model;
}

/// All cranks at this angle.
TreeModel make_ladder(int n, double angle) {
  TreeModel model;
  model.end = kLadderEnd;
  model.gravity = kGravity;
  model.crank_offset = angle;
  const Vec3 tip{std::cos(angle), std::sin(angle), 0}, along{1, 0, 0};
  for (int k = 0; k <= n; ++k)
    model.bodies.push_back(rod(-1, {double(k), 0, 0}, tip, 1, kLadderRate));
  for (int k = 0; k < n; ++k) {
    model.bodies.push_back(rod(k, tip, along, 1, -kLadderRate));
    model.closures.push_back({Closure::Kind::pin, n + 1 + k, k + 1, along, tip});
  }
  return model;
}

TreeModel make_slider_crank(bool slides) {
  TreeModel model;
  model.end = kSliderEnd;
  model.gravity = kGravity;
  model.shows_angle = true;
  model.crank_offset = kSliderStart;
  const double c = std::cos(kSliderStart), s = std::sin(kSliderStart);
  const Vec3 crank{c, s, 0}, rest{c, -s, 0};
  if (!slides) {
    model.bodies = {rod(-1, {}, crank, 1, 0), rod(0, crank, rest, 1, 0)};
    model.closures = {{Closure::Kind::height, -1, 1, {}, rest}};
    return model;
  }
  // Slider, rod, crank; the slider weighs next to nothing.
  model.bodies = {{-1, JointKind::slide_x, {2 * c, 0, 0}, 1e-9, {}, sphere(1e-9), 0, 0},
                  rod(0, {}, -1.0 * rest, 1, 0),
                  rod(1, -1.0 * rest, -1.0 * crank, 1, 0)};
  model.closures = {{Closure::Kind::pin, -1, 2, {}, -1.0 * crank}};
  model.crank = {1, 2};
  return model;
}

TreeModel make_four_bar() {
  const FourBar f;
  TreeModel model;
  model.end = kFourBarEnd;
  model.gravity = kGravity;
  model.crank_offset = kPi / 2;
  const Vec3 B{f.bx, f.by, 0}, C{f.cx, f.cy, 0}, D{f.dx, f.dy, 0};
  // C moves with B and turns with the coupler about it, and turns about D with the rocker.
  const Vec3 vb = cross(Vec3{0, 0, f.rate}, B), u = C - B, w = C - D;
  const double below = u.y * w.x - u.x * w.y;
  const double coupler = dot(vb, w) / below, rocker = dot(vb, u) / below;
  model.bodies = {rod(-1, {}, B, f.crank_mass, f.rate),
                  rod(0, B, u, f.coupler_mass, coupler - f.rate),
                  rod(1, u, -1.0 * w, f.rocker_mass, rocker - coupler)};
  model.closures = {{Closure::Kind::hinge, -1, 2, D, -1.0 * w}};
  return model;
}

TreeModel make_andrews() {
  const Andrews a;
  TreeModel model;
  model.end = kAndrewsEnd;
  model.shows_angle = true;
  model.crank_offset = a.beta;
  const Vec3 A{a.xa, a.ya, 0}, B{a.xb, a.yb, 0};
  const Vec3 F{a.rr * std::cos(a.beta), a.rr * std::sin(a.beta), 0};
  const Vec3 E{(a.rr - a.d) * std::cos(a.beta), (a.rr - a.d) * std::sin(a.beta), 0};
  const Vec3 G = A + Vec3{a.zt * std::cos(a.delta), a.zt * std::sin(a.delta), 0};
  const Vec3 H = A + Vec3{a.u * std::sin(a.epsilon), -a.u * std::cos(a.epsilon), 0};
  // A point of a body that is drawn from `from` to `to`.
  const auto place = [](Vec3 from, Vec3 to, double along, double across) {
    const Vec3 x = (1 / std::sqrt(dot(to - from, to - from))) * (to - from);
    return along * x + across * cross(Vec3{0, 0, 1}, x);
  };
  const auto add = [&](int body, int parent, Vec3 origin, Vec3 centre) {
    const AndrewsBody& each = a.body[static_cast<std::size_t>(body - 1)];
    model.bodies.push_back(
        {parent, JointKind::hinge_z, origin, each.mass, centre, sphere(each.inertia), 0, 0});
  };
  add(1, -1, {}, place({}, F, a.ra, 0));
  add(2, 0, F, place(F, E, a.da, 0));
  add(3, -1, B, place(B, E, a.sa, a.sb));
  add(5, -1, A, place(A, G, a.ta, a.tb));
  add(4, 3, G - A, place(G, E, a.e - a.ea, 0));
  add(7, -1, A, place(A, H, a.ua, -a.ub));
  add(6, 5, H - A, place(H, E, a.zf - a.fa, 0));
  model.closures = {{Closure::Kind::pin, 1, 2, E - F, E - B},
                    {Closure::Kind::pin, 1, 4, E - F, E - G},
                    {Closure::Kind::pin, 1, 6, E - F, E - H}};
  model.torque = a.torque;
  model.spring_body = 2;
  model.spring_point = place(B, E, a.sc, a.sd);
  model.anchor = {a.xc, a.yc, 0};
  model.stiffness = a.stiffness;
  model.length = a.length;
  return model;
}

TreeModel make_chain(int n, bool ball) {
  TreeModel model;
  model.gravity = kGravity;
  for (int k = 1; k <= n; ++k) {
    const bool z = turns_about_z(k);
    const JointKind kind = ball ? JointKind::ball : z ? JointKind::hinge_z : JointKind::hinge_y;
    model.bodies.push_back({k - 2,
                            kind,
                            k == 1 ? Vec3{} : Vec3{kLinkLength, 0, 0},
                            kLinkMass,
                            {kLinkLength / 2, 0, 0},
                            {kLinkAxial, kLinkTransverse, kLinkTransverse},
                            find_chain_angle(k),
                            0,
                            z});
  }
  return model;
}

}  // namespace

std::vector<double> TreeModel::find_end(double crank_angle) const {
  if (shows_angle) return {crank_angle};
  return {std::cos(crank_angle), std::sin(crank_angle)};
}

void set_evaluation_pose(TreeModel& model) {
  if (model.name != "n_four_bar") return;
  model = make_ladder((static_cast<int>(model.bodies.size()) - 1) / 2, 1.0);
  model.name = "n_four_bar";
}

TreeModel make_tree_model(const Arguments& arguments, bool slides) {
  const std::string& name = arguments.problem();
  const int n = arguments.whole("n", 1);
  TreeModel model;
  if (name == "pendulum") {
    model = make_pendulum();
  } else if (name == "n_four_bar") {
    model = make_ladder(n, kPi / 2);
  } else if (name == "slider_crank") {
    model = make_slider_crank(slides);
  } else if (name == "four_bar_3d") {
    model = make_four_bar();
  } else if (name == "andrews") {
    model = make_andrews();
  } else if (name == "chain") {
    model = make_chain(n, arguments.word("joint", "revolute") == "spherical");
  } else {
    throw NotOffered("unknown problem " + name);
  }
  model.name = name;
  return model;
}

}  // namespace bench
