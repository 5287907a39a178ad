#pragma once
// The instructions of a Program: the operations of the graph, by their number, then what only flat code has.

#include <cstdint>
#include <memory>
#include <vector>

#include "driftless/expressions/graph.hpp"

namespace driftless::program {

enum Kind : std::uint32_t {
  kSquare = 64,  // out = a*a
  kCube,         // out = a*(a*a)
  kSinCos,       // out = sin(a), out2 = cos(a); operands: out, out2, a
  kMulAdd,       // out = a*b + c
  kMulSub,       // out = a*b - c
  kSubMul,       // out = c - a*b
  kKindCount
};

constexpr std::uint32_t kind_of(Op op) { return static_cast<std::uint32_t>(op); }

/// Instructions of one kind, one after the other.
struct Run {
  std::uint32_t kind = 0;
  std::uint32_t length = 0;  // of their operands, counted in numbers
};

struct Table {
  std::shared_ptr<const CubicSpline> spline;
  int derivative = 0;
};

/// A result that is to be written to element `offset` of one of the arrays that the caller gives.
struct Store {
  std::uint32_t field = 0;
  std::uint32_t offset = 0;
  std::uint32_t place = 0;  // register
};

/// Everything that one part does.
struct Code {
  std::vector<Run> runs;
  std::vector<std::uint32_t> operands;  // of the runs, one after the other: results, then operands
  std::vector<Store> stores;            // at the end
  std::vector<std::uint32_t> left;      // registers that are read after the part has run
};

/// The plain way: runs the instructions of one kind; returns the end of their operands.
const std::uint32_t* interpret(const Run& run, const std::uint32_t* operands, double* registers,
                               const Table* tables);

}  // namespace driftless::program
