#pragma once
// Singular values by one-sided Jacobi rotations: slower than a bidiagonalisation, but accurate to the last digit also for
// the small ones, and free of allocations.

#include "driftless/math/linear.hpp"

namespace driftless {

/// X = U Σ Vᵀ: columns of X are rotated until they are orthogonal. X becomes U Σ. V has as many columns as X; without
/// rows it is not computed.
void orthogonalize_columns(MatrixRef X, MatrixRef V);

}  // namespace driftless
