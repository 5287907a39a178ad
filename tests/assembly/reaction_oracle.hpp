#pragma once
// Rank and uniqueness of reactions by singular values of G as it is, without any scaling: what check is compared with.

#include <string>
#include <vector>

#include "driftless/run/prepare.hpp"

namespace driftless::trials {

struct Oracle {
  int rank = 0;
  std::vector<std::string> not_unique;  ///< records that a change of λ along the null space changes
  // What driftless::find_free_multipliers and driftless::is_unique say of the same:
  int free_multipliers = 0;
  double free_force = 0.0;  ///< |Gᵀ Y| / |Y|
  std::vector<std::string> not_unique_by_coefficients;
};

Oracle ask_oracle(const PreparedModel& model);

}  // namespace driftless::trials
