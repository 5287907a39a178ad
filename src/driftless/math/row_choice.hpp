#pragma once
// Which rows of a matrix are needed, and which follow from them.

#include <vector>

#include "driftless/math/linear.hpp"

namespace driftless {

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
