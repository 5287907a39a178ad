#include "driftless/expressions/tape.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "driftless/base/error.hpp"
#include "driftless/expressions/expressions_test.hpp"
#include "driftless/expressions/spline.hpp"

namespace driftless {
namespace {

std::vector<double> eval(const Tape& tape, std::vector<double> variables) {
  std::vector<double> out(tape.output_count()), scratch = tape.make_scratch();
  tape.eval(variables, out, scratch);
  return out;
}

TEST(Tape, EveryOperation) {
  Graph graph;
  const NodeId x = graph.variable(0), y = graph.variable(1);
  const double a = 0.6, b = 0.3;
  std::vector<NodeId> nodes;
  std::vector<double> expected;
  for (int k = static_cast<int>(Op::neg); k <= static_cast<int>(Op::sign); ++k) {
    const Op op = static_cast<Op>(k);
    if (op == Op::pow || op == Op::powi || op == Op::atan2) continue;
    nodes.push_back(graph.unary(op, x));
    expected.push_back(testing::apply_double(op, a));
  }
  for (const Op op : {Op::add, Op::sub, Op::mul, Op::div, Op::min, Op::max, Op::less,
                      Op::less_equal, Op::equal}) {
    nodes.push_back(graph.binary(op, x, y));
    expected.push_back(testing::apply_binary<double>(op, a, b));
  }
  for (int k : {2, 3, 4, 7, -2, -3}) {
    nodes.push_back(graph.powi(x, k));
    expected.push_back(std::pow(a, k));
  }
  nodes.push_back(graph.binary(Op::pow, x, y));
  expected.push_back(std::pow(a, b));
  nodes.push_back(graph.binary(Op::atan2, x, y));
  expected.push_back(std::atan2(a, b));
  nodes.push_back(graph.select(graph.binary(Op::less, x, y), x, y));
  expected.push_back(b);
  const int table =
      graph.add_spline(CubicSpline(std::vector<double>{0, 1, 2}, std::vector<double>{0, 1, 4}));
  nodes.push_back(graph.spline(table, 0, x));
  expected.push_back(a * a);
  nodes.push_back(graph.spline(table, 1, x));
  expected.push_back(2 * a);
  nodes.push_back(x);
  expected.push_back(a);
  nodes.push_back(graph.constant(5));
  expected.push_back(5);
  const Tape tape(graph, nodes, 2);
  const std::vector<double> out = eval(tape, {a, b});
  ASSERT_EQ(out.size(), expected.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    EXPECT_NEAR(out[i], expected[i], 1e-14) << "output " << i;
}

TEST(Tape, LeavesOutDeadNodesAndSharesCommonOnes) {
  Graph graph;
  const NodeId x = graph.variable(0);
  graph.unary(Op::exp, x);  // nobody needs it
  const NodeId square = graph.powi(x, 2);
  const NodeId nodes[] = {square, graph.add(square, graph.constant(1)), square};
  const Tape tape(graph, nodes, 1);
  EXPECT_EQ(tape.instruction_count(), 2u);
  EXPECT_EQ(tape.output_count(), 3u);
  EXPECT_EQ(eval(tape, {3}), (std::vector<double>{9, 10, 9}));
}

TEST(Tape, SineAndCosineAreOneInstruction) {
  for (const bool sine_first : {true, false}) {
    Graph graph;
    const NodeId x = graph.mul(graph.constant(3), graph.variable(0));
    const NodeId first = graph.unary(sine_first ? Op::sin : Op::cos, x);
    const NodeId between = graph.unary(Op::exp, first);
    const NodeId second = graph.unary(sine_first ? Op::cos : Op::sin, x);
    const NodeId nodes[] = {graph.mul(between, second), second, first};
    const Tape tape(graph, nodes, 1);
    EXPECT_EQ(tape.instruction_count(), 4u);
    for (double at = -9; at < 9; at += 0.01) {
      const std::vector<double> out = eval(tape, {at});
      EXPECT_EQ(out[1], sine_first ? std::cos(3 * at) : std::sin(3 * at));
      EXPECT_EQ(out[2], sine_first ? std::sin(3 * at) : std::cos(3 * at));
      EXPECT_EQ(out[0], std::exp(out[2]) * out[1]);
    }
  }
}

TEST(Tape, PlacesAreReused) {
  Graph graph;
  NodeId sum = graph.constant(0);
  for (int i = 0; i < 1000; ++i)
    sum = graph.add(sum, graph.unary(Op::exp, graph.mul(graph.constant(0.001 * i + 0.0005),
                                                        graph.variable(0))));
  const Tape tape(graph, {&sum, 1}, 1);
  EXPECT_EQ(tape.instruction_count(), 2999u);
  // 1000 constants and one variable keep their places; of some 250 instructions those of one kind run together.
  EXPECT_LT(tape.make_scratch().size(), 1200u);
  double expected = 0.0;
  for (int i = 0; i < 1000; ++i) expected += std::exp((0.001 * i + 0.0005) * 0.7);
  EXPECT_NEAR(eval(tape, {0.7})[0], expected, 1e-9);
}

// Many outputs at once over shared nodes: wrongly reused places would show.
TEST(Tape, ManyRandomOutputsMatchTheGraphBitByBit) {
  testing::TreeGenerator generator(11, 3);
  for (int round = 0; round < 100; ++round) {
    Graph graph;
    std::vector<NodeId> nodes;
    for (int i = 0; i < 20; ++i) {
      nodes.push_back(testing::build_tree(generator.make(4), graph));
      nodes.push_back(graph.derivative(nodes.back(), i % 3));
    }
    const Tape tape(graph, nodes, 3);
    std::vector<double> out(nodes.size()), scratch = tape.make_scratch();
    for (int k = 0; k < 3; ++k) {
      const std::vector<double> at = {generator.make_number(), generator.make_number(),
                                      generator.make_number()};
      tape.eval(at, out, scratch);
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        const double expected = eval_node(graph, nodes[i], at);
        ASSERT_TRUE(out[i] == expected || (std::isnan(out[i]) && std::isnan(expected)))
            << round << " " << i;
      }
    }
  }
}

TEST(Tape, OutMayOverlapVariables) {
  Graph graph;
  const NodeId nodes[] = {graph.variable(1), graph.variable(0)};
  const Tape tape(graph, nodes, 2);
  std::vector<double> x = {1, 2}, scratch = tape.make_scratch();
  tape.eval(x, x, scratch);
  EXPECT_EQ(x, (std::vector<double>{2, 1}));
}

TEST(Tape, ConstantAndEmpty) {
  Graph graph;
  const NodeId constant = graph.constant(2), variable = graph.variable(0);
  EXPECT_TRUE(Tape(graph, {&constant, 1}, 1).is_constant());
  EXPECT_EQ(eval(Tape(graph, {&constant, 1}, 0), {}), std::vector<double>{2});
  EXPECT_FALSE(Tape(graph, {&variable, 1}, 1).is_constant());
  EXPECT_EQ(Tape(graph, {}, 3).output_count(), 0u);
  const Tape none;
  EXPECT_TRUE(none.is_constant());
  EXPECT_TRUE(eval(none, {}).empty());
}

TEST(Tape, RefusesUnknownVariables) {
  Graph graph;
  const NodeId node = graph.variable(5);
  EXPECT_THROW(Tape(graph, {&node, 1}, 5), ModelError);
  EXPECT_NO_THROW(Tape(graph, {&node, 1}, 6));
}

TEST(Tape, OutlivesTheGraph) {
  Tape tape;
  {
    Graph graph;
    const int table =
        graph.add_spline(CubicSpline(std::vector<double>{0, 1}, std::vector<double>{1, 3}));
    const NodeId node = graph.spline(table, 0, graph.variable(0));
    tape = Tape(graph, {&node, 1}, 1);
  }
  EXPECT_DOUBLE_EQ(eval(tape, {0.25})[0], 1.5);
}

}  // namespace
}  // namespace driftless
