#pragma once
// The functions behind rotation_charts.hpp, templated on their scalar: quaternions of charts and what turns them.

#include <array>
#include <cmath>
#include <utility>

#include "driftless/formulations/rotation_charts.hpp"
#include "driftless/math/dual.hpp"

namespace driftless::rotation_maps {

/// a∘b
template <class S, class T>
std::array<S, 4> multiply(const std::array<T, 4>& a, const std::array<S, 4>& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
          a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
          a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

inline std::array<double, 4> conjugate(const double* p) { return {p[0], -p[1], -p[2], -p[3]}; }

/// Axes of the elementary turns.
inline constexpr int kSequences[2][3] = {{2, 0, 2}, {0, 1, 2}};

template <class S>
std::array<S, 4> make_turn(int axis, const S& angle) {
  using std::cos;
  using std::sin;
  std::array<S, 4> p{S(0.0), S(0.0), S(0.0), S(0.0)};
  const S half = 0.5 * angle;
  p[0] = cos(half);
  p[static_cast<std::size_t>(axis) + 1] = sin(half);
  return p;
}

/// [ROT.2]
template <class S>
std::array<S, 4> find_euler(int sequence, const S* z) {
  const int* axes = kSequences[sequence];
  return multiply(multiply(make_turn(axes[0], z[0]), make_turn(axes[1], z[1])),
                  make_turn(axes[2], z[2]));
}

/// exp(z/2): cos(√s/2) and sin(√s/2)/√s are power series in s = z·z, which are smooth at 0. Good up to two turns.
template <class S>
std::array<S, 4> find_exponential(const S* z) {
  constexpr int kTerms = 20;
  const S s = z[0] * z[0] + z[1] * z[1] + z[2] * z[2];
  S cosine(1.0);
  S ratio(0.5);
  S term(1.0);  // (-s/4)^k/(2k)!
  for (int k = 1; k < kTerms; ++k) {
    term = term * s * (-0.25 / ((2.0 * k - 1.0) * (2.0 * k)));
    cosine = cosine + term;
    ratio = ratio + term * (0.5 / (2.0 * k + 1.0));
  }
  return {cosine, ratio * z[0], ratio * z[1], ratio * z[2]};
}

/// In place, by Gauss and Jordan with row pivoting; n <= 5. False: singular.
template <class S>
bool invert(S* m, int n) {
  S work[5][10];
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) work[i][j] = m[i * n + j];
    for (int j = 0; j < n; ++j) work[i][n + j] = S(i == j ? 1.0 : 0.0);
  }
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(work[i][k]) > std::abs(work[pivot][k])) pivot = i;
    if (!(std::abs(work[pivot][k]) > 0.0)) return false;
    std::swap(work[k], work[pivot]);
    const S inverse = S(1.0) / work[k][k];
    for (int j = 0; j < 2 * n; ++j) work[k][j] *= inverse;
    for (int i = 0; i < n; ++i) {
      if (i == k) continue;
      const S factor = work[i][k];
      for (int j = 0; j < 2 * n; ++j) work[i][j] -= factor * work[k][j];
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) m[i * n + j] = work[i][n + j];
  }
  return true;
}

template <class S>
std::array<S, 4> find_chart(Rotations kind, int sequence, const S* z) {
  return kind == Rotations::euler ? find_euler(sequence, z) : find_exponential(z);
}

/// ω = 2 vec(p*∘p'), with one derivative in each of the three directions: A, row by row.
template <class S>
void find_tangent(Rotations kind, int sequence, const S* z, S* A) {
  using D = Dual<S, 3>;
  D moved[3];
  for (int k = 0; k < 3; ++k) {
    moved[k].value = z[k];
    moved[k].d[static_cast<std::size_t>(k)] = S(1.0);
  }
  const std::array<D, 4> p = find_chart(kind, sequence, moved);
  const std::array<S, 4> inverse{p[0].value, -p[1].value, -p[2].value, -p[3].value};
  for (std::size_t j = 0; j < 3; ++j) {
    const std::array<S, 4> w =
        multiply(inverse, std::array<S, 4>{p[0].d[j], p[1].d[j], p[2].d[j], p[3].d[j]});
    for (std::size_t i = 0; i < 3; ++i) A[i * 3 + j] = 2.0 * w[i + 1];
  }
}

/// A of a quaternion, ω = 2 vec(p*∘p')/|p|², which does not feel the length of p.
template <class S>
void find_quaternion_tangent(const S* p, S* A) {
  const S scale = 2.0 / (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
  const S row[3][4] = {
      {-p[1], p[0], p[3], -p[2]}, {-p[2], -p[3], p[0], p[1]}, {-p[3], p[2], -p[1], p[0]}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j) A[i * 4 + j] = scale * row[i][j];
}

}  // namespace driftless::rotation_maps
