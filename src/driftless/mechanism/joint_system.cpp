#include "driftless/mechanism/joint_system_class.hpp"

namespace driftless {

std::unique_ptr<System> make_joint_system(std::shared_ptr<const MechanismParts> parts,
                                          std::shared_ptr<const SpanningTree> spanning) {
  return std::make_unique<JointSystem>(std::move(parts), std::move(spanning));
}

}  // namespace driftless
