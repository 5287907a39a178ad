#pragma once
// Householder's QR of a matrix by columns, Cᵀ P = Q R, in the order of the columns but with nearly dependent ones put last.
// The pivots |r_kk| are the own parts of the columns: what of each the ones before it do not span.

#include <vector>

#include "driftless/math/linear.hpp"

namespace driftless {

class OrderedQr {
 public:
  OrderedQr(int rows, int columns);

  /// Before factorize: where column k is to be written; after it: R above and on the diagonal, of Q what stands below.
  double* column(int k) { return values_.data() + k * n_; }
  Matrix& values() { return values_; }
  const Matrix& values() const { return values_; }

  /// A column of which this much is left may come next.
  void factorize(double enough);

  /// min(rows, columns)
  int steps() const { return steps_; }
  double pivot(int k) const { return values_(k, k); }
  double inverse_pivot(int k) const { return inverse_pivot_[k]; }
  /// Where the column that stands at k was written.
  int place(int k) const { return permutation_[static_cast<std::size_t>(k)]; }

  /// x := Qᵀ x
  void apply_transposed(double* x);
  /// x := Q x
  void apply(double* x);

 private:
  int find_next_column(int k, double enough);
  void make_reflection(int k);

  int n_, m_, steps_;
  Matrix values_;
  Vector householder_;  // coefficients of Q
  Vector inverse_pivot_;
  std::vector<int> permutation_;
};

}  // namespace driftless
