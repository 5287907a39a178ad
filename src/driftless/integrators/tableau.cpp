#include "driftless/integrators/tableau.hpp"

namespace driftless {

Tableau make_euler_tableau() {
  return {.name = "euler", .order = 1, .a = {{}}, .b = {1.0}, .c = {0.0}};
}

Tableau make_heun_tableau() {
  return {.name = "heun", .order = 2, .a = {{}, {1.0}}, .b = {1.0 / 2, 1.0 / 2}, .c = {0.0, 1.0}};
}

Tableau make_kutta3_tableau() {
  return {.name = "kutta3",
          .order = 3,
          .a = {{}, {1.0 / 2}, {-1.0, 2.0}},
          .b = {1.0 / 6, 4.0 / 6, 1.0 / 6},
          .c = {0.0, 1.0 / 2, 1.0}};
}

Tableau make_rk4_tableau() {
  return {.name = "rk4",
          .order = 4,
          .a = {{}, {1.0 / 2}, {0.0, 1.0 / 2}, {0.0, 0.0, 1.0}},
          .b = {1.0 / 6, 2.0 / 6, 2.0 / 6, 1.0 / 6},
          .c = {0.0, 1.0 / 2, 1.0 / 2, 1.0}};
}

// Dormand and Prince (1980), RK5(4)7M; the dense output is Shampine's, in the form of Hairer,
// Norsett, Wanner (1993), II.6.
Tableau make_dopri5_tableau() {
  return {.name = "dopri5",
          .order = 5,
          .error_order = 4,
          .a = {{},
                {1.0 / 5},
                {3.0 / 40, 9.0 / 40},
                {44.0 / 45, -56.0 / 15, 32.0 / 9},
                {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
                {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}},
          .b = {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84, 0.0},
          .c = {0.0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1.0, 1.0},
          .e = {71.0 / 57600, 0.0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525,
                -1.0 / 40},
          .fsal = true,
          .dense_order = 4,
          .dense = {.a = {},
                    .c = {},
                    .d = {{-12715105075.0 / 11282082432, 0.0, 87487479700.0 / 32700410799,
                           -10690763975.0 / 1880347072, 701980252875.0 / 199316789632,
                           -1453857185.0 / 822651844, 69997945.0 / 29380423}}}};
}

}  // namespace driftless
