#pragma once
// Start values from several poses: as drawn, with the joints opened and the wanted values set first, with the bodies
// turned. Of the poses that close, the one that meets the wanted values best counts; among equals, the one with the
// least change in the mass metric.

#include <string>
#include <vector>

#include "driftless/assembly/start_wishes.hpp"

namespace driftless {

struct SearchLimits {
  int max_iterations = 50;
  int max_tries = 32;
};

struct SearchReport {
  bool closed = false;
  int tries = 0;    ///< how many poses were tried
  std::string how;  ///< "from the given pose", "with the bodies turned", ...
  int iterations = 0;
  Vector nearest;                       ///< not closed: the values at which least is missing
  std::vector<double> nearest_threads;  ///< and how far along their threads the screws are there
  Vector turned_over;  ///< values that meet everything, but with joints the wrong way round
};

/// Leaves the level's values closed, or as they were.
SearchReport search(StartLevel& level, const Wishes& wishes, const FreeFlags& is_free,
                    const SearchLimits& limits);

}  // namespace driftless
