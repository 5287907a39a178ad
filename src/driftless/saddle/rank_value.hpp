#pragma once
// How far a pose is from a singular one, as a figure of a run: σ_r of C = D⁻¹ G L⁻ᵀ, all rows of G at length 1 in the mass
// metric M = L Lᵀ [SAD.2], where r is the rank of the mechanism, decided once, at the start of a run.             [RVA.1]
//
//   σ_1 >= ... >= σ_r >= σ_{r+1} >= ...  of all rows; σ_{r+1} and what follows are 0 but for rounding, drift and the
//   misfit of a drawing: as many as rows are redundant. σ_r is 0 where the pose is singular.
//
// Where M is singular by slender rods, with M̂ [MAS.2] in its place, whichever engine finds it.
//
// It is a function of the pose and the masses alone, and a continuous one, because singular values are (Weyl). Which of
// rows that depend on each other an engine leaves out has no part in it: of the smallest singular value of the rows that
// are kept this cannot be said, it jumps where others are kept, by any factor.
//
// From Cᵀ P = Q R, with R = [R1; R2], R1 of r rows: C has the singular values of R, and                           [RVA.2]
//
//   σ_r(R1)² <= σ_r(R)² <= σ_r(R1)² + |R2|²
//
// R2 is what is redundant. R1ᵀ = Z S with S triangular, and σ_r(R1) is 1/√ of the largest eigenvalue of S⁻¹S⁻ᵀ (Lanczos).
// Where |R2| is not small beside it, as with methods that drift, all singular values of R are found.

#include <optional>

#include "driftless/math/lanczos.hpp"
#include "driftless/math/ordered_qr.hpp"
#include "driftless/saddle/row_inverse.hpp"

namespace driftless {

class RankValue {
 public:
  RankValue(int rows, int steps) : m_(rows), steps_(steps), inverse_(rows, steps) {}

  /// σ_rank of the columns that were factorised; 1 for rank 0. Allocates at the first call only, while the rank stays.
  double find(const OrderedQr& qr, int rank);
  /// Of rows that are all independent, with their triangle at hand.
  double find_of_triangle(const Matrix& triangle, int rank);

 private:
  int m_, steps_;
  RowInverse inverse_;
  std::optional<Lanczos> lanczos_;
  int lanczos_size_ = 0;
  Vector y_;
};

}  // namespace driftless
