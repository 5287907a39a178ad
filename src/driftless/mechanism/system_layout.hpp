#pragma once
// What a mechanism's System is laid out by, once: names and units of its unknowns, and the blocks of M and G.

#include <vector>

#include "driftless/mechanism/laws.hpp"
#include "driftless/system/system.hpp"

namespace driftless {

/// Coordinates and rates of one body, behind those that are there.
void add_names(const Body& body, SystemInfo& info);
/// First-order states of forces.
void add_states(const MechanismParts& parts, SystemInfo& info);
/// The energy, and what the file declares to stay.
void add_invariants(const MechanismParts& parts, const Laws& laws, SystemInfo& info);

/// A block for each body.
BlockMatrix make_mass(const MechanismParts& parts, const SystemInfo& info);
/// Of even masses (mass_range.hpp); of no size if none are needed.
BlockMatrix make_even_mass(const MechanismParts& parts, const SystemInfo& info);
/// A block for each element that has rows, or row of laws, and each body that it touches.
std::vector<BlockPlace> find_row_places(const MechanismParts& parts, const Laws& laws,
                                        const SystemInfo& info);
/// Rigid bodies, all in the plane or all in space.
bool has_one_kind_of_body(const MechanismParts& parts);

}  // namespace driftless
