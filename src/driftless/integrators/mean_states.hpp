#pragma once
// First-order states c, c' = d(t, q, v, c), in a symmetric step whose forces are taken at both ends. As they take one
// velocity there, the mean one, they take one state, the mean m of both ends:
//
//   m = (c0 + c1)/2,    c1 - c0 = h (d(t0, q0, ξ, m) + d(t1, q1, ξ, m))/2                                            [RTS.1]
//
// Exchanging the ends and the sign of h changes nothing, so the order is even: 2. States that relax within a step are
// followed as by the implicit midpoint rule. Newton's method has m as its unknown: with s = (d0 + d1)/2 - (m - c0)/(h/2)
// and the slopes of d at the begin, [FOS.1] with a = 2/h; q1 alone moves, by hT Δξ, which is half of it in the mean.

#include "driftless/math/first_order_states.hpp"

namespace driftless {

class MeanStates {
 public:
  void resize(Eigen::Index rates, Eigen::Index count);
  Eigen::Index count() const { return mean_.size(); }

  /// The first guess of m.
  void begin(double h, const Vector& c0, ConstVectorRef rate);
  const Vector& mean() const { return mean_; }
  Vector find_end(const Vector& c0) const { return 2.0 * mean_ - c0; }

  /// s, from d at both ends.
  void set_residual(const Vector& c0, const Vector& rate0, const Vector& rate1);
  /// P of [FOS.2]; the damping with P d_v, and P d_q in `stiffness`, which is overwritten. False: singular.
  bool factorize(const StateSlopes& slopes, BlockMatrix& stiffness, BlockMatrix& damping);
  /// right -= P s
  void reduce(VectorRef right) const { elimination_.subtract_from(open_, right); }
  /// The change of m that one of ξ brings with it; q1 moves by delta. Its size, relative to 1 + |m|: a state may be 0.
  double solve(const Vector& delta, const Vector& d_xi);
  void update() { mean_ += open_; }

 private:
  double h_ = 0.0;
  Vector mean_, open_;
  StateSlopes slopes_;
  StateElimination<double> elimination_;
  Vector half_;
};

}  // namespace driftless
