#pragma once
// Which rates follow from the others, and by which rows (Park, Yoo, Hwang 2000, eq. 11; Wehage and Haug 1982).
//
//   G w = [ G_d  G_i ] (w_d, w_i),   G_d square and regular: it takes the kept rows and the dependent rates     [PRT.1]
//
// G_d is found by elimination with full row and column pivoting. So that the choice depends on no unit, columns are
// measured in the mass metric, w_j M_jj^½, and rows by their length in it. What is left of a row when the pivots fall
// below the rank tolerance says nothing new: it is set aside, and so is its reaction.
// Position rows are eliminated first: the first `position_rank()` rows and rates of the choice serve the position
// analysis, all of them the velocity analysis, where nonholonomic rows join.
//
// The measure of a choice is how fast the dependent rates are for the independent ones, the largest entry of
// G_d⁻¹ G_i in that metric: about 1 after full pivoting, unbounded where the choice fails.                      [PRT.2]

#include <vector>

#include "driftless/math/linear.hpp"
#include "driftless/math/lu.hpp"

namespace driftless {

class CoordinatePartition {
 public:
  CoordinatePartition(int position_rows, int rows, int rates);

  /// [PRT.1] with the masses on the diagonal of M.
  /// `shares` of the rows (BlockMatrix::find_share); empty: all are 1. `preferred` rows, per row, are kept unless others
  /// are kPreference times better; empty: none is.
  void choose(ConstMatrixRef jacobian, ConstMatrixRef mass, double rank_tolerance,
              const Vector& shares = {}, const std::vector<bool>& preferred = {});
  bool is_chosen() const { return chosen_; }

  /// LU of G_d for the position rows alone, or for all. False: singular.
  bool factorize_position(ConstMatrixRef jacobian) { return factorize(jacobian, position_rank_); }
  bool factorize(ConstMatrixRef jacobian) { return factorize(jacobian, rank()); }

  /// With the last factorisation, for as many rows as it has: change.dependent = G_d⁻¹ (right.kept), change.independent = 0.
  void solve(ConstVectorRef right, VectorRef change);
  /// G_dᵀ λ.kept = force.dependent; λ = 0 in the rows set aside (Park, Yoo, Hwang, eq. 24).
  void solve_reactions(ConstVectorRef force, VectorRef lambda);
  /// The partial velocity matrix B (rates x independent): w = B w_i for all w with G w = 0 (eq. 18). Needs `factorize`.
  void find_partial_velocities(ConstMatrixRef jacobian, Matrix& B);
  /// [PRT.2] of such a B.
  double find_condition(const Matrix& B, ConstMatrixRef mass) const;

  int rank() const { return static_cast<int>(dependent_.size()); }
  int position_rank() const { return position_rank_; }
  const std::vector<int>& kept() const { return kept_; }
  /// What each row was multiplied by.
  const Vector& row_scales() const { return scales_; }
  const std::vector<int>& dependent() const { return dependent_; }
  const std::vector<int>& independent() const { return independent_; }

 private:
  bool factorize(ConstMatrixRef jacobian, int count);
  void eliminate(int first_row, int last_row, double rank_tolerance,
                 const std::vector<bool>& preferred);

  int position_rows_, rows_, rates_;
  int position_rank_ = 0;
  bool chosen_ = false;
  std::vector<int> kept_, dependent_, independent_;
  Matrix work_;  // (rows x rates) scaled, being eliminated
  Vector scales_;
  std::vector<bool> row_used_, rate_used_;
  Matrix square_;  // G_d
  DenseLu lu_;
  Vector right_;
};

}  // namespace driftless
