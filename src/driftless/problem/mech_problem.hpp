#pragma once
// A constrained mechanical system as methods for second-order equations see it: positions q on a manifold, moved by
// increments, velocities v in its tangent space,
//
//   r = M v' + Gᵀλ - Q = 0,   Φ(t, q) = 0 in position rows,   ρ(t, q, v) = 0 in all rows                           [MCH.1]
//   c' = d(t, q, v, c)        states of force elements, on which Q depends                                         [MCH.2]
//
// The integrator keeps q, v, v', λ and c itself; y (of OdeProblem) is where they stand for the rest of the program.
//
// Nothing here throws during a run: a failed evaluation is a value, and OdeProblem::failure() says what and why.

#include <span>
#include <string>
#include <vector>

#include "driftless/math/block_matrix.hpp"
#include "driftless/math/first_order_states.hpp"
#include "driftless/math/linear.hpp"

namespace driftless {

/// A point of the motion with all that Newton's method varies.
struct MechPoint {
  double t = 0.0;
  Vector q, v, v_dot, lambda;
  Vector c;  ///< first-order states
};

/// What is evaluated there. Position rows come first.
struct MechTerms {
  BlockMatrix mass, jacobian;  ///< M, G; their blocks stay
  Vector residual;             ///< r
  Vector phi, rho;             ///< of the position rows; of all rows
  Vector state_rate;           ///< d
};

/// Derivatives there; by q along increments of `retract`.
struct MechDerivatives {
  BlockMatrix stiffness, damping;  ///< dr/dq, dr/dv; with the blocks of M, and more
  BlockMatrix rho_q;               ///< dρ/dq; with those of G, and more
  StateSlopes states;              ///< of r by c, and of d
};

class MechProblem {
 public:
  /// Which constraints a step has to meet at its end.
  enum class Level { position, velocity, both };

  virtual ~MechProblem() = default;

  virtual Level level() const = 0;
  virtual int rows() const = 0;
  /// What changes of coordinates are compared with where the coordinates themselves are smaller; 0: not known.
  virtual double least_size() const { return 0.0; }
  virtual int position_rows() const = 0;

  /// q, v, c and λ out of y, and into it.
  virtual void read(std::span<const double> y, MechPoint& point) const = 0;
  virtual void write(const MechPoint& point, std::span<double> y) const = 0;
  /// v' into the slopes of y.
  virtual void write_acceleration(const MechPoint& point, std::span<double> slopes) const = 0;

  virtual bool eval_point(const MechPoint& point, MechTerms& terms) = 0;
  virtual bool eval_derivatives(const MechPoint& point, MechDerivatives& out) = 0;
  /// Adds to Q what makes it the rate of the momentum M v without constraints, at the point of the last eval_point:
  /// (dM/dt) v. Momenta of turns stand in the body's axes and are moved along by the tangent of `retract`, so that they
  /// feel no gyroscopic torque: ω×Jω cancels it.
  virtual void add_momentum_rate(const MechPoint& /*point*/, VectorRef /*force*/) {}
  /// v' and λ that (t, q, v, c) ask for.
  virtual bool find_motion(MechPoint& point) = 0;
  /// d at the point of the last find_motion or eval_point.
  virtual const Vector& state_rate() const = 0;
  /// Where c stands in y.
  virtual int state_slot() const = 0;
  /// The least change of v, in the mass metric, with G change = b, at the point of the last find_motion.
  virtual void solve_change(ConstVectorRef b, VectorRef change) = 0;

  virtual void retract(VectorRef q, ConstVectorRef delta) const = 0;
  /// The increment at the end that a change of `delta` makes: retract(q, δ + dδ) = retract(retract(q, δ), T dδ).
  virtual void eval_tangent(ConstVectorRef delta, BlockMatrix& tangent) const = 0;
  /// T = 1, with the blocks that it has: on the diagonal, each within those of M.
  virtual BlockMatrix make_tangent() const = 0;
  /// [v, w] of the group's algebra: by how much increments along v and then w differ from those in the other order. The
  /// increment along a motion is h v + h²v'/2 + h³(v''/6 + [v, v']/12) + ...
  virtual void eval_bracket(ConstVectorRef v, ConstVectorRef w, VectorRef bracket) const = 0;
  /// T at delta = `retract` from one q to the other; only used to measure errors.
  virtual void find_increment(ConstVectorRef from, ConstVectorRef to, VectorRef delta) const = 0;

  /// Redundant rows: chosen anew for this M and G. A row that is set aside has λ_i = relation·λ instead of a constraint.
  virtual void choose_rows(const BlockMatrix& mass, const BlockMatrix& jacobian) = 0;
  virtual bool is_kept(int row) const = 0;
  virtual bool is_position_kept(int row) const = 0;
  virtual Eigen::Ref<const Eigen::RowVectorXd> relation(int row) const = 0;

  /// Quadratures that are carried along: their slopes at a point, and where they stand in y.
  virtual int quadratures() const = 0;
  virtual void eval_quadratures(const MechPoint& point, std::span<double> slopes) = 0;
  virtual int quadrature_slot(int index) const = 0;

  virtual std::string row_name(int row) const = 0;
  /// The component of y that stands for a rate's equation of motion, or for a row, in messages; -1: none.
  virtual int rate_slot(int rate) const = 0;
  virtual int row_slot(int row) const = 0;
};

}  // namespace driftless
