#include "driftless/expressions/operations.hpp"

#include <cassert>
#include <limits>

namespace driftless::operations {

double calc_unary(Op op, double a) {
  switch (op) {
    case Op::neg: return -a;
    case Op::sin: return std::sin(a);
    case Op::cos: return std::cos(a);
    case Op::tan: return std::tan(a);
    case Op::asin: return std::asin(a);
    case Op::acos: return std::acos(a);
    case Op::atan: return std::atan(a);
    case Op::sinh: return std::sinh(a);
    case Op::cosh: return std::cosh(a);
    case Op::tanh: return std::tanh(a);
    case Op::exp: return std::exp(a);
    case Op::log: return std::log(a);
    case Op::sqrt: return std::sqrt(a);
    case Op::abs: return std::fabs(a);
    case Op::sign: return calc_sign(a);
    default: break;
  }
  assert(false && "not a unary operation");
  return std::numeric_limits<double>::quiet_NaN();
}

double calc_binary(Op op, double a, double b) {
  switch (op) {
    case Op::add: return a + b;
    case Op::sub: return a - b;
    case Op::mul: return a * b;
    case Op::div: return a / b;
    case Op::pow: return std::pow(a, b);
    case Op::atan2: return std::atan2(a, b);
    case Op::min: return calc_min(a, b);
    case Op::max: return calc_max(a, b);
    case Op::less: return a < b ? 1.0 : 0.0;
    case Op::less_equal: return a <= b ? 1.0 : 0.0;
    case Op::equal: return a == b ? 1.0 : 0.0;
    default: break;
  }
  assert(false && "not a binary operation");
  return std::numeric_limits<double>::quiet_NaN();
}

bool is_binary(Op op) {
  switch (op) {
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::div:
    case Op::pow:
    case Op::atan2:
    case Op::min:
    case Op::max:
    case Op::less:
    case Op::less_equal:
    case Op::equal: return true;
    default: return false;
  }
}

bool is_unary(Op op) {
  switch (op) {
    case Op::constant:
    case Op::variable:
    case Op::powi:
    case Op::select:
    case Op::spline: return false;
    default: return !is_binary(op);
  }
}

bool is_commutative(Op op) {
  return op == Op::add || op == Op::mul || op == Op::min || op == Op::max || op == Op::equal;
}

}  // namespace driftless::operations
