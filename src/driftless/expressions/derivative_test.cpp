// Derivatives against independent paths: differences for each operation, dual numbers for random
// expressions.

#include <cmath>
#include <functional>
#include <random>

#include <gtest/gtest.h>

#include "driftless/base/trials_test.hpp"
#include "driftless/expressions/expressions_test.hpp"
#include "driftless/expressions/graph.hpp"
#include "driftless/expressions/spline.hpp"
#include "driftless/expressions/tape.hpp"

namespace driftless {
namespace {

using testing::Dual;
using testing::Tree;
using testing::TreeGenerator;

double eval(const Graph& graph, NodeId node, std::vector<double> x) {
  return eval_node(graph, node, x);
}

// Central difference of eighth order.
double calc_difference(const std::function<double(double)>& f, double x) {
  const double h = 2e-3;
  const double c[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  double sum = 0.0;
  for (int k = 1; k <= 4; ++k) sum += c[k - 1] * (f(x + k * h) - f(x - k * h));
  return sum / h;
}

struct UnaryCase {
  Op op;
  double low, high;
};

class UnaryDerivative : public ::testing::TestWithParam<UnaryCase> {};

TEST_P(UnaryDerivative, MatchesDifferencesInBothSweepsAndTwice) {
  const Op op = GetParam().op;
  Graph graph;
  const NodeId x = graph.variable(0);
  const NodeId f = graph.unary(op, x);
  const NodeId df = graph.derivative(f, 0);
  const NodeId d2f = graph.derivative(df, 0);
  const int index[] = {0};
  const NodeId gradient = graph.gradient(f, index)[0];
  std::mt19937 random(static_cast<unsigned>(op));
  std::uniform_real_distribution<double> point(GetParam().low, GetParam().high);
  for (int i = 0; i < 40; ++i) {
    const double at = point(random);
    // The function itself comes from <cmath>, not from the graph.
    const double first =
        calc_difference([&](double p) { return testing::apply_double(op, p); }, at);
    const double second = calc_difference([&](double p) { return eval(graph, df, {p}); }, at);
    EXPECT_NEAR(eval(graph, df, {at}), first, 1e-9 * (1 + std::fabs(first))) << "at " << at;
    EXPECT_NEAR(eval(graph, gradient, {at}), first, 1e-9 * (1 + std::fabs(first))) << "at " << at;
    EXPECT_NEAR(eval(graph, d2f, {at}), second, 1e-9 * (1 + std::fabs(second))) << "at " << at;
  }
}

INSTANTIATE_TEST_SUITE_P(Operations, UnaryDerivative,
                         ::testing::Values(UnaryCase{Op::neg, -3, 3}, UnaryCase{Op::sin, -3, 3},
                                           UnaryCase{Op::cos, -3, 3}, UnaryCase{Op::tan, -1.2, 1.2},
                                           UnaryCase{Op::asin, -0.85, 0.85},
                                           UnaryCase{Op::acos, -0.85, 0.85},
                                           UnaryCase{Op::atan, -3, 3}, UnaryCase{Op::sinh, -2, 2},
                                           UnaryCase{Op::cosh, -2, 2}, UnaryCase{Op::tanh, -2, 2},
                                           UnaryCase{Op::exp, -2, 2}, UnaryCase{Op::log, 0.2, 4},
                                           UnaryCase{Op::sqrt, 0.2, 4}, UnaryCase{Op::abs, 0.1, 3},
                                           UnaryCase{Op::abs, -3, -0.1},
                                           UnaryCase{Op::sign, 0.1, 3}));

struct BinaryCase {
  Op op;
  double low, high;
};

class BinaryDerivative : public ::testing::TestWithParam<BinaryCase> {};

TEST_P(BinaryDerivative, MatchesDifferencesForBothOperands) {
  const Op op = GetParam().op;
  Graph graph;
  const NodeId f = graph.binary(op, graph.variable(0), graph.variable(1));
  const int both[] = {0, 1};
  const std::vector<NodeId> gradient = graph.gradient(f, both);
  std::mt19937 random(static_cast<unsigned>(op));
  std::uniform_real_distribution<double> point(GetParam().low, GetParam().high);
  for (int i = 0; i < 40; ++i) {
    const double a = point(random);
    double b = point(random);
    if (std::fabs(a - b) < 0.05) b += 0.1;  // away from the kink of min and max
    const auto value = [op](double p, double q) {
      switch (op) {
        case Op::pow: return std::pow(p, q);
        case Op::atan2: return std::atan2(p, q);
        case Op::min: return std::fmin(p, q);
        case Op::max: return std::fmax(p, q);
        default: return testing::apply_binary<double>(op, p, q);
      }
    };
    const double da = calc_difference([&](double p) { return value(p, b); }, a);
    const double db = calc_difference([&](double q) { return value(a, q); }, b);
    for (const auto& [variable, expected] : {std::pair{0, da}, std::pair{1, db}}) {
      EXPECT_NEAR(eval(graph, graph.derivative(f, variable), {a, b}), expected,
                  1e-9 * (1 + std::fabs(expected)));
      EXPECT_NEAR(eval(graph, gradient[static_cast<std::size_t>(variable)], {a, b}), expected,
                  1e-9 * (1 + std::fabs(expected)));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Operations, BinaryDerivative,
    ::testing::Values(BinaryCase{Op::add, -3, 3}, BinaryCase{Op::sub, -3, 3},
                      BinaryCase{Op::mul, -3, 3}, BinaryCase{Op::div, 0.5, 3},
                      BinaryCase{Op::pow, 0.3, 3}, BinaryCase{Op::atan2, 0.1, 3},
                      BinaryCase{Op::atan2, -3, -0.1}, BinaryCase{Op::min, -3, 3},
                      BinaryCase{Op::max, -3, 3}, BinaryCase{Op::less, -3, 3},
                      BinaryCase{Op::less_equal, -3, 3}, BinaryCase{Op::equal, -3, 3}));

TEST(Derivative, IntegerPowers) {
  for (int k = -6; k <= 7; ++k) {
    Graph graph;
    const NodeId f = graph.binary(Op::pow, graph.variable(0), graph.constant(k));
    const NodeId df = graph.derivative(f, 0);
    const NodeId d2f = graph.derivative(df, 0);
    for (const double x : {-1.7, -0.6, 0.4, 2.3}) {
      EXPECT_NEAR(eval(graph, df, {x}), k * std::pow(x, k - 1),
                  1e-12 * (1 + std::fabs(k * std::pow(x, k - 1))));
      const double second = k * (k - 1) * std::pow(x, k - 2);
      EXPECT_NEAR(eval(graph, d2f, {x}), second, 1e-12 * (1 + std::fabs(second)));
    }
  }
}

TEST(Derivative, IntegerPowersAreDefinedAtZero) {
  Graph graph;
  const NodeId square = graph.binary(Op::pow, graph.variable(0), graph.constant(2));
  EXPECT_EQ(eval(graph, graph.derivative(square, 0), {0.0}), 0.0);
  EXPECT_EQ(eval(graph, graph.derivative(graph.derivative(square, 0), 0), {0.0}), 2.0);
}

TEST(Derivative, ConventionsAtKinks) {
  Graph graph;
  const NodeId x = graph.variable(0), y = graph.variable(1);
  EXPECT_EQ(eval(graph, graph.derivative(graph.unary(Op::abs, x), 0), {0.0}), 0.0);
  EXPECT_TRUE(graph.is_zero(graph.derivative(graph.unary(Op::sign, x), 0)));
  EXPECT_TRUE(graph.is_zero(graph.derivative(graph.binary(Op::less, x, y), 0)));
  const NodeId smaller = graph.binary(Op::min, x, y);
  EXPECT_EQ(eval(graph, graph.derivative(smaller, 0), {1.0, 1.0}), 1.0);
  EXPECT_EQ(eval(graph, graph.derivative(smaller, 1), {1.0, 1.0}), 0.0);
}

TEST(Derivative, OfSelectIsSelectOfDerivatives) {
  Graph graph;
  const NodeId x = graph.variable(0);
  const NodeId condition = graph.binary(Op::less, x, graph.constant(1.0));
  const NodeId f = graph.select(condition, graph.powi(x, 3), graph.unary(Op::sin, x));
  const NodeId df = graph.derivative(f, 0);
  EXPECT_DOUBLE_EQ(eval(graph, df, {0.5}), 0.75);
  EXPECT_DOUBLE_EQ(eval(graph, df, {2.0}), std::cos(2.0));
}

TEST(Derivative, OfSplineIsTheSplinesDerivative) {
  Graph graph;
  const std::vector<double> x = {0, 1, 2.5, 3, 4.2}, y = {1, -1, 0.3, 2, 2.5};
  const int table = graph.add_spline(CubicSpline(x, y));
  const CubicSpline reference(x, y);
  const NodeId inner = graph.mul(graph.constant(2.0), graph.variable(0));
  NodeId f = graph.spline(table, 0, inner);
  for (int order = 0; order <= 3; ++order) {
    for (const double at : {-0.3, 0.1, 0.9, 1.7, 3.0})
      EXPECT_NEAR(eval(graph, f, {at}), std::pow(2.0, order) * reference.value(2 * at, order),
                  1e-12);
    f = graph.derivative(f, 0);
  }
  EXPECT_TRUE(graph.is_zero(f)) << "the fourth derivative of a cubic";
}

TEST(Derivative, OfVariables) {
  Graph graph;
  EXPECT_EQ(graph.derivative(graph.variable(3), 3), graph.constant(1.0));
  EXPECT_TRUE(graph.is_zero(graph.derivative(graph.variable(3), 2)));
  EXPECT_TRUE(graph.is_zero(graph.derivative(graph.constant(5.0), 0)));
}

constexpr int kVariables = 3;
// Beyond this size of an intermediate value rounding and not the formula would be compared.
constexpr double kLargest = 1e3;
constexpr double kTolerance = 1e-8;

TEST(RandomExpressions, ValuesSurviveSimplificationAndCompilation) {
  TreeGenerator generator(1, kVariables);
  int compared = 0;
  for (int i = 0; i < trials(4000); ++i) {
    const Tree tree = generator.make(5);
    Graph graph;
    const NodeId node = testing::build_tree(tree, graph);
    const Tape tape(graph, {&node, 1}, kVariables);
    std::vector<double> scratch = tape.make_scratch();
    for (int k = 0; k < 3; ++k) {
      const std::vector<double> x = {generator.make_number(), generator.make_number(),
                                     generator.make_number()};
      double scale = 1.0;
      const double expected = testing::eval_tree<double>(tree, x, scale);
      if (!(scale < kLargest)) continue;
      double value = 0.0;
      tape.eval(x, {&value, 1}, scratch);
      ASSERT_NEAR(value, expected, kTolerance * scale) << "tree " << i;
      ASSERT_EQ(value, eval(graph, node, x)) << "tape and graph differ, tree " << i;
      ++compared;
    }
  }
  EXPECT_GT(compared, trials(6000));
}

TEST(RandomExpressions, DerivativesMatchDualNumbers) {
  TreeGenerator generator(2, kVariables);
  const int all[] = {0, 1, 2};
  int compared = 0;
  for (int i = 0; i < trials(3000); ++i) {
    const Tree tree = generator.make(4);
    Graph graph;
    const NodeId node = testing::build_tree(tree, graph);
    const std::vector<NodeId> gradient = graph.gradient(node, all);
    const std::vector<double> x = {generator.make_number(), generator.make_number(),
                                   generator.make_number()};
    double sum = 0.0, sum_scale = 1.0;
    const double direction[] = {0.7, -1.3, 0.4};
    std::vector<NodeId> direction_nodes;
    for (const double component : direction) direction_nodes.push_back(graph.constant(component));
    for (int v = 0; v < kVariables; ++v) {
      std::vector<Dual<double>> duals(x.begin(), x.end());
      duals[static_cast<std::size_t>(v)].slope = 1.0;
      double scale = 1.0;
      const double expected = testing::eval_tree<Dual<double>>(tree, duals, scale).slope;
      sum += expected * direction[v];
      if (!(scale <= sum_scale)) sum_scale = scale;
      if (!(scale < kLargest)) continue;
      ASSERT_NEAR(eval(graph, graph.derivative(node, v), x), expected, kTolerance * scale)
          << "tree " << i;
      ASSERT_NEAR(eval(graph, gradient[static_cast<std::size_t>(v)], x), expected,
                  kTolerance * scale)
          << "tree " << i;
      ++compared;
    }
    if (!(sum_scale < kLargest)) continue;
    ASSERT_NEAR(eval(graph, graph.directional(node, all, direction_nodes), x), sum,
                kTolerance * sum_scale);
  }
  EXPECT_GT(compared, trials(4000));
}

TEST(RandomExpressions, SecondDerivativesMatchNestedDualNumbers) {
  TreeGenerator generator(3, kVariables);
  int compared = 0;
  for (int i = 0; i < trials(2000); ++i) {
    const Tree tree = generator.make(3);
    Graph graph;
    const NodeId node = testing::build_tree(tree, graph);
    const std::vector<double> x = {generator.make_number(), generator.make_number(),
                                   generator.make_number()};
    for (int v = 0; v < kVariables; ++v) {
      for (int w = 0; w < kVariables; ++w) {
        std::vector<Dual<Dual<double>>> duals(x.begin(), x.end());
        duals[static_cast<std::size_t>(v)].value.slope = 1.0;
        duals[static_cast<std::size_t>(w)].slope.value = 1.0;
        double scale = 1.0;
        const double expected =
            testing::eval_tree<Dual<Dual<double>>>(tree, duals, scale).slope.slope;
        if (!(scale < kLargest)) continue;
        const NodeId second = graph.derivative(graph.derivative(node, v), w);
        ASSERT_NEAR(eval(graph, second, x), expected, kTolerance * scale) << "tree " << i;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, trials(8000));
}

}  // namespace
}  // namespace driftless
