#pragma once
// What assembly and check want to know about a mechanism beyond its equations: its bodies and elements, the unit of each
// row, and which bodies nothing holds.

#include "driftless/mechanism/parts.hpp"
#include "driftless/system/system.hpp"

namespace driftless {

/// Fills info.bodies, info.elements and info.row_units.
void describe_parts(const MechanismParts& parts, SystemInfo& info);

}  // namespace driftless
