#pragma once
// A spanning tree of a mechanism's joints: which joint carries which body, and which are cut, that is, left to their rows.
//
// Breadth first from the ground, joint after joint in the order of the file: each body is as few joints from the ground
// as can be, so that the loops which the cut joints close are short. Of a group of bodies without joint to the ground the
// heaviest one is free. Cut, too, are joints named by the user, those of point masses, which have no axes to carry, and
// those whose coordinates do not say where the body is (JointForm::other).
//
// Bodies are numbered depth first, so that a body's first child is the next number: tree_recursion.cpp counts on it.
//
// Frames. The tree frame T of a body is the frame of its joint on it, turned by a constant P so that the joint has one of
// the forms of tree_joints.hpp; the joint's frame on the parent is turned by the same P. P is
//
//   1                        of a joint that is passed from its frame 0 to its frame 1
//   (x, -y, -z)              of a revolute, prismatic, cylindrical or screw joint passed backward: the same angle and
//                            position count about and along the opposite axis
//   (-y, -x, -z)             of a universal joint passed backward, with its angles exchanged
//   (y, z, x) first          of a prismatic joint in the plane, whose axis is x                                    [SPT.1]
//
// Coordinates are therefore those of the joint, angle for angle and sign for sign, whichever way it is passed.

#include <string>
#include <vector>

#include "driftless/mechanism/parts.hpp"
#include "driftless/mechanism/tree_recursion.hpp"

namespace driftless {

struct SpanningTree {
  /// A body with the joint that carries it.
  struct Node {
    int body = 0;           ///< in MechanismParts
    int row = -1;           ///< row block of the joint; -1: the body is free
    bool backward = false;  ///< passed from frame 1 to frame 0
    Vector3 origin;         ///< of T, in the body's axes, from the mass centre
    Axes<double> axes;      ///< of T, in the body's axes
    // in the plane: angle = parent's angle + angle_offset ± the coordinate that turns
    double angle_offset = 0.0;
    int turn = -1;  ///< which of the joint's coordinates
    double turn_sign = 1.0;
  };

  std::vector<Node> nodes;     ///< number 1 of the recursion is nodes[0]
  std::vector<TreeBody> tree;  ///< as many
  std::vector<int> number;     ///< per body of MechanismParts: its number, from 1
  std::vector<int> cut;        ///< row blocks of joints that are cut
  std::vector<bool> carries;   ///< per row block: whether it is a joint of the tree
};

/// `cut`: names of joints that shall be cut.
SpanningTree find_spanning_tree(const MechanismParts& parts, const std::vector<std::string>& cut);

/// Coordinates of the tree with the bodies as near as can be to these coordinates of the bodies: joints that are not closed
/// there are closed.
Vector find_tree_coordinates(const SpanningTree& spanning, const MechanismParts& parts,
                             ConstVectorRef body_q);

}  // namespace driftless
