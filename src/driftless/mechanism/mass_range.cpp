#include "driftless/mechanism/mass_range.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace driftless {

void warn_of_mass_range(const std::vector<Body>& bodies, std::vector<std::string>& warnings) {
  constexpr double kWidest = 1e12;
  const auto [lightest, heaviest] = std::minmax_element(
      bodies.begin(), bodies.end(), [](const Body& a, const Body& b) { return a.mass < b.mass; });
  if (lightest == bodies.end() || heaviest->mass / kWidest <= lightest->mass) return;
  warnings.push_back(fmt::format(
      "the masses of {} ({:.3g} kg) and {} ({:.3g} kg) are more than {:.0e} times apart: ranks, "
      "reactions and accelerations drown in round-off; check their units, or join the light body "
      "to another one",
      lightest->name, lightest->mass, heaviest->name, heaviest->mass, kWidest));
}

}  // namespace driftless
