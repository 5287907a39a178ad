#pragma once
// y := P y, P the orthogonal projection onto the range of A: the part of y that A reaches.
//
// A few rows: P = Q₁Q₁ᵀ, Q₁ the first columns of Q in A = Q R, as many as A has rank. By reflections, always with the column
// next of which most is left. That costs the cube of the size.
//
// Many rows, of which each touches a few columns: with columns scaled to length 1, B = A D, and a small ε,
//
//   [ 1   B ] [ r ]   [ y ]       r = (1 + B Bᵀ/ε)⁻¹ y:  of y along a left singular vector of B with the value σ        [RPR.1]
//   [ Bᵀ -ε ] [ z ] = [ 0 ]       ε/(σ² + ε) is left
//
// which is 1 for what B does not reach and next to 0 for what it does. Done k times, the k-th power of it is left: with
// ε = 1e-11 and k = 3 of a direction with σ = 1e-4 a thousandth of a millionth, and of one with σ = 1e-6, as rows have
// that are redundant but for the digits of a drawing, three quarters. Who wants the part that B reaches, such as reactions
// whose forces are to stay, goes on until nothing changes. The matrix is quasi-definite, so that a factorisation exists
// in any order, and as sparse as A. Round-off of z along the null space of B may be 1e-16/ε, and vanishes with B z.
//
// Nothing is allocated after the first matrix.

#include <vector>

#include "driftless/math/block_matrix.hpp"
#include "driftless/math/ordered_qr.hpp"
#include "driftless/math/sparse_lu.hpp"

namespace driftless {

class RangeProjection {
 public:
  /// For matrices with the blocks of this one; with fewer than `sparse_from` rows, or one block, by a basis.
  explicit RangeProjection(const BlockMatrix& pattern, int sparse_from = 80);

  /// `rank`: how many directions the range has; of many rows the matrix itself tells. False: it is not finite.
  bool set(const BlockMatrix& A, int rank);
  /// y := P y with the last matrix.
  void project(VectorRef y);
  /// The part of y that is not reached.
  Vector find_outside(ConstVectorRef y);

 private:
  bool factorize(const BlockMatrix& A);
  void remove_reached(int passes);  // from outside_

  bool is_sparse_;
  Vector outside_;
  // dense
  OrderedQr qr_;
  int reached_ = 0;  // columns of Q that the range has
  // sparse
  SparseLu<double> lu_;
  Vector scale_, right_;
};

}  // namespace driftless
