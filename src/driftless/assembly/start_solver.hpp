#pragma once
// The iterations behind consistent start values. All work on the level's selection, and count their steps.

#include <functional>
#include <vector>

#include "driftless/assembly/start_level.hpp"

namespace driftless {

/// Which of the rates may move; empty: all.
using FreeFlags = std::vector<bool>;

/// Gauss-Newton steps of least change [START.1]. True: the selection holds.
bool solve_newton(StartLevel& level, const FreeFlags& is_free, int max_iterations, int& iterations);

/// The whole step, however far it goes, from values that are evaluated.
Vector find_newton_step(StartLevel& level, const FreeFlags& is_free);

/// Such steps from values that nearly meet the selection to round-off; values that do not get there stay as they are. The
/// tries of a search end as soon as they are within its tolerances.
void polish(StartLevel& level, const FreeFlags& is_free, int& iterations);

/// Damped least squares [START.4], for starts from far; ends with solve_newton. True: the selection holds. If not, the
/// values are those of a local minimum: saddles are left [START.9].
bool solve_from_far(StartLevel& level, const FreeFlags& is_free, int max_iterations,
                    int& iterations);

/// From where no slope reduces what is missing, downhill along motions that do to second order [START.9]. False: there are
/// none, and the values are as they were.
bool leave_saddle(StartLevel& level, const FreeFlags& is_free, int& iterations);

/// Moves within the selection, which holds and stays so, to where the change from `start` is least in the mass metric
/// [START.7]. `keeps` says of values that meet the selection whether they will do.
void minimise_change(StartLevel& level, const Vector& start, const std::function<bool()>& keeps,
                     int max_iterations, int& iterations);

/// Moves within `hard`, which holds and stays so, until `soft` is met as far as it can be [START.5]. False if `hard` did
/// not hold at the beginning.
bool pull(StartLevel& level, const Selection& hard, const Selection& soft, int max_iterations,
          int& iterations);

}  // namespace driftless
