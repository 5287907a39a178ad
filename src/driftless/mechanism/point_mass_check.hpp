#pragma once
// A point mass has no orientation: what would hold it, or acts beside it, is meant otherwise.

#include "driftless/base/error.hpp"
#include "driftless/mechanism/parts.hpp"

namespace driftless {

/// Notes every joint and constraint that holds the orientation of a point mass, with q as drawn.
void check_point_masses(const MechanismParts& parts, ConstVectorRef q, DiagnosticList& errors);

}  // namespace driftless
