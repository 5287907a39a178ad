#pragma once
// A few rows that are far from depending on each other, solved with the inverse of C Cᵀ. With M = L Lᵀ and C = G L⁻ᵀ,
//
//   K = C Cᵀ,     y = K⁻¹ (b - C L⁻¹f),     x = M⁻¹f + T y,  T = L⁻ᵀ Cᵀ,     λ = -y                                [SEP.1]
//
// K⁻¹ by Gauss and Jordan's exchange, whose pivots p_k, relative to k_kk, are the own parts of the rows, squared, in their
// order: those of a QR of Cᵀ. Squaring costs k_kk/p_k of the digits, so that a row of which less than a third is its own is
// left to the QR (dense.cpp), which gives the same but for rounding.
//
// What all rows have along one coordinate stands side by side, with zeros up to a multiple of four: of five rows and six
// coordinates a loop over the rows is two registers, and nothing is asked of the loop over the rest. A fifth of the time
// of the same with rows one after the other, whose sums are too short for registers.

#include <vector>

#include "driftless/math/linear.hpp"
#include "driftless/saddle/cholesky.hpp"

namespace driftless {

class SeparateRows {
 public:
  static constexpr int kMostRows = 12;

  /// Of 1 to kMostRows rows.
  SeparateRows(int rows, int rates);

  /// With L of M; G by columns, `stride` apart. False: some row is not enough its own.
  bool factorize(const CholeskyFactor& lower, const double* G, Eigen::Index stride);
  /// [SEP.1]
  void solve(const CholeskyFactor& lower, const double* f, const double* b, double* x,
             double* lambda) const;
  /// How long the rows of `rate` are beside those of G in the mass metric: the largest ratio, squared.
  double find_change(const CholeskyFactor& lower, const double* rate, Eigen::Index stride);

  /// d_i², of a row's length in the mass metric.
  double square(int row) const { return squares_[static_cast<std::size_t>(row)]; }
  double smallest_pivot() const;
  /// R of C Cᵀ = Rᵀ R with rows of length 1.
  void find_triangle(Matrix& R) const;

 private:
  template <int M>
  struct Passes;

  int m_, n_;
  int width_;                 // of a column, padded
  std::vector<double> c_;     // C, by columns
  std::vector<double> k_;     // K⁻¹, likewise
  std::vector<double> t_;     // T, by rows, padded with rows of zeros to a multiple of four
  std::vector<double> rate_;  // of find_change, as C
  std::vector<double> squares_;
  double smallest_ = 1.0;  // p_k/k_kk
};

}  // namespace driftless
