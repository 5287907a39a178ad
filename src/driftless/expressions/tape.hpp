#pragma once
// A list of graph nodes compiled to flat code: one array of instructions over one array of doubles.
// Constants are loaded once per scratch array, variables are copied in, then the instructions run
// in order. No allocation in `eval`.
//
// Nodes that no output needs are left out. Results that are no longer needed give their place to
// later ones, so that the scratch array stays small. sin and cos of one argument are one
// instruction.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "driftless/expressions/graph.hpp"

namespace driftless {

class Tape {
 public:
  Tape() = default;
  /// `outputs[k]` is written to out[k]. Only variables below `variable_count` may occur.
  Tape(const Graph& graph, std::span<const NodeId> outputs, int variable_count);

  /// Scratch for `eval`: one per thread. Constants are already in it.
  std::vector<double> make_scratch() const;

  /// out[k] = value of outputs[k] at the variables' values. `out` may overlap `variables`.
  /// Non-finite values propagate.
  void eval(std::span<const double> variables, std::span<double> out,
            std::vector<double>& scratch) const;

  std::size_t instruction_count() const { return instructions_.size(); }
  std::size_t output_count() const { return outputs_.size(); }
  /// Outputs that do not depend on any variable: their values never change.
  bool is_constant() const { return inputs_.empty(); }

 private:
  class Compiler;  // tape.cpp

  struct Instruction {
    std::uint8_t code = 0;  // Code in tape.cpp
    std::int32_t out = 0;   // places in scratch
    std::int32_t a = 0, b = 0;
    std::int32_t c =
        0;  // third operand; exponent of powi; second result of sincos; index into tables_
  };
  struct Input {
    std::int32_t place = 0;
    std::int32_t variable = 0;
  };
  struct Table {
    std::shared_ptr<const CubicSpline> spline;
    int derivative = 0;
  };

  void run(double* w) const;

  std::vector<double> constants_;  // the first places of scratch
  std::vector<Input> inputs_;      // the variables that occur
  std::vector<Instruction> instructions_;
  std::vector<std::int32_t> outputs_;  // places
  std::vector<Table> tables_;
  std::size_t scratch_size_ = 0;
  std::size_t variable_count_ = 0;
};

/// One node's value, straight from the graph: slow, and independent of the tape. For tests and
/// single values.
double eval_node(const Graph& graph, NodeId node, std::span<const double> variables);

}  // namespace driftless
