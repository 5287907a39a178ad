#pragma once
// Newton's method for states c with c' = d(t, q, v, c) beside equations r(q, v, c, ...) = 0 that they act upon. Along a
// step c changes by what its own equation says,
//
//   (a I - d_c) Δc = s + d_q δ + d_v Δv,        δ the increment of q, a ~ 1/h, s what is open in c' = d               [FOS.1]
//
// and r_c Δc in the equations of motion is, with P = r_c (a I - d_c)⁻¹,
//
//   K := K + P d_q,    C := C + P d_v,    right side := right side - P s                                             [FOS.2]
//
// So states leave the size and the structure of the other equations as they are: a force couples with its states the
// bodies that it couples without them. For h → 0 P vanishes as h.

#include <complex>

#include "driftless/math/block_matrix.hpp"
#include "driftless/math/linear.hpp"
#include "driftless/math/lu.hpp"

namespace driftless {

struct StateSlopes {
  Matrix residual_c;  ///< dr/dc (nv x nc)
  Matrix rate_q;      ///< dd/dq (nc x nv), along increments
  Matrix rate_v;      ///< dd/dv (nc x nv)
  Matrix rate_c;      ///< dd/dc (nc x nc)

  StateSlopes() = default;
  StateSlopes(int nv, int nc)
      : residual_c(Matrix::Zero(nv, nc)),
        rate_q(Matrix::Zero(nc, nv)),
        rate_v(Matrix::Zero(nc, nv)),
        rate_c(Matrix::Zero(nc, nc)) {}

  Eigen::Index count() const { return rate_c.rows(); }
  void set_zero();
  bool all_finite() const;
};

template <class S>
class StateElimination {
 public:
  using MatrixS = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;
  using VectorS = Eigen::Matrix<S, Eigen::Dynamic, 1>;

  /// Allocates.
  void resize(Eigen::Index nv, Eigen::Index nc);

  /// a I - d_c, and P. False: singular.
  bool factorize(const StateSlopes& slopes, S a);
  /// K += P d_q, C += P d_v.
  void add_to(const StateSlopes& slopes, MatrixS& stiffness, MatrixS& damping) const;
  /// Real, and with blocks for all of it.
  void add_to(const StateSlopes& slopes, BlockMatrix& stiffness, BlockMatrix& damping) const;
  /// Calls add(i, P_ik) for each rate i on which state k acts.
  template <class Add>
  void for_each_force(Eigen::Index k, Add add) const {
    for (Eigen::Index i = 0; i < forces_.rows(); ++i)
      if (forces_(i, k) != S(0.0)) add(i, forces_(i, k));
  }
  /// s += d_q δ
  void add_turn(const StateSlopes& slopes, const VectorS& delta, VectorS& s) const;
  /// right -= P s
  void subtract_from(const VectorS& s, Eigen::Ref<VectorS> right) const;
  /// Δc of [FOS.1] in place of s.
  void solve(const StateSlopes& slopes, const VectorS& delta, const VectorS& dv, VectorS& s) const;

 private:
  bool diagonal_ = true;
  VectorS pivots_;  // of a I - d_c if that is diagonal
  MatrixS matrix_;
  BasicLu<S> lu_;
  MatrixS forces_;  // P
  mutable VectorS row_;
};

}  // namespace driftless
