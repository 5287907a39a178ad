#pragma once
// Two scalars in a fixed proportion: a s1 + b s2 - offset = 0. What gears, racks and belts have in common. For .cpp files.

#include <array>
#include <optional>
#include <vector>

#include "driftless/elements/law.hpp"

namespace driftless {

/// The two measures of `of`; a wrong number of them is noted.
inline std::array<ScalarNode, 2> find_pair(const std::vector<MeasureName>& names,
                                           std::string_view first_unit,
                                           std::string_view second_unit, LawScope& scope) {
  std::array<ScalarNode, 2> pair;
  if (names.size() == 2) {
    pair = {scope.find_measure(names[0], first_unit), scope.find_measure(names[1], second_unit)};
    if (names[0].name == names[1].name) {
      scope.fault("of", "both are '" + names[0].name + "'", "name two different measures");
    }
  } else {
    scope.fault("of",
                "it has " + std::to_string(names.size()) +
                    (names.size() == 1 ? " name" : " names") + "; 2 are wanted",
                "for example [\"A.angle\", \"B.angle\"]");
    const NodeId zero = scope.graph().constant(0.0);
    pair = {ScalarNode{zero, zero}, ScalarNode{zero, zero}};
  }
  return pair;
}

/// Without an offset the row holds in the drawing pose. Its unit is the metre.
inline Relation make_proportional(const std::array<ScalarNode, 2>& pair, double a, double b,
                                  const std::optional<double>& offset, LawScope& scope) {
  Graph& g = scope.graph();
  const double drawn = a * pair[0].drawn + b * pair[1].drawn;
  const NodeId sum =
      g.add(g.mul(g.constant(a), pair[0].value), g.mul(g.constant(b), pair[1].value));
  Relation relation;
  relation.rows = {{"", g.sub(sum, g.constant(offset.value_or(drawn))), "m"}};
  return relation;
}

}  // namespace driftless
