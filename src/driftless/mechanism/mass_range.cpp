#include "driftless/mechanism/mass_range.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace driftless {

std::optional<double> find_even_radius(const std::vector<Body>& bodies) {
  constexpr double kAlike = 100.0;
  const auto find_inertia = [](const Body& body) {
    return body.kind == BodyKind::plane_body   ? body.inertia(2, 2)
           : body.kind == BodyKind::space_body ? body.inertia.diagonal().maxCoeff()
                                               : 0.0;
  };
  std::vector<double> radii2, masses;
  for (const Body& body : bodies) {
    masses.push_back(body.mass);
    if (find_inertia(body) > 0.0) radii2.push_back(find_inertia(body) / body.mass);
  }
  double radius2 = 1.0;
  if (!radii2.empty()) {
    const auto middle = radii2.begin() + static_cast<std::ptrdiff_t>(radii2.size() / 2);
    std::nth_element(radii2.begin(), middle, radii2.end());
    radius2 = *middle;
  }
  for (const Body& body : bodies)
    if (find_inertia(body) > 0.0) masses.push_back(find_inertia(body) / radius2);
  const auto [least, most] = std::minmax_element(masses.begin(), masses.end());
  if (masses.empty() || *most <= kAlike * *least) return {};
  return radius2;
}

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
