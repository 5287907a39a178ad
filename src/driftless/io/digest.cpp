#include "driftless/io/digest.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

namespace driftless {
namespace {

using Words = std::array<std::uint32_t, 64>;

std::uint32_t find_prime(int index) {
  std::uint32_t prime = 2;
  for (int found = 0;; ++prime) {
    bool divides = false;
    for (std::uint32_t k = 2; k * k <= prime && !divides; ++k) divides = prime % k == 0;
    if (!divides && found++ == index) return prime;
  }
}

/// The first 32 bits behind the point of a root of a prime: of the square root or the cube root. Long double holds
/// 64 bits, and the integer part has at most 5.
std::uint32_t find_root_bits(std::uint32_t prime, bool cube) {
  const auto value = static_cast<long double>(prime);
  const long double root = cube ? std::cbrt(value) : std::sqrt(value);
  return static_cast<std::uint32_t>((root - std::floor(root)) * 4294967296.0L);
}

Words make_round_constants() {
  Words words{};
  for (int k = 0; k < 64; ++k)
    words[static_cast<std::size_t>(k)] = find_root_bits(find_prime(k), true);
  return words;
}

void mix_block(const unsigned char* block, std::array<std::uint32_t, 8>& state) {
  static const Words kRound = make_round_constants();
  Words w{};
  for (std::size_t k = 0; k < 16; ++k) {
    for (std::size_t byte = 0; byte < 4; ++byte) w[k] = (w[k] << 8) | block[4 * k + byte];
  }
  for (std::size_t k = 16; k < 64; ++k) {
    const std::uint32_t a = w[k - 15];
    const std::uint32_t b = w[k - 2];
    w[k] = w[k - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ (a >> 3)) + w[k - 7] +
           (std::rotr(b, 17) ^ std::rotr(b, 19) ^ (b >> 10));
  }
  std::array<std::uint32_t, 8> s = state;
  for (std::size_t k = 0; k < 64; ++k) {
    const std::uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
    const std::uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
    const std::uint32_t t1 = s[7] +
                             (std::rotr(s[4], 6) ^ std::rotr(s[4], 11) ^ std::rotr(s[4], 25)) +
                             choice + kRound[k] + w[k];
    const std::uint32_t t2 =
        (std::rotr(s[0], 2) ^ std::rotr(s[0], 13) ^ std::rotr(s[0], 22)) + majority;
    s = {t1 + t2, s[0], s[1], s[2], s[3] + t1, s[4], s[5], s[6]};
  }
  for (std::size_t k = 0; k < 8; ++k) state[k] += s[k];
}

}  // namespace

std::string find_sha256(std::string_view text) {
  std::array<std::uint32_t, 8> state{};
  for (int k = 0; k < 8; ++k)
    state[static_cast<std::size_t>(k)] = find_root_bits(find_prime(k), false);
  std::string padded(text);
  padded += '\x80';
  while (padded.size() % 64 != 56) padded += '\0';
  const std::uint64_t bits = 8 * static_cast<std::uint64_t>(text.size());
  for (int shift = 56; shift >= 0; shift -= 8) padded += static_cast<char>((bits >> shift) & 0xff);
  for (std::size_t k = 0; k < padded.size(); k += 64) {
    mix_block(reinterpret_cast<const unsigned char*>(padded.data()) + k, state);
  }
  std::string out;
  for (const std::uint32_t word : state) out += fmt::format("{:08x}", word);
  return out;
}

void append_base64(std::string& out, std::span<const unsigned char> bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  out.reserve(out.size() + (bytes.size() + 2) / 3 * 4);
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - k);
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i) group = (group << 8) | (i < count ? bytes[k + i] : 0U);
    for (std::size_t i = 0; i < 4; ++i) {
      out += i <= count ? kDigits[(group >> (18 - 6 * i)) & 63] : '=';
    }
  }
}

}  // namespace driftless
