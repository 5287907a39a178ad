#pragma once
// LU of large sparse systems whose pattern stays: the order of elimination is found once, for the union of all patterns
// so far, and every further factorisation begins with it. Rows are exchanged as the numbers ask. Real or complex.
//
// A matrix is written entry by entry; what occurs twice is added. Entries that were there once and are not written now
// are 0 and keep their place. The factors are Eigen's (SparseLU, COLAMD); they live in the .cpp.

#include <complex>
#include <memory>

#include "driftless/math/linear.hpp"

namespace driftless {

template <class S>
class SparseLu {
 public:
  using VectorS = Eigen::Matrix<S, Eigen::Dynamic, 1>;

  SparseLu();
  ~SparseLu();
  SparseLu(SparseLu&&) noexcept;
  SparseLu& operator=(SparseLu&&) noexcept;

  void resize(Eigen::Index n);
  Eigen::Index size() const;

  /// Begins a new matrix.
  void clear();
  void add(Eigen::Index row, Eigen::Index column, S value);
  /// False: singular, or not finite.
  bool factorize();
  /// A x = b in place.
  void solve(Eigen::Ref<VectorS> x);

  /// How often the order was found: once, unless the pattern grew.
  int analyses() const;
  Eigen::Index entries() const;  ///< of the pattern

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Above this many unknowns Newton's matrices are sparse; bench/newton.cpp tells what both cost.
inline constexpr Eigen::Index kSparseFrom = 150;

}  // namespace driftless
