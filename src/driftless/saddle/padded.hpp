#pragma once

#include "driftless/saddle/saddle.hpp"

namespace driftless {

/// Some strips have one row and none has more than two.
bool can_be_padded(const BlockMatrix& jacobian, int rows);

/// The sparse engine for strips that are filled up to two rows each. Bodies have three rates.
std::unique_ptr<SaddleEngine> make_padded_saddle(const BlockMatrix& mass,
                                                 const BlockMatrix& jacobian, int rows,
                                                 const BlockMatrix& even);

}  // namespace driftless
