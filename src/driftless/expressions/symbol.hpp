#pragma once
// A scalar that records what is done with it. A function templated on its scalar runs with double,
// and with Symbol it is traced into a Graph, where it has exact derivatives:
//
//   template <class T> T energy(T x, T v) { using std::cos; return 0.5 * v * v - 9.81 * cos(x); }
//   Graph graph;
//   const Symbol e = energy(Symbol::variable(graph, 0), Symbol::variable(graph, 1));
//   const NodeId force = graph.derivative(e.node(graph), 0);
//
// A branch on a value cannot be traced: write select(x > 0, a, b). Comparisons of Symbols are
// SymbolConditions and not bool, so `if (x > 0)` does not compile.

#include <cmath>

#include "driftless/expressions/graph.hpp"

namespace driftless {

class SymbolCondition;

class Symbol {
 public:
  /// A plain number; it joins the graph of whatever it is combined with.
  Symbol(double value = 0.0)
      : value_(value) {}  // NOLINT(google-explicit-constructor): numbers mix freely
  Symbol(Graph& graph, NodeId node) : graph_(&graph), node_(node) {}
  static Symbol variable(Graph& graph, int index) { return {graph, graph.variable(index)}; }

  /// The node in `graph`, which must be the one that this Symbol was made in.
  NodeId node(Graph& graph) const;
  /// Null for a plain number.
  Graph* graph() const { return graph_; }

  Symbol operator-() const { return apply(Op::neg, *this); }
  Symbol operator+() const { return *this; }
  Symbol& operator+=(const Symbol& b) { return *this = apply(Op::add, *this, b); }
  Symbol& operator-=(const Symbol& b) { return *this = apply(Op::sub, *this, b); }
  Symbol& operator*=(const Symbol& b) { return *this = apply(Op::mul, *this, b); }
  Symbol& operator/=(const Symbol& b) { return *this = apply(Op::div, *this, b); }

  friend Symbol operator+(const Symbol& a, const Symbol& b) { return apply(Op::add, a, b); }
  friend Symbol operator-(const Symbol& a, const Symbol& b) { return apply(Op::sub, a, b); }
  friend Symbol operator*(const Symbol& a, const Symbol& b) { return apply(Op::mul, a, b); }
  friend Symbol operator/(const Symbol& a, const Symbol& b) { return apply(Op::div, a, b); }

  friend Symbol sin(const Symbol& a) { return apply(Op::sin, a); }
  friend Symbol cos(const Symbol& a) { return apply(Op::cos, a); }
  friend Symbol tan(const Symbol& a) { return apply(Op::tan, a); }
  friend Symbol asin(const Symbol& a) { return apply(Op::asin, a); }
  friend Symbol acos(const Symbol& a) { return apply(Op::acos, a); }
  friend Symbol atan(const Symbol& a) { return apply(Op::atan, a); }
  friend Symbol sinh(const Symbol& a) { return apply(Op::sinh, a); }
  friend Symbol cosh(const Symbol& a) { return apply(Op::cosh, a); }
  friend Symbol tanh(const Symbol& a) { return apply(Op::tanh, a); }
  friend Symbol exp(const Symbol& a) { return apply(Op::exp, a); }
  friend Symbol log(const Symbol& a) { return apply(Op::log, a); }
  friend Symbol sqrt(const Symbol& a) { return apply(Op::sqrt, a); }
  friend Symbol abs(const Symbol& a) { return apply(Op::abs, a); }
  friend Symbol sign(const Symbol& a) { return apply(Op::sign, a); }
  friend Symbol atan2(const Symbol& y, const Symbol& x) { return apply(Op::atan2, y, x); }
  /// Constant integer exponents become products.
  friend Symbol pow(const Symbol& a, const Symbol& b) { return apply(Op::pow, a, b); }
  friend Symbol min(const Symbol& a, const Symbol& b) { return apply(Op::min, a, b); }
  friend Symbol max(const Symbol& a, const Symbol& b) { return apply(Op::max, a, b); }

  friend SymbolCondition operator<(const Symbol& a, const Symbol& b);
  friend SymbolCondition operator<=(const Symbol& a, const Symbol& b);
  friend SymbolCondition operator>(const Symbol& a, const Symbol& b);
  friend SymbolCondition operator>=(const Symbol& a, const Symbol& b);
  friend SymbolCondition operator==(const Symbol& a, const Symbol& b);
  friend SymbolCondition operator!=(const Symbol& a, const Symbol& b);
  friend Symbol select(const SymbolCondition& condition, const Symbol& if_true,
                       const Symbol& if_false);

 private:
  static Symbol apply(Op op, const Symbol& a);
  static Symbol apply(Op op, const Symbol& a, const Symbol& b);

  Graph* graph_ = nullptr;
  NodeId node_ = -1;
  double value_ = 0.0;  // if graph_ is null
};

/// 1 or 0 in the graph; deliberately no bool.
class SymbolCondition {
 public:
  explicit SymbolCondition(const Symbol& truth) : truth_(truth) {}
  const Symbol& truth() const { return truth_; }

  friend SymbolCondition operator!(const SymbolCondition& a) {
    return SymbolCondition(1.0 - a.truth_);
  }
  friend SymbolCondition operator&&(const SymbolCondition& a, const SymbolCondition& b) {
    return SymbolCondition(a.truth_ * b.truth_);
  }
  friend SymbolCondition operator||(const SymbolCondition& a, const SymbolCondition& b) {
    return SymbolCondition(max(a.truth_, b.truth_));
  }

 private:
  Symbol truth_;
};

SymbolCondition operator<(const Symbol& a, const Symbol& b);
SymbolCondition operator<=(const Symbol& a, const Symbol& b);
SymbolCondition operator>(const Symbol& a, const Symbol& b);
SymbolCondition operator>=(const Symbol& a, const Symbol& b);
SymbolCondition operator==(const Symbol& a, const Symbol& b);
SymbolCondition operator!=(const Symbol& a, const Symbol& b);

/// if_true where the condition holds, else if_false. With doubles: the same word, so that one
/// template serves both.
Symbol select(const SymbolCondition& condition, const Symbol& if_true, const Symbol& if_false);
inline double select(bool condition, double if_true, double if_false) {
  return condition ? if_true : if_false;
}
inline double sign(double a) { return a > 0.0 ? 1.0 : a < 0.0 ? -1.0 : a; }

}  // namespace driftless
