#include "driftless/assembly/start_wishes.hpp"

#include <cmath>

namespace driftless {

std::vector<std::size_t> Wishes::all() const {
  std::vector<std::size_t> targets = exact;
  targets.insert(targets.end(), preferred.begin(), preferred.end());
  targets.insert(targets.end(), guesses.begin(), guesses.end());
  return targets;
}

double find_missing(StartLevel& level, const std::vector<std::size_t>& targets) {
  double sum = 0.0;
  for (const std::size_t index : targets) {
    if (level.is_target_met(index)) continue;
    sum += std::pow(level.find_misfit(index), 2);
  }
  return sum;
}

std::vector<std::size_t> list_met(StartLevel& level, const Wishes& wishes) {
  std::vector<std::size_t> met;
  for (const std::size_t index : wishes.all())
    if (level.is_target_met(index)) met.push_back(index);
  return met;
}

void pull_wishes(StartLevel& level, const Wishes& wishes, int max_iterations, int& iterations) {
  const std::vector<int> rows = level.list_rows();
  Selection hard{rows, wishes.exact};
  bool all_met = true;
  if (!wishes.preferred.empty()) {
    pull(level, hard, {{}, wishes.preferred}, max_iterations, iterations);
    for (const std::size_t index : wishes.preferred)
      all_met = all_met && level.is_target_met(index);
    hard.targets.insert(hard.targets.end(), wishes.preferred.begin(), wishes.preferred.end());
  }
  if (all_met && !wishes.guesses.empty())
    pull(level, hard, {{}, wishes.guesses}, max_iterations, iterations);
  level.select({rows, wishes.exact});
  level.eval();
}

void come_back(StartLevel& level, const Wishes& wishes, const Vector& start, int max_iterations,
               int& iterations) {
  if (level.is_velocity() || level.info().bodies.empty()) return;
  const double preferred = find_missing(level, wishes.preferred);
  const double guess = find_missing(level, wishes.guesses);
  level.select({level.list_rows(), list_met(level, wishes)});
  const auto keeps = [&] {
    return !level.is_turned_over() && find_missing(level, wishes.preferred) <= preferred + 1e-9 &&
           find_missing(level, wishes.guesses) <= guess + 1e-9;
  };
  minimise_change(level, start, keeps, max_iterations, iterations);
  level.select({level.list_rows(), wishes.exact});
  level.eval();
}

}  // namespace driftless
