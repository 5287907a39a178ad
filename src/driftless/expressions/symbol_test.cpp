#include "driftless/expressions/symbol.hpp"

#include <cmath>
#include <type_traits>

#include <gtest/gtest.h>

#include "driftless/base/error.hpp"
#include "driftless/expressions/tape.hpp"

namespace driftless {
namespace {

// A branch on a traced value must not compile.
static_assert(!std::is_constructible_v<bool, SymbolCondition>);
static_assert(!std::is_convertible_v<decltype(std::declval<Symbol>() > 0.0), bool>);
static_assert(std::is_same_v<decltype(1.0 > std::declval<Symbol>()), SymbolCondition>);
static_assert(std::is_convertible_v<double, Symbol>);
static_assert(!std::is_convertible_v<Symbol, double>);

template <class T>
T everything(T x, T y) {
  using std::abs, std::acos, std::asin, std::atan, std::atan2, std::cos, std::cosh, std::exp,
      std::log, std::max, std::min, std::pow, std::sin, std::sinh, std::sqrt, std::tan, std::tanh;
  T r = 2.0 * x + y * 3.0 - x / 4.0 - 1.0 / y + (x - y) * (x + y) / (x * x + 1);
  r += sin(x) + cos(y);
  r -= tan(x) * asin(y / 3) + acos(x / 3);
  r *= atan(y) + sinh(x) - cosh(y) * tanh(x);
  r /= exp(x) + log(y + 2) + sqrt(y + 2);
  r += abs(x) + atan2(x, y) + pow(y, 3) + pow(y, 1.5) + pow(y, x) + pow(2.0, x);
  r += min(x, y) - max(x, T(0.3)) + sign(x);
  r = +r - -x;
  r += select(x > 0.0, x * x, y) + select(x <= y, T(1.0), T(2.0)) + select(y < 1.0, x, T(0.0)) +
       select(x >= 0.5 && y != x, x, y) + select(!(x == y) || x < 0.0, y, x);
  return r;
}

TEST(Symbol, TracesTheSameFunctionThatRunsWithDoubles) {
  Graph graph;
  const Symbol traced = everything(Symbol::variable(graph, 0), Symbol::variable(graph, 1));
  const NodeId node = traced.node(graph);
  for (const double x : {-1.2, -0.3, 0.2, 0.9, 1.4})
    for (const double y : {0.25, 0.95, 1.7}) {
      const std::vector<double> at = {x, y};
      EXPECT_NEAR(eval_node(graph, node, at), everything(x, y),
                  1e-12 * (1 + std::fabs(everything(x, y))));
      const double h = 1e-5;
      const double slope = (everything(x + h, y) - everything(x - h, y)) / (2 * h);
      EXPECT_NEAR(eval_node(graph, graph.derivative(node, 0), at), slope,
                  1e-6 * (1 + std::fabs(slope)));
    }
}

TEST(Symbol, PlainNumbersStayNumbers) {
  const Symbol a = 2.0, b = 3;
  const Symbol c = select(a < b, sin(a) * b + pow(a, b), Symbol(0.0));
  EXPECT_EQ(c.graph(), nullptr);
  Graph graph;
  EXPECT_DOUBLE_EQ(graph.value(c.node(graph)), std::sin(2.0) * 3 + 8);
  EXPECT_TRUE(graph.is_zero(Symbol().node(graph)));
}

TEST(Symbol, IntegersMix) {
  Graph graph;
  const Symbol x = Symbol::variable(graph, 0);
  EXPECT_EQ((2 * x).node(graph), (x * 2.0).node(graph));
  EXPECT_EQ(pow(x, 2).node(graph), (x * x).node(graph));
  EXPECT_EQ((x - 1).node(graph), (x + -1.0).node(graph));
}

TEST(Symbol, GraphsDoNotMix) {
  Graph one, two;
  const Symbol x = Symbol::variable(one, 0), y = Symbol::variable(two, 0);
  EXPECT_THROW(x + y, ModelError);
  EXPECT_THROW(x.node(two), ModelError);
  EXPECT_THROW(select(x > 0.0, y, x), ModelError);
}

}  // namespace
}  // namespace driftless
