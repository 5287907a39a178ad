#pragma once
// Lengths that belong to the bodies of a mechanism in absolute coordinates: [DRW.8] to [DRW.10] of drawn_rank.hpp.

#include "driftless/system/system.hpp"

namespace driftless {

struct BodySize {
  Matrix middle;        ///< B of [DRW.8], turns x shifts
  double own = 0.0;     ///< ℓ_b of [DRW.8]; 0: all that holds it passes through one point
  double length = 0.0;  ///< ℓ of [DRW.9]; 0: no row has a lever arm in what it hangs together with
};

/// Per body. Needs the configuration. None where the system is no mechanism in absolute coordinates.
std::vector<BodySize> find_body_sizes(const System& system, const Workspace& ws);

/// v = U w, with w what [DRW.9] measures, so that |w|² is the square of the length; a block per body, none without bodies.
BlockMatrix make_drawn_scaling(const SystemInfo& info, const std::vector<BodySize>& sizes);

/// [DRW.10], per position row: what a gap is compared with; 0: not known.
Vector find_row_sizes(const SystemInfo& info, const Workspace& ws,
                      const std::vector<BodySize>& sizes);

}  // namespace driftless
