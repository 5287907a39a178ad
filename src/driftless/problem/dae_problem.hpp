#pragma once
// F(t, y, y') = 0: the shape that implicit integrators take. Some components of y appear without their derivative: the
// algebraic ones. Each component has an index (Hairer, Wanner 1996, VII): 1 if it behaves as in an ODE, k if errors of
// size ε in F are errors of size ε/h^(k-1) in it. Integrators scale what they test by h^(k-1).                    [DAE.1]
//
// Newton's matrix is a F_y' + F_y with a ~ 1/h, real or complex. The problem factorises it itself: it knows the structure,
// and scales rows and unknowns by powers of a so that the factors stay bounded as h goes to 0.
//
// Nothing here throws during a run: a failed evaluation is a value, and OdeProblem::failure() says what and why.

#include <complex>
#include <span>
#include <string>

namespace driftless {

class DaeProblem {
 public:
  virtual ~DaeProblem() = default;

  virtual int dae_size() const = 0;

  /// residual = F(t, y, y'). False: not defined here.
  virtual bool eval_residual(double t, std::span<const double> y, std::span<const double> y_dot,
                             std::span<double> residual) = 0;

  /// F_y and F_y' at this point, kept for `factorize`. False: not defined here.
  virtual bool eval_derivatives(double t, std::span<const double> y,
                                std::span<const double> y_dot) = 0;

  /// Factorises a F_y' + F_y, with the derivatives of the last eval_derivatives. A real and a complex factorisation are
  /// kept side by side. False: singular.
  virtual bool factorize(double a) = 0;
  virtual bool factorize(std::complex<double> a) = 0;

  /// x with (a F_y' + F_y) x = r, in place of r.
  virtual void solve(std::span<double> r) = 0;
  virtual void solve(std::span<std::complex<double>> r) = 0;

  /// 1, 2 or 3: [DAE.1]
  virtual int variable_index(int component) const = 0;
  /// Its derivative does not appear in F.
  virtual bool is_algebraic(int component) const = 0;

  /// Its derivative is a function of the others, and nothing depends on it: an integral that is carried along.
  virtual bool is_integral(int /*component*/) const { return false; }

  /// y' at a consistent y, with its algebraic components put right; their own derivatives are 0. False: not defined.
  virtual bool find_slopes(double t, std::span<double> y, std::span<double> y_dot) = 0;
  /// The same where positions fulfil the constraints, and velocities need not: those are first moved, as little as possible,
  /// to where the derivatives of the constraints hold. By default they do.
  virtual bool make_consistent(double t, std::span<double> y, std::span<double> y_dot) {
    return find_slopes(t, y, y_dot);
  }

  /// Of the residual's components, a name for messages: the equation, the constraint.
  virtual std::string equation_name(int component) const = 0;
};

}  // namespace driftless
