#pragma once
// Udwadia and Kalaba's explicit equation of motion (Eun, Yang, Chung 2003, eq. 5):
//
//   v' = a + M^-½ (A M^-½)⁺ (b - A a),   a = M⁻¹ Q,  A = G,  b = γ                                              [UKA.1]
//
// With any factor M = L Lᵀ instead of the principal root, v' = a + L⁻ᵀ (A L⁻ᵀ)⁺ (b - A a) is the same vector, since
// M^-½ = L⁻ᵀ O with O orthogonal and (A L⁻ᵀ O)⁺ = Oᵀ (A L⁻ᵀ)⁺. That is [SAD.1] with f = Q and b = γ: the pseudoinverse
// is the saddle point's. It differs from index1 in leaving out nearly singular directions, so it stays finite there.

#include "driftless/base/fields.hpp"
#include "driftless/formulations/acceleration_field.hpp"

namespace driftless {

struct UdwadiaKalaba {
  static constexpr std::string_view kName = "udwadia_kalaba";
  static constexpr std::string_view kSummary =
      "explicit equation of motion by pseudoinverse; redundant and singular constraints allowed";

  double rank_tolerance = kDefaultRankTolerance;

  static constexpr auto fields() {
    return std::make_tuple(field("rank_tolerance", &UdwadiaKalaba::rank_tolerance, "",
                                 "singular values below this are left out (rows have length 1)",
                                 Bounds{0.0, 0.5}));
  }
  FieldOptions field_options() const { return {.rank_tolerance = rank_tolerance}; }
};

}  // namespace driftless
