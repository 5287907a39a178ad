#pragma once

#include <cstring>

#include "driftless/math/linear.hpp"

namespace driftless {

/// Watches whether all numbers that pass by are finite. x·0 is 0 for these alone; two sums that do not wait for each other,
/// no branch.
class FiniteWatch {
 public:
  void look(const double* x, Eigen::Index n) { pass<false>(x, n, nullptr); }
  void look(ConstVectorRef x) { look(x.data(), x.size()); }
  /// Looks at them on their way.
  void copy(const double* from, Eigen::Index n, double* to) { pass<true>(from, n, to); }

  bool is_finite() const { return (a_[0] + b_[0]) + (a_[1] + b_[1]) == 0.0; }

 private:
  using Pair = double __attribute__((vector_size(16)));

  /// `to` is null unless numbers are copied.
  template <bool kCopy>
  static Pair load(const double* x, [[maybe_unused]] double* to, Eigen::Index k) {
    Pair pair;
    std::memcpy(&pair, x + k, sizeof pair);
    if constexpr (kCopy) std::memcpy(to + k, &pair, sizeof pair);
    return pair;
  }
  template <bool kCopy>
  void pass(const double* x, Eigen::Index n, [[maybe_unused]] double* to) {
    constexpr Eigen::Index kPiece = 4;
    if (n < kPiece) {
      for (Eigen::Index k = 0; k < n; ++k) {
        a_[0] += 0.0 * x[k];
        if constexpr (kCopy) to[k] = x[k];
      }
      return;
    }
    const auto pass_piece = [&](Eigen::Index k) {
      a_ += 0.0 * load<kCopy>(x, to, k);
      b_ += 0.0 * load<kCopy>(x, to, k + 2);
    };
    for (Eigen::Index k = 0; k + kPiece < n; k += kPiece) pass_piece(k);
    pass_piece(n - kPiece);  // some of these for the second time
  }

  Pair a_{}, b_{};
};

inline bool is_all_finite(const double* x, Eigen::Index n) {
  FiniteWatch watch;
  watch.look(x, n);
  return watch.is_finite();
}

}  // namespace driftless
