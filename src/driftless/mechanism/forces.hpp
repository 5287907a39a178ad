#pragma once
// All forces of a mechanism: gravity, forces on frames and forces along scalars, as generalised forces. [MEC.3]

#include "driftless/mechanism/laws.hpp"

namespace driftless {

class Forces {
 public:
  static constexpr std::size_t kMaxForceFrames = 2;  ///< no force acts on more

  Forces(const MechanismParts& parts, const Kinematics& kinematics, const Laws& laws);

  /// U, with -dU in `force`, which is overwritten. The state is placed, the laws have positions.
  double eval_potential(MotionState& state, LawWorkspace& laws, Vector& force) const;
  /// What has no potential, in `force`, which is overwritten. The state is moved, the laws have velocities.
  void eval_applied(MotionState& state, LawWorkspace& laws, Vector& force) const;
  /// Both together, without U. `force` is overwritten.
  void eval(MotionState& state, LawWorkspace& laws, Vector& force) const;
  /// Of a force on frames.
  double calc_power(std::size_t force, MotionState& state, LawWorkspace& laws) const;
  /// What a force on frames exerts at the last one.
  Wrench calc_wrench(std::size_t force, MotionState& state, LawWorkspace& laws) const;

 private:
  double add_potential(MotionState& state, LawWorkspace& laws, Vector& force) const;
  void add_applied(MotionState& state, LawWorkspace& laws, Vector& force) const;
  void eval_wrenches(const ForceBlock& force, MotionState& state, LawWorkspace& laws,
                     Wrench* wrenches) const;

  Vector
      weights_;  // generalised force of gravity: along the world's axes, so the same in all poses
  bool has_only_weights_ = false;
  const MechanismParts& parts_;
  const Kinematics& kinematics_;
  const Laws& laws_;
};

}  // namespace driftless
