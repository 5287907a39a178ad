#pragma once
// Which order of a BDF method comes next. With E of bdf_history.hpp, the polynomials of order k - 2 to k + 1 would have made
// the errors
//
//   E_k ~ sigma_{k+1} |E|,  E_{k-1} ~ sigma_k |phi*_{k+1} + E|,  E_{k-2} ~ sigma_{k-1} |phi*_k + phi*_{k+1} + E|,
//   E_{k+1} ~ |E - phi_{k+2}| / (k + 2),  after k + 2 equal steps of order k                                        [BD.6]
//
// each of them times the caution c_k, and the order moves to where (order + 1) times the error falls.
//
// Caution. What is tested is y; multipliers and accelerations are as good as y' = y0' + a E, whose error is that of y over h.
// Of steps with an error e ~ h^(k+1) it is e^(k/(k+1)): tol'^(5/6) at order 5, but tol'^(1/2) at order 1, where each run
// begins, and these first errors of the multipliers would be the largest of all. With
//
//   e_k = tol'^((5/6) (k+1)/k) = tol' tol'^((5-k)/(6k))
//
// they would be alike at all orders. Low orders last a few steps only; the root of that is enough, and lets the first step be
// as long as rounding wants it:
//
//   c_k = tol'^(-(5-k)/(12k)),   at index 3 c_k = 1: there is no order below 5 at the start                          [BD.9]
//
// but tol'/c_k not below 5e-13, which rounding alone would exceed.
//
// The same keeps stiff systems from settling at order 1 or 2, with steps that suit these orders, when an error seems to
// be large for once.

#include <array>
#include <span>
#include <vector>

#include "driftless/integrators/bdf.hpp"
#include "driftless/integrators/bdf_history.hpp"
#include "driftless/integrators/dae_norm.hpp"

namespace driftless {

/// c_k of [BD.9]
double find_bdf_caution(int order, double tolerance);

class BdfOrder {
 public:
  /// `tolerance`: tol', the larger one of rtol' and atol'; 1: no caution.
  void begin(std::size_t n, int order, int max_order, double tolerance);
  int order() const { return k_; }
  /// Without an error estimate: 1 after failures, one more while a run begins.
  void set_order(int order) { k_ = order; }

  /// After an attempt: [BD.6] of the orders k to k - 2. Returns the error that is to be at most 1.
  double estimate(const BdfHistory& history, DaeNorm& norm, std::span<const double> miss);
  bool is_lower_better() const;
  void lower();
  /// k or its neighbours, before the differences are extended. `equal_steps`: of this size and order.
  void choose(bool lower, int equal_steps, const BdfHistory& history, DaeNorm& norm,
              std::span<const double> miss);
  /// What the error of the order chosen lets the step grow by.
  double find_step_factor() const;

  /// c_k of [BD.9]
  double caution(int k) const { return caution_[static_cast<std::size_t>(k)]; }

 private:
  int k_ = 1;
  int max_order_ = kHighestBdf;
  std::array<double, kHighestBdf + 1> caution_{};
  double error_ = 0.0, error_below_ = 0.0, error_below_2_ = 0.0;
  std::vector<double> scratch_;  // (n)
};

}  // namespace driftless
