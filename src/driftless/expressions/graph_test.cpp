#include "driftless/expressions/graph.hpp"

#include <chrono>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "driftless/expressions/expressions_test.hpp"
#include "driftless/expressions/tape.hpp"

namespace driftless {
namespace {

class GraphTest : public ::testing::Test {
 protected:
  NodeId c(double value) { return graph_.constant(value); }
  NodeId f(Op op, NodeId a) { return graph_.unary(op, a); }
  double eval(NodeId node, std::vector<double> variables) {
    return eval_node(graph_, node, variables);
  }

  Graph graph_;
  const NodeId x_ = graph_.variable(0);
  const NodeId y_ = graph_.variable(1);
  const NodeId z_ = graph_.variable(2);
};

TEST_F(GraphTest, EqualNodesAreOneNode) {
  EXPECT_EQ(graph_.variable(1), y_);
  EXPECT_EQ(graph_.add(x_, y_), graph_.add(y_, x_));
  EXPECT_EQ(graph_.mul(x_, y_), graph_.mul(y_, x_));
  EXPECT_EQ(graph_.binary(Op::min, x_, y_), graph_.binary(Op::min, y_, x_));
  EXPECT_EQ(graph_.binary(Op::equal, x_, y_), graph_.binary(Op::equal, y_, x_));
  EXPECT_NE(graph_.sub(x_, y_), graph_.sub(y_, x_));
  EXPECT_NE(graph_.div(x_, y_), graph_.div(y_, x_));
  EXPECT_EQ(c(2.0), c(2.0));
  EXPECT_EQ(c(0.0), c(-0.0));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(c(nan), c(-nan));
  const std::size_t size = graph_.size();
  f(Op::sin, graph_.mul(x_, y_));
  f(Op::sin, graph_.mul(y_, x_));
  EXPECT_EQ(graph_.size(), size + 1) << "the product was there, the sine is new once";
}

TEST_F(GraphTest, ConstantsFold) {
  EXPECT_EQ(graph_.add(c(2), c(3)), c(5));
  EXPECT_EQ(f(Op::sin, c(0.5)), c(std::sin(0.5)));
  EXPECT_EQ(graph_.binary(Op::atan2, c(1), c(-2)), c(std::atan2(1, -2)));
  EXPECT_EQ(graph_.powi(c(3), 4), c(81));
  EXPECT_EQ(graph_.binary(Op::less, c(1), c(2)), c(1));
  EXPECT_TRUE(std::isinf(graph_.value(graph_.div(c(1), c(0)))));
}

TEST_F(GraphTest, NeutralAndVanishingOperands) {
  EXPECT_EQ(graph_.add(x_, c(0)), x_);
  EXPECT_EQ(graph_.sub(x_, c(0)), x_);
  EXPECT_EQ(graph_.sub(c(0), x_), graph_.neg(x_));
  EXPECT_EQ(graph_.mul(c(1), x_), x_);
  EXPECT_EQ(graph_.mul(x_, c(0)), c(0));
  EXPECT_EQ(graph_.mul(x_, c(-1)), graph_.neg(x_));
  EXPECT_EQ(graph_.div(x_, c(1)), x_);
  EXPECT_EQ(graph_.div(c(0), x_), c(0));
  EXPECT_EQ(graph_.neg(graph_.neg(x_)), x_);
  EXPECT_EQ(graph_.sub(x_, x_), c(0));
  EXPECT_EQ(graph_.binary(Op::pow, x_, c(1)), x_);
  EXPECT_EQ(graph_.binary(Op::pow, x_, c(0)), c(1));
  EXPECT_EQ(graph_.binary(Op::min, x_, x_), x_);
  EXPECT_EQ(graph_.binary(Op::less, x_, x_), c(0));
  EXPECT_EQ(graph_.binary(Op::less_equal, x_, x_), c(1));
  EXPECT_EQ(graph_.select(c(1), x_, y_), x_);
  EXPECT_EQ(graph_.select(c(0), x_, y_), y_);
  EXPECT_EQ(graph_.select(z_, x_, x_), x_);
}

TEST_F(GraphTest, SignsAndLikeTerms) {
  const NodeId xy = graph_.mul(x_, y_);
  EXPECT_EQ(graph_.add(x_, graph_.neg(y_)), graph_.sub(x_, y_));
  EXPECT_EQ(graph_.sub(x_, graph_.neg(y_)), graph_.add(x_, y_));
  EXPECT_EQ(graph_.mul(graph_.neg(x_), graph_.neg(y_)), xy);
  EXPECT_EQ(graph_.neg(graph_.sub(x_, y_)), graph_.sub(y_, x_));
  EXPECT_EQ(graph_.add(xy, xy), graph_.mul(c(2), xy));
  EXPECT_EQ(graph_.sub(graph_.mul(c(5), x_), graph_.mul(c(4), x_)), x_);
  EXPECT_EQ(graph_.mul(graph_.mul(c(2), x_), graph_.mul(c(3), y_)), graph_.mul(c(6), xy));
  EXPECT_EQ(graph_.add(c(1), graph_.add(x_, c(2))), graph_.add(x_, c(3)));
  EXPECT_EQ(f(Op::sin, graph_.neg(x_)), graph_.neg(f(Op::sin, x_)));
  EXPECT_EQ(f(Op::cos, graph_.sub(x_, y_)), f(Op::cos, graph_.sub(y_, x_)));
  EXPECT_EQ(graph_.mul(x_, graph_.div(c(1), y_)), graph_.div(x_, y_));
}

TEST_F(GraphTest, Powers) {
  EXPECT_EQ(graph_.mul(x_, x_), graph_.powi(x_, 2));
  EXPECT_EQ(graph_.mul(graph_.powi(x_, 2), graph_.powi(x_, 3)), graph_.powi(x_, 5));
  EXPECT_EQ(graph_.powi(graph_.powi(x_, 2), 3), graph_.powi(x_, 6));
  EXPECT_EQ(graph_.powi(graph_.mul(c(3), x_), 2), graph_.mul(c(9), graph_.powi(x_, 2)));
  EXPECT_EQ(graph_.powi(graph_.sub(x_, y_), 2), graph_.powi(graph_.sub(y_, x_), 2));
  EXPECT_EQ(graph_.binary(Op::pow, x_, c(0.5)), f(Op::sqrt, x_));
  EXPECT_EQ(graph_.node(graph_.binary(Op::pow, x_, c(2000))).op, Op::pow);
  EXPECT_EQ(graph_.node(graph_.binary(Op::pow, x_, c(2.5))).op, Op::pow);
}

TEST_F(GraphTest, CircleIdentity) {
  const NodeId s = graph_.powi(f(Op::sin, x_), 2), k = graph_.powi(f(Op::cos, x_), 2);
  EXPECT_EQ(graph_.add(s, k), c(1));
  EXPECT_EQ(graph_.add(graph_.mul(c(3), k), graph_.mul(c(3), s)), c(3));
  EXPECT_FALSE(graph_.is_constant(graph_.add(graph_.mul(c(2), k), graph_.mul(c(3), s))));
  EXPECT_FALSE(graph_.is_constant(graph_.sub(s, k)));
  EXPECT_FALSE(graph_.is_constant(graph_.add(s, graph_.powi(f(Op::cos, y_), 2))));
  EXPECT_FALSE(graph_.is_constant(graph_.add(s, graph_.powi(f(Op::sin, y_), 2))));
}

TEST_F(GraphTest, SingularPointsAreNotHidden) {
  EXPECT_TRUE(std::isnan(eval(graph_.div(x_, x_), {0})));
  EXPECT_TRUE(std::isnan(eval(graph_.powi(f(Op::sqrt, x_), 2), {-1})));
  EXPECT_TRUE(std::isnan(eval(graph_.mul(x_, graph_.powi(x_, -2)), {0})));
  EXPECT_TRUE(std::isnan(eval(f(Op::exp, f(Op::log, x_)), {-1})));
  EXPECT_TRUE(std::isinf(eval(graph_.div(x_, c(0)), {1})));
}

TEST_F(GraphTest, ConstantsDoNotOverflowWhenCombined) {
  const NodeId inner = graph_.mul(c(1e200), x_);
  EXPECT_DOUBLE_EQ(eval(graph_.mul(c(1e200), inner), {1e-150}), 1e250);
  EXPECT_DOUBLE_EQ(eval(graph_.powi(graph_.mul(c(1e200), x_), 2), {1e-200}), 1.0);
  EXPECT_DOUBLE_EQ(eval(graph_.div(graph_.mul(c(1e200), x_), c(1e-200)), {1e-150}), 1e250);
}

TEST_F(GraphTest, NanPropagates) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Op op : {Op::abs, Op::sign, Op::sin, Op::sqrt, Op::neg})
    EXPECT_TRUE(std::isnan(eval(f(op, x_), {nan}))) << static_cast<int>(op);
  for (const Op op : {Op::min, Op::max, Op::add, Op::atan2}) {
    EXPECT_TRUE(std::isnan(eval(graph_.binary(op, x_, y_), {nan, 1.0}))) << static_cast<int>(op);
    EXPECT_TRUE(std::isnan(eval(graph_.binary(op, x_, y_), {1.0, nan}))) << static_cast<int>(op);
  }
}

TEST_F(GraphTest, Dependencies) {
  const NodeId node = graph_.mul(f(Op::sin, z_), graph_.add(x_, c(1)));
  EXPECT_EQ(graph_.dependencies(node), (std::vector<int>{0, 2}));
  EXPECT_TRUE(graph_.depends_on(node, 2));
  EXPECT_FALSE(graph_.depends_on(node, 1));
  EXPECT_TRUE(graph_.dependencies(c(3)).empty());
  EXPECT_EQ(graph_.dependencies(graph_.select(graph_.binary(Op::less, x_, y_), z_, c(0))),
            (std::vector<int>{0, 1, 2}));
  const std::vector<int>& reference = graph_.dependencies(node);
  for (int i = 0; i < 1000; ++i) graph_.add(node, graph_.variable(i + 3));
  EXPECT_EQ(reference, (std::vector<int>{0, 2})) << "the reference must stay valid";
}

TEST_F(GraphTest, Substitute) {
  const NodeId node = graph_.add(graph_.mul(x_, f(Op::sin, y_)), graph_.powi(z_, 3));
  const NodeId image = graph_.substitute(node, {{1, graph_.mul(x_, z_)}, {2, c(2.0)}});
  EXPECT_DOUBLE_EQ(eval(image, {0.7, 99, 1.3}), 0.7 * std::sin(0.7 * 1.3) + 8.0);
  EXPECT_EQ(graph_.substitute(node, {}), node);
  EXPECT_EQ(graph_.substitute(node, {{7, x_}}), node);
  EXPECT_EQ(graph_.substitute(x_, {{0, y_}}), y_);
  EXPECT_EQ(graph_.substitute(node, {{0, c(0)}, {2, c(0)}}), c(0));
  // simultaneous, not one after the other
  EXPECT_EQ(graph_.substitute(graph_.sub(x_, y_), {{0, y_}, {1, x_}}), graph_.sub(y_, x_));
}

TEST_F(GraphTest, SubstituteAgreesWithEvaluation) {
  testing::TreeGenerator generator(5, 3);
  for (int i = 0; i < 500; ++i) {
    Graph graph;
    const NodeId node = testing::build_tree(generator.make(4), graph);
    const NodeId inner = testing::build_tree(generator.make(2), graph);
    const NodeId image = graph.substitute(node, {{1, inner}});
    std::vector<double> at = {generator.make_number(), generator.make_number(),
                              generator.make_number()};
    const double value = eval_node(graph, image, at);
    at[1] = eval_node(graph, inner, at);
    const double expected = eval_node(graph, node, at);
    if (!std::isfinite(expected) || std::fabs(expected) > 1e3 || std::fabs(at[1]) > 1e3) continue;
    EXPECT_NEAR(value, expected, 1e-7) << "tree " << i;
  }
}

TEST_F(GraphTest, DirectionalIsSumOfPartials) {
  const NodeId node =
      graph_.mul(f(Op::exp, graph_.mul(x_, y_)), graph_.div(z_, graph_.add(x_, c(3))));
  const int wrt[] = {0, 1, 2};
  const NodeId direction[] = {graph_.variable(3), f(Op::sin, x_), c(0)};
  NodeId sum = c(0);
  for (std::size_t k = 0; k < 3; ++k)
    sum = graph_.add(sum, graph_.mul(graph_.derivative(node, wrt[k]), direction[k]));
  const std::vector<double> at = {0.3, -0.8, 1.7, 0.9};
  EXPECT_NEAR(eval(graph_.directional(node, wrt, direction), at), eval(sum, at), 1e-14);
  EXPECT_TRUE(graph_.is_zero(graph_.directional(c(4), wrt, direction)));
  EXPECT_TRUE(graph_.is_zero(graph_.directional(graph_.variable(9), wrt, direction)));
  EXPECT_EQ(graph_.directional(x_, wrt, direction), direction[0]);
  const int twice[] = {0, 0};
  const NodeId ones[] = {c(1), c(1)};
  EXPECT_EQ(graph_.directional(x_, twice, ones), c(2));
}

// Forward mode may only look at the branch that is taken, and so must the backward sweep.
TEST_F(GraphTest, GradientOfGuardedExpressionIsFinite) {
  const NodeId guarded = graph_.select(graph_.binary(Op::less, c(0), x_), f(Op::sqrt, x_), c(0));
  const NodeId node =
      graph_.add(graph_.mul(guarded, y_), graph_.binary(Op::max, f(Op::log, x_), y_));
  const int wrt[] = {0, 1};
  const std::vector<NodeId> gradient = graph_.gradient(node, wrt);
  EXPECT_EQ(eval(gradient[0], {0.0, 2.0}), 0.0);
  EXPECT_EQ(eval(gradient[1], {0.0, 2.0}), 1.0);
  EXPECT_DOUBLE_EQ(eval(gradient[0], {4.0, 1.0}), 0.25 + 0.25);
  EXPECT_DOUBLE_EQ(eval(gradient[1], {4.0, 1.0}), 2.0);
}

TEST_F(GraphTest, LongSumsNeedNoStack) {
  // 100000 terms: any recursion along the chain would run out of stack.
  NodeId sum = c(0);
  for (int i = 0; i < 100000; ++i) sum = graph_.add(sum, f(Op::sin, graph_.add(x_, c(i))));
  const NodeId slope = graph_.derivative(sum, 0);
  const int wrt[] = {0};
  const NodeId one[] = {c(1)};
  const double at = eval(slope, {0.2});
  EXPECT_NEAR(eval(graph_.gradient(sum, wrt)[0], {0.2}), at, 1e-7);
  EXPECT_NEAR(eval(graph_.directional(sum, wrt, one), {0.2}), at, 1e-7);
  EXPECT_EQ(eval(graph_.substitute(sum, {{0, c(0.2)}}), {}), eval(sum, {0.2}));
}

// The kinetic energy of an n-link chain: prefix sums of all links' velocities.
TEST(GraphScaling, MassMatrixOfAChainOf200Links) {
  constexpr int n = 200;
  const auto begin = std::chrono::steady_clock::now();
  Graph graph;
  NodeId vx = graph.constant(0), vy = vx, energy = vx;
  std::vector<int> rates;
  for (int i = 0; i < n; ++i) {
    const NodeId angle = graph.variable(i), rate = graph.variable(n + i);
    rates.push_back(n + i);
    vx = graph.sub(vx, graph.mul(graph.unary(Op::sin, angle), rate));
    vy = graph.add(vy, graph.mul(graph.unary(Op::cos, angle), rate));
    energy = graph.add(energy, graph.add(graph.powi(vx, 2), graph.powi(vy, 2)));
  }
  energy = graph.mul(graph.constant(0.5), energy);
  const std::vector<NodeId> momentum = graph.gradient(energy, rates);
  std::vector<NodeId> mass;
  for (const NodeId p : momentum)
    for (const int rate : rates) mass.push_back(graph.derivative(p, rate));
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  EXPECT_LT(graph.size(), 600000u);
  EXPECT_LT(seconds, 20.0) << "generous: sanitizers and loaded machines";

  std::vector<double> at(2 * n);
  for (std::size_t i = 0; i < at.size(); ++i) at[i] = std::sin(1.7 * static_cast<double>(i));
  const Tape tape(graph, mass, 2 * n);
  std::vector<double> out(mass.size()), scratch = tape.make_scratch();
  tape.eval(at, out, scratch);
  for (std::size_t i = 0; i < n; i += 7)
    for (std::size_t j = 0; j < n; j += 11)
      ASSERT_NEAR(out[i * n + j], static_cast<double>(n - std::max(i, j)) * std::cos(at[i] - at[j]),
                  1e-10);
}

TEST(Graph, EqualFactorsAreTakenOutOfSums) {
  Graph graph;
  const NodeId x = graph.variable(0), y = graph.variable(1), two = graph.constant(2);
  const NodeId half = graph.constant(0.5);
  EXPECT_EQ(graph.mul(half, graph.add(graph.mul(two, x), graph.mul(two, y))), graph.add(x, y));
  EXPECT_EQ(graph.mul(half, graph.sub(graph.mul(two, x), graph.mul(two, y))), graph.sub(x, y));
  EXPECT_EQ(graph.add(graph.mul(two, x), graph.mul(half, y)),
            graph.add(graph.mul(half, y), graph.mul(two, x)));
}

}  // namespace
}  // namespace driftless
