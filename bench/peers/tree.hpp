#pragma once
// The problems as trees of bodies with loops closed by points, for programs with joint coordinates. A body's origin is its
// joint; its axes lie along its parent's when the joint's coordinate is 0.

#include <string>
#include <vector>

#include "bench/common/harness.hpp"
#include "bench/floor/vec3.hpp"

namespace bench {

enum class JointKind { hinge_z, hinge_y, ball, slide_x };

struct TreeBody {
  int parent = -1;  ///< -1: the ground
  JointKind joint = JointKind::hinge_z;
  Vec3 origin;  ///< in the parent's axes
  double mass = 1;
  Vec3 centre;
  Vec3 inertia;      ///< about the mass centre, along the body's axes
  double start = 0;  ///< coordinate; a ball: angle about the axis in `start_about_z`
  double rate = 0;
  bool start_about_z = true;
};

struct Closure {
  enum class Kind {
    pin,     ///< in the plane: two rows
    hinge,   ///< in space, about z: five rows
    height,  ///< the point stays at y = 0
  };
  Kind kind = Kind::pin;
  int a = -1, b = -1;
  Vec3 on_a, on_b;  ///< in the axes of each
};

struct TreeModel {
  std::string name;
  double end = 0;
  double gravity = 0;
  std::vector<TreeBody> bodies;
  std::vector<Closure> closures;
  double torque = 0;  ///< on body 0
  int spring_body = -1;
  Vec3 spring_point, anchor;
  double stiffness = 0, length = 0;
  /// The crank's angle: an offset and the coordinates of these bodies. Compared: it, or (cos, sin) of it.
  std::vector<int> crank = {0};
  double crank_offset = 0;
  bool shows_angle = false;

  std::vector<double> find_end(double crank_angle) const;
};

/// `slides`: the slider-crank from its slider on, for programs that cannot hold a point on a line.
TreeModel make_tree_model(const Arguments& arguments, bool slides);
/// The pose in which one evaluation is timed: as at the start, the ladder's cranks at 1 rad.
void set_evaluation_pose(TreeModel& model);

}  // namespace bench
