#include "driftless/equations/probe.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "driftless/expressions/tape.hpp"

namespace driftless {

namespace {

constexpr int kPoints = 8;
constexpr double kRoundOff = 1e-11;  // of expressions that cancel a little

// Irrational steps modulo 1: the same points on every machine, no two variables alike.
double find_coordinate(int point, int variable) {
  const double x = 0.6180339887498949 * (variable + 1) + 0.4142135623730951 * (point + 1) +
                   0.7320508075688772 * (point + 1) * (variable + 1);
  return 0.3 + 1.4 * (x - std::floor(x));
}

}  // namespace

bool is_different(const Graph& graph, int variable_count, NodeId a, NodeId b) {
  const std::array<NodeId, 2> nodes{a, b};
  const Tape tape(graph, nodes, variable_count);
  std::vector<double> scratch = tape.make_scratch();
  std::vector<double> variables(static_cast<std::size_t>(variable_count));
  std::array<double, 2> values{};
  for (int point = 0; point < kPoints; ++point) {
    const double sign = point % 2 == 0 ? 1.0 : -1.0;
    for (int i = 0; i < variable_count; ++i)
      variables[static_cast<std::size_t>(i)] =
          (point < kPoints / 2 ? 1.0 : sign) * find_coordinate(point, i);
    tape.eval(variables, values, scratch);
    if (!std::isfinite(values[0]) || !std::isfinite(values[1])) continue;
    const double size = std::max(std::abs(values[0]), std::abs(values[1]));
    if (std::abs(values[0] - values[1]) > kRoundOff * std::max(size, 1e-30)) return true;
  }
  return false;
}

}  // namespace driftless
