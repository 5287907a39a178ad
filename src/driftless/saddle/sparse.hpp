#pragma once

#include "driftless/math/block_matrix.hpp"

namespace driftless {

/// A block of mass per body, and short strips of rows whose blocks each lie in the columns of one body.
bool fits_sparse_engine(const BlockMatrix& mass, const BlockMatrix& jacobian);

}  // namespace driftless
