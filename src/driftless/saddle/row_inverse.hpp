#pragma once
// X⁺ of a matrix X = Rᵀ (rows x rank, zeros right of the diagonal) whose rows are those of constraints, of length 1:
//
//   redundant      X = Z S, Z orthonormal, S triangular:  X⁺ = S⁻¹ Zᵀ
//   near-singular  X = U Σ Vᵀ by one-sided Jacobi; singular values below a tolerance are left out
//
// For dense.cpp, whose [DEN.2] this is a part of.

#include "driftless/math/linear.hpp"
#include "driftless/math/ordered_qr.hpp"

namespace driftless {

class RowInverse {
 public:
  /// rank <= steps <= rows
  RowInverse(int rows, int steps);

  /// Takes X from R, without the part that is zero. One of the next two comes after it.
  void set(const OrderedQr& qr, int rank);
  void factorize_redundant();
  /// All directions stay.
  void factorize_singular();

  /// Of the directions below the tolerance at most as many, smallest first.
  void leave_out_smallest(int most, double tolerance);
  void leave_out_nothing();
  int left_out() const { return left_out_; }
  /// Of singular values; if some are.
  double largest_left_out() const { return largest_left_out_; }
  /// Behind factorize_singular: the largest one has number 0.
  double find_singular_value(int number);

  /// U of the directions that stay, as columns of a matrix with the rows of X; returns their number.
  int copy_directions(MatrixRef to) const;
  /// [DEN.4]: as directions, of X as it was set, the columns of `left` instead. Destroys them. With the largest singular
  /// value of what these leave out.
  void keep_directions(MatrixRef left, double largest_left_out);

  /// y = X⁺ c, z = -X⁺ᵀ y. Destroys c.
  void solve(Vector& c, Vector& y, Vector& z);

  /// S, on and above the diagonal.
  const Matrix& triangle() const { return x_; }

 private:
  void solve_redundant(Vector& c, Vector& y, Vector& z) const;
  void solve_singular(const Vector& c, Vector& y, Vector& z);

  int m_;
  int rank_ = 0;
  bool is_singular_ = false;
  int left_out_ = 0;
  double largest_left_out_ = 0.0;
  Matrix x_;              // X; then Z and S; or U Σ
  Matrix v_;              // V
  Vector householder_;    // coefficients of Z
  Vector sigma_inverse_;  // 0: left out
  Vector work_;
  Matrix reduced_, turn_;  // [DEN.4]: A and V
};

}  // namespace driftless
