#pragma once
// Numbers of the Adams formulas for unequal steps; the formulas [AD.1] to [AD.8] are at the top of adams.cpp.

#include <array>
#include <cstddef>

namespace driftless {

constexpr int kHighestAdams = 12;
constexpr std::size_t kAdamsRows = kHighestAdams + 3;  // counted from 1, as in the formulas

using AdamsRow = std::array<double, kAdamsRows>;

/// |gamma*_i|, i = 0 .. 13: errors of the Adams-Moulton formulas with equal steps.
constexpr std::array kAdamsErrors{1.0,
                                  1.0 / 2,
                                  1.0 / 12,
                                  1.0 / 24,
                                  19.0 / 720,
                                  3.0 / 160,
                                  863.0 / 60480,
                                  275.0 / 24192,
                                  33953.0 / 3628800,
                                  8183.0 / 1036800,
                                  3250433.0 / 479001600,
                                  4671.0 / 788480,
                                  13695779093.0 / 2615348736000,
                                  2224234463.0 / 475517952000};

/// Of one step, up to k + 1 in each row.
struct AdamsCoefficients {
  AdamsRow psi{};    ///< psi_i(n+1), the distances behind the step's end
  AdamsRow beta{};   ///< [AD.2]
  AdamsRow g{};      ///< g_{i,1} of [AD.3]
  AdamsRow sigma{};  ///< [AD.7]

  /// For a step h at order k, from a point with the distances `before` = psi(n).
  void prepare(const AdamsRow& before, double h, int k);
};

/// w_i, i = 1 .. rows, such that the integral from t_n back to t_n + back (back < 0) of the polynomial through the last
/// slopes is back times sum w_i phi_i(n).
AdamsRow find_back_weights(const AdamsRow& psi, double back, int rows);

}  // namespace driftless
