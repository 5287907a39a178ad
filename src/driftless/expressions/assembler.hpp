#pragma once
// The few instructions of x86-64 that flat code is made of (Intel 64 and IA-32 Architectures Software Developer's Manual,
// volume 2). Doubles, one at a time, so that the bits are those of plain C++.

#include <array>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <vector>

namespace driftless::machine {

/// Bytes of instructions. Numbers of slots: 0 to 15. rbx holds the registers' address, r12 the fields'.
class Assembler {
 public:
  enum class Op : std::uint8_t { add = 0x58, mul = 0x59, sub = 0x5C, div = 0x5E, sqrt = 0x51 };
  enum class Base : std::uint8_t { registers = 3 /* rbx */, field = 0 /* rax */ };

  std::vector<std::uint8_t> bytes;

  void enter() {
    // endbr64; push rbx; push r12; sub rsp, 8; mov rbx, rdi; mov r12, rsi
    put({0xF3, 0x0F, 0x1E, 0xFA, 0x53, 0x41, 0x54, 0x48, 0x83, 0xEC, 0x08, 0x48, 0x89, 0xFB, 0x49,
         0x89, 0xF4});
  }
  void leave() { put({0x48, 0x83, 0xC4, 0x08, 0x41, 0x5C, 0x5B, 0xC3}); }  // and back

  void load(int slot, std::uint32_t place) { scalar(0x10, slot, Base::registers, place); }
  void store(int slot, std::uint32_t place) { scalar(0x11, slot, Base::registers, place); }
  void store_field(int slot, std::uint32_t offset) { scalar(0x11, slot, Base::field, offset); }
  void apply(Op op, int slot, std::uint32_t place) {
    scalar(static_cast<std::uint8_t>(op), slot, Base::registers, place);
  }
  void apply(Op op, int slot, int from) { pair(0xF2, static_cast<std::uint8_t>(op), slot, from); }
  void copy(int slot, int from) { pair(0x66, 0x28, slot, from); }
  void flip(int slot, int mask) { pair(0x66, 0x57, slot, mask); }

  /// slot 15 = the sign bit
  void load_sign() {
    put({0x48, 0xB8});
    put_number(std::uint64_t{1} << 63U);
    put({0x66, 0x4C, 0x0F, 0x6E, 0xF8});
  }
  /// rax = address of a field
  void load_field(std::uint32_t field) {
    put({0x49, 0x8B, 0x84, 0x24});
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
  void call(std::uint64_t address) {
    put({0x48, 0xB8});
    put_number(address);
    put({0xFF, 0xD0});
  }
  /// An instruction on a slot and a number in memory.
  void scalar(std::uint8_t code, int slot, Base base, std::uint32_t place) {
    put({0xF2});
    if (slot >= 8) put({0x44});
    const bool is_near = place < 16;
    const auto mode = static_cast<unsigned>(is_near ? 0x40 : 0x80);
    const auto number = static_cast<unsigned>(slot) & 7U;
    put({0x0F, code, static_cast<std::uint8_t>(mode | number << 3U | static_cast<unsigned>(base))});
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
};

}  // namespace driftless::machine
