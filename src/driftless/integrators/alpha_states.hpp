#pragma once
// First-order states c, c' = d(t, q, v, c), carried along by a generalised-α method (Jansen, Whiting, Hulbert 2000; Brüls,
// Golinval 2008; Arnold 2017 cites it as [29]). With w for c as a for the accelerations,
//
//   c1 = c0 + h ((1-θ) w0 + θ w1),   (1-δm) w1 + δm w0 = (1-δf) c1' + δf c0',   c1' = d at the end                   [GAS.1]
//   δm = (3ρ-1)/(2(ρ+1)),  δf = ρ/(ρ+1),  θ = 1/2 + δf - δm                                                          [GAS.2]
//
// w belongs to the time t + (δm-δf) h, which makes order 2. Fast states are damped by ρ in each step, as fast
// vibrations are, so that both parts of a step damp alike; ρ = 1 is the trapezoidal rule. (The mechanical αm and αf in
// [GAS.1] would have order 2, too, but they damp states by another ratio than ρ.)
//
// Everything follows from c1: with b = c0 + h ((1-θ) w0 + θ (δf c0' - δm w0)/(1-δm)) and κ = θ(1-δf)/(1-δm),
//
//   c1 = b + hκ c1'     so what is open is   (c1 - b)/(hκ) - d,   and a of [FOS.1] is 1/(hκ)                         [GAS.3]

#include "driftless/math/first_order_states.hpp"
#include "driftless/math/linear.hpp"

namespace driftless {

class AlphaStates {
 public:
  explicit AlphaStates(double rho);

  /// c' and c'' at the start.
  void start(Eigen::Index rates, const Vector& rate, const Vector& curve);
  Eigen::Index count() const { return rate_.size(); }

  /// An attempt of a step h from c; `before` is the size of the last step, 0: none. The first guess of the end is left
  /// in `end`.
  void begin_attempt(double h, double before, const Vector& c, Vector& end);
  /// What is open at `end`, where d is `rate`.
  void set_residual(const Vector& end, const Vector& rate);
  /// [FOS.2] False: singular.
  bool factorize(const StateSlopes& slopes, BlockMatrix& stiffness, BlockMatrix& damping);
  /// The momentum equations' right side less what the states' own residual does there.
  void reduce(VectorRef residual) const { elimination_.subtract_from(open_, residual); }
  /// Newton's change of the end, for changes of q and v, subtracted; the size of it relative to `end`.
  double update(const Vector& delta, const Vector& dv, Vector& end);
  /// The estimated error of one of them over its tolerance.
  double calc_error(Eigen::Index k, double h, const Vector& end, double rtol, double atol) const;
  /// The step is made.
  void commit(double h, const Vector& begin, const Vector& end);

  const Vector& rate() const { return rate_; }  ///< c' at the end of the last step
  const Vector& begin_rate() const { return rate0_; }

 private:
  double delta_m_, delta_f_, theta_, kappa_;
  double a_ = 0.0;      // 1/(hκ)
  Vector rate_, w_;     // at the end of the last step
  Vector rate0_;        // at its begin
  Vector curve_;        // c''
  Vector start_w_, b_;  // of this attempt
  Vector open_;
  StateSlopes slopes_;
  StateElimination<double> elimination_;
};

}  // namespace driftless
