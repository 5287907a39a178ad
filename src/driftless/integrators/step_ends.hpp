#pragma once
// The two ends of the last step of an implicit integrator, as its caller sees them.
//
// The integrator's polynomial p runs between the ends that it found itself. The caller may have moved either of them
// (Change::corrected) by d0 and d1; between them the moves are blended,
//
//   y(theta) = p(theta) + (1 - b) d0 + b d1,   b = theta^2 (3 - 2 theta),                                         [SE.1]
//
// so that the ends are met exactly and the slopes there stay those of p.
//
// Slopes come from the integrator: F(t, y, y') = 0 need not be solved for y' again. A correction leaves them as they are.

#include <cstddef>
#include <span>
#include <vector>

#include "driftless/integrators/stepper.hpp"
#include "driftless/problem/dae_problem.hpp"

namespace driftless {

class StepEnds {
 public:
  void resize(std::size_t n);

  /// The first point, with its algebraic components and its slope from the problem. False: not defined.
  bool start(DaeProblem& dae, double t, std::span<const double> y);

  /// A step from (t, y). May be called again for the same point if the last attempt failed. A multistep method goes on
  /// from the end that it found itself, own_y1.
  enum class From { caller, own };
  void begin(double t, std::span<const double> y, From from);
  void commit(double t, double h, std::span<const double> y, std::span<const double> slope);
  /// Another value of one component at the end of the step.
  void move_end(std::size_t component, double value);
  /// False: in a new chart there is no slope.
  bool accept(DaeProblem& dae, double t, std::span<const double> y, Change change);

  /// Copies an end (theta <= 0 or >= 1); inside, the polynomial is to be evaluated and then `blend` called.
  enum class Where { end, inside, nowhere };
  Where prepare(double theta, std::span<double> y) const;
  /// [SE.1]
  void blend(double theta, std::span<double> y) const;

  std::size_t size() const { return y0_.size(); }
  double t0() const { return t0_; }
  double t1() const { return t1_; }
  double h() const { return h_; }
  std::span<const double> y0() const { return y0_; }
  std::span<const double> y1() const { return y1_; }
  std::span<const double> f0() const { return f0_; }
  std::span<const double> f1() const { return f1_; }
  /// The ends that the integrator found.
  std::span<const double> own_y0() const { return own_y0_; }
  std::span<const double> own_y1() const { return own_y1_; }

  StepperCounts counts;

 private:
  bool find_slopes(DaeProblem& dae);

  double t0_ = 0.0;
  double t1_ = 0.0;
  double h_ = 0.0;
  std::vector<double> y0_, y1_;  // (n) the ends as they are now
  std::vector<double> own_y0_, own_y1_;
  std::vector<double> f0_, f1_;  // (n) slopes there
  bool first_ = true;            // no step has begun
  bool moved_ = false;           // an end is not the integrator's own
  bool same_chart_ = true;
};

}  // namespace driftless
