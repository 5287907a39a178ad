#pragma once
// Columns of small blocks. A pair of rows, the strip of a joint in the plane, is one register: written and read whole, since
// a pair that is read where its halves were just written one by one waits for memory, and in a chain of strips
// everything waits for that. Five rows, the strip of a hinge in space, are a register of four and one number.

#include <cstring>
#include <utility>

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

/// use(0), use(1), ... as constants if their number is one, so that columns counted by them stay in registers.
template <int N, class Use>
inline void for_each(const Size<N>& size, Use&& use) {
  if constexpr (N > 0) {
    [&]<int... I>(std::integer_sequence<int, I...>) {
      (use(std::integral_constant<int, I>()), ...);
    }
    (std::make_integer_sequence<int, N>());
  } else {
    for (int i = 0; i < size; ++i) use(i);
  }
}

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
    c.set(place, value);
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
  /// Row by row a b, times a factor.
  void add_product(const Column& a, const Column& b, double factor, const Size<R>& rows) {
    for (int i = 0; i < rows; ++i) x[i] += a.x[i] * b.x[i] * factor;
  }
  double at(int i) const { return x[i]; }
  void set(int i, double value) { x[i] = value; }
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
  void add_product(const Column& a, const Column& b, double factor, const Size<2>& /*rows*/) {
    x += a.x * b.x * factor;
  }
  double at(int i) const { return x[i]; }
  void set(int i, double value) { x[i] = value; }
};

template <>
struct Column<5> {
  using Four = double __attribute__((vector_size(32)));
  Four x;
  double last;

  static Column zero(const Size<5>& /*rows*/) { return {Four{0.0, 0.0, 0.0, 0.0}, 0.0}; }
  static Column unit(int place, double value, const Size<5>& rows) {
    Column c = zero(rows);
    c.set(place, value);
    return c;
  }
  static Column product(const Column& other, double factor, const Size<5>& /*rows*/) {
    return {other.x * factor, other.last * factor};
  }
  static Column load(const double* from, const Size<5>& /*rows*/) {
    Column c;
    std::memcpy(&c.x, from, sizeof(Four));
    c.last = from[4];
    return c;
  }
  void store(double* to, const Size<5>& /*rows*/) const {
    std::memcpy(to, &x, sizeof(Four));
    to[4] = last;
  }
  void add(const Column& other, double factor, const Size<5>& /*rows*/) {
    x += other.x * factor;
    last += other.last * factor;
  }
  void subtract(const Column& other, double factor, const Size<5>& /*rows*/) {
    x -= other.x * factor;
    last -= other.last * factor;
  }
  void add_product(const Column& a, const Column& b, double factor, const Size<5>& /*rows*/) {
    x += a.x * b.x * factor;
    last += a.last * b.last * factor;
  }
  double at(int i) const { return i == 4 ? last : x[i]; }
  void set(int i, double value) {
    if (i == 4) {
      last = value;
    } else {
      x[i] = value;
    }
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
