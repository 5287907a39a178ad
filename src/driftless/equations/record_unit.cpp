#include "driftless/equations/record_unit.hpp"

#include <algorithm>

#include "driftless/expressions/unit_of.hpp"

namespace driftless {
namespace {

std::string find_unit_of_name(std::string_view name, const EquationParts& parts,
                              const ParameterScope& parameters) {
  if (name == "t") return "s";
  if (name == "T" || name == "U") return "J";
  if (name.ends_with('\'')) {
    return find_unit_of_rate(find_unit_of_name(name.substr(0, name.size() - 1), parts, parameters));
  }
  const auto place = std::find(parts.coordinates.begin(), parts.coordinates.end(), name);
  if (place != parts.coordinates.end()) {
    return parts.coordinate_units[static_cast<std::size_t>(place - parts.coordinates.begin())];
  }
  for (const StatePart& state : parts.states) {
    if (state.name == name) return state.unit;
  }
  const std::optional<Quantity> parameter = parameters.find(name);
  return parameter && parameter->dimension ? to_string(*parameter->dimension) : "";
}

}  // namespace

std::string find_record_unit(const Text& text, const Scope& scope, const EquationParts& parts,
                             const ParameterScope& parameters) {
  const std::string unit = find_unit_of(
      text.text, text.where, [&](std::string_view name) { return scope.find(name).has_value(); },
      [&](std::string_view name) { return find_unit_of_name(name, parts, parameters); });
  return unit == "1" ? "" : unit;
}

}  // namespace driftless
