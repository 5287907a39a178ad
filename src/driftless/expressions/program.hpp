#pragma once
// Graph nodes compiled to flat code, in parts that share one array of registers.
//
// Registers: the variables in their order, then constants, then results. A part computes its outputs from the
// variables, the constants and what the parts before it have left; what they have computed already is not computed
// again. So what depends on some of the variables only can be a part of its own, run when those have changed.
//
//   instructions   The order is free as long as operands come first, so instructions of one kind are put next to each
//                  other: a run has one branch for all its instructions, which mostly do not wait for each other.
//   sin and cos    of one argument are one instruction
//   a*b + c, a*b - c, c - a*b   are one instruction each if nobody else needs the product; rounded twice, so that the
//                  bits are those of two instructions
//   machine code   Where the machine is known (machine_code.hpp), parts may become instructions of the processor: for a few
//                  large programs, since each takes a page of memory.
//   registers      Results that nobody needs any more give their place to later ones. What later parts need keeps its own, and
//                  so do the outputs of parts that others follow, unless stores take them.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "driftless/expressions/graph.hpp"
#include "driftless/expressions/machine_code.hpp"
#include "driftless/expressions/program_kinds.hpp"

namespace driftless {

class Program {
 public:
  using PartId = int;

  explicit Program(int variable_count = 0) : variable_count_(variable_count) {}

  /// `before`: all the parts that will have run, since the variables they depend on changed, when this one runs.
  PartId add_part(std::vector<NodeId> outputs, std::vector<PartId> before = {});
  /// Output `index` of the part is written to fields[field][offset] of the caller. Then nothing else reads the part's
  /// outputs, but for the parts that follow it.
  void add_store(PartId part, std::size_t index, std::uint32_t field, std::uint32_t offset);

  enum class Execution { interpreted, machine_code };
  /// Once, after the last part. Throws ModelError for a variable that is not below the count.
  void compile(const Graph& graph, Execution execution = Execution::interpreted);

  /// One array per thread. Constants are already in it; variable k is element k.
  std::vector<double> make_registers() const;
  /// `fields`: as many as the part's stores name. Non-finite values propagate. Allocates nothing.
  void run(PartId part, double* registers, double* const* fields = nullptr) const {
    const Part& own = at(part);
    if (own.function != nullptr) return own.function(registers, fields);
    interpret(own, registers, fields);
  }
  bool is_machine_code() const { return machine_code_ != nullptr; }

  /// Where a part without stores has left its outputs. Only those of parts that others follow outlast the run of another part.
  std::span<const std::int32_t> outputs(PartId part) const { return at(part).places; }
  /// The variables that the part's own instructions and outputs read.
  std::span<const std::int32_t> inputs(PartId part) const { return at(part).inputs; }
  std::size_t instruction_count(PartId part) const { return at(part).instructions; }

 private:
  class Compiler;  // program.cpp

  struct Part {
    std::vector<NodeId> nodes;  // of the outputs
    std::vector<PartId> before;
    program::Code code;
    MachineCode::Function function = nullptr;
    std::vector<std::int32_t> places;  // of the outputs
    std::vector<std::int32_t> inputs;
    std::size_t instructions = 0;
  };

  void interpret(const Part& part, double* registers, double* const* fields) const;
  const Part& at(PartId part) const { return parts_[static_cast<std::size_t>(part)]; }

  int variable_count_ = 0;
  std::vector<Part> parts_;
  std::vector<double> constants_;
  std::vector<program::Table> tables_;
  std::shared_ptr<const MachineCode> machine_code_;  // of all parts
  std::size_t register_count_ = 0;
};

/// What the part of an expression that depends on variables below `limit` alone hands to the rest: nodes that depend on
/// no others, are no leaves, and are outputs or operands of nodes that do depend on others.
std::vector<NodeId> find_frontier(const Graph& graph, std::span<const NodeId> outputs, int limit);

}  // namespace driftless
