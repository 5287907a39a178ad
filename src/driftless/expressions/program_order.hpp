#pragma once
// The order in which a program's instructions run.

#include <array>
#include <cstdint>
#include <vector>

#include "driftless/expressions/program_kinds.hpp"

namespace driftless::program {

/// Before registers are known: operands and results are nodes.
struct Instruction {
  std::uint32_t kind = 0;
  std::array<NodeId, 2> results{-1, -1};
  std::array<NodeId, 3> operands{-1, -1, -1};
  std::uint32_t extra = 0;  // exponent of powi; index of a table
  bool has_extra = false;
};

/// An order in which operands come first and instructions of one kind stand together. `node_count`: of the graph.
std::vector<int> find_order(const std::vector<Instruction>& instructions, std::size_t node_count);

}  // namespace driftless::program
