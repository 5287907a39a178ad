#pragma once
// Wanted values of a start by their priorities, and how far they are met.

#include <vector>

#include "driftless/assembly/start_solver.hpp"

namespace driftless {

/// What is wanted, the firmest first.
struct Wishes {
  std::vector<std::size_t> exact;      ///< must hold
  std::vector<std::size_t> preferred;  ///< as near as the constraints and the exact ones allow
  std::vector<std::size_t> guesses;    ///< where the others leave a choice

  std::vector<std::size_t> all() const;
};

/// Sum of squares of what is missing.
double find_missing(StartLevel& level, const std::vector<std::size_t>& targets);

std::vector<std::size_t> list_met(StartLevel& level, const Wishes& wishes);

/// Moves within the constraints and the exact values towards the preferred ones, then the guesses.
void pull_wishes(StartLevel& level, const Wishes& wishes, int max_iterations, int& iterations);

/// A pose that was tried is no place to stay: of the branch on which it closed, the pose nearest to `start` that meets
/// the wanted values as well.
void come_back(StartLevel& level, const Wishes& wishes, const Vector& start, int max_iterations,
               int& iterations);

}  // namespace driftless
