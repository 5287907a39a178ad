#pragma once
// Distance: the origins stay a given length apart.

#include <optional>

#include "driftless/base/fields.hpp"
#include "driftless/elements/constraints/constraint.hpp"

namespace driftless {

struct Distance {
  static constexpr std::string_view kName = "distance";
  static constexpr std::string_view kSummary =
      "a massless rod with ball ends between the two origins, 1 row";
  static constexpr bool kInPlane = true;

  std::optional<double> length;

  static constexpr auto fields() {
    return std::make_tuple(field(
        "length", &Distance::length, "m",
        "distance of the origins; left out: as drawn; for none use a spherical joint", kPositive));
  }

  /// What is left out follows from the drawing.
  void complete(const Frame<double>* drawn) {
    if (!length) length = norm(drawn[1].origin - drawn[0].origin);
  }
};

ConstraintParts make_constraint(const Distance& spec, Space space);

}  // namespace driftless
