#pragma once
// Bodies, frames, rows, laws and forces as a System.
//
// Rows come in this order: those of joints and constraints that are functions of frames, the position rows of laws, the
// velocity rows of laws. How they enter G is kinematics.hpp and laws.hpp.
//
// Forces. Wrenches at frames, forces along scalars, gravity m g, and the inertia terms -ω×Jω in body axes. Energy
// E = vᵀMv/2 + U with M constant; fed by the applied forces' power and by moving constraints.                    [MEC.3]
//
// Reactions. M v' + Gᵀλ = Q: a row acts on the body of a frame with the wrench -gᵀλ there.                       [MEC.4]

#include <memory>
#include <vector>

#include "driftless/mechanism/parts.hpp"
#include "driftless/system/start_targets.hpp"
#include "driftless/system/system.hpp"

namespace driftless {

/// Throws nothing: whatever is wrong with a model was found before.
std::unique_ptr<System> make_mechanism_system(std::shared_ptr<const MechanismParts> parts);

/// Wanted values of measures of kind value, rate or velocity.
std::shared_ptr<const StartTargets> make_start_targets(std::shared_ptr<const MechanismParts> parts,
                                                       std::vector<StartTarget> targets,
                                                       std::vector<Measure> measures);

}  // namespace driftless
