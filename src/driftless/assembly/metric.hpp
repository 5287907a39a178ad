#pragma once
// The mass metric outside of the step loop, and which rows of a matrix are needed.

#include <vector>

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

/// Which rows of A say something new: in their order, the first one of which enough stands out from the span of those
/// taken before; if there is none, the one that stands out most. So of rows that say the same the later ones are left
/// over, and rows that stand out little are decided last. Left over are those whose part outside is below `tolerance`, or
/// those beyond a number that is known.
struct RowChoice {
  std::vector<Eigen::Index> needed;
  std::vector<double> own_parts;        ///< of the needed ones: what stood out, 1 at most
  std::vector<Eigen::Index> redundant;  ///< ascending
};
RowChoice choose_rows(ConstMatrixRef normalized_rows, double tolerance);
RowChoice choose_some_rows(ConstMatrixRef normalized_rows, int count);

/// Redundant rows as combinations of the needed ones, one column c each.
Matrix find_combinations(ConstMatrixRef normalized_rows, const RowChoice& choice,
                         const std::vector<Eigen::Index>& redundant);
/// Row `redundant` as such a combination: c with A_redundant = Σ c_k A_k, 0 where k is not needed or has
/// no share in it.
Vector find_combination(ConstMatrixRef normalized_rows, const RowChoice& choice,
                        Eigen::Index redundant);

}  // namespace driftless
