#pragma once
// Screws that must go many turns along their threads before something closes.

#include <vector>

#include "driftless/assembly/start_solver.hpp"

namespace driftless {

inline constexpr int kThreadRounds = 10;  ///< of asking, going there, and asking again

/// How many turns beyond the drawing each screw would be after Newton's step for the selection. False: where it is held
/// now, at `held` turns, or nowhere.
bool find_asked_turns(StartLevel& level, const FreeFlags& is_free, const std::vector<double>& held,
                      std::vector<double>& turns);

/// The nuts slide: without the rows that bind advance to angle.
Selection leave_out_threads(StartLevel& level, Selection selection);
/// From where they slid to: each screw is held in the turn that is nearest there [THR.2].
void settle_threads(StartLevel& level);

/// Both: closes the selection with sliding nuts, and settles them. False: not even so does it close, so no turn will do from here.
bool slide_along_threads(StartLevel& level, const FreeFlags& is_free, int max_iterations,
                         int& iterations);

/// Closes the selection from the level's values, the screws going along their threads as far as that takes. False: it does
/// not close.
bool close_along_threads(StartLevel& level, int max_iterations, int& iterations);

}  // namespace driftless
