#pragma once
// The values of measures at a moment of the motion.

#include <vector>

#include "driftless/expressions/tape.hpp"
#include "driftless/mechanism/forces.hpp"
#include "driftless/system/system.hpp"

namespace driftless {

struct RecorderWorkspace {
  std::vector<double> variables;  ///< t and the measures
  std::vector<double> scratch;
  Vector force;  ///< of no further use
  /// Per joint and side: the wrench of the moment that is evaluated, once a measure has asked for it.
  std::vector<Wrench> reactions;
  std::vector<char> has_reaction;
};

class Recorder {
 public:
  Recorder(const MechanismParts& parts, const Kinematics& kinematics, const Laws& laws,
           const Forces& forces);

  RecorderWorkspace make_workspace() const;
  bool needs_accelerations() const { return needs_accelerations_; }

  /// The state is placed and moved, the laws have positions and velocities.
  void eval(const Moment& moment, MotionState& state, LawWorkspace& laws, RecorderWorkspace& ws,
            VectorRef values) const;

 private:
  double calc_measure(const Measure& measure, const Moment& moment, MotionState& state,
                      LawWorkspace& laws, RecorderWorkspace& ws) const;
  double calc_function(const Measure& measure, MotionState& state) const;
  double calc_relation_reaction(const Measure& measure, const Moment& moment, MotionState& state,
                                LawWorkspace& laws) const;
  const Wrench& find_joint_wrench(const Measure& measure, const Moment& moment, MotionState& state,
                                  RecorderWorkspace& ws) const;
  double pick(const Measure& measure, int first_frame, const Wrench& wrench,
              const MotionState& state) const;
  int law_row(int row) const { return parts_.frame_rows + row; }
  int velocity_row(int row) const {
    return parts_.frame_rows + static_cast<int>(parts_.laws.position_rows.size()) + row;
  }

  const MechanismParts& parts_;
  const Kinematics& kinematics_;
  const Laws& laws_;
  const Forces& forces_;
  Tape tape_;
  bool needs_accelerations_ = false;
};

}  // namespace driftless
