#pragma once
// One step of the unknowns of a start, as long as it will do.

#include <vector>

#include "driftless/assembly/start_level.hpp"

namespace driftless {

/// Moves by `delta`, halved as need be, and no body by more than half a radian. No joint comes near to turning over. `accept`
/// says of a length whether the values there will do. False: none did, and the values are as they were.
template <class Accept>
bool move_shortened(StartLevel& level, const Vector& delta, int max_halvings, Accept&& accept) {
  if (!delta.allFinite() || max_abs(delta) == 0.0) return false;
  const Vector start = level.values();
  const std::vector<bool> was_tilted = level.find_tilted();
  const auto is_any_more_tilted = [&](const std::vector<bool>& tilted) {
    for (std::size_t k = 0; k < tilted.size(); ++k)
      if (tilted[k] && !was_tilted[k]) return true;
    return false;
  };
  double length = level.find_step_limit(delta);
  for (int halving = 0; halving < max_halvings; ++halving, length *= 0.5) {
    level.values() = start;
    level.move(length * delta);
    level.eval();
    if (is_any_more_tilted(level.find_tilted())) continue;
    if (accept(length)) return true;
  }
  level.values() = start;
  level.eval();
  return false;
}

}  // namespace driftless
