#pragma once
// Poses to begin from.

#include <random>
#include <string>
#include <vector>

#include "driftless/assembly/start_solver.hpp"
#include "driftless/assembly/start_wishes.hpp"

namespace driftless {

/// Sets a level's values to one pose after the other; the same for the same model.
class StartPoses {
 public:
  /// From the level's values as they are.
  StartPoses(StartLevel& level, const Wishes& wishes, const FreeFlags& is_free, int max_iterations,
             int& iterations);

  /// Pose k, 0 being the given one; `is_turned`: joints may be far off, or on their wrong side. What was done.
  std::string set(int k, bool is_turned);
  std::mt19937_64& random() { return random_; }

 private:
  std::string scatter(int k);
  /// As far as bodies are from each other, and rows from being met, as drawn.
  double find_reach();
  /// Per body: rows that are angles depend on it.
  std::vector<bool> find_held_axes();
  void turn_freely();
  /// Each body by up to half a turn either way, in small steps along the rows that are angles. Point masses, which do not
  /// turn, are shifted instead, and with `shifts_too` all bodies whose axes nothing holds: one that hangs by its mass
  /// centre gains nothing by a turn.
  void turn_bodies(bool shifts_too);

  StartLevel& level_;
  const Wishes& wishes_;
  const FreeFlags& is_free_;
  const int max_iterations_;
  int& iterations_;
  const Vector start_;
  const std::vector<int> angles_;  // rows that are angles
  std::mt19937_64 random_{20260229};
};

/// Rows that are angles or cosines of angles; none if the rows' units are not known.
std::vector<int> find_angle_rows(StartLevel& level);

}  // namespace driftless
