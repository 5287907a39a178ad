#include "driftless/expressions/machine_code.hpp"

#if defined(__x86_64__) && defined(__linux__)
#define DRIFTLESS_MACHINE_CODE 1
#include <sys/mman.h>
#else
#define DRIFTLESS_MACHINE_CODE 0
#endif

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>

#include "driftless/expressions/assembler.hpp"

namespace driftless {

#if DRIFTLESS_MACHINE_CODE

namespace machine {

namespace {

using namespace program;

void call_interpreter(const MachineCode::Call* call, double* registers) {
  interpret(call->run, call->operands.data(), registers, call->tables);
}

using Function = double (*)(double);

/// Functions of the C library that are called as they are; null for other kinds.
Function find_function(std::uint32_t kind) {
  switch (kind) {
    case kind_of(Op::sin): return ::sin;
    case kind_of(Op::cos): return ::cos;
    case kind_of(Op::tan): return ::tan;
    case kind_of(Op::asin): return ::asin;
    case kind_of(Op::acos): return ::acos;
    case kind_of(Op::atan): return ::atan;
    case kind_of(Op::sinh): return ::sinh;
    case kind_of(Op::cosh): return ::cosh;
    case kind_of(Op::tanh): return ::tanh;
    case kind_of(Op::exp): return ::exp;
    case kind_of(Op::log): return ::log;
    default: return nullptr;
  }
}

/// How many numbers an instruction has, and how many of them are results.
struct Shape {
  std::size_t length = 0;
  std::size_t results = 1;
  bool is_written_out = true;
  bool has_extra = false;  // the last number is no register
};

Shape find_shape(std::uint32_t kind) {
  switch (kind) {
    case kind_of(Op::add):
    case kind_of(Op::sub):
    case kind_of(Op::mul):
    case kind_of(Op::div): return {3};
    case kMulAdd:
    case kMulSub:
    case kSubMul: return {4};
    case kind_of(Op::neg):
    case kind_of(Op::sqrt):
    case kSquare:
    case kCube: return {2};
    case kSinCos: return {3, 2};
    case kind_of(Op::powi):
    case kind_of(Op::spline): return {3, 1, false, true};
    case kind_of(Op::select): return {4, 1, false};
    case kind_of(Op::pow):
    case kind_of(Op::atan2):
    case kind_of(Op::min):
    case kind_of(Op::max):
    case kind_of(Op::less):
    case kind_of(Op::less_equal):
    case kind_of(Op::equal): return {3, 1, false};
    default: return {2, 1, false};
  }
}

struct Step {
  std::uint32_t kind = 0;
  const std::uint32_t* numbers = nullptr;
  Shape shape = {};
  std::array<bool, 3> last = {};  // per operand: nobody reads the value later
  bool is_read = false;           // the (first) result is, but for stores
  bool is_final = false;          // nothing else is put in its place: it may be what a store wants

  std::span<const std::uint32_t> operands() const {
    return {numbers + shape.results, shape.length - shape.results - (shape.has_extra ? 1 : 0)};
  }
};

/// One part.
class Writer {
 public:
  Writer(Assembler& out, const Code& code, std::deque<MachineCode::Call>& calls,
         const Table* tables, std::size_t register_count)
      : out_(out), code_(code), calls_(calls), tables_(tables), slot_of_(register_count, -1) {
    place_in_.fill(kFree);
  }

  void write() {
    list_steps();
    find_last_uses();
    out_.enter(makes_calls_);
    load_sign();
    for (const Step& step : steps_) write(step);
    write_remaining_stores();
    for (const std::uint32_t place : code_.left) write_back(place);
    out_.leave();
  }

 private:
  static constexpr int kSlots = 15;  // the last one is the sign's
  static constexpr int kSign = 15;
  static constexpr std::uint32_t kFree = ~0U;

  static bool is_called(std::uint32_t kind, const Shape& shape) {
    return kind == kSinCos || !shape.is_written_out;
  }

  void list_steps() {
    const std::uint32_t* p = code_.operands.data();
    for (const Run& run : code_.runs) {
      const Shape shape = find_shape(run.kind);
      for (const std::uint32_t* const end = p + run.length; p != end; p += shape.length)
        steps_.push_back({run.kind, p, shape});
      has_neg_ = has_neg_ || run.kind == kind_of(Op::neg);
      makes_calls_ = makes_calls_ || is_called(run.kind, shape);
    }
  }

  void find_last_uses() {
    std::vector<char> live(slot_of_.size(), 0);
    for (const std::uint32_t place : code_.left) live[place] = 1;
    stores_of_.resize(slot_of_.size());
    std::vector<char> written(slot_of_.size(), 0);
    for (const Store& store : code_.stores) stores_of_[store.place].push_back(&store);
    for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
      step->is_final = written[step->numbers[0]] == 0;
      // Stores are made where the value is, in a slot; what calls have left in memory is stored at the end.
      const bool is_in_memory =
          is_called(step->kind, step->shape) && find_function(step->kind) == nullptr;
      for (std::size_t k = 0; k < step->shape.results; ++k) {
        const std::uint32_t result = step->numbers[k];
        step->is_read = step->is_read || live[result] != 0 || is_in_memory;
        live[result] = 0;
        written[result] = 1;
      }
      const auto operands = step->operands();
      for (std::size_t k = 0; k < operands.size(); ++k) step->last[k] = live[operands[k]] == 0;
      for (const std::uint32_t operand : operands) live[operand] = 1;
    }
  }

  // -- slots ------------------------------------------------------------------------------------

  int find(std::uint32_t place) const { return slot_of_[place]; }

  void forget(int slot) {
    const auto k = static_cast<std::size_t>(slot);
    if (place_in_[k] != kFree) slot_of_[place_in_[k]] = -1;
    place_in_[k] = kFree;
    dirty_[k] = false;
  }

  void write_back(std::uint32_t place) {
    const int slot = find(place);
    if (slot < 0 || !dirty_[static_cast<std::size_t>(slot)]) return;
    out_.store(slot, place);
    dirty_[static_cast<std::size_t>(slot)] = false;
  }

  /// A slot for a new value; none that is held.
  int take() {
    int best = -1;
    for (int slot = 0; slot < kSlots; ++slot) {
      const auto k = static_cast<std::size_t>(slot);
      if (held_[k]) continue;
      if (place_in_[k] == kFree) return hold(slot);
      if (best < 0 || used_[k] < used_[static_cast<std::size_t>(best)]) best = slot;
    }
    assert(best >= 0);
    write_back(place_in_[static_cast<std::size_t>(best)]);
    forget(best);
    return hold(best);
  }

  int hold(int slot) {
    held_[static_cast<std::size_t>(slot)] = true;
    used_[static_cast<std::size_t>(slot)] = ++clock_;
    return slot;
  }

  /// A slot with the operand's value that may be overwritten.
  int take_value(std::uint32_t place, bool is_last) {
    const int from = find(place);
    if (from >= 0 && is_last) {
      forget(from);
      return hold(from);
    }
    if (from >= 0) hold(from);
    const int slot = take();
    if (from >= 0) {
      out_.copy(slot, from);
    } else {
      out_.load(slot, place);
    }
    return slot;
  }

  void apply(Assembler::Op op, int slot, std::uint32_t place) {
    const int from = find(place);
    if (from >= 0) {
      hold(from);
      out_.apply(op, slot, from);
    } else {
      out_.apply(op, slot, place);
    }
  }

  void bind(int slot, std::uint32_t place) {
    if (find(place) >= 0) forget(find(place));
    const auto k = static_cast<std::size_t>(slot);
    place_in_[k] = place;
    slot_of_[place] = slot;
    dirty_[k] = true;
  }

  /// Values that are read later go to memory: a call keeps no slot.
  void flush() {
    for (int slot = 0; slot < kSlots; ++slot) {
      const std::uint32_t place = place_in_[static_cast<std::size_t>(slot)];
      if (place == kFree) continue;
      write_back(place);
      forget(slot);
    }
  }

  // -- instructions -----------------------------------------------------------------------------

  void write(const Step& step) {
    held_.fill(false);
    if (step.kind == kSinCos) {
      write_sincos(step);
    } else if (const Function function = find_function(step.kind)) {
      write_function(step, function);
    } else if (!step.shape.is_written_out) {
      write_call(step);
    } else {
      take_result(write_value(step), step);
      for (std::size_t k = 0; k < step.operands().size(); ++k) {
        const std::uint32_t operand = step.operands()[k];
        if (step.last[k] && operand != step.numbers[0] && find(operand) >= 0) forget(find(operand));
      }
    }
  }

  /// At the beginning and after each call, which keeps no slot and no field's address.
  void load_sign() {
    field_in_.fill(kFree);
    if (has_neg_) out_.load_sign();
  }

  void write_sincos(const Step& step) {
    const std::uint32_t argument = step.operands()[0];
    write_back(argument);
    flush();
    out_.load(0, argument);
    void (*const function)(double, double*, double*) = ::sincos;
    out_.call_sincos(std::bit_cast<std::uint64_t>(function), step.numbers[0], step.numbers[1]);
    load_sign();
  }

  void write_function(const Step& step, Function function) {
    const std::uint32_t argument = step.operands()[0];
    const int slot = find(argument);
    flush();
    if (slot < 0) {
      out_.load(0, argument);
    } else if (slot > 0) {
      out_.copy(0, slot);
    }
    out_.call(std::bit_cast<std::uint64_t>(function));
    load_sign();
    take_result(0, step);
  }

  void take_result(int slot, const Step& step) {
    bind(slot, step.numbers[0]);
    if (step.is_final) write_stores(slot, stores_of_[step.numbers[0]]);
    if (!step.is_read) forget(slot);
  }

  void write_call(const Step& step) {
    flush();
    calls_.push_back({{step.kind, static_cast<std::uint32_t>(step.shape.length)},
                      {step.numbers, step.numbers + step.shape.length},
                      tables_});
    void (*const function)(const MachineCode::Call*, double*) = call_interpreter;
    out_.call(std::bit_cast<std::uint64_t>(function), std::bit_cast<std::uint64_t>(&calls_.back()));
    load_sign();
  }

  /// The slot with the result.
  int write_value(const Step& step) {
    using Do = Assembler::Op;
    const auto x = step.operands();
    switch (step.kind) {
      case kind_of(Op::add): return write_binary(Do::add, step);
      case kind_of(Op::sub): return write_binary(Do::sub, step);
      case kind_of(Op::mul): return write_binary(Do::mul, step);
      case kind_of(Op::div): return write_binary(Do::div, step);
      case kind_of(Op::neg): {
        const int slot = take_value(x[0], step.last[0]);
        out_.flip(slot, kSign);
        return slot;
      }
      case kind_of(Op::sqrt): {
        const int slot = take_value(x[0], step.last[0]);
        out_.apply(Do::sqrt, slot, slot);
        return slot;
      }
      case kSquare:
      case kCube: {
        const int slot = take_value(x[0], step.last[0] && step.kind == kSquare);
        out_.apply(Do::mul, slot, slot);
        if (step.kind == kCube) apply(Do::mul, slot, x[0]);
        return slot;
      }
      default: return write_fused(step);
    }
  }

  int write_binary(Assembler::Op op, const Step& step) {
    auto x = step.operands();
    const bool commutes = op == Assembler::Op::add || op == Assembler::Op::mul;
    const bool keeps_first = find(x[0]) < 0 || !step.last[0];
    const bool swaps = commutes && keeps_first && find(x[1]) >= 0 && step.last[1];
    const std::uint32_t first = x[swaps ? 1 : 0], second = x[swaps ? 0 : 1];
    const bool is_last = step.last[swaps ? 1 : 0];
    if (find(second) >= 0) hold(find(second));
    const int slot = take_value(first, is_last && first != second);
    apply(op, slot, second);
    return slot;
  }

  int write_fused(const Step& step) {
    using Do = Assembler::Op;
    const auto x = step.operands();
    for (const std::uint32_t operand : x)
      if (find(operand) >= 0) hold(find(operand));
    const bool is_free = step.last[0] && x[0] != x[1] && x[0] != x[2];
    const int product = take_value(x[0], is_free);
    apply(Do::mul, product, x[1]);
    if (step.kind == kSubMul) {
      const int slot = take_value(x[2], step.last[2] && x[2] != x[1]);
      out_.apply(Do::sub, slot, product);
      return slot;
    }
    apply(step.kind == kMulAdd ? Do::add : Do::sub, product, x[2]);
    return product;
  }

  void write_stores(int slot, std::vector<const Store*>& stores) {
    for (const Store* store : stores) {
      out_.store_field(slot, take_field(store->field), store->offset);
    }
    stores.clear();
  }

  /// Where the field's address is; the one that was loaded first gives way.
  int take_field(std::uint32_t field) {
    const auto found = std::find(field_in_.begin(), field_in_.end(), field);
    if (found != field_in_.end()) return static_cast<int>(found - field_in_.begin());
    const int slot = next_field_;
    next_field_ = (next_field_ + 1) % Assembler::kFieldSlots;
    out_.load_field(slot, field);
    field_in_[static_cast<std::size_t>(slot)] = field;
    return slot;
  }

  /// Of variables, constants, what other parts have left, and results of calls.
  void write_remaining_stores() {
    for (const Store& first : code_.stores) {
      auto& stores = stores_of_[first.place];
      if (stores.empty()) continue;
      held_.fill(false);
      int slot = find(first.place);
      if (slot < 0) {
        slot = take();
        out_.load(slot, first.place);
      }
      write_stores(slot, stores);
    }
  }

  Assembler& out_;
  const Code& code_;
  std::deque<MachineCode::Call>& calls_;
  const Table* tables_;
  std::vector<Step> steps_;
  std::vector<std::vector<const Store*>> stores_of_;  // per register: those still to be made
  std::vector<int> slot_of_;                          // per register, -1: only in memory
  std::array<std::uint32_t, kSlots> place_in_{};      // per slot: whose value it holds
  std::array<bool, kSlots> dirty_{};                  // memory has an older value
  std::array<bool, kSlots> held_{};                   // by the instruction that is written
  std::array<long, kSlots> used_{};
  long clock_ = 0;
  std::array<std::uint32_t, Assembler::kFieldSlots> field_in_{};  // whose address it holds
  int next_field_ = 0;
  bool has_neg_ = false;
  bool makes_calls_ = false;
};

}  // namespace

}  // namespace machine

std::shared_ptr<const MachineCode> MachineCode::make(std::span<const program::Code* const> parts,
                                                     const std::vector<program::Table>& tables,
                                                     std::size_t register_count) {
  const std::shared_ptr<MachineCode> made(new MachineCode(tables));
  machine::Assembler assembler;
  for (const program::Code* part : parts) {
    while (assembler.bytes.size() % 16 != 0) assembler.bytes.push_back(0xCC);
    made->entries_.push_back(assembler.bytes.size());
    machine::Writer(assembler, *part, made->calls_, made->tables_.data(), register_count).write();
  }
  return made->load(assembler.bytes) ? made : nullptr;
}

bool MachineCode::load(std::span<const std::uint8_t> bytes) {
  void* const memory =
      ::mmap(nullptr, bytes.size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  memory_ = memory;
  size_ = bytes.size();
  std::memcpy(memory, bytes.data(), bytes.size());
  return ::mprotect(memory, size_, PROT_READ | PROT_EXEC) == 0;
}

MachineCode::~MachineCode() {
  if (memory_ != nullptr) ::munmap(memory_, size_);
}

MachineCode::Function MachineCode::function(std::size_t part) const {
  return std::bit_cast<Function>(static_cast<std::uint8_t*>(memory_) + entries_[part]);
}

#else

std::shared_ptr<const MachineCode> MachineCode::make(std::span<const program::Code* const>,
                                                     const std::vector<program::Table>&,
                                                     std::size_t) {
  return nullptr;
}
bool MachineCode::load(std::span<const std::uint8_t>) { return false; }
MachineCode::~MachineCode() = default;
MachineCode::Function MachineCode::function(std::size_t) const { return nullptr; }

#endif

}  // namespace driftless
