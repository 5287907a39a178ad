#pragma once
// Masses that are too far apart for double precision: what is redundant, and who bears how much, is found in the metric of
// the masses, and there the heavy bodies of such a mechanism stand still and the light ones count for nothing.

#include <string>
#include <vector>

#include "driftless/mechanism/body.hpp"

namespace driftless {

/// Adds a warning that names the lightest and the heaviest body, if they are that far apart.
void warn_of_mass_range(const std::vector<Body>& bodies, std::vector<std::string>& warnings);

}  // namespace driftless
