#pragma once

#include "driftless/saddle/saddle.hpp"

namespace driftless {

inline constexpr int kFewRates = 1000;  ///< of more, the dense engine's M alone is too large

/// A block of mass per body, and short strips of rows whose blocks each lie in the columns of one body.
bool fits_sparse_engine(const BlockMatrix& mass, const BlockMatrix& jacobian);

/// For masses and rows that fit.
std::unique_ptr<SaddleEngine> make_sparse_saddle(const BlockMatrix& mass,
                                                 const BlockMatrix& jacobian, int rows,
                                                 RowForm form, const EvenMasses& even);

}  // namespace driftless
