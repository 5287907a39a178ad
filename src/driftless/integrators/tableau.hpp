#pragma once
// Explicit Runge-Kutta methods as data.
//
//   k_i = f(t0 + c_i h, y0 + h sum_{j<i} a_ij k_j),   i = 1..s        [RK.1]
//   y1  = y0 + h sum_i b_i k_i                                        [RK.2]
//   estimated error = h sum_i e_i k_i,   e = b - b^                   [RK.3]
//
// FSAL ("first same as last"): the last row of a is b and c_s = 1, so that k_s = f(t1, y1).
//
// Dense output. All of ours are written in one nested form (Hairer, Norsett, Wanner 1993, II.6),
//
//   y(t0 + th h) = y0 + th (r1 + (1-th)(r2 + th (r3 + (1-th)(r4 + th (r5 + ...)))))     [RK.4]
//   r1 = y1 - y0,   r2 = h f0 - r1,   r3 = 2 r1 - h (f0 + f1),   r_{3+m} = h sum_i d_mi k_i
//
// r1, r2, r3 alone are the cubic Hermite polynomial through both ends and slopes, of order 3. They
// hold the ends y1 and f1 as they are after a correction, so that the polynomial stays continuous
// and differentiable over corrected steps; the rows d vanish at both ends together with their
// derivative.

//
// Half-explicit methods (Arnold 2017, 4.3; Hairer, Lubich, Roche 1989) for constraints at velocity level. The slopes of a
// stage contain multipliers; what determines them are the constraints at another point, one row further on:
//
//   k_i = f(t_i, Y_i, lambda_i) such that the constraints hold at y0 + h sum_{j<=i} abar_ij k_j,   abar_ii != 0  [RK.5]
//
// so a stage solves one linear system. If the last row of abar is b, the constraints hold at y1. A stage without such a
// row (the first one of some) takes its slope from where the last step ended.

#include <string>
#include <vector>

namespace driftless {

/// The part of the dense output beyond the Hermite polynomial. The slopes that `a` and `d` weight
/// are counted: stages 0..s-1, then f1 at the (corrected) end unless the method is FSAL (there the
/// last stage is that slope), then the extra stages.
struct DenseRows {
  std::vector<std::vector<double>> a;  ///< one row per extra stage
  std::vector<double> c;               ///< its node
  std::vector<std::vector<double>> d;  ///< one row per coefficient r4, r5, ...
};

/// An explicit Butcher tableau. Rows of `a` may be given short (i entries in row i) or in full with
/// zeros.
struct Tableau {
  std::string name;
  int order = 0;                       ///< of b
  int error_order = 0;                 ///< of the embedded solution b - e; 0: there is none
  std::vector<std::vector<double>> a;  ///< s rows
  std::vector<double> b;               ///< s
  std::vector<double> c;               ///< s
  /// s, or empty: no error estimate. Half-explicit methods, whose stages are no slopes at either end, may have two more:
  /// those of f0 and f1.
  std::vector<double> e = {};
  /// DOP853's second, third-order estimate. If given, the error is |e|^2 / sqrt(|e|^2 + 0.01
  /// |e_low|^2) in the error norm (Hairer, Norsett, Wanner 1993, (10.17)).
  std::vector<double> e_low = {};
  bool fsal = false;
  /// Of the PI step-size controller; 0: a controller without memory.
  double pi_beta = 0.04;
  /// By how much a step may grow [SC.6].
  double growth = 10.0;
  int dense_order = 3;
  DenseRows dense = {};
  /// Rows of abar in [RK.5], i + 1 entries in row i, none of a stage without one; empty: the method is explicit.
  std::vector<std::vector<double>> half_explicit = {};

  int stages() const { return static_cast<int>(b.size()); }
};

/// Euler 1768, order 1.
Tableau make_euler_tableau();
/// The explicit trapezoidal rule, order 2.
Tableau make_heun_tableau();
/// Kutta 1901, order 3.
Tableau make_kutta3_tableau();
/// The classical method, order 4.
Tableau make_rk4_tableau();
/// Dormand and Prince 1980, order 5(4), with Shampine's dense output of order 4.
Tableau make_dopri5_tableau();
/// Dormand and Prince, Hairer and Wanner, order 8(5,3), with dense output of order 7.
Tableau make_dop853_tableau();

/// Brasey and Hairer 1993, half-explicit, order 3 with three stages.
Tableau make_hem3_tableau();
/// Brasey and Hairer 1993, half-explicit, order 4 with five stages.
Tableau make_hem4_tableau();
/// Arnold 1998, half-explicit, Dormand and Prince's stages, order 5(4).
Tableau make_hedop5_tableau();
/// Murua 1997, partitioned half-explicit, Dormand and Prince's stages, order 5(4).
Tableau make_phem56_tableau();

/// Throws ModelError with every fault found, each naming its entry: shape, a not explicit, row sums
/// not c, sum of b not 1, a wrong FSAL flag, and an order (of b or of the embedded solution) that
/// the order conditions deny.
void check_tableau(const Tableau& tableau);

}  // namespace driftless
