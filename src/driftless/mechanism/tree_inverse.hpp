#pragma once
// Inverses of the few rows and columns that one joint has, and what of their pivots is inertia and what rounding. For tree_*.hpp.

#include <algorithm>
#include <cmath>

#include "driftless/mechanism/tree_math.hpp"

namespace driftless::tree_passes {

/// A pivot below this part of the terms that it is left of is no inertia but rounding. Of an axis these are the products of
/// zᵀA z and what joints further out have removed of A, not the largest of A: out of its plane a chain on parallel axes is
/// rigid, and after 10⁵ links its inertia there is 10¹⁴ times that of a link about its own axis.
inline constexpr double kLostPivot = 1e-13;
/// A pivot above this part of the largest entry needs no second look.
inline constexpr double kSafePivot = 1e-9;

/// Σ |z_i s_ij z_j|
inline double find_size(const Symmetric3& s, const Vector3& z) {
  const double x = std::abs(z.x), y = std::abs(z.y), w = std::abs(z.z);
  return x * x * std::abs(s.xx) + y * y * std::abs(s.yy) + w * w * std::abs(s.zz) +
         2.0 * (x * y * std::abs(s.xy) + x * w * std::abs(s.xz) + y * w * std::abs(s.yz));
}

/// The inverse of a symmetric matrix, both full and n x n, by LDLᵀ in the order of the rows; pivots that are lost give
/// zero rows. Returns their number.
template <int n>
int invert(const double* matrix, double* inverse) {
  double l[n][n] = {};
  double d[n];  // 1/pivot
  int lost = 0;
  for (int i = 0; i < n; ++i) {
    double pivot = matrix[i * n + i];
    for (int k = 0; k < i; ++k) pivot -= d[k] == 0.0 ? 0.0 : l[i][k] * l[i][k] / d[k];
    const bool is_lost = !(pivot > kLostPivot * matrix[i * n + i]);
    lost += int{is_lost};
    d[i] = is_lost ? 0.0 : 1.0 / pivot;
    for (int j = i + 1; j < n; ++j) {
      double sum = matrix[j * n + i];
      for (int k = 0; k < i; ++k) sum -= d[k] == 0.0 ? 0.0 : l[j][k] * l[i][k] / d[k];
      l[j][i] = sum * d[i];
    }
  }
  for (int column = 0; column < n; ++column) {
    double x[n];
    for (int i = 0; i < n; ++i) {
      x[i] = i == column ? 1.0 : 0.0;
      for (int k = 0; k < i; ++k) x[i] -= l[i][k] * x[k];
    }
    for (int i = n - 1; i >= 0; --i) {
      x[i] *= d[i];
      for (int k = i + 1; k < n; ++k) x[i] -= l[k][i] * x[k];
      inverse[i * n + column] = x[i];
    }
  }
  return lost;
}

/// The inverse of a symmetric 3 x 3 matrix by cofactors, if all its pivots are well above rounding.
inline bool invert(const Symmetric3& s, Symmetric3& inverse) {
  const double xx = s.yy * s.zz - s.yz * s.yz;
  const double xy = s.xz * s.yz - s.xy * s.zz;
  const double xz = s.xy * s.yz - s.xz * s.yy;
  const double determinant = s.xx * xx + s.xy * xy + s.xz * xz;
  // each pivot of LDLᵀ is at most the largest entry, so the determinant is small if one of them is
  const double largest = std::max({s.xx, s.yy, s.zz});
  if (!(determinant > 1e-9 * largest * largest * largest)) return false;
  const double d = 1.0 / determinant;
  inverse = {d * xx,
             d * xy,
             d * xz,
             d * (s.xx * s.zz - s.xz * s.xz),
             d * (s.xy * s.xz - s.xx * s.yz),
             d * (s.xx * s.yy - s.xy * s.xy)};
  return true;
}

/// How many directions of a symmetric 3 x 3 matrix are rounding beside its largest entry. Eliminated with the largest pivot
/// first: behind a small one, as that of a rod which is nearly along an axis, rounding of another passes for inertia.
inline int count_lost(const Symmetric3& s) {
  double left[3][3] = {{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}};
  bool is_done[3] = {};
  const double least = kLostPivot * std::max({s.xx, s.yy, s.zz});
  for (int step = 0; step < 3; ++step) {
    int largest = -1;
    for (int i = 0; i < 3; ++i)
      if (!is_done[i] && (largest < 0 || left[i][i] > left[largest][largest])) largest = i;
    const double pivot = left[largest][largest];
    if (!(pivot > least)) return 3 - step;
    is_done[largest] = true;
    for (int i = 0; i < 3; ++i) {
      if (is_done[i]) continue;
      const double part = left[i][largest] / pivot;
      for (int j = 0; j < 3; ++j) left[i][j] -= part * left[largest][j];
    }
  }
  return 0;
}

/// D⁻¹ of a ball joint where cofactors will not do. Returns the number of lost directions.
inline int invert_carefully(const Symmetric3& s, Symmetric3& inverse) {
  const double full[9] = {s.xx, s.xy, s.xz, s.xy, s.yy, s.yz, s.xz, s.yz, s.zz};
  double out[9];
  const int lost = invert<3>(full, out);
  inverse = {out[0], out[1], out[2], out[4], out[5], out[8]};
  return std::max(lost, count_lost(s));
}

}  // namespace driftless::tree_passes
