#include "driftless/mechanism/tree_signs.hpp"

#include <cmath>

#include "driftless/mechanism/quaternion.hpp"

namespace driftless {
namespace {

using Quaternion = TreeSigns::Quaternion;

constexpr Quaternion kNoTurn{1.0, 0.0, 0.0, 0.0};

Quaternion make_quaternion(const Axes<double>& axes) {
  Quaternion q{};
  find_quaternion(axes, q.data());
  return q;
}

Quaternion multiply(const Quaternion& a, const Quaternion& b) {
  Quaternion q{};
  multiply_quaternions(a.data(), b.data(), q.data());
  return q;
}

Quaternion turn_about_z(double angle) {
  return {std::cos(0.5 * angle), 0.0, 0.0, std::sin(0.5 * angle)};
}

/// R of [TRJ.1] without E.
Quaternion find_turn(TreeJointKind kind, const double* q) {
  using K = TreeJointKind;
  switch (kind) {
    case K::revolute:
    case K::screw: return turn_about_z(q[0]);
    case K::cylindrical:
    case K::slot: return turn_about_z(q[1]);
    case K::planar: return turn_about_z(q[2]);
    case K::slot_back: return turn_about_z(-q[1]);
    case K::planar_back: return turn_about_z(-q[2]);
    case K::universal:
      return multiply({std::cos(0.5 * q[0]), std::sin(0.5 * q[0]), 0.0, 0.0},
                      {std::cos(0.5 * q[1]), 0.0, std::sin(0.5 * q[1]), 0.0});
    case K::spherical: return {q[0], q[1], q[2], q[3]};
    case K::free: return {q[3], q[4], q[5], q[6]};
    case K::prismatic:
    case K::shift:
    case K::shift_plane:
    case K::fixed: break;
  }
  return kNoTurn;
}

}  // namespace

TreeSigns::TreeSigns(const MechanismParts& parts, const SpanningTree& spanning)
    : parts_(parts), spanning_(spanning), signs_(spanning.nodes.size(), 1.0) {
  for (std::size_t k = 0; k < spanning.nodes.size(); ++k) {
    near_.push_back(make_quaternion(spanning.tree[k].axes));
    Quaternion far = make_quaternion(spanning.nodes[k].axes);
    for (std::size_t i = 1; i < 4; ++i) far[i] = -far[i];
    far_.push_back(far);
  }
}

std::vector<Quaternion> TreeSigns::make_workspace() const {
  return std::vector<Quaternion>(spanning_.nodes.size() + 1, kNoTurn);
}

void TreeSigns::find_products(ConstVectorRef q, std::vector<Quaternion>& ws) const {
  for (std::size_t k = 0; k < spanning_.nodes.size(); ++k) {
    const TreeBody& tree = spanning_.tree[k];
    const Quaternion& parent = ws[static_cast<std::size_t>(tree.parent)];
    Quaternion& own = ws[k + 1];
    own = multiply(multiply(parent, near_[k]), find_turn(tree.kind, q.data() + tree.q));
    normalize_quaternion(own.data());  // lengths must not grow along a chain
  }
}

double TreeSigns::compare(std::size_t node, const Quaternion& frame,
                          const double* quaternion) const {
  const Quaternion p = multiply(frame, far_[node]);
  double sum = 0.0;
  for (std::size_t i = 0; i < 4; ++i) sum += p[i] * quaternion[i];
  return sum;
}

void TreeSigns::set_start(ConstVectorRef q, ConstVectorRef body_q) {
  std::vector<Quaternion> ws = make_workspace();
  find_products(q, ws);
  for (std::size_t k = 0; k < spanning_.nodes.size(); ++k) {
    const Body& body = parts_.bodies[static_cast<std::size_t>(spanning_.nodes[k].body)];
    if (body.kind != BodyKind::space_body) continue;
    signs_[k] = compare(k, ws[k + 1], body_q.data() + body.q + 3) < 0.0 ? -1.0 : 1.0;
  }
}

void TreeSigns::apply(ConstVectorRef q, std::vector<Quaternion>& ws, VectorRef body_q) const {
  find_products(q, ws);
  for (std::size_t k = 0; k < spanning_.nodes.size(); ++k) {
    const Body& body = parts_.bodies[static_cast<std::size_t>(spanning_.nodes[k].body)];
    if (body.kind != BodyKind::space_body) continue;
    double* quaternion = body_q.data() + body.q + 3;
    if (signs_[k] * compare(k, ws[k + 1], quaternion) >= 0.0) continue;
    for (int i = 0; i < 4; ++i) quaternion[i] = -quaternion[i];
  }
}

}  // namespace driftless
