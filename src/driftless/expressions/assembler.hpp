#pragma once
// The few instructions of x86-64 that flat code is made of (Intel 64 and IA-32 Architectures Software Developer's Manual,
// volume 2). Doubles, one at a time, so that the bits are those of plain C++.

#include <array>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <vector>

namespace driftless::machine {

/// Bytes of instructions. Numbers of slots: 0 to 15. Where nothing is called, the addresses of registers and fields stay in
/// rdi and rsi, as they come; else they are kept in rbx and rbp. rax, rcx and rdx hold addresses of single fields.
class Assembler {
 public:
  enum class Op : std::uint8_t { add = 0x58, mul = 0x59, sub = 0x5C, div = 0x5E, sqrt = 0x51 };
  static constexpr int kFieldSlots = 3;  // rax, rcx, rdx

  std::vector<std::uint8_t> bytes;

  void enter(bool makes_calls) {
    makes_calls_ = makes_calls;
    put({0xF3, 0x0F, 0x1E, 0xFA});  // endbr64
    // push rbx; push rbp; sub rsp, 8; mov rbx, rdi; mov rbp, rsi
    if (makes_calls) put({0x53, 0x55, 0x48, 0x83, 0xEC, 0x08, 0x48, 0x89, 0xFB, 0x48, 0x89, 0xF5});
  }
  void leave() {
    if (makes_calls_) put({0x48, 0x83, 0xC4, 0x08, 0x5D, 0x5B});  // add rsp, 8; pop rbp; pop rbx
    put({0xC3});
  }

  void load(int slot, std::uint32_t place) { scalar(0x10, slot, registers(), place); }
  void store(int slot, std::uint32_t place) { scalar(0x11, slot, registers(), place); }
  void store_field(int slot, int field_slot, std::uint32_t offset) {
    scalar(0x11, slot, static_cast<unsigned>(field_slot), offset);
  }
  void apply(Op op, int slot, std::uint32_t place) {
    scalar(static_cast<std::uint8_t>(op), slot, registers(), place);
  }
  void apply(Op op, int slot, int from) { pair(0xF2, static_cast<std::uint8_t>(op), slot, from); }
  void copy(int slot, int from) { pair(0x66, 0x28, slot, from); }
  void flip(int slot, int mask) { pair(0x66, 0x57, slot, mask); }

  /// slot 15 = the sign bit; rax is overwritten
  void load_sign() {
    put({0x48, 0xB8});
    put_number(std::uint64_t{1} << 63U);
    put({0x66, 0x4C, 0x0F, 0x6E, 0xF8});
  }
  /// rax, rcx or rdx = address of a field
  void load_field(int field_slot, std::uint32_t field) {
    const unsigned fields = makes_calls_ ? 5 /* rbp */ : 6 /* rsi */;
    put({0x48, 0x8B,
         static_cast<std::uint8_t>(0x80U | static_cast<unsigned>(field_slot) << 3U | fields)});
    put_number(field * 8U);
  }
  /// function(slot 0, &sine, &cosine)
  void call_sincos(std::uint64_t function, std::uint32_t sine, std::uint32_t cosine) {
    put({0x48, 0x8D, 0xBB});
    put_number(sine * 8U);
    put({0x48, 0x8D, 0xB3});
    put_number(cosine * 8U);
    call(function);
  }
  /// slot 0 = function(slot 0)
  void call(std::uint64_t address) {
    put({0x48, 0xB8});
    put_number(address);
    put({0xFF, 0xD0});
  }
  /// function(argument, registers)
  void call(std::uint64_t function, std::uint64_t argument) {
    put({0x48, 0xBF});
    put_number(argument);
    put({0x48, 0x89, 0xDE});
    call(function);
  }

 private:
  void put(std::initializer_list<std::uint8_t> list) {
    bytes.insert(bytes.end(), list.begin(), list.end());
  }
  template <class T>
  void put_number(T number) {
    std::array<std::uint8_t, sizeof(T)> raw;
    std::memcpy(raw.data(), &number, sizeof(T));
    bytes.insert(bytes.end(), raw.begin(), raw.end());
  }
  unsigned registers() const { return makes_calls_ ? 3 /* rbx */ : 7 /* rdi */; }

  /// An instruction on a slot and a number in memory.
  void scalar(std::uint8_t code, int slot, unsigned base, std::uint32_t place) {
    put({0xF2});
    if (slot >= 8) put({0x44});
    const bool is_near = place < 16;
    const auto mode = static_cast<unsigned>(is_near ? 0x40 : 0x80);
    const auto number = static_cast<unsigned>(slot) & 7U;
    put({0x0F, code, static_cast<std::uint8_t>(mode | number << 3U | base)});
    if (is_near) {
      put({static_cast<std::uint8_t>(place * 8)});
    } else {
      put_number(place * 8U);
    }
  }
  void pair(std::uint8_t prefix, std::uint8_t code, int slot, int from) {
    const auto to = static_cast<unsigned>(slot), source = static_cast<unsigned>(from);
    put({prefix});
    if (to >= 8 || source >= 8)
      put({static_cast<std::uint8_t>(0x40U | (to >> 3U) << 2U | source >> 3U)});
    put({0x0F, code, static_cast<std::uint8_t>(0xC0U | (to & 7U) << 3U | (source & 7U))});
  }

  bool makes_calls_ = false;
};

}  // namespace driftless::machine
