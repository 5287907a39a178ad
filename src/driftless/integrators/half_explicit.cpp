// Coefficients of half-explicit Runge-Kutta methods, [RK.5] of tableau.hpp.
//
// Where the point of a stage's constraints is the next stage's argument, abar is a, shifted by one row: so in the methods
// of Brasey and Hairer, which have the row b in the end, and in HEDOP5, but for its last stage, whose row is its own.
//
// Error estimates of HEM3 and HEM4. The multipliers of a stage belong to no instant, so besides c_i a stage has the weight
// w_i with which it sees the curvature of the constraints: expanding the constraints at the stage's point,
//
//   sum_{j<=i} abar_ij w_j = cbar_i^2 / 2                                                                           [HE.1]
//
// and an embedded solution has order 2 if and only if sum b^ = 1, sum b^ c = 1/2 and sum b^ w = 1/2. The three stages of
// HEM3 have w = (1/6, 1/3, 1), c = (0, 1/3, 1): no other weights than b. With the slope f0 where the step begins, which is
// at hand and has c = w = 0, there is one family, e ~ 2 f0 - 3 k2 + k3; a quarter of it makes b^ = (3/2) k2 - (1/2) f0.
//
// Order 3 with the stages of HEM4 is open to b alone again, also with f0. With the slope f1 at the end, which the next
// step and the dense output need anyway, there is one family,
//
//   e ~ f0 - (2+3r)/6 k3 - (2-3r)/6 k4 + (2/3) k5 - f1,   r = sqrt 6                                                 [HE.2]
//
// and a sixth of it takes k5 out of b^. That all conditions of order 3 hold for constrained mechanical systems, with M(q)
// and forces of velocities, was seen by the expansion of the stages in powers of h; the test sees the estimate's order.
//
// Dense output: the cubic through both ends and slopes, whose error h^4 is that of HEM4's own order.

#include <cmath>
#include <utility>

#include "driftless/integrators/tableau.hpp"

namespace driftless {
namespace {

/// Every stage with constraints at the next one's argument, the last one with constraints at y1.
Tableau shift_rows(Tableau m) {
  for (std::size_t i = 1; i < m.a.size(); ++i) m.half_explicit.push_back(m.a[i]);
  m.half_explicit.push_back(m.b);
  return m;
}

Tableau make_dopri5_stages(const char* name) {
  Tableau m = make_dopri5_tableau();
  m.name = name;
  for (std::size_t i = 0; i < m.a.size(); ++i) m.a[i].resize(i);
  m.half_explicit.emplace_back();  // the first stage is where the last step ended
  return m;
}

}  // namespace

Tableau make_hem3_tableau() {
  Tableau m;
  m.name = "hem3";
  m.order = 3;
  m.a = {{}, {1.0 / 3}, {-1.0, 2.0}};
  m.b = {0.0, 3.0 / 4, 1.0 / 4};
  m.c = {0.0, 1.0 / 3, 1.0};
  m.e = {0.0, -3.0 / 4, 1.0 / 4, 1.0 / 2, 0.0};
  m.error_order = 2;
  return shift_rows(std::move(m));
}

Tableau make_hem4_tableau() {
  const double r = std::sqrt(6.0);
  Tableau m;
  m.name = "hem4";
  m.order = 4;
  m.a = {{},
         {3.0 / 10},
         {(1 + r) / 30, (11 - 4 * r) / 30},
         {(-79 - 31 * r) / 150, (-1 - 4 * r) / 30, (24 + 11 * r) / 25},
         {(14 + 5 * r) / 6, (-8 + 7 * r) / 6, (-9 - 7 * r) / 4, (9 - r) / 4}};
  m.b = {0.0, 0.0, (16 - r) / 36, (16 + r) / 36, 1.0 / 9};
  m.c = {0.0, 3.0 / 10, (4 - r) / 10, (4 + r) / 10, 1.0};
  m.e = {0.0, 0.0, -(2 + 3 * r) / 36, -(2 - 3 * r) / 36, 1.0 / 9, 1.0 / 6, -1.0 / 6};  // [HE.2]
  m.error_order = 3;
  return shift_rows(std::move(m));
}

Tableau make_hedop5_tableau() {
  Tableau m = make_dopri5_stages("hedop5");
  for (std::size_t i = 2; i < m.a.size(); ++i) m.half_explicit.push_back(m.a[i]);
  m.half_explicit.push_back({-18611506045861.0 / 19738176307200, 59332529.0 / 14479296,
                             -2509441598627.0 / 893904224850, 2763523204159.0 / 3289696051200,
                             -41262869588913.0 / 116235927142400, 46310205821.0 / 287848404480,
                             -3280.0 / 75413});
  return m;
}

Tableau make_phem56_tableau() {
  Tableau m = make_dopri5_stages("phem56");
  m.half_explicit.push_back({3.0 / 40, 9.0 / 40});
  m.half_explicit.push_back({21.0 / 256, 45.0 / 256, 15.0 / 128});
  m.half_explicit.push_back({19235.0 / 98784, -225.0 / 392, 6235.0 / 6174, 2755.0 / 32928});
  m.half_explicit.push_back({-293.0 / 1152, 85.0 / 48, -2275.0 / 1908, 35.0 / 32, -2835.0 / 6784});
  m.half_explicit.push_back(
      {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84});
  m.half_explicit.push_back({10752038939.0 / 66307507200, -19259.0 / 50160,
                             19581770468.0 / 24023520675, 9941999.0 / 650073600,
                             180060831.0 / 4820710400, -11331659.0 / 439538400, 1.0 / 76});
  return m;
}

}  // namespace driftless
