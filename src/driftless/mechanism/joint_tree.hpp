#pragma once
// Joints that form no loop, and what closes them from any orientation of the bodies: from the ground outwards, each body
// is moved to the nearest pose that its joint with the one before allows (elements/joints/nearest_pose.hpp).
//
// Of each loop one joint is left out: the one that says least about the orientation, because that one the rows close from
// anywhere. A group of bodies without joint to the ground starts from its heaviest.

#include <vector>

#include "driftless/mechanism/kinematics.hpp"

namespace driftless {

class JointTree {
 public:
  JointTree(const MechanismParts& parts, const Kinematics& kinematics);

  /// Per row block: the angle by which its frames are off the nearest pose that the joint allows.
  Vector find_turns_off(ConstVectorRef q) const;
  void close(VectorRef q) const;

 private:
  struct Step {
    std::size_t joint = 0;   // row block
    bool is_second = false;  // the body to move carries the joint's frame 1
  };

  void find_steps(const std::vector<std::size_t>& joints);
  void move_body(const Step& step, const MotionState& state, VectorRef q) const;

  const MechanismParts& parts_;
  const Kinematics& kinematics_;
  std::vector<Step> steps_;  // in the order in which bodies are placed
};

}  // namespace driftless
