#pragma once
// Flat code as instructions of the processor: x86-64 with the calls of System V, as on Linux. Elsewhere, or where memory
// may not be made executable, there is none and programs are interpreted, with the same bits.
//
// A few numbers are kept in the sixteen registers of the processor (here: slots, since a Program's own array is called
// registers). A result goes to memory only if it is read from there: after the part, after a call, or when its slot is
// needed. Sums and products are one or two instructions then, which is what a compiler makes of them.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "driftless/expressions/program_kinds.hpp"

namespace driftless {

class MachineCode {
 public:
  using Function = void (*)(double* registers, double* const* fields);

  /// Null: not on this machine.
  static std::shared_ptr<const MachineCode> make(std::span<const program::Code* const> parts,
                                                 const std::vector<program::Table>& tables,
                                                 std::size_t register_count);
  ~MachineCode();
  MachineCode(const MachineCode&) = delete;
  MachineCode& operator=(const MachineCode&) = delete;

  Function function(std::size_t part) const;

  /// Instructions that are not written out here: interpreted, by a call.
  struct Call {
    program::Run run;
    std::vector<std::uint32_t> operands;
    const program::Table* tables;
  };

 private:
  explicit MachineCode(std::vector<program::Table> tables) : tables_(std::move(tables)) {}
  bool load(std::span<const std::uint8_t> bytes);

  std::vector<program::Table> tables_;
  std::deque<Call> calls_;  // the code points to them
  std::vector<std::size_t> entries_;
  void* memory_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace driftless
