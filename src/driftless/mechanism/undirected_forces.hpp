#pragma once
// Forces along a distance of two points that coincide. The line between them has no direction: the gradient of the
// distance is 0 there, so that whatever the force is, it does not act ([PTD.1] of elements/forces/point_distance.hpp).

#include <vector>

#include "driftless/mechanism/laws.hpp"

namespace driftless {

/// Those that would exert something. The state is placed and moved. Leaves the forces of `ws` changed.
std::vector<System::UndirectedForce> find_undirected_forces(const MechanismParts& parts,
                                                            const Laws& laws,
                                                            const MotionState& state,
                                                            LawWorkspace& ws);

}  // namespace driftless
