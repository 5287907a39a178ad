// Simplification while building. The rules keep three normal forms:
//   - a term is coefficient * factor with the constant outermost: (2*x)*(3*y) is 6*(x*y), and -x
//     counts as -1*x;
//   - a sum has no negative second term: a + -2*b is a - 2*b;
//   - the argument of an even or odd function is not negative: sin(-2*x) is -sin(2*x), cos(y - x)
//     is cos(x - y).
// Rules that would hide a singular point (x/x = 1, sqrt(x)^2 = x) are left out on purpose: only 0*x
// = 0 assumes finite x. Constants are combined only while the result is a normal number, so nothing
// overflows that did not before.

#include <cassert>
#include <cmath>

#include "driftless/expressions/graph.hpp"
#include "driftless/expressions/operations.hpp"

namespace driftless {

namespace {

// Beyond this std::pow is the better one.
constexpr double kMaxIntegerPower = 1024.0;

bool is_odd(Op op) {
  switch (op) {
    case Op::sin:
    case Op::tan:
    case Op::asin:
    case Op::atan:
    case Op::sinh:
    case Op::tanh:
    case Op::sign: return true;
    default: return false;
  }
}

bool is_even(Op op) { return op == Op::cos || op == Op::cosh || op == Op::abs; }

// 1/c is exact, so that a product may replace the slower division.
bool has_exact_inverse(double c) {
  int exponent = 0;
  return std::isnormal(c) && std::isnormal(1.0 / c) && std::fabs(std::frexp(c, &exponent)) == 0.5;
}

}  // namespace

Graph::Term Graph::split_term(NodeId a) const {
  const Node& n = node(a);
  if (n.op == Op::neg) return {-1.0, n.a};
  if (n.op == Op::mul && is_constant(n.a)) return {value(n.a), n.b};
  return {1.0, a};
}

NodeId Graph::scale(double coefficient, NodeId factor) {
  return mul(constant(coefficient), factor);
}

// -a, if it has the simpler sign; -1 otherwise.
NodeId Graph::find_negated(NodeId a) {
  const Term term = split_term(a);
  if (term.coefficient < 0.0) return scale(-term.coefficient, term.factor);
  const Node n = node(a);
  if (n.op == Op::sub && n.a > n.b) return sub(n.b, n.a);
  return -1;
}

NodeId Graph::simplify_unary(Op op, NodeId a) {
  if (op == Op::neg) return simplify_neg(a);
  if (is_odd(op) || is_even(op)) {
    if (const NodeId negated = find_negated(a); negated >= 0)
      return is_odd(op) ? neg(unary(op, negated)) : unary(op, negated);
  }
  if (op == Op::abs) {
    const Node& n = node(a);
    const bool is_even_power = n.op == Op::powi && std::fmod(n.value, 2.0) == 0.0;
    if (n.op == Op::abs || n.op == Op::sqrt || n.op == Op::exp || is_even_power) return a;
  }
  return -1;
}

NodeId Graph::simplify_neg(NodeId a) {
  const Node n = node(a);
  if (n.op == Op::neg) return n.a;
  if (n.op == Op::sub) return sub(n.b, n.a);
  if (n.op == Op::mul && is_constant(n.a)) return scale(-value(n.a), n.b);
  return -1;
}

NodeId Graph::simplify_binary(Op op, NodeId a, NodeId b) {
  switch (op) {
    case Op::add: return simplify_add(a, b);
    case Op::sub: return simplify_sub(a, b);
    case Op::mul: return simplify_mul(a, b);
    case Op::div: return simplify_div(a, b);
    case Op::pow: return simplify_pow(a, b);
    case Op::min:
    case Op::max: return a == b ? a : -1;
    case Op::less: return a == b ? constant(0.0) : -1;
    case Op::less_equal:
    case Op::equal: return a == b ? constant(1.0) : -1;
    default: return -1;
  }
}

// p*u + q*u = (p + q)*u, and p*sin(u)^2 + p*cos(u)^2 = p; `sign` is that of b's term.
NodeId Graph::merge_terms(NodeId a, NodeId b, double sign) {
  if (is_constant(a) || is_constant(b)) return -1;
  const Term x = split_term(a);
  const Term y = split_term(b);
  const double sum = x.coefficient + sign * y.coefficient;
  if (x.factor == y.factor && (std::isnormal(sum) || sum == 0.0)) return scale(sum, x.factor);
  const Node& p = node(x.factor);
  const Node& q = node(y.factor);
  if (x.coefficient != sign * y.coefficient || p.op != Op::powi || q.op != Op::powi) return -1;
  if (p.value != 2.0 || q.value != 2.0 || node(p.a).a != node(q.a).a) return -1;
  const Op f = node(p.a).op;
  const Op g = node(q.a).op;
  const bool is_circle = (f == Op::sin && g == Op::cos) || (f == Op::cos && g == Op::sin);
  return is_circle ? constant(x.coefficient) : -1;
}

NodeId Graph::simplify_add(NodeId a, NodeId b) {
  if (is_constant(a)) {
    if (value(a) == 0.0) return b;
    const Node n = node(b);
    if ((n.op == Op::add || n.op == Op::sub) && is_constant(n.a)) {
      const double sum = value(a) + value(n.a);
      if (std::isfinite(sum)) return binary(n.op, constant(sum), n.b);
    }
  }
  if (const NodeId merged = merge_terms(a, b, 1.0); merged >= 0) return merged;
  const Term y = split_term(b);
  const Term x = is_constant(a) ? Term{1.0, a} : split_term(a);
  if (x.coefficient < 0.0 && y.coefficient < 0.0)
    return neg(add(scale(-x.coefficient, x.factor), scale(-y.coefficient, y.factor)));
  if (y.coefficient < 0.0) return sub(a, scale(-y.coefficient, y.factor));
  if (x.coefficient < 0.0) return sub(b, scale(-x.coefficient, x.factor));
  // p*u + p*v = p*(u + v): one product less, and p may vanish in what comes around it.
  if (x.coefficient == y.coefficient && y.coefficient != 1.0)
    return scale(x.coefficient, add(x.factor, y.factor));
  return -1;
}

NodeId Graph::simplify_sub(NodeId a, NodeId b) {
  if (a == b) return constant(0.0);
  if (is_constant(b)) return add(constant(-value(b)), a);
  if (is_constant(a)) {
    if (value(a) == 0.0) return neg(b);
    const Node n = node(b);
    if ((n.op == Op::add || n.op == Op::sub) && is_constant(n.a)) {
      const double difference = value(a) - value(n.a);
      if (std::isfinite(difference))
        return binary(n.op == Op::add ? Op::sub : Op::add, constant(difference), n.b);
    }
  }
  if (const NodeId merged = merge_terms(a, b, -1.0); merged >= 0) return merged;
  const Term y = split_term(b);
  const Term x = is_constant(a) ? Term{1.0, a} : split_term(a);
  if (y.coefficient < 0.0) return add(a, scale(-y.coefficient, y.factor));
  if (x.coefficient < 0.0) return neg(add(scale(-x.coefficient, x.factor), b));
  if (x.coefficient == y.coefficient && y.coefficient != 1.0)  // as in simplify_add
    return scale(x.coefficient, sub(x.factor, y.factor));
  return -1;
}

NodeId Graph::simplify_mul(NodeId a, NodeId b) {
  if (is_constant(a)) {
    const double c = value(a);
    if (c == 0.0) return a;
    if (c == 1.0) return b;
    if (c == -1.0) return neg(b);
    const Node n = node(b);
    if (n.op == Op::neg) return scale(-c, n.a);
    if (n.op == Op::mul && is_constant(n.a) && std::isnormal(c * value(n.a)))
      return scale(c * value(n.a), n.b);
    if (n.op == Op::div && is_constant(n.a) && std::isnormal(c * value(n.a)))
      return div(constant(c * value(n.a)), n.b);
    if (n.op == Op::div && is_constant(n.b) && std::isnormal(c / value(n.b)))
      return scale(c / value(n.b), n.a);
    return -1;
  }
  const Term x = split_term(a);
  const Term y = split_term(b);
  const double product = x.coefficient * y.coefficient;
  if ((x.factor != a || y.factor != b) && std::isnormal(product))
    return scale(product, mul(x.factor, y.factor));
  // x * (c/q) = c * (x/q)
  const Node p = node(a);
  const Node q = node(b);
  if (q.op == Op::div && is_constant(q.a)) return scale(value(q.a), div(a, q.b));
  if (p.op == Op::div && is_constant(p.a)) return scale(value(p.a), div(b, p.b));
  return find_power(a, b);
}

// x^k * x^l = x^(k + l) for exponents of one sign.
NodeId Graph::find_power(NodeId a, NodeId b) {
  const Node x = node(a);
  const Node y = node(b);
  const NodeId x_base = x.op == Op::powi ? x.a : a;
  const NodeId y_base = y.op == Op::powi ? y.a : b;
  const double k = x.op == Op::powi ? x.value : 1.0;
  const double l = y.op == Op::powi ? y.value : 1.0;
  if (x_base != y_base || k * l < 0.0 || std::fabs(k + l) > kMaxIntegerPower) return -1;
  return powi(x_base, static_cast<int>(k + l));
}

NodeId Graph::simplify_div(NodeId a, NodeId b) {
  if (is_zero(a)) return a;
  if (is_constant(b)) {
    const double c = value(b);
    if (has_exact_inverse(c)) return scale(1.0 / c, a);
    if (c < 0.0) return neg(div(a, constant(-c)));
    const Term x = split_term(a);
    if (x.coefficient == -1.0) return neg(div(x.factor, b));
    if (x.factor != a && std::isnormal(x.coefficient / c))
      return scale(x.coefficient / c, x.factor);
    return -1;
  }
  const Term y = split_term(b);
  if (is_constant(a)) {
    if (value(a) < 0.0) return neg(div(constant(-value(a)), b));
    if (y.factor != b && std::isnormal(value(a) / y.coefficient))
      return div(constant(value(a) / y.coefficient), y.factor);
    return -1;
  }
  const Term x = split_term(a);
  const double quotient = x.coefficient / y.coefficient;
  if ((x.factor != a || y.factor != b) && std::isnormal(quotient))
    return scale(quotient, div(x.factor, y.factor));
  return -1;
}

NodeId Graph::simplify_pow(NodeId a, NodeId b) {
  if (is_constant(a) && value(a) == 1.0) return a;
  if (!is_constant(b)) return -1;
  const double k = value(b);
  if (k == std::round(k) && std::fabs(k) <= kMaxIntegerPower) return powi(a, static_cast<int>(k));
  if (k == 0.5) return unary(Op::sqrt, a);
  return -1;
}

NodeId Graph::powi(NodeId a, int exponent) {
  if (is_constant(a)) return constant(operations::calc_powi(value(a), exponent));
  if (exponent == 0) return constant(1.0);
  if (exponent == 1) return a;
  if (exponent == -1) return div(constant(1.0), a);
  if (const NodeId negated = find_negated(a); negated >= 0)
    return exponent % 2 == 0 ? powi(negated, exponent) : neg(powi(negated, exponent));
  const Term term = split_term(a);
  const double coefficient = operations::calc_powi(term.coefficient, exponent);
  if (term.factor != a && std::isnormal(coefficient))
    return scale(coefficient, powi(term.factor, exponent));
  const Node inner = node(a);
  if (inner.op == Op::powi && (inner.value > 0.0 || exponent > 0) &&
      std::fabs(inner.value * exponent) <= kMaxIntegerPower)
    return powi(inner.a, static_cast<int>(inner.value) * exponent);
  if (inner.op == Op::abs && exponent % 2 == 0) return powi(inner.a, exponent);
  Node power;
  power.op = Op::powi;
  power.a = a;
  power.value = exponent;
  return intern(power);
}

}  // namespace driftless
