#pragma once
// Which reactions are the same whatever way redundant constraints share their load.

#include <string>
#include <vector>

#include "driftless/system/system.hpp"

namespace driftless {

struct NotUnique {
  int dimension = 0;  ///< of the free multipliers: rows beyond the rank; of many rows, about
  std::vector<std::string> names;
};
/// Records that are made of reactions and not unique at this state, in their order.
NotUnique find_not_unique(const System& system, const State& state);

}  // namespace driftless
