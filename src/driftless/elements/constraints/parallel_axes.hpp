#pragma once
// Parallel axes: z of both frames; in the plane, where z is the normal, x of both.

#include "driftless/base/fields.hpp"
#include "driftless/elements/constraints/constraint.hpp"

namespace driftless {

struct ParallelAxes {
  static constexpr std::string_view kName = "parallel_axes";
  static constexpr std::string_view kSummary =
      "an axis of the second body parallel to one of the first, 2 rows (1 in the plane)";
  static constexpr bool kInPlane = true;
  static constexpr bool kHasPlace = false;  // directions alone: `at` may be left out

  static constexpr auto fields() { return std::make_tuple(); }
};

ConstraintParts make_constraint(const ParallelAxes& spec, Space space);

}  // namespace driftless
