#pragma once
// Numbers that carry derivatives, for functions templated on their scalar.
//
//   Dual<S, N>: a value and its derivatives in N directions; f(x + ε d) = f(x) + ε f'(x) d. S is double, or again a Dual:
//               the derivative of derivatives.
//   Jet:        value, first and second derivative along one line; (f g)'' = f'' g + 2 f' g' + f g''.
//
// Both know + - * / and the handful of functions that geometry needs. Comparisons are left out on purpose: a branch on a
// value has no derivative.

#include <array>
#include <cmath>

namespace driftless {

template <class S, int N>
struct Dual {
  S value{};
  std::array<S, N> d{};

  Dual() = default;
  Dual(double number) : value(number) {}  // NOLINT(google-explicit-constructor): numbers mix freely

  /// f(*this), given f and f' there.
  Dual chain(const S& f, const S& slope) const {
    Dual result;
    result.value = f;
    for (int i = 0; i < N; ++i) result.d[i] = slope * d[i];
    return result;
  }
};

template <class S, int N>
Dual<S, N> operator-(const Dual<S, N>& a) {
  Dual<S, N> result;
  result.value = -a.value;
  for (int i = 0; i < N; ++i) result.d[i] = -a.d[i];
  return result;
}
template <class S, int N>
Dual<S, N> operator+(const Dual<S, N>& a, const Dual<S, N>& b) {
  Dual<S, N> result;
  result.value = a.value + b.value;
  for (int i = 0; i < N; ++i) result.d[i] = a.d[i] + b.d[i];
  return result;
}
template <class S, int N>
Dual<S, N> operator-(const Dual<S, N>& a, const Dual<S, N>& b) {
  Dual<S, N> result;
  result.value = a.value - b.value;
  for (int i = 0; i < N; ++i) result.d[i] = a.d[i] - b.d[i];
  return result;
}
template <class S, int N>
Dual<S, N> operator*(const Dual<S, N>& a, const Dual<S, N>& b) {
  Dual<S, N> result;
  result.value = a.value * b.value;
  for (int i = 0; i < N; ++i) result.d[i] = a.d[i] * b.value + a.value * b.d[i];
  return result;
}
template <class S, int N>
Dual<S, N> operator/(const Dual<S, N>& a, const Dual<S, N>& b) {
  Dual<S, N> result;
  const S inverse = 1.0 / b.value;
  result.value = a.value * inverse;
  for (int i = 0; i < N; ++i) result.d[i] = (a.d[i] - result.value * b.d[i]) * inverse;
  return result;
}
// With plain numbers, which would otherwise drag N zeros along.
template <class S, int N>
Dual<S, N> operator+(const Dual<S, N>& a, double b) {
  Dual<S, N> result = a;
  result.value = a.value + b;
  return result;
}
template <class S, int N>
Dual<S, N> operator+(double a, const Dual<S, N>& b) {
  return b + a;
}
template <class S, int N>
Dual<S, N> operator-(const Dual<S, N>& a, double b) {
  return a + (-b);
}
template <class S, int N>
Dual<S, N> operator-(double a, const Dual<S, N>& b) {
  return -b + a;
}
template <class S, int N>
Dual<S, N> operator*(const Dual<S, N>& a, double b) {
  Dual<S, N> result;
  result.value = a.value * b;
  for (int i = 0; i < N; ++i) result.d[i] = a.d[i] * b;
  return result;
}
template <class S, int N>
Dual<S, N> operator*(double a, const Dual<S, N>& b) {
  return b * a;
}
template <class S, int N>
Dual<S, N> operator/(const Dual<S, N>& a, double b) {
  return a * (1.0 / b);
}
template <class S, int N>
Dual<S, N> operator/(double a, const Dual<S, N>& b) {
  return Dual<S, N>(a) / b;
}

template <class S, int N>
Dual<S, N> sqrt(const Dual<S, N>& a) {
  using std::sqrt;
  const S root = sqrt(a.value);
  return a.chain(root, 0.5 / root);
}
template <class S, int N>
Dual<S, N> sin(const Dual<S, N>& a) {
  using std::cos;
  using std::sin;
  return a.chain(sin(a.value), cos(a.value));
}
template <class S, int N>
Dual<S, N> cos(const Dual<S, N>& a) {
  using std::cos;
  using std::sin;
  return a.chain(cos(a.value), -sin(a.value));
}
/// d atan2(y, x) = (x dy - y dx) / (x² + y²)
template <class S, int N>
Dual<S, N> atan2(const Dual<S, N>& y, const Dual<S, N>& x) {
  using std::atan2;
  Dual<S, N> result;
  result.value = atan2(y.value, x.value);
  const S scale = 1.0 / (x.value * x.value + y.value * y.value);
  for (int i = 0; i < N; ++i) result.d[i] = (x.value * y.d[i] - y.value * x.d[i]) * scale;
  return result;
}

struct Jet {
  double value = 0.0;
  double first = 0.0;
  double second = 0.0;

  Jet() = default;
  Jet(double number) : value(number) {}  // NOLINT(google-explicit-constructor): numbers mix freely
  Jet(double number, double slope, double bend) : value(number), first(slope), second(bend) {}

  /// f(*this), given f, f' and f'' there.
  Jet chain(double f, double slope, double bend) const {
    return {f, slope * first, bend * first * first + slope * second};
  }
};

inline Jet operator-(const Jet& a) { return {-a.value, -a.first, -a.second}; }
inline Jet operator+(const Jet& a, const Jet& b) {
  return {a.value + b.value, a.first + b.first, a.second + b.second};
}
inline Jet operator-(const Jet& a, const Jet& b) {
  return {a.value - b.value, a.first - b.first, a.second - b.second};
}
inline Jet operator*(const Jet& a, const Jet& b) {
  return {a.value * b.value, a.first * b.value + a.value * b.first,
          a.second * b.value + 2.0 * a.first * b.first + a.value * b.second};
}
inline Jet operator/(const Jet& a, const Jet& b) {
  const double inverse = 1.0 / b.value;
  return a * b.chain(inverse, -inverse * inverse, 2.0 * inverse * inverse * inverse);
}
inline Jet sqrt(const Jet& a) {
  const double root = std::sqrt(a.value);
  return a.chain(root, 0.5 / root, -0.25 / (root * a.value));
}
inline Jet sin(const Jet& a) {
  const double s = std::sin(a.value);
  return a.chain(s, std::cos(a.value), -s);
}
inline Jet cos(const Jet& a) {
  const double c = std::cos(a.value);
  return a.chain(c, -std::sin(a.value), -c);
}
/// First derivative as for Dual; the second is the derivative of the quotient.
inline Jet atan2(const Jet& y, const Jet& x) {
  const Jet dy{y.first, y.second, 0.0};
  const Jet dx{x.first, x.second, 0.0};
  const Jet rate = (x * dy - y * dx) / (x * x + y * y);
  return {std::atan2(y.value, x.value), rate.value, rate.first};
}

/// The plain number inside; for a branch between two formulas of the same smooth function.
inline double find_value(double a) { return a; }
template <class S, int N>
double find_value(const Dual<S, N>& a) {
  return find_value(a.value);
}
inline double find_value(const Jet& a) { return a.value; }

}  // namespace driftless
