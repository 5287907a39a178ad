#include "driftless/expressions/program.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "driftless/base/error.hpp"
#include "driftless/expressions/expressions_test.hpp"
#include "driftless/expressions/spline.hpp"
#include "driftless/expressions/tape.hpp"

namespace driftless {
namespace {

using Execution = Program::Execution;

bool is_same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

std::vector<double> run(const Program& program, Program::PartId part, std::vector<double> x) {
  std::vector<double> w = program.make_registers(), out;
  std::copy(x.begin(), x.end(), w.begin());
  program.run(part, w.data());
  for (const std::int32_t place : program.outputs(part))
    out.push_back(w[static_cast<std::size_t>(place)]);
  return out;
}

// Many outputs over shared nodes, more of them than the processor has registers.
TEST(Program, RandomOutputsMatchTheGraphBitByBit) {
  testing::TreeGenerator generator(12, 3);
  for (int round = 0; round < 100; ++round) {
    Graph graph;
    std::vector<NodeId> nodes;
    for (int i = 0; i < 20; ++i) {
      nodes.push_back(testing::build_tree(generator.make(4), graph));
      nodes.push_back(graph.derivative(nodes.back(), i % 3));
    }
    for (const Execution execution : {Execution::interpreted, Execution::machine_code}) {
      Program program(3);
      const auto part = program.add_part(nodes);
      program.compile(graph, execution);
      for (int k = 0; k < 3; ++k) {
        const std::vector<double> at = {generator.make_number(), generator.make_number(),
                                        generator.make_number()};
        const std::vector<double> out = run(program, part, at);
        for (std::size_t i = 0; i < nodes.size(); ++i)
          ASSERT_TRUE(is_same(out[i], eval_node(graph, nodes[i], at))) << round << " " << i;
      }
    }
  }
}

// Sums of products alone, in long chains: everything is written out, values wait in slots and are put back.
TEST(Program, ArithmeticAloneMatchesTheGraphBitByBit) {
  testing::TreeGenerator generator(5, 8);
  for (int round = 0; round < 200; ++round) {
    Graph graph;
    std::vector<NodeId> nodes;
    for (int i = 0; i < 8; ++i) nodes.push_back(graph.variable(i));
    for (int i = 0; i < 120; ++i) {
      const auto pick = [&] {
        const auto k = static_cast<std::size_t>(std::abs(generator.make_number()) * 1e6);
        return nodes[k % nodes.size()];
      };
      const NodeId a = pick(), b = pick(), c = pick();
      switch (i % 7) {
        case 0: nodes.push_back(graph.add(graph.mul(a, b), c)); break;
        case 1: nodes.push_back(graph.sub(graph.mul(a, b), c)); break;
        case 2: nodes.push_back(graph.sub(c, graph.mul(a, b))); break;
        case 3: nodes.push_back(graph.powi(a, 2 + i % 2)); break;
        case 4: nodes.push_back(graph.neg(graph.add(a, b))); break;
        case 5: nodes.push_back(graph.div(a, graph.add(b, graph.constant(9)))); break;
        default: nodes.push_back(graph.unary(Op::sqrt, graph.powi(a, 2))); break;
      }
    }
    const std::vector<NodeId> outputs(nodes.end() - 30, nodes.end());
    Program program(8);
    const auto part = program.add_part(outputs);
    program.compile(graph, Execution::machine_code);
    std::vector<double> at;
    for (int i = 0; i < 8; ++i) at.push_back(generator.make_number());
    const std::vector<double> out = run(program, part, at);
    for (std::size_t i = 0; i < out.size(); ++i)
      ASSERT_TRUE(is_same(out[i], eval_node(graph, outputs[i], at))) << round << " " << i;
  }
}

struct TwoLevels {
  Graph graph;
  Program program{2};
  Program::PartId fixed, rest;
  NodeId inner, outer;

  explicit TwoLevels(Execution execution) {
    const NodeId x = graph.variable(0), v = graph.variable(1);
    inner = graph.mul(graph.unary(Op::sin, x), x);
    outer = graph.add(graph.mul(inner, v), graph.unary(Op::exp, inner));
    const NodeId nodes[] = {outer};
    const std::vector<NodeId> frontier = find_frontier(graph, nodes, 1);
    EXPECT_EQ(frontier.size(), 2u);  // inner and its exponential
    fixed = program.add_part(frontier);
    rest = program.add_part({outer, inner}, {fixed});
    program.add_store(rest, 0, 1, 3);
    program.add_store(rest, 1, 0, 0);
    program.compile(graph, execution);
  }
};

TEST(Program, LaterPartsUseWhatEarlierOnesLeft) {
  for (const Execution execution : {Execution::interpreted, Execution::machine_code}) {
    TwoLevels two(execution);
    EXPECT_EQ(two.program.instruction_count(two.fixed), 3u);
    EXPECT_EQ(two.program.instruction_count(two.rest), 1u);
    std::vector<double> w = two.program.make_registers();
    std::array<double, 1> first{};
    std::array<double, 4> second{};
    double* const fields[] = {first.data(), second.data()};
    w[0] = 0.7;
    two.program.run(two.fixed, w.data());
    for (const double v : {0.3, -2.0}) {
      w[1] = v;
      two.program.run(two.rest, w.data(), fields);
      const std::vector<double> at = {0.7, v};
      EXPECT_EQ(first[0], eval_node(two.graph, two.inner, at));
      EXPECT_EQ(second[3], eval_node(two.graph, two.outer, at));
      EXPECT_EQ(second[0], 0.0);
    }
  }
}

TEST(Program, CopiesShareTheirCode) {
  std::vector<double> at = {0.4, 1.5};
  std::unique_ptr<Program> copy;
  double expected = 0.0;
  std::array<double, 1> first{};
  std::array<double, 4> second{};
  double* const fields[] = {first.data(), second.data()};
  Program::PartId fixed = 0, rest = 0;
  {
    TwoLevels two(Execution::machine_code);
    expected = eval_node(two.graph, two.outer, at);
    copy = std::make_unique<Program>(two.program);
    fixed = two.fixed, rest = two.rest;
  }
  std::vector<double> w = copy->make_registers();
  std::copy(at.begin(), at.end(), w.begin());
  copy->run(fixed, w.data());
  copy->run(rest, w.data(), fields);
  EXPECT_EQ(second[3], expected);
}

TEST(Program, TablesArePartOfTheCode) {
  Graph graph;
  const int table =
      graph.add_spline(CubicSpline(std::vector<double>{0, 1, 2}, std::vector<double>{0, 1, 4}));
  const NodeId node =
      graph.mul(graph.spline(table, 0, graph.variable(0)), graph.powi(graph.variable(0), -3));
  Program program(1);
  const auto part = program.add_part({node});
  program.compile(graph, Execution::machine_code);
  EXPECT_EQ(run(program, part, {0.5})[0], eval_node(graph, node, std::vector<double>{0.5}));
}

TEST(Program, RefusesUnknownVariables) {
  Graph graph;
  Program program(2);
  program.add_part({graph.variable(2)});
  EXPECT_THROW(program.compile(graph), ModelError);
}

}  // namespace
}  // namespace driftless
