#pragma once
// The stages of one explicit Runge-Kutta step, for any tableau: [RK.1] to [RK.4] of tableau.hpp and
// nothing else. Who chooses h, and what follows from the error, is explicit_rk.hpp's business;
// Adams methods start with the same stages.

#include <cstddef>
#include <span>
#include <vector>

#include "driftless/integrators/step_memory.hpp"
#include "driftless/integrators/tableau.hpp"

namespace driftless {

class RungeKuttaStep {
 public:
  /// The tableau has passed check_tableau.
  explicit RungeKuttaStep(Tableau tableau);

  const Tableau& tableau() const { return tableau_; }
  /// Coefficients of the dense output polynomial.
  std::size_t polynomial_rows() const { return 3 + tableau_.dense.d.size(); }

  void resize(std::size_t n);

  /// One attempt from the beginning of `memory` to t1 = t0 + h; leaves y1(). The last stage of an
  /// FSAL method is evaluated only if the error estimate needs it: a fixed step leaves f(t1, y1) to
  /// `accept`, after the corrections. False: f is not defined at a stage.
  bool attempt(OdeProblem& problem, StepMemory& memory, double h, double t1, bool with_error);

  std::span<const double> y1() const { return y1_; }
  /// f(t1, y1) if the last attempt evaluated it, else empty.
  std::span<const double> end_slope() const;
  /// h sum e_i k_i into `error`; `e` is the tableau's e or e_low.
  void calc_error(const StepMemory& memory, double h, std::span<const double> e,
                  std::span<double> error) const;

  /// The rows r4, r5, ... of the last committed step, with its extra stages if the method has some.
  bool eval_dense_rows(OdeProblem& problem, StepMemory& memory);

 private:
  struct Term {
    std::size_t slope;  // index of k
    double weight;
  };
  using Row = std::vector<Term>;  // the entries that are not zero

  /// [RK.5]
  struct HalfExplicitRow {
    Row before;             // abar_ij, j < i
    double diagonal = 0.0;  // abar_ii; 0: this stage has no such row
    double c = 0.0;
  };

  static Row make_row(std::span<const double> weights);
  bool is_half_explicit(std::size_t stage) const {
    return !half_explicit_.empty() && half_explicit_[stage].diagonal != 0.0;
  }
  bool eval_half_explicit(OdeProblem& problem, StepMemory& memory, std::size_t stage, double t,
                          double t1);
  std::span<const double> slope(const StepMemory& memory, std::size_t index) const;
  void weighted_sum(const StepMemory& memory, const Row& row, std::span<double> sum) const;

  Tableau tableau_;
  std::vector<Row> a_;  // one per stage
  Row b_;
  std::vector<HalfExplicitRow> half_explicit_;  // one per stage, or empty
  std::vector<Row> dense_a_;                    // one per extra stage
  std::vector<Row> dense_d_;                    // one per row r4, r5, ...
  std::size_t n_ = 0;
  std::size_t end_ = 0;          // index of the slope at the end among the dense output's slopes
  bool with_end_slope_ = false;  // the last attempt evaluated the FSAL stage
  bool dense_ = false;           // slope end_ means the memory's f1 (after accept)
  std::vector<double> k_;  // ((end_ + 1 + extra) x n) stages; row 0 and end_ may live in memory
  std::vector<double> stage_, y1_;  // (n) argument of a stage; the step's end
  std::vector<double> partial_;     // (n) of a half-explicit stage
  double h_ = 0.0;                  // of the last attempt
};

}  // namespace driftless
