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
  /// value at `place`, else 0
  static Column unit(int place, double value, const Size<R>& rows) {
    Column c = zero(rows);
    c.x[place] = value;
    return c;
  }
  static Column product(const Column& other, double factor, const Size<R>& rows) {
    Column c;
    for (int i = 0; i < rows; ++i) c.x[i] = other.x[i] * factor;
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
  void subtract(const Column& other, double factor, const Size<R>& rows) {
    for (int i = 0; i < rows; ++i) x[i] -= other.x[i] * factor;
  }
};

template <>
struct Column<2> {
  using Pair = double __attribute__((vector_size(16)));
  Pair x;

  static Column zero(const Size<2>& /*rows*/) { return {Pair{0.0, 0.0}}; }
  static Column unit(int place, double value, const Size<2>& /*rows*/) {
    return {place == 0 ? Pair{value, 0.0} : Pair{0.0, value}};
  }
  static Column product(const Column& other, double factor, const Size<2>& /*rows*/) {
    return {other.x * factor};
  }
  static Column load(const double* from, const Size<2>& /*rows*/) {
    Column c;
    std::memcpy(&c.x, from, sizeof(Pair));
    return c;
  }
  void store(double* to, const Size<2>& /*rows*/) const { std::memcpy(to, &x, sizeof(Pair)); }
  void add(const Column& other, double factor, const Size<2>& /*rows*/) { x += other.x * factor; }
  void subtract(const Column& other, double factor, const Size<2>& /*rows*/) {
    x -= other.x * factor;
  }
};

/// The columns of a block that is read several times: in registers if they fit there.
template <int R>
struct Columns {
  const double* from;
  Size<R> rows;

  Column<R> operator[](int j) const { return Column<R>::load(from + j * rows, rows); }
};
template <>
struct Columns<2> {
  Column<2> first, second;

  Columns(const double* from, const Size<2>& rows)
      : first(Column<2>::load(from, rows)), second(Column<2>::load(from + 2, rows)) {}
  const Column<2>& operator[](int j) const { return j == 0 ? first : second; }
};

}  // namespace driftless
