#pragma once
// The largest eigenvalue of a symmetric operator A that is known by what it does to vectors, by Lanczos's process:
//
//   A q_k = β_{k-1} q_{k-1} + α_k q_k + β_k q_{k+1},   |q_k| = 1,   T_k = tridiagonal (β, α, β)                  [LAN.1]
//
// θ_k, the largest eigenvalue of T_k, rises to that of A, the faster the further it stands out, and is there when β_k = 0,
// at the latest when k is the size. Vectors are made orthogonal to all that came before, twice: rounding would bring back
// directions that are used up. Power iteration takes hundreds of turns where two eigenvalues are close, and its last digits
// depend on where it gives up.
//
// θ_k is the root beyond θ_{k-1} of the last pivot of T_k - λ, seen as a function of λ:                             [LAN.2]
//
//   d_1 = λ - α_1,   d_i = λ - α_i - β²_{i-1}/d_{i-1},   d_i' = 1 + β²_{i-1} d'_{i-1}/d²_{i-1}
//
// which rises there from -∞ and is concave, so that Newton's method comes from the left and stays there. It starts where the
// root would be if d_{k-1} were straight beyond its own root θ_{k-1}, of slope s:                                 [LAN.3]
//
//   (x + θ_{k-1} - α_k) x = β²_{k-1}/s,   λ = θ_{k-1} + x
//
// which is as good as the root itself once θ has all but settled and the pole is next to it.

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/math/linear.hpp"

namespace driftless {

class Lanczos {
 public:
  static constexpr int kMostSteps = 80;

  explicit Lanczos(int size)
      : size_(size),
        most_(std::min(size, kMostSteps)),
        basis_(Matrix::Zero(size, most_)),
        image_(Vector::Zero(size)),
        direction_(Vector::Zero(size)),
        along_(Vector::Zero(most_)),
        alpha_(Vector::Zero(most_)),
        beta_(Vector::Zero(most_)) {}

  /// apply(x, y): y = A x; A has no negative eigenvalue. To about 12 digits. No allocation.
  template <class Apply>
  double find_largest(Apply&& apply) {
    constexpr double kSettled = 1e-13;
    double theta = 0.0;
    int settled = 0;
    set_first_direction();
    for (int k = 0; k < most_; ++k) {
      basis_.col(k) = direction_;
      apply(direction_, image_);
      alpha_[k] = direction_.dot(image_);
      for (int pass = 0; pass < 2; ++pass) {
        along_.head(k + 1).noalias() = basis_.leftCols(k + 1).transpose() * image_;
        image_.noalias() -= basis_.leftCols(k + 1) * along_.head(k + 1);
      }
      beta_[k] = image_.norm();
      const double before = theta;
      theta = find_root(k, theta);
      if (!std::isfinite(theta)) return std::numeric_limits<double>::infinity();
      settled = theta - before <= kSettled * theta ? settled + 1 : 0;
      if (settled == 2 || !(beta_[k] > kSettled * theta)) break;
      direction_ = image_ / beta_[k];
    }
    return theta;
  }

 private:
  /// Always the same numbers, which no symmetry of a mechanism shares.
  void set_first_direction() {
    unsigned state = 20120516U;
    for (int i = 0; i < size_; ++i) {
      state = state * 1664525U + 1013904223U;
      direction_[i] = 0.5 + static_cast<double>(state >> 8U) / 16777216.0;
      if ((state >> 30U) % 2U != 0) direction_[i] = -direction_[i];
    }
    direction_ /= direction_.norm();
  }

  /// [LAN.2] of T_{k+1}, whose corner T_k has the largest eigenvalue `low`.
  double find_root(int k, double low) const {
    constexpr double kRoundOff = 1e-15;  // of d, as a share of λ
    if (k == 0) return alpha_[0];
    double high = std::max(low, alpha_[k]) + beta_[k - 1];
    const double beyond = find_beyond(k, low);
    if (!(beyond > 10.0 * kRoundOff * low)) return low + beyond;
    double lambda = std::min(low + beyond, high);
    constexpr int kMostTurns = 60;
    for (int turn = 0; turn < kMostTurns; ++turn) {
      double d = lambda - alpha_[0], slope = 1.0;
      for (int i = 1; i <= k; ++i) {
        const double part = beta_[i - 1] / d;
        slope = 1.0 + part * part * slope;
        d = lambda - alpha_[i] - beta_[i - 1] * part;
      }
      if (d > 0.0) {
        high = lambda;
      } else {
        low = lambda;
      }
      double next = lambda - d / slope;
      if (!(next > low && next < high)) next = 0.5 * (low + high);
      if (std::abs(next - lambda) <= kRoundOff * high) return next;
      lambda = next;
    }
    return lambda;
  }

  /// x of [LAN.3].
  double find_beyond(int k, double theta) const {
    double d = theta - alpha_[0], slope = 1.0;
    for (int i = 1; i < k; ++i) {
      const double part = beta_[i - 1] / d;
      slope = 1.0 + part * part * slope;
      d = theta - alpha_[i] - beta_[i - 1] * part;
    }
    const double half = 0.5 * (theta - alpha_[k]);
    const double product = beta_[k - 1] * beta_[k - 1] / slope;
    const double root = std::sqrt(half * half + product);
    return half > 0.0 ? product / (half + root) : root - half;
  }

  int size_, most_;
  Matrix basis_;
  Vector image_, direction_, along_;
  Vector alpha_, beta_;
};

}  // namespace driftless
