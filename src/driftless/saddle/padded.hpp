#pragma once

#include "driftless/saddle/saddle.hpp"

namespace driftless {

/// No strip has more rows than `width`, some have fewer, and not too many rows would be zero.
bool is_worth_padding(const BlockMatrix& jacobian, int rows, int width);

/// The sparse engine for strips that are filled up to `width` rows each.
std::unique_ptr<SaddleEngine> make_padded_saddle(const BlockMatrix& mass,
                                                 const BlockMatrix& jacobian, int rows, int width,
                                                 RowForm form, const EvenMasses& even);

}  // namespace driftless
