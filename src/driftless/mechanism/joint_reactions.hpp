#pragma once
// Multipliers of the joints that carry the tree. [JSY.5]

#include <vector>

#include "driftless/mechanism/kinematics.hpp"
#include "driftless/mechanism/tree_bodies.hpp"

namespace driftless {

class JointReactions {
 public:
  JointReactions(const MechanismParts& parts, const SpanningTree& spanning,
                 const TreeBodies& bodies);

  /// From the multipliers of the rows that are left and what the bodies lack, Q - M v' - Gᵀλ in absolute coordinates (of
  /// those rows), to the multipliers of all rows in absolute coordinates. The state is placed.
  void find_multipliers(ConstVectorRef lambda, ConstVectorRef lacking, MotionState& state,
                        TreeState& tree, TreeBodiesWorkspace& ws, Vector& all) const;

 private:
  const MechanismParts& parts_;
  const SpanningTree& spanning_;
  const TreeBodies& bodies_;
  Kinematics kinematics_;
  std::vector<int> row_of_;  // per row of all: the row that is left; -1: of a joint of the tree
};

}  // namespace driftless
