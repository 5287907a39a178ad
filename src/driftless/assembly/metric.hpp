#pragma once
// The mass metric outside of the step loop.

#include "driftless/math/linear.hpp"

namespace driftless {

/// diag(M)^(-1/2), with 1 where a diagonal entry is not positive.
Vector find_diagonal_scale(ConstMatrixRef mass);

/// U with U Uᵀ = M⁻¹, so that the least change in the metric of M is delta = U y with y of least
/// norm. If M is not positive definite, motions without inertia count as if they had a thousandth of that of the
/// coordinates that take part in them, or 1 if these have none.
Matrix make_mass_scaling(ConstMatrixRef mass);

/// All eigenvalues of D^(-1/2) M D^(-1/2), D = diag(M), exceed 1e-12: definite whatever the units
/// are.
bool is_positive_definite(ConstMatrixRef matrix);

/// The rows divided by their norms; zero rows stay. `norms` receives the norms, 1 for zero rows.
Matrix normalize_rows(ConstMatrixRef matrix, Vector& norms);
/// Of rows of which only this share is left [DRW.6]: to the length of the share.
Matrix normalize_rows(ConstMatrixRef matrix, const Vector& shares, Vector& norms);

}  // namespace driftless
