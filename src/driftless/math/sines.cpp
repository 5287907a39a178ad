// With n the whole number next to 2x/π and r = x - nπ/2, |r| <= π/4, sine and cosine of r by polynomials (the minimax ones of
// Sun's fdlibm 5.3, k_sin.c and k_cos.c), exchanged if n is odd and with the signs of the quadrant. No branch: a compiler
// makes two or four at a time of it, where the C library's function is called one by one.
//
//   r = ((x - n P1) - n P2) - n P3,   π/2 = P1 + P2 + P3 + ...,   P1 and P2 with 33 bits                              [SIN.1]
//
// so that n P1 and n P2 are exact up to n = 2^20, and so is the first difference. Beyond, the C library does it.

#include "driftless/math/sines.hpp"

#include <bit>
#include <cmath>
#include <cstdint>

#include "driftless/base/hot.hpp"

namespace driftless {
namespace {

constexpr double kLargest = 1e6;

/// The C library's, if x is too large for [SIN.1] or no number.
void eval_far(double x, double& cosine, double& sine) {
  cosine = std::cos(x);
  sine = std::sin(x);
}

inline void eval_near(double x, double& cosine, double& sine) {
  constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;
  constexpr double kRound = 0x1.8p52;  // the sum with it has n in its last bits
  constexpr double kP1 = 0x1.921fb544p0;
  constexpr double kP2 = 0x1.0b4611a6p-34;
  constexpr double kP3 = 0x1.3198a2e037073p-69;
  const double shifted = x * kTwoOverPi + kRound;
  const auto quadrant = std::bit_cast<std::uint64_t>(shifted);
  const double n = shifted - kRound;
  const double r = ((x - n * kP1) - n * kP2) - n * kP3;
  const double z = r * r;
  const double s =
      -1.66666666666666324348e-01 +
      z * (8.33333333332248946124e-03 +
           z * (-1.98412698298579493134e-04 +
                z * (2.75573137070700676789e-06 +
                     z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10))));
  const double c =
      4.16666666666666019037e-02 +
      z * (-1.38888888888741095749e-03 +
           z * (2.48015872894767294178e-05 +
                z * (-2.75573143513906633035e-07 +
                     z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))));
  const auto sine_bits = std::bit_cast<std::uint64_t>(r + r * z * s);
  const double half = 0.5 * z;
  const double most = 1.0 - half;  // and what it lost
  const auto cosine_bits = std::bit_cast<std::uint64_t>(most + (((1.0 - most) - half) + z * z * c));
  const std::uint64_t odd = 0 - (quadrant & 1);
  const std::uint64_t exchange = (sine_bits ^ cosine_bits) & odd;
  sine = std::bit_cast<double>((sine_bits ^ exchange) ^ ((quadrant & 2) << 62));
  cosine = std::bit_cast<double>((cosine_bits ^ exchange) ^ (((quadrant + 1) & 2) << 62));
}

}  // namespace

DRIFTLESS_HOT void eval_sines(const double* __restrict angles, std::size_t count,
                              double* __restrict cosines, double* __restrict sines) {
  bool is_near = true;
  for (std::size_t k = 0; k < count; ++k) is_near &= std::abs(angles[k]) <= kLargest;
  for (std::size_t k = 0; k < count; ++k) eval_near(angles[k], cosines[k], sines[k]);
  if (is_near) return;
  for (std::size_t k = 0; k < count; ++k) {
    if (!(std::abs(angles[k]) <= kLargest)) eval_far(angles[k], cosines[k], sines[k]);
  }
}

}  // namespace driftless
