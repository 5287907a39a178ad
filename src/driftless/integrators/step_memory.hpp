#pragma once
// The last step from end to end: what every explicit stepper remembers of it, and the polynomial
// between its ends.
//
// Life of a step:   begin(t0, y0)   f0 is the slope that the last `accept` (or `start`) left
//                   commit(t1, y1)  the step is taken; the slope f1 is known if the method is FSAL
//                   accept(y1)      y1 as it is after the caller's corrections, and its slope
//                   polynomial      [RK.4] of tableau.hpp between the ends as they are now
//
// Between commit and accept the polynomial runs to the uncorrected end; a slope missing there is
// evaluated and serves `accept` too, if nothing was corrected. After `new_chart` the two ends are
// written in different coordinates and nothing can be said between them: a caller that re-charts
// takes its samples before.

#include <cstddef>
#include <span>
#include <vector>

#include "driftless/integrators/stepper.hpp"

namespace driftless {

/// dydt = f(t, y), counted. False if the problem says so or if a component is not finite.
bool eval_finite(OdeProblem& problem, double t, std::span<const double> y, std::span<double> dydt,
                 StepperCounts& counts);

/// Index of the first component that is not finite, or -1.
int find_nonfinite(std::span<const double> x);

class StepMemory {
 public:
  /// n components, a polynomial of `rows` >= 3 coefficients. Allocates.
  void resize(std::size_t n, std::size_t rows);

  /// f1 = f(t, y): the slope from which the first step begins.
  bool start(OdeProblem& problem, double t, std::span<const double> y);

  /// A step from (t, y). May be called again for the same point if the last attempt failed.
  void begin(double t, std::span<const double> y);

  /// The step ends at (t, y); `slope` is f there, or empty.
  void commit(double t, double h, std::span<const double> y, std::span<const double> slope);

  bool accept(OdeProblem& problem, double t, std::span<const double> y, Change change);

  /// Copies an end (theta <= 0 or >= 1), or gets the polynomial's first three coefficients ready.
  enum class Where { end, inside, nowhere };
  Where prepare(OdeProblem& problem, double theta, std::span<double> y);
  /// r_4, r_5, ...: the method's own, to be filled once per step, while !dense_ready().
  std::span<double> dense_row(std::size_t index) { return row(index + 3); }
  std::size_t dense_rows() const { return rows_ - 3; }
  bool dense_ready() const { return dense_ready_; }
  void set_dense_ready() { dense_ready_ = true; }
  void eval_polynomial(double theta, std::span<double> y) const;

  std::size_t size() const { return y0_.size(); }
  double t0() const { return t0_; }
  double t1() const { return t1_; }
  double h() const { return h_; }
  std::span<const double> y0() const { return y0_; }
  std::span<const double> y1() const { return y1_; }
  std::span<const double> f0() const { return f0_; }
  std::span<const double> f1() const { return f1_; }
  std::span<const double> coefficient(std::size_t index) const {
    return std::span(r_).subspan(index * size(), size());
  }

  StepperCounts counts;

 private:
  std::span<double> row(std::size_t index) { return std::span(r_).subspan(index * size(), size()); }

  double t0_ = 0.0;
  double t1_ = 0.0;
  double h_ = 0.0;
  std::vector<double> y0_, y1_;  // (n) ends of the last step
  std::vector<double> f0_, f1_;  // (n) slopes there; f1_ is the slope at the current point
  std::vector<double> r_;        // (rows x n) coefficients of the polynomial
  std::size_t rows_ = 3;
  bool slope_known_ = false;  // f1_ belongs to y1_
  bool dense_ready_ = false;  // r_ belongs to the present ends
  bool same_chart_ = true;    // both ends are written in the same coordinates
};

}  // namespace driftless
