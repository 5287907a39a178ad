#pragma once
// A list of graph nodes as one piece of flat code (program.hpp): variables in, values out. No allocation in `eval`.

#include <cstdint>
#include <span>
#include <vector>

#include "driftless/expressions/program.hpp"

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

  std::size_t instruction_count() const { return instruction_count_; }
  std::size_t output_count() const { return outputs_.size(); }
  /// Outputs that do not depend on any variable: their values never change.
  bool is_constant() const { return inputs_.empty(); }

 private:
  Program program_;                    // of one part
  std::vector<std::int32_t> inputs_;   // the variables that occur
  std::vector<std::int32_t> outputs_;  // places
  std::size_t instruction_count_ = 0;
  std::size_t variable_count_ = 0;
};

/// One node's value, straight from the graph: slow, and independent of the tape. For tests and
/// single values.
double eval_node(const Graph& graph, NodeId node, std::span<const double> variables);

}  // namespace driftless
