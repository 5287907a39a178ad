#pragma once
// What is redundant, and who bears how much, is found in the metric of the masses, and there, if they are far apart, the
// heavy bodies of a mechanism stand still and the light ones count for nothing. Up to what double precision holds, even
// masses help [SAD.3]: each body has the mass 1 and the same radius of gyration about all axes.

#include <optional>
#include <string>
#include <vector>

#include "driftless/mechanism/body.hpp"

namespace driftless {

/// Square of the radius of gyration of even masses, the median of the bodies' own; none if these are alike up to a hundred
/// times.
std::optional<double> find_even_radius(const std::vector<Body>& bodies);
/// Adds a warning that names the lightest and the heaviest body, if they are that far apart.
void warn_of_mass_range(const std::vector<Body>& bodies, std::vector<std::string>& warnings);

}  // namespace driftless
