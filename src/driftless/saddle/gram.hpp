#pragma once
// C Cᵀ = Rᵀ R for a few rows of which each has a large part of its own. Of C = D⁻¹ G L⁻ᵀ the rows stand in columns.
//
// The pivots r_kk are the own parts of the rows, as those of a QR of Cᵀ in the same order; R is that of the QR but for signs.
// Squaring costs 1/r_kk² of the digits, so that a row of which less than a third is its own is left to the QR; for the others
// this takes a third of its time.

#include <cmath>

#include "driftless/math/kernels.hpp"

namespace driftless {

class GramFactor {
 public:
  static constexpr int kMostRows = 12;

  /// Of one row at least.
  explicit GramFactor(int rows)
      : m_(rows), triangle_(Matrix::Zero(rows, rows)), inverse_pivot_(Vector::Zero(rows)) {}

  /// False: some row is not enough its own. `rows`: one column of length n each, all of length 1.
  bool factorize(const double* rows, int n) {
    constexpr double kEnough = 0.1;  // of a row, squared
    smallest_ = 1.0;
    triangle_(0, 0) = inverse_pivot_[0] = 1.0;  // the first row is its own
    for (int j = 1; j < m_; ++j) {
      const double* const row = rows + j * n;
      double* const column = triangle_.data() + j * m_;
      for (int i = 0; i < j; ++i) {
        const double product = kernels::calc_dot(rows + i * n, row, n);
        const double before = kernels::calc_dot(triangle_.data() + i * m_, column, i);
        column[i] = (product - before) * inverse_pivot_[i];
      }
      const double pivot = 1.0 - kernels::calc_dot(column, column, j);
      if (!(pivot > kEnough)) return false;
      smallest_ = std::min(smallest_, pivot);
      column[j] = std::sqrt(pivot);
      inverse_pivot_[j] = 1.0 / column[j];
    }
    return true;
  }

  /// y := (C Cᵀ)⁻¹ y
  void solve(double* y) const {
    for (int j = 0; j < m_; ++j)
      y[j] = (y[j] - kernels::calc_dot(triangle_.data() + j * m_, y, j)) * inverse_pivot_[j];
    for (int j = m_ - 1; j >= 0; --j) {
      y[j] *= inverse_pivot_[j];
      add_scaled(-y[j], triangle_.data() + j * m_, y, static_cast<std::size_t>(j));
    }
  }

  const Matrix& triangle() const { return triangle_; }
  double smallest_pivot() const { return std::sqrt(smallest_); }

 private:
  int m_;
  Matrix triangle_;  // R
  Vector inverse_pivot_;
  double smallest_ = 1.0;  // squared
};

}  // namespace driftless
