#pragma once
// Rank and uniqueness of reactions by singular values of G as it is, without any scaling: what check is compared with.

#include <string>
#include <vector>

#include "driftless/run/prepare.hpp"

namespace driftless::trials {

struct Oracle {
  int rank = 0;
  std::vector<std::string> not_unique;  ///< records that a change of λ along the null space changes
};

Oracle ask_oracle(const PreparedModel& model);

}  // namespace driftless::trials
