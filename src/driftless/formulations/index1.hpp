#pragma once
// Lagrange's equations of the first kind with the constraints differentiated twice:
//
//   [ M Gᵀ; G 0 ] (v', λ) = (Q, γ)                                                                              [IX1.1]
//
// No correction of any kind: Φ drifts quadratically and ρ linearly in time (Arnold 2016, section 4.2), and the field
// is not defined where G loses rank by pose. Useful as the honest baseline and under drift controls. Rows that are
// redundant by structure are accepted; near a singular pose everything down to round-off is solved for.

#include "driftless/base/fields.hpp"
#include "driftless/formulations/acceleration_field.hpp"

namespace driftless {

struct Index1 {
  static constexpr std::string_view kName = "index1";
  static constexpr std::string_view kSummary =
      "Lagrange multipliers, constraints at acceleration level; drifts without a drift control";

  double rank_tolerance = 1e-10;

  static constexpr auto fields() {
    return std::make_tuple(field("rank_tolerance", &Index1::rank_tolerance, "",
                                 "singular values below this are left out (rows have length 1)",
                                 Bounds{0.0, 0.5}));
  }
  FieldOptions field_options() const { return {.rank_tolerance = rank_tolerance}; }
};

}  // namespace driftless
