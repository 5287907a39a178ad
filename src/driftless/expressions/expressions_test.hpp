#pragma once
// For tests only: random expression trees that are evaluated directly, with numbers or dual
// numbers, and built into a graph. The direct evaluation shares no code with graph, derivative
// rules or tape.

#include <cmath>
#include <memory>
#include <random>
#include <span>
#include <vector>

#include "driftless/expressions/graph.hpp"

namespace driftless::testing {

// value + ε·slope, ε² = 0; nested for second derivatives.
template <class T>
struct Dual {
  T value{};
  T slope{};
  Dual() = default;
  Dual(double v) : value(v), slope(0.0) {}  // NOLINT(google-explicit-constructor)
  Dual(T v, T s) : value(v), slope(s) {}
};

inline double real(double x) { return x; }
template <class T>
double real(const Dual<T>& x) {
  return real(x.value);
}

inline double largest(double x) { return std::fabs(x); }
template <class T>
double largest(const Dual<T>& x) {
  const double a = largest(x.value), b = largest(x.slope);
  return a > b || a != a ? a : b;
}

template <class T>
Dual<T> operator+(const Dual<T>& a, const Dual<T>& b) {
  return {a.value + b.value, a.slope + b.slope};
}
template <class T>
Dual<T> operator-(const Dual<T>& a, const Dual<T>& b) {
  return {a.value - b.value, a.slope - b.slope};
}
template <class T>
Dual<T> operator-(const Dual<T>& a) {
  return {-a.value, -a.slope};
}
template <class T>
Dual<T> operator*(const Dual<T>& a, const Dual<T>& b) {
  return {a.value * b.value, a.slope * b.value + a.value * b.slope};
}
template <class T>
Dual<T> operator/(const Dual<T>& a, const Dual<T>& b) {
  return {a.value / b.value, (a.slope * b.value - a.value * b.slope) / (b.value * b.value)};
}

// f(a) with slope f'(a)·a', written from the calculus book and not from the graph's rules.
template <class T>
T apply_unary(Op op, const T& a);

template <class T>
Dual<T> apply_dual(Op op, const Dual<T>& a) {
  const auto f = [&](Op which) { return apply_unary<T>(which, a.value); };
  const T one(1.0), x = a.value;
  T slope(0.0);
  switch (op) {
    case Op::neg: slope = T(-1.0); break;
    case Op::sin: slope = f(Op::cos); break;
    case Op::cos: slope = -f(Op::sin); break;
    case Op::tan: slope = one / (f(Op::cos) * f(Op::cos)); break;
    case Op::asin: slope = one / apply_unary<T>(Op::sqrt, one - x * x); break;
    case Op::acos: slope = -(one / apply_unary<T>(Op::sqrt, one - x * x)); break;
    case Op::atan: slope = one / (one + x * x); break;
    case Op::sinh: slope = f(Op::cosh); break;
    case Op::cosh: slope = f(Op::sinh); break;
    case Op::tanh: slope = one / (f(Op::cosh) * f(Op::cosh)); break;
    case Op::exp: slope = f(Op::exp); break;
    case Op::log: slope = one / x; break;
    case Op::sqrt: slope = T(0.5) / f(Op::sqrt); break;
    case Op::abs: slope = T(real(x) > 0 ? 1.0 : real(x) < 0 ? -1.0 : 0.0); break;
    default: break;  // sign
  }
  return {f(op), slope * a.slope};
}

inline double apply_double(Op op, double a) {
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
    default: return a > 0 ? 1.0 : a < 0 ? -1.0 : 0.0;
  }
}

template <class T>
T apply_unary(Op op, const T& a) {
  if constexpr (std::is_same_v<T, double>) {
    return apply_double(op, a);
  } else {
    return apply_dual(op, a);
  }
}

template <class T>
T apply_binary(Op op, const T& a, const T& b) {
  const double x = real(a), y = real(b);
  switch (op) {
    case Op::add: return a + b;
    case Op::sub: return a - b;
    case Op::mul: return a * b;
    case Op::div: return a / b;
    case Op::pow: return apply_unary<T>(Op::exp, b * apply_unary<T>(Op::log, a));
    case Op::atan2: {
      // The angle of the number's part, turned by the small rest: tan(δ) = (a·y' - b·x')/...
      const double angle = std::atan2(x, y);
      const T c(std::cos(angle)), s(std::sin(angle));
      return T(angle) + apply_unary<T>(Op::atan, (a * c - b * s) / (b * c + a * s));
    }
    case Op::min: return x <= y ? a : b;
    case Op::max: return x >= y ? a : b;
    case Op::less: return T(x < y ? 1.0 : 0.0);
    case Op::less_equal: return T(x <= y ? 1.0 : 0.0);
    default: return T(x == y ? 1.0 : 0.0);
  }
}

struct Tree {
  Op op = Op::constant;
  double value = 0.0;  // constant; exponent of powi
  int index = 0;       // variable
  std::vector<Tree> operands;
};

/// The value, and in `scale` the largest intermediate number or slope.
template <class T>
T eval_tree(const Tree& tree, std::span<const T> variables, double& scale) {
  std::vector<T> x;
  for (const Tree& operand : tree.operands) x.push_back(eval_tree<T>(operand, variables, scale));
  T result(0.0);
  switch (tree.op) {
    case Op::constant: result = T(tree.value); break;
    case Op::variable: result = variables[static_cast<std::size_t>(tree.index)]; break;
    case Op::powi:
      result = T(1.0);
      for (int i = 0; i < std::abs(static_cast<int>(tree.value)); ++i) result = result * x[0];
      if (tree.value < 0) result = T(1.0) / result;
      break;
    case Op::select: result = real(x[0]) != 0.0 ? x[1] : x[2]; break;
    default:
      result = x.size() == 2 ? apply_binary<T>(tree.op, x[0], x[1]) : apply_unary<T>(tree.op, x[0]);
      break;
  }
  const double size = largest(result);
  if (!(size <= scale)) scale = std::isnan(size) ? INFINITY : size;  // NaN must not be forgotten
  return result;
}

inline NodeId build_tree(const Tree& tree, Graph& graph) {
  std::vector<NodeId> x;
  for (const Tree& operand : tree.operands) x.push_back(build_tree(operand, graph));
  switch (tree.op) {
    case Op::constant: return graph.constant(tree.value);
    case Op::variable: return graph.variable(tree.index);
    case Op::powi: return graph.binary(Op::pow, x[0], graph.constant(tree.value));
    case Op::select: return graph.select(x[0], x[1], x[2]);
    default: return x.size() == 2 ? graph.binary(tree.op, x[0], x[1]) : graph.unary(tree.op, x[0]);
  }
}

/// Trees over `variable_count` variables. Few distinct constants and variables, so that the rules
/// of simplification meet their patterns; arguments of functions with a bounded domain are brought
/// into it.
class TreeGenerator {
 public:
  TreeGenerator(unsigned seed, int variable_count)
      : random_(seed), variable_count_(variable_count) {}

  Tree make(int depth) {
    if (depth <= 0 || pick(8) == 0) return make_leaf();
    switch (pick(12)) {
      case 0:
      case 1:
      case 2:
      case 3: return make_node(kArithmetic[pick(4)], {make(depth - 1), make(depth - 1)});
      case 4:
      case 5: return make_node(kSmooth[pick(8)], {make(depth - 1)});
      case 6: {
        Tree power = make_node(Op::powi, {make(depth - 1)});
        power.value = static_cast<double>(static_cast<int>(pick(8)) - 3);
        return power;
      }
      case 7: {
        // sqrt, log and pow of something positive; asin and acos of something small
        const Tree x = make(depth - 1);
        const Tree one_more = make_node(Op::add, {make_constant(1.0), make_node(Op::mul, {x, x})});
        if (pick(2) == 0) return make_node(Op::pow, {one_more, make(depth - 1)});
        if (pick(2) == 0) return make_node(pick(2) == 0 ? Op::sqrt : Op::log, {one_more});
        const Tree small = make_node(Op::mul, {make_constant(0.9), make_node(Op::sin, {x})});
        return make_node(pick(2) == 0 ? Op::asin : Op::acos, {small});
      }
      case 8: return make_node(pick(2) == 0 ? Op::abs : Op::sign, {off_tie(make(depth - 1))});
      case 9:
        return make_node(pick(2) == 0 ? Op::min : Op::max,
                         {off_tie(make(depth - 1)), make(depth - 1)});
      case 10: return make_node(Op::atan2, {off_tie(make(depth - 1)), off_tie(make(depth - 1))});
      default: {
        const Op compare = kComparisons[pick(3)];
        const Tree condition = make_node(compare, {off_tie(make(depth - 1)), make(depth - 1)});
        return make_node(Op::select, {condition, make(depth - 1), make(depth - 1)});
      }
    }
  }

  double make_number() { return std::uniform_real_distribution<double>(-2.0, 2.0)(random_); }
  std::size_t pick(std::size_t count) { return random_() % count; }

 private:
  static constexpr Op kArithmetic[] = {Op::add, Op::sub, Op::mul, Op::div};
  static constexpr Op kSmooth[] = {Op::neg,  Op::sin,  Op::cos, Op::tan,
                                   Op::atan, Op::tanh, Op::exp, Op::sinh};
  static constexpr Op kComparisons[] = {Op::less, Op::less_equal, Op::equal};

  static Tree make_node(Op op, std::vector<Tree> operands) {
    Tree tree;
    tree.op = op;
    tree.operands = std::move(operands);
    return tree;
  }
  static Tree make_constant(double value) {
    Tree tree;
    tree.value = value;
    return tree;
  }
  Tree make_leaf() {
    static constexpr double kConstants[] = {0.0, 1.0, -1.0, 2.0, -2.0, 0.5, 3.0, -0.75};
    if (pick(3) == 0) return make_constant(kConstants[pick(8)]);
    Tree tree;
    tree.op = Op::variable;
    tree.index = static_cast<int>(pick(static_cast<std::size_t>(variable_count_)));
    return tree;
  }
  // Away from exact ties, where rounding alone decides which side is taken.
  Tree off_tie(Tree x) {
    return make_node(Op::add, {std::move(x), make_constant(0.1 + 0.37 * make_number())});
  }

  std::mt19937 random_;
  int variable_count_;
};

}  // namespace driftless::testing
