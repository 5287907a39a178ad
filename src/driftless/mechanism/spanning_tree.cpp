#include "driftless/mechanism/spanning_tree.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace driftless {
namespace {

constexpr Axes<double> kUnit{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/// Finds the tree by bodies, before they are numbered.
class Search {
 public:
  Search(const MechanismParts& parts, const std::vector<std::string>& cut)
      : parts_(parts), joints_(parts.bodies.size() + 1), children_(parts.bodies.size() + 1) {
    for (std::size_t k = 0; k < parts.rows.size(); ++k) {
      const RowBlock& row = parts.rows[k];
      if (row.joint_form == JointForm::other || row.block.frames.size() != 2) continue;
      if (std::find(cut.begin(), cut.end(), row.name) != cut.end()) continue;
      const int first = find_node(row.block.frames[0]);
      const int second = find_node(row.block.frames[1]);
      if (first == second || is_point(first) || is_point(second)) continue;
      joints_[static_cast<std::size_t>(first)].push_back({static_cast<int>(k), second, false});
      joints_[static_cast<std::size_t>(second)].push_back({static_cast<int>(k), first, true});
    }
    is_reached_.assign(parts.bodies.size() + 1, false);
    reach(ground());
    std::vector<int> roots(parts.bodies.size());
    std::iota(roots.begin(), roots.end(), 0);
    std::stable_sort(roots.begin(), roots.end(), [&](int a, int b) {
      return parts.bodies[static_cast<std::size_t>(a)].mass >
             parts.bodies[static_cast<std::size_t>(b)].mass;
    });
    for (const int root : roots) {
      if (is_reached_[static_cast<std::size_t>(root)]) continue;
      children_[static_cast<std::size_t>(ground())].push_back({-1, root, false});
      reach(root);
    }
  }

  struct Edge {
    int row;
    int to;  // body; the ground is behind the last one
    bool backward;
  };

  int ground() const { return static_cast<int>(parts_.bodies.size()); }
  const std::vector<Edge>& children(int body) const {
    return children_[static_cast<std::size_t>(body)];
  }

 private:
  int find_node(int frame) const {
    const int body = parts_.frames[static_cast<std::size_t>(frame)].body;
    return body < 0 ? ground() : body;
  }
  bool is_point(int node) const {
    return node != ground() && parts_.bodies[static_cast<std::size_t>(node)].is_point();
  }

  void reach(int root) {
    is_reached_[static_cast<std::size_t>(root)] = true;
    std::vector<int> reached{root};
    for (std::size_t k = 0; k < reached.size(); ++k) {
      const auto from = static_cast<std::size_t>(reached[k]);
      for (const Edge& edge : joints_[from]) {
        if (is_reached_[static_cast<std::size_t>(edge.to)]) continue;
        is_reached_[static_cast<std::size_t>(edge.to)] = true;
        children_[from].push_back(edge);
        reached.push_back(edge.to);
      }
    }
  }

  const MechanismParts& parts_;
  std::vector<std::vector<Edge>> joints_, children_;
  std::vector<bool> is_reached_;
};

TreeJointKind find_kind(JointForm form, bool backward) {
  switch (form) {
    case JointForm::revolute: return TreeJointKind::revolute;
    case JointForm::prismatic: return TreeJointKind::prismatic;
    case JointForm::screw: return TreeJointKind::screw;
    case JointForm::cylindrical: return TreeJointKind::cylindrical;
    case JointForm::slot: return backward ? TreeJointKind::slot_back : TreeJointKind::slot;
    case JointForm::planar: return backward ? TreeJointKind::planar_back : TreeJointKind::planar;
    case JointForm::universal: return TreeJointKind::universal;
    case JointForm::spherical: return TreeJointKind::spherical;
    case JointForm::fixed:
    case JointForm::other: break;
  }
  return TreeJointKind::fixed;
}

TreeJointKind find_free_kind(BodyKind kind) {
  switch (kind) {
    case BodyKind::plane_body: return TreeJointKind::planar;
    case BodyKind::plane_point: return TreeJointKind::shift_plane;
    case BodyKind::space_point: return TreeJointKind::shift;
    case BodyKind::space_body: break;
  }
  return TreeJointKind::free;
}

/// [SPT.1], applied to a frame's axes.
Axes<double> turn_frame(const Axes<double>& axes, JointForm form, bool in_plane, bool backward) {
  Axes<double> a = axes;
  if (form == JointForm::prismatic && in_plane) a = {a.y, a.z, a.x};
  if (!backward) return a;
  switch (form) {
    case JointForm::revolute:
    case JointForm::prismatic:
    case JointForm::screw:
    case JointForm::cylindrical: return {a.x, -a.y, -a.z};
    case JointForm::universal: return {-a.y, -a.x, -a.z};
    default: return a;
  }
}

/// Mass and inertia about the origin of the tree frame, along its axes.
void set_inertia(const Body& body, const SpanningTree::Node& node, TreeBody& tree) {
  const Vector3 c = turn_back(node.axes, -node.origin);
  tree.mass = body.mass;
  tree.moment = body.mass * c;
  Symmetric3 own;
  if (body.kind == BodyKind::plane_body) {
    own.zz = body.inertia(2, 2);
  } else if (body.kind == BodyKind::space_body) {
    const Matrix& j = body.inertia;
    own = {j(0, 0), j(0, 1), j(0, 2), j(1, 1), j(1, 2), j(2, 2)};
  }
  const Axes<double>& a = node.axes;
  const Axes<double> back{
      {a.x.x, a.y.x, a.z.x}, {a.x.y, a.y.y, a.z.y}, {a.x.z, a.y.z, a.z.z}};  // the transpose
  tree.inertia = turn(back, own);
  const double square = body.mass * dot(c, c);
  tree.inertia += {square, 0.0, 0.0, square, 0.0, square};
  tree.inertia.add_square(-body.mass, c);
}

/// Frames, kind and inertia of a node whose parent has its own already.
void describe_node(const MechanismParts& parts, SpanningTree& spanning, int parent,
                   const Search::Edge& edge) {
  SpanningTree::Node node;
  node.body = edge.to;
  node.row = edge.row;
  node.backward = edge.backward;
  const Body& body = parts.bodies[static_cast<std::size_t>(edge.to)];
  TreeBody tree;
  tree.parent = parent;
  node.axes = kUnit;
  if (edge.row < 0) {
    tree.kind = find_free_kind(body.kind);
    node.turn = body.kind == BodyKind::plane_body ? 2 : -1;
  } else {
    const RowBlock& row = parts.rows[static_cast<std::size_t>(edge.row)];
    const auto frame = [&](std::size_t side) -> const BodyFrame& {
      return parts.frames[static_cast<std::size_t>(row.block.frames[side])];
    };
    const BodyFrame& near = frame(edge.backward ? 1 : 0);
    const BodyFrame& far = frame(edge.backward ? 0 : 1);
    tree.kind = find_kind(row.joint_form, edge.backward);
    tree.advance = row.advance;
    node.origin = far.offset;
    node.axes = turn_frame(far.axes, row.joint_form, body.in_plane(), edge.backward);
    tree.offset = near.offset;
    tree.axes = turn_frame(near.axes, row.joint_form, body.in_plane(), edge.backward);
    if (parent > 0) {
      const SpanningTree::Node& base = spanning.nodes[static_cast<std::size_t>(parent - 1)];
      tree.offset = turn_back(base.axes, near.offset - base.origin);
      tree.axes = {turn_back(base.axes, tree.axes.x), turn_back(base.axes, tree.axes.y),
                   turn_back(base.axes, tree.axes.z)};
    }
    node.angle_offset = near.angle - far.angle;
    node.turn = row.joint_form == JointForm::revolute ? 0
                : row.joint_form == JointForm::slot   ? 1
                                                      : -1;
    node.turn_sign = edge.backward ? -1.0 : 1.0;
  }
  set_inertia(body, node, tree);
  spanning.nodes.push_back(node);
  spanning.tree.push_back(tree);
}

}  // namespace

SpanningTree find_spanning_tree(const MechanismParts& parts, const std::vector<std::string>& cut) {
  const Search search(parts, cut);
  SpanningTree spanning;
  spanning.number.assign(parts.bodies.size(), 0);
  spanning.carries.assign(parts.rows.size(), false);
  struct Waiting {
    int parent;
    Search::Edge edge;
  };
  std::vector<Waiting> stack;
  const auto push_children = [&](int parent, int body) {
    const auto& edges = search.children(body);
    for (std::size_t k = edges.size(); k-- > 0;) stack.push_back({parent, edges[k]});
  };
  push_children(0, search.ground());
  int q = 0;
  int v = 0;
  while (!stack.empty()) {
    const Waiting next = stack.back();
    stack.pop_back();
    describe_node(parts, spanning, next.parent, next.edge);
    TreeBody& tree = spanning.tree.back();
    tree.q = q;
    tree.v = v;
    q += count_coordinates(tree.kind);
    v += count_rates(tree.kind);
    const auto number = static_cast<int>(spanning.nodes.size());
    spanning.number[static_cast<std::size_t>(next.edge.to)] = number;
    if (next.edge.row >= 0) spanning.carries[static_cast<std::size_t>(next.edge.row)] = true;
    push_children(number, next.edge.to);
  }
  for (std::size_t k = 0; k < parts.rows.size(); ++k) {
    const bool is_joint = parts.rows[k].is_joint;
    if (is_joint && !spanning.carries[k]) spanning.cut.push_back(static_cast<int>(k));
  }
  return spanning;
}

// ---- coordinates from poses ----------------------------------------------------------------------------

namespace {

/// The coordinates of a joint whose frame on the body is at (axes R, shift s) along the axes of the one on the parent.
void set_coordinates(const TreeBody& tree, const Axes<double>& r, const Vector3& s, double* q) {
  using K = TreeJointKind;
  constexpr double kTurn = 2.0 * std::numbers::pi;
  const double angle = std::atan2(r.x.y, r.x.x);
  const Vector3 back = turn_back(r, -s);
  switch (tree.kind) {
    case K::revolute: q[0] = angle; break;
    case K::prismatic: q[0] = s.z; break;
    case K::screw:
      q[0] = tree.advance == 0.0 ? angle
                                 : angle + kTurn * std::round((s.z / tree.advance - angle) / kTurn);
      break;
    case K::cylindrical:
      q[0] = s.z;
      q[1] = angle;
      break;
    case K::slot:
      q[0] = s.x;
      q[1] = angle;
      break;
    case K::planar:
      q[0] = s.x;
      q[1] = s.y;
      q[2] = angle;
      break;
    case K::slot_back:
      q[0] = back.x;
      q[1] = -angle;
      break;
    case K::planar_back:
      q[0] = back.x;
      q[1] = back.y;
      q[2] = -angle;
      break;
    case K::
        universal:  // y of the body is (0, cos q0, sin q0); x is (cos q1, ., .), z (sin q1, ., .)
      q[0] = std::atan2(r.y.z, r.y.y);
      q[1] = std::atan2(r.z.x, r.x.x);
      break;
    case K::spherical: find_quaternion(r, q); break;
    case K::free:
    case K::shift:
    case K::shift_plane:
      q[0] = s.x;
      q[1] = s.y;
      if (tree.kind != K::shift_plane) q[2] = s.z;
      if (tree.kind == K::free) find_quaternion(r, q + 3);
      break;
    case K::fixed: break;
  }
}

}  // namespace

Vector find_tree_coordinates(const SpanningTree& spanning, const MechanismParts& parts,
                             ConstVectorRef body_q) {
  int nq = 0;
  for (const TreeBody& tree : spanning.tree) nq += count_coordinates(tree.kind);
  Vector q = Vector::Zero(nq);
  std::vector<Frame<double>> frames(spanning.nodes.size() + 1, Frame<double>{{}, kUnit, 0.0});
  for (std::size_t k = 0; k < spanning.nodes.size(); ++k) {
    const SpanningTree::Node& node = spanning.nodes[k];
    const TreeBody& tree = spanning.tree[k];
    const BodyState pose = find_pose(parts.bodies[static_cast<std::size_t>(node.body)], body_q);
    frames[k + 1] = {
        pose.position + turn(pose.axes, node.origin),
        {turn(pose.axes, node.axes.x), turn(pose.axes, node.axes.y), turn(pose.axes, node.axes.z)},
        pose.angle};
    const Frame<double>& parent = frames[static_cast<std::size_t>(tree.parent)];
    const Axes<double> e{turn(parent.axes, tree.axes.x), turn(parent.axes, tree.axes.y),
                         turn(parent.axes, tree.axes.z)};
    const Axes<double>& own = frames[k + 1].axes;
    const Axes<double> r{turn_back(e, own.x), turn_back(e, own.y), turn_back(e, own.z)};
    const Vector3 from = parent.origin + turn(parent.axes, tree.offset);
    set_coordinates(tree, r, turn_back(e, frames[k + 1].origin - from), q.data() + tree.q);
    if (parts.bodies[static_cast<std::size_t>(node.body)].in_plane() && node.turn >= 0) {
      // angles of bodies in the plane count their turns
      q[tree.q + node.turn] = node.turn_sign * (pose.angle - parent.angle - node.angle_offset);
    }
  }
  return q;
}

}  // namespace driftless
