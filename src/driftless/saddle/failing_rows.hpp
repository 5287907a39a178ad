#pragma once
// How many directions a pose leaves out, counted row by row. For dense.cpp.
//
// Near the singular pose of a ladder of N loops every loop has a small own part δ, and the singular values are those of a
// chain: from δ/N of long waves, in which neighbours hardly differ, up to δ. Compared with the tolerance one by one, long
// waves would be left out where no loop is near singular, a few of them in one stage of a step and all of them in the
// next. What a loop is held by, however, is its own part. So directions are left out whose singular value is below the
// tolerance, but at most as many as rows fail.
//
// Let Y be the rows of which enough is their own to be beyond doubt, X the others, X = B Y + X' with X' across Y. Alone
// with Y, row i of X makes the singular value |x'_i|/(1 + |b_i|²)^½: the part b_i of the other rows that meet in its loop
// counts, whichever of these comes last. So, in the order of the rows, with p_i for what of x'_i those rows of X do not
// span that come before it and have passed,
//
//   row i fails if p_i < tolerance (1 + |b_i|²)^½                                                               [FRW.1]
//
// From Cᵀ P = Q R with the rows of Y first: R = [R_Y R_X; 0 R_X'], B = (R_Y⁻¹ R_X)ᵀ, and the columns of R_X' are X'.

#include <vector>

#include "driftless/math/ordered_qr.hpp"

namespace driftless {

class FailingRows {
 public:
  FailingRows(int rows, int steps);

  /// Of all rows, redundant ones among them; the first `certain` ones of the factorisation are Y. No allocation.
  int count(const OrderedQr& qr, int certain, double tolerance);

 private:
  /// (1 + |b|²)^½ of the row that stands at `column`.
  double find_spread(const OrderedQr& qr, int column, int certain);

  int m_, steps_;
  std::vector<int> waiting_;  // columns of X, in the order of the rows
  Matrix passed_;             // of rows that have passed: orthonormal columns that span their X'
  Vector rest_, along_;
};

}  // namespace driftless
