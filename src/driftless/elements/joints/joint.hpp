#pragma once
// What a joint is made of. It connects two frames, frame 0 on the first body and frame 1 on the second; its axis, if it
// has one, is the frames' z axis. A joint type is a spec (a plain aggregate with kName, kSummary and fields()) and one
// function, in its own .cpp file:
//
//   JointParts make_joint(const Revolute& spec, Space space);
//
// The set that rows describe is invariant under a motion of everything: shifts are taken along the axes of frame 0, and a
// gap that must close in all directions along the world's (frame_pair.hpp).
//
// In the plane z is the normal, so a direction in the plane, if the joint has one, is the frames' x axis.
//
// What a spec says about itself besides: `kInPlane`; and, only where it is so, with the reason as a string,
//   kOneSided      exchanging the two frames gives other poses;
//   kUndefinedAt   where, away from the poses that the joint allows, its rows have no derivative.

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "driftless/elements/frame_function.hpp"
#include "driftless/elements/space.hpp"

namespace driftless {

/// A coordinate of a joint, as measured and driven: "A.angle" and its rate.
struct JointCoordinate {
  std::string_view name;
  std::string_view rate;  ///< name of its derivative
  std::string_view unit;
  bool wraps =
      false;  ///< known up to whole turns: the turns are counted by whoever watches the motion
  double angle_per_unit =
      0.0;  ///< the coordinate that wraps is this many times this one; 0: independent
};

/// The pose of frame 1 nearest to its own that the joint allows (nearest_pose.hpp); its own, if it is one of them. A
/// screw's is that of its axis alone: the advance depends on turns, which a pose does not know.
using NearestPose = Frame<double> (*)(const Frame<double>* frames);

/// How a joint's coordinates move frame 1 against frame 0, for those who carry bodies by joints; in space along and about
/// z, unless it is said otherwise. In the plane a prismatic joint goes along x.
enum class JointForm {
  other,        ///< its coordinates do not say in closed form where frame 1 is
  revolute,     ///< (angle)
  prismatic,    ///< (position)
  screw,        ///< (angle, position): position = advance·angle
  cylindrical,  ///< (angle, position)
  slot,         ///< (position along x of frame 0, angle)
  planar,       ///< (x, y of frame 0, angle)
  universal,    ///< (angle1 about x of frame 0, angle2 about y of frame 1)
  spherical,
  fixed
};

/// Says of rows that they are the gap p1 - p0 along the world's axes (2 in the plane, 3 in space), followed by products of
/// an axis of frame 0 with one of frame 1 (0 is x, 1 is y, 2 is z). The function says the same; this lets many such
/// joints be evaluated at once.
struct PairForm {
  bool is_given = false;
  std::vector<std::pair<int, int>> products;
};

struct JointParts {
  /// = 0; null: no row (free). Its k-th turn input belongs to the k-th coordinate that wraps.
  std::unique_ptr<FrameFunction> rows;
  std::vector<std::string_view> row_names;
  PairForm form;
  /// They tell all of the motion that the rows leave, are 0 where the frames coincide, and have the same names in the
  /// plane; null: none.
  std::unique_ptr<FrameFunction> coordinates;
  std::vector<JointCoordinate> coordinate_info;
  NearestPose find_nearest = nullptr;  ///< null: in the plane, or nothing is constrained
  JointForm joint_form = JointForm::other;
  double advance = 0.0;  ///< of a screw, m/rad
};

}  // namespace driftless
