#pragma once
// Columns of small blocks. A pair of rows, the strip of a joint in the plane, is one register: written and read whole, since
// a pair that is read where its halves were just written one by one waits for memory, and in a chain of strips
// everything waits for that.

#include <cstring>

namespace driftless {

/// A size that is known when compiling, or not (0).
template <int N>
struct Size {
  explicit Size(int) {}
  constexpr operator int() const { return N; }  // NOLINT(google-explicit-constructor)
};
template <>
struct Size<0> {
  explicit Size(int value) : n(value) {}
  operator int() const { return n; }  // NOLINT(google-explicit-constructor)
  int n;
};

/// The most rows of a strip that the sparse engine takes.
inline constexpr int kLargestStrip = 8;
template <int R>
inline constexpr int kStripRoom = R > 0 ? R : kLargestStrip;

template <int R>
struct Column {
  double x[kStripRoom<R>];

  static Column zero(const Size<R>& rows) {
    Column c;
    for (int i = 0; i < rows; ++i) c.x[i] = 0.0;
    return c;
  }
  static Column load(const double* from, const Size<R>& rows) {
    Column c;
    for (int i = 0; i < rows; ++i) c.x[i] = from[i];
    return c;
  }
  void store(double* to, const Size<R>& rows) const {
    for (int i = 0; i < rows; ++i) to[i] = x[i];
  }
  void add(const Column& other, double factor, const Size<R>& rows) {
    for (int i = 0; i < rows; ++i) x[i] += other.x[i] * factor;
  }
  void add(const Column& other, const Size<R>& rows) {
    for (int i = 0; i < rows; ++i) x[i] += other.x[i];
  }
  /// -= blockᵀ in, the block having `in_rows` rows and as many columns as this has rows.
  void subtract_transposed(const double* block, const Column& in, const Size<R>& in_rows,
                           const Size<R>& rows) {
    for (int j = 0; j < rows; ++j) {
      for (int i = 0; i < in_rows; ++i) x[j] -= block[j * in_rows + i] * in.x[i];
    }
  }
};

template <>
struct Column<2> {
  using Pair = double __attribute__((vector_size(16)));
  Pair x;

  static Column zero(const Size<2>& /*rows*/) { return {Pair{0.0, 0.0}}; }
  static Column load(const double* from, const Size<2>& /*rows*/) {
    Column c;
    std::memcpy(&c.x, from, sizeof(Pair));
    return c;
  }
  void store(double* to, const Size<2>& /*rows*/) const { std::memcpy(to, &x, sizeof(Pair)); }
  void add(const Column& other, double factor, const Size<2>& /*rows*/) { x += other.x * factor; }
  void add(const Column& other, const Size<2>& /*rows*/) { x += other.x; }
  void subtract_transposed(const double* block, const Column& in, const Size<2>& rows,
                           const Size<2>& /*rows*/) {
    const Pair first = load(block, rows).x * in.x;
    const Pair second = load(block + 2, rows).x * in.x;
    x -= Pair{first[0], second[0]} + Pair{first[1], second[1]};
  }
};

}  // namespace driftless
