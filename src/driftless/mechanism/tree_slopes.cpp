#include "driftless/mechanism/tree_slopes.hpp"

#include "driftless/mechanism/quaternion.hpp"

namespace driftless {
namespace {

using Line = TreeSlopesWorkspace::Line;
using Link = TreeSlopesWorkspace::Link;

Vec3<Line> lift(const Vector3& a) { return {Line(a.x), Line(a.y), Line(a.z)}; }
Vector3 find_slope(const Vec3<Line>& a) { return {a.x.d[0], a.y.d[0], a.z.d[0]}; }

Line make_line(double value, double slope) {
  Line line(value);
  line.d[0] = slope;
  return line;
}

}  // namespace

TreeSlopesWorkspace TreeSlopes::make_workspace() const {
  TreeSlopesWorkspace ws;
  ws.links.resize(spanning_.nodes.size() + 1);
  ws.links[0].axes = {lift({1, 0, 0}), lift({0, 1, 0}), lift({0, 0, 1})};
  int nq = 0;
  int nv = 0;
  for (const TreeBody& tree : spanning_.tree) {
    nq += count_coordinates(tree.kind);
    nv += count_rates(tree.kind);
  }
  ws.q.resize(static_cast<std::size_t>(nq));
  ws.v.resize(static_cast<std::size_t>(nv));
  ws.v_dot.resize(static_cast<std::size_t>(nv));
  return ws;
}

void TreeSlopes::move_link(std::size_t node, TreeSlopesWorkspace& ws) const {
  const TreeBody& tree = spanning_.tree[node];
  const SpanningTree::Node& own = spanning_.nodes[node];
  const Link& parent = ws.links[static_cast<std::size_t>(tree.parent)];
  Link& link = ws.links[node + 1];
  const Axes<Line> e{turn(parent.axes, lift(tree.axes.x)), turn(parent.axes, lift(tree.axes.y)),
                     turn(parent.axes, lift(tree.axes.z))};
  const Line* v = ws.v.data() + tree.v;
  const Line* v_dot = ws.v_dot.data() + tree.v;
  tree_joints::with_kind(tree.kind, [&](auto kind) {
    const auto at = tree_joints::place<kind(), Line>(e, ws.q.data() + tree.q, tree.advance);
    link.axes = at.axes;
    link.shift = turn(parent.axes, lift(tree.offset)) + at.shift;
    tree_joints::find_columns<kind(), Line>(e, at, tree.advance, link.w, link.u);
    const auto bias = tree_joints::find_bias<kind(), Line>(link.w, link.u, v);
    link.angular_dot = bias.angular;
    link.line_dot = bias.linear;
  });
  Vec3<Line> w{};
  Vec3<Line> u{};
  for (int j = 0; j < count_rates(tree.kind); ++j) {
    w = w + v[j] * link.w[j];
    u = u + v[j] * link.u[j];
    link.angular_dot = link.angular_dot + v_dot[j] * link.w[j];
    link.line_dot = link.line_dot + v_dot[j] * link.u[j];
  }
  const Vec3<Line> sweep = cross(parent.angular, link.shift);
  link.angular = parent.angular + w;
  link.linear = parent.linear + sweep + u;
  link.angular_dot = link.angular_dot + parent.angular_dot + cross(parent.angular, w);
  link.line_dot = link.line_dot + parent.line_dot + cross(parent.angular_dot, link.shift) +
                  cross(parent.angular, sweep + Line(2.0) * u);
  const Axes<double>& a = own.axes;
  link.body_axes = {turn(link.axes, lift({a.x.x, a.y.x, a.z.x})),
                    turn(link.axes, lift({a.x.y, a.y.y, a.z.y})),
                    turn(link.axes, lift({a.x.z, a.y.z, a.z.z}))};
  link.arm = -turn(link.body_axes, lift(own.origin));
}

void TreeSlopes::eval(const Motion& motion, TreeSlopesWorkspace& ws, VectorRef velocity_change,
                      VectorRef acceleration_change) const {
  for (const TreeBody& tree : spanning_.tree) {
    const int rates = count_rates(tree.kind);
    const int plain = has_quaternion(tree.kind) ? rates - 3 : rates;
    double slope[7] = {};
    if (motion.q_direction != nullptr) {
      const double* delta = motion.q_direction->data() + tree.v;
      for (int j = 0; j < plain; ++j) slope[j] = delta[j];
      if (plain < rates) {
        find_quaternion_rate(motion.q.data() + tree.q + plain, delta + plain, slope + plain);
      }
    }
    for (int j = 0; j < count_coordinates(tree.kind); ++j) {
      ws.q[static_cast<std::size_t>(tree.q + j)] = make_line(motion.q[tree.q + j], slope[j]);
    }
    for (int j = 0; j < rates; ++j) {
      const double change = motion.v_direction != nullptr ? (*motion.v_direction)[tree.v + j] : 0.0;
      ws.v[static_cast<std::size_t>(tree.v + j)] = make_line(motion.v[tree.v + j], change);
      ws.v_dot[static_cast<std::size_t>(tree.v + j)] = Line(motion.v_dot[tree.v + j]);
    }
  }
  for (std::size_t k = 0; k < spanning_.nodes.size(); ++k) {
    move_link(k, ws);
    const Link& link = ws.links[k + 1];
    const Body& body = parts_.bodies[static_cast<std::size_t>(spanning_.nodes[k].body)];
    const Vec3<Line> sweep = cross(link.angular, link.arm);
    const auto write = [&](const Vec3<Line>& linear, const Vec3<Line>& angular, VectorRef out) {
      const Vector3 shift = find_slope(linear);
      double* p = out.data() + body.v;
      p[0] = shift.x;
      p[1] = shift.y;
      if (!body.in_plane()) p[2] = shift.z;
      if (body.kind == BodyKind::plane_body) p[2] = angular.z.d[0];
      if (body.kind != BodyKind::space_body) return;
      const Vector3 local = find_slope(turn_back(link.body_axes, angular));
      p[3] = local.x;
      p[4] = local.y;
      p[5] = local.z;
    };
    write(link.linear + sweep, link.angular, velocity_change);
    write(link.line_dot + cross(link.angular_dot, link.arm) + cross(link.angular, sweep),
          link.angular_dot, acceleration_change);
  }
}

void TreeSlopes::eval_force(ConstVectorRef body_force, ConstVectorRef body_force_change,
                            TreeSlopesWorkspace& ws, VectorRef change) const {
  for (std::size_t k = 0; k < spanning_.nodes.size(); ++k) {
    Link& link = ws.links[k + 1];
    const Body& body = parts_.bodies[static_cast<std::size_t>(spanning_.nodes[k].body)];
    const auto entry = [&](int i) {
      return make_line(body_force[body.v + i], body_force_change[body.v + i]);
    };
    link.force = {entry(0), entry(1), body.in_plane() ? Line(0.0) : entry(2)};
    link.torque = cross(link.arm, link.force);
    if (body.kind == BodyKind::plane_body) link.torque.z = link.torque.z + entry(2);
    if (body.kind == BodyKind::space_body) {
      link.torque = link.torque + turn(link.body_axes, Vec3<Line>{entry(3), entry(4), entry(5)});
    }
  }
  for (std::size_t k = spanning_.nodes.size(); k > 0; --k) {
    const TreeBody& tree = spanning_.tree[k - 1];
    const Link& link = ws.links[k];
    for (int j = 0; j < count_rates(tree.kind); ++j) {
      change[tree.v + j] = (dot(link.w[j], link.torque) + dot(link.u[j], link.force)).d[0];
    }
    Link& parent = ws.links[static_cast<std::size_t>(tree.parent)];
    parent.torque = parent.torque + link.torque + cross(link.shift, link.force);
    parent.force = parent.force + link.force;
  }
}

}  // namespace driftless
