#include "driftless/mechanism/tree_bodies.hpp"

#include <algorithm>

namespace driftless {

TreeBodiesWorkspace TreeBodies::make_workspace() const {
  TreeBodiesWorkspace ws;
  const std::size_t count = spanning_.nodes.size() + 1;
  ws.origins.resize(count);
  ws.arms.resize(count);
  ws.axes.resize(count);
  ws.angles.resize(count, 0.0);
  ws.motions.resize(count);
  ws.wrenches.resize(count);
  ws.sizes.resize(count);
  return ws;
}

void TreeBodies::find_coordinates(ConstVectorRef q, const TreeState& tree, TreeBodiesWorkspace& ws,
                                  VectorRef body_q) const {
  for (std::size_t k = 0; k < spanning_.nodes.size(); ++k) {
    const SpanningTree::Node& node = spanning_.nodes[k];
    const TreeBody& joint = spanning_.tree[k];
    const auto parent = static_cast<std::size_t>(joint.parent);
    const TreeState::Pose& pose = tree.poses[k + 1];
    const Axes<double>& a = node.axes;
    // R Aᵀ, column by column
    ws.axes[k + 1] = {turn(pose.axes, Vector3{a.x.x, a.y.x, a.z.x}),
                      turn(pose.axes, Vector3{a.x.y, a.y.y, a.z.y}),
                      turn(pose.axes, Vector3{a.x.z, a.y.z, a.z.z})};
    ws.arms[k + 1] = -turn(ws.axes[k + 1], node.origin);
    ws.origins[k + 1] = ws.origins[parent] + pose.shift;
    ws.angles[k + 1] = ws.angles[parent] + node.angle_offset;
    if (node.turn >= 0) ws.angles[k + 1] += node.turn_sign * q[joint.q + node.turn];
    BodyState state;
    state.position = ws.origins[k + 1] + ws.arms[k + 1];
    state.axes = ws.axes[k + 1];
    state.angle = ws.angles[k + 1];
    set_pose(body_of(k), state, body_q);
  }
}

/// Writes a motion of the tree frame as that of the body; `sweep` is added to the mass centre's.
void TreeBodies::write_motion(std::size_t node, const TreeMotion& motion,
                              const TreeBodiesWorkspace& ws, const Vector3& sweep,
                              VectorRef out) const {
  const Body& body = body_of(node);
  const Vector3 linear = motion.linear + cross(motion.angular, ws.arms[node + 1]) + sweep;
  double* p = out.data() + body.v;
  p[0] = linear.x;
  p[1] = linear.y;
  if (!body.in_plane()) p[2] = linear.z;
  if (body.kind == BodyKind::plane_body) p[2] = motion.angular.z;
  if (body.kind != BodyKind::space_body) return;
  const Vector3 local = turn_back(ws.axes[node + 1], motion.angular);
  p[3] = local.x;
  p[4] = local.y;
  p[5] = local.z;
}

void TreeBodies::find_velocities(ConstVectorRef v, const TreeState& tree, TreeBodiesWorkspace& ws,
                                 VectorRef body_v) const {
  recursion_.find_velocities(v, tree, ws.motions.data());
  for (std::size_t k = 0; k < spanning_.nodes.size(); ++k) {
    write_motion(k, ws.motions[k + 1], ws, {}, body_v);
  }
}

// With the relative motion (ω, u) of a joint's frames and its columns S: SᵀS v = Sᵀ(ω, u).
void TreeBodies::find_rates(ConstVectorRef body_v, const TreeState& tree, TreeBodiesWorkspace& ws,
                            VectorRef v) const {
  ws.motions[0] = {};
  for (std::size_t k = 0; k < spanning_.nodes.size(); ++k) {
    const Body& body = body_of(k);
    const double* p = body_v.data() + body.v;
    const Vector3 linear{p[0], p[1], body.in_plane() ? 0.0 : p[2]};
    Vector3 angular;
    if (body.kind == BodyKind::plane_body) angular.z = p[2];
    if (body.kind == BodyKind::space_body)
      angular = turn(ws.axes[k + 1], Vector3{p[3], p[4], p[5]});
    ws.motions[k + 1] = {angular, linear - cross(angular, ws.arms[k + 1])};
    const TreeBody& joint = spanning_.tree[k];
    const TreeMotion& parent = ws.motions[static_cast<std::size_t>(joint.parent)];
    const Vector3 turned = angular - parent.angular;
    const Vector3 moved =
        ws.motions[k + 1].linear - parent.linear - cross(parent.angular, tree.poses[k + 1].shift);
    Vector3 w[6];
    Vector3 u[6];
    recursion_.find_columns(static_cast<int>(k) + 1, tree, w, u);
    const int rates = count_rates(joint.kind);
    double gram[6][6];
    double x[6];
    for (int i = 0; i < rates; ++i) {
      for (int j = 0; j < rates; ++j) gram[i][j] = dot(w[i], w[j]) + dot(u[i], u[j]);
      x[i] = dot(w[i], turned) + dot(u[i], moved);
    }
    for (int i = 0; i < rates; ++i) {  // elimination; the columns of a joint are independent
      for (int j = i + 1; j < rates; ++j) {
        const double factor = gram[j][i] / gram[i][i];
        for (int l = i; l < rates; ++l) gram[j][l] -= factor * gram[i][l];
        x[j] -= factor * x[i];
      }
    }
    for (int i = rates - 1; i >= 0; --i) {
      for (int j = i + 1; j < rates; ++j) x[i] -= gram[i][j] * x[j];
      x[i] /= gram[i][i];
      v[joint.v + i] = x[i];
    }
  }
}

void TreeBodies::find_accelerations(ConstVectorRef v_dot, const Vector3& gravity,
                                    const TreeState& tree, TreeBodiesWorkspace& ws,
                                    VectorRef body_v_dot) const {
  recursion_.find_accelerations(v_dot, gravity, tree, ws.motions.data());
  for (std::size_t k = 0; k < spanning_.nodes.size(); ++k) {
    const Vector3& w = tree.rates[k + 1].angular;
    write_motion(k, ws.motions[k + 1], ws, cross(w, cross(w, ws.arms[k + 1])), body_v_dot);
  }
}

TreeWrench TreeBodies::find_wrench(int number, const double* entries,
                                   const TreeBodiesWorkspace& ws) const {
  const auto k = static_cast<std::size_t>(number);
  const Body& body = body_of(k - 1);
  const Vector3 force{entries[0], entries[1], body.in_plane() ? 0.0 : entries[2]};
  Vector3 torque = cross(ws.arms[k], force);
  if (body.kind == BodyKind::plane_body) torque.z += entries[2];
  if (body.kind == BodyKind::space_body) {
    torque = torque + turn(ws.axes[k], Vector3{entries[3], entries[4], entries[5]});
  }
  return {torque, force};
}

void TreeBodies::set_wrenches(ConstVectorRef body_force, TreeBodiesWorkspace& ws) const {
  ws.wrenches[0] = {};
  for (std::size_t k = 0; k < spanning_.nodes.size(); ++k) {
    ws.wrenches[k + 1] = find_wrench(static_cast<int>(k) + 1, body_force.data() + body_of(k).v, ws);
  }
}

void TreeBodies::sum_wrenches(ConstVectorRef body_force, const TreeState& tree,
                              TreeBodiesWorkspace& ws) const {
  set_wrenches(body_force, ws);
  for (std::size_t k = spanning_.nodes.size(); k > 0; --k) {
    const TreeWrench& wrench = ws.wrenches[k];
    ws.wrenches[static_cast<std::size_t>(spanning_.tree[k - 1].parent)] +=
        {wrench.torque + cross(tree.poses[k].shift, wrench.force), wrench.force};
  }
}

void TreeBodies::add_force(ConstVectorRef body_force, double factor, const TreeState& tree,
                           TreeBodiesWorkspace& ws, VectorRef force) const {
  set_wrenches(body_force, ws);
  recursion_.add_wrenches(tree, factor, ws.wrenches.data(), force);
}

}  // namespace driftless
