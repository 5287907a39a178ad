#pragma once
// What each operation computes. One definition for constant folding, the tape and direct
// evaluation, so that an expression has the same bits on every path.

#include <cmath>

#include "driftless/expressions/graph.hpp"

namespace driftless::operations {

/// NaN stays NaN: a comparison alone would turn it into a harmless-looking number.
inline double calc_sign(double a) { return a > 0.0 ? 1.0 : a < 0.0 ? -1.0 : a == 0.0 ? 0.0 : a; }
inline double calc_min(double a, double b) { return (a <= b || a != a) ? a : b; }
inline double calc_max(double a, double b) { return (a >= b || a != a) ? a : b; }

/// a^k by squaring: cheaper than std::pow and exact for the small powers that mechanics is made of.
inline double calc_powi(double a, int k) {
  double result = 1.0;
  double square = a;
  for (unsigned n = k < 0 ? 0U - static_cast<unsigned>(k) : static_cast<unsigned>(k); n != 0;) {
    if ((n & 1U) != 0) result *= square;
    n >>= 1U;
    if (n != 0) square *= square;
  }
  return k < 0 ? 1.0 / result : result;
}

double calc_unary(Op op, double a);
double calc_binary(Op op, double a, double b);
inline double calc_select(double c, double a, double b) { return c != 0.0 ? a : b; }

bool is_unary(Op op);
bool is_binary(Op op);
/// add, mul, min, max, equal.
bool is_commutative(Op op);

}  // namespace driftless::operations
