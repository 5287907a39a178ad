#pragma once
// Bodies in absolute coordinates, as elements see them, from the tree that carries them. With T the tree frame of a body,
// R its axes, and d = R c the way from its origin to the mass centre,
//
//   x = o + d,    x' = o' + ω×d,    x'' = o'' + ω'×d + ω×(ω×d)                                                      [TRB.1]
//   R_body = R Aᵀ (A: axes of T in the body),   ω and ω' along body axes: R_bodyᵀ ω, R_bodyᵀ ω'  (ω×ω = 0)
//
// so that absolute velocities are V(q) v, and a generalised force F on the bodies is Vᵀ F for the joints: the wrench
// (f, R_body τ + d×f) at the origin, summed towards the ground.                                                  [TRB.2]

#include <vector>

#include "driftless/mechanism/spanning_tree.hpp"

namespace driftless {

struct TreeBodiesWorkspace {
  std::vector<Vector3> origins;      ///< of tree frames; number 0: the ground
  std::vector<Vector3> arms;         ///< d
  std::vector<Axes<double>> axes;    ///< R_body
  std::vector<double> angles;        ///< in the plane
  std::vector<TreeMotion> motions;   ///< of tree frames
  std::vector<TreeWrench> wrenches;  ///< on tree frames
  std::vector<TreeRecursion::WrenchSize> sizes;
};

class TreeBodies {
 public:
  TreeBodies(const MechanismParts& parts, const SpanningTree& spanning,
             const TreeRecursion& recursion)
      : parts_(parts), spanning_(spanning), recursion_(recursion) {}

  TreeBodiesWorkspace make_workspace() const;

  /// Coordinates of the bodies, with the tree placed at q. Before everything else.
  void find_coordinates(ConstVectorRef q, const TreeState& tree, TreeBodiesWorkspace& ws,
                        VectorRef body_q) const;
  /// V v
  void find_velocities(ConstVectorRef v, const TreeState& tree, TreeBodiesWorkspace& ws,
                       VectorRef body_v) const;
  /// v for these velocities of the bodies; of a joint that does not allow them, what is nearest.
  void find_rates(ConstVectorRef body_v, const TreeState& tree, TreeBodiesWorkspace& ws,
                  VectorRef v) const;
  /// (V v)' for v' = v_dot, with the tree moved under this gravity.
  void find_accelerations(ConstVectorRef v_dot, const Vector3& gravity, const TreeState& tree,
                          TreeBodiesWorkspace& ws, VectorRef body_v_dot) const;
  /// force += factor·Vᵀ F
  void add_force(ConstVectorRef body_force, double factor, const TreeState& tree,
                 TreeBodiesWorkspace& ws, VectorRef force) const;

  /// The wrenches at the tree frames of generalised forces on the bodies, each summed over all that hangs on it.
  void sum_wrenches(ConstVectorRef body_force, const TreeState& tree,
                    TreeBodiesWorkspace& ws) const;

  /// The wrench at the tree frame of body `number` of generalised forces on it, with its entries of F.
  TreeWrench find_wrench(int number, const double* entries, const TreeBodiesWorkspace& ws) const;

 private:
  void set_wrenches(ConstVectorRef body_force, TreeBodiesWorkspace& ws) const;
  const Body& body_of(std::size_t node) const {
    return parts_.bodies[static_cast<std::size_t>(spanning_.nodes[node].body)];
  }
  void write_motion(std::size_t node, const TreeMotion& motion, const TreeBodiesWorkspace& ws,
                    const Vector3& sweep, VectorRef out) const;

  const MechanismParts& parts_;
  const SpanningTree& spanning_;
  const TreeRecursion& recursion_;
};

}  // namespace driftless
