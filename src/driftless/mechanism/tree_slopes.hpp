#pragma once
// Derivatives of what the tree does to bodies, along one direction in which coordinates, rates and accelerations change:
// of the absolute velocities V(q) v, of their derivatives, and of Vᵀ F. The recursions [TRR.1] and [TRB.1], once more in
// numbers that carry a derivative.
//
// A direction of the coordinates is an increment of `retract`: an angle grows by it, a quaternion turns, q' = q∘(0, δ)/2.
// One direction costs as much as a few evaluations; all of them cost the square of the number of joints.

#include <vector>

#include "driftless/mechanism/tree_bodies.hpp"

namespace driftless {

struct TreeSlopesWorkspace {
  using Line = Dual<double, 1>;
  /// A tree frame, how it moves, and the body on it.
  struct Link {
    Axes<Line> axes;  ///< of the tree frame
    Vec3<Line> shift;
    Vec3<Line> w[6], u[6];             ///< columns of its joint
    Vec3<Line> angular, linear;        ///< ω, o'
    Vec3<Line> angular_dot, line_dot;  ///< ω', o''
    Vec3<Line> arm;                    ///< d
    Axes<Line> body_axes;
    Vec3<Line> torque, force;
  };
  std::vector<Link> links;  ///< number 0: the ground
  std::vector<Line> q, v, v_dot;
};

class TreeSlopes {
 public:
  TreeSlopes(const MechanismParts& parts, const SpanningTree& spanning)
      : parts_(parts), spanning_(spanning) {}

  TreeSlopesWorkspace make_workspace() const;

  /// Everything that moves changes by these directions; nothing depends on what is left out (null).
  struct Motion {
    ConstVectorRef q;
    ConstVectorRef v;
    ConstVectorRef v_dot;
    const Vector* q_direction = nullptr;
    const Vector* v_direction = nullptr;
  };
  /// The change of V v and of its derivative.
  void eval(const Motion& motion, TreeSlopesWorkspace& ws, VectorRef velocity_change,
            VectorRef acceleration_change) const;
  /// The change of Vᵀ F, F changing by `force_change`; after `eval`.
  void eval_force(ConstVectorRef body_force, ConstVectorRef body_force_change,
                  TreeSlopesWorkspace& ws, VectorRef change) const;

 private:
  void move_link(std::size_t node, TreeSlopesWorkspace& ws) const;

  const MechanismParts& parts_;
  const SpanningTree& spanning_;
};

}  // namespace driftless
