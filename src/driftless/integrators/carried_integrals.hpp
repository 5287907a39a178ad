#pragma once
// Integrals that are carried along with a motion, W' = P(t) (DaeProblem::is_integral), by P at the ends of the last steps:
//
//   W(t_1) - W(t_0) = sum_{j=0}^{m} P[t_1, t_0, ..., t_{1-j}] ∫_{t_0}^{t_1} Π_{i<j} (t - t_{1-i}) dt                 [CI.1]
//
// with as many points as make the last term the smallest: of a smooth P all six of them, order 6. That term is about what is
// missing. Where it is more than the tolerance allows, P changes within the step in a way that the motion does not feel (as where a
// damped stop is left: no force, but a spring that still gives way), and Simpson's rule over parts of the step takes its place, with
// P from the polynomial of the method, 2, 4, ... 64 parts until two of them agree.                                 [CI.2]
//
// Multistep formulas would take W along as one more component. It is in no error test, as nothing depends on it; but then nothing
// keeps their differences, which the short step at the jump magnifies, from spoiling W while steps grow again: the energy balance
// of a stop was open by tenths of what the stop had taken, at any tolerance.

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "driftless/integrators/step_ends.hpp"
#include "driftless/problem/dae_problem.hpp"

namespace driftless {

class CarriedIntegrals {
 public:
  /// At the first point of a run. What a step may leave missing is a tenth of atol + rtol |W|.
  void start(const DaeProblem& dae, double t, std::span<const double> slopes, double rtol,
             double atol);

  /// After `commit`: W at the end of the step; the stepper interpolates in it.
  void advance(OdeProblem& problem, Stepper& stepper, StepEnds& ends);
  /// One-step methods have it right to their own order, by their stages.
  void advance_by_stages(StepEnds& ends);
  /// W inside of the last step, in place of what the method's polynomial gives; that of stages is left as it is.
  void interpolate(double theta, std::span<double> y) const;

 private:
  static constexpr std::size_t kPoints = 6;
  static constexpr std::size_t kParts = 64;

  using Row = std::array<double, kPoints>;

  /// The integrals of [CI.1] over powers of h, to theta of the step.
  Row find_weights(double theta) const;
  struct Guess {
    double value, missing;
  };
  Guess integrate(std::size_t which, const Row& weights);
  /// Where in the last step, and by what.
  struct Inside {
    OdeProblem& problem;
    Stepper& stepper;
    StepEnds& ends;
  };
  bool refine(const Inside& inside);
  bool find_values(const Inside& inside, std::size_t first, std::size_t stride);
  double sum_parts(std::size_t which, std::size_t stride) const;
  double integrate_parts(std::size_t which, double theta) const;
  void remember(double t, std::span<const double> slopes);

  double rtol_ = 0.0, atol_ = 0.0;
  std::vector<int> components_;
  std::vector<double> gains_;                  // over h
  std::vector<double> allowed_;                // what may be missing there
  std::vector<double> inside_;                 // (kParts + 1) of each component: P within the step
  std::vector<double> y_, slopes_, residual_;  // (n)
  std::size_t known_ = 0;
  Row t_{};                  // the last first
  std::vector<Row> values_;  // P there, of each component
  // of the last step
  enum class By { stages, ends, parts };
  By by_ = By::stages;
  double h_ = 0.0;
  Row place_{};  // (t - t_1)/h
  std::vector<Row>
      differences_;         // P[t_1, ..., t_{1-j}] h^j up to the last that counts, 0 from there on
  std::size_t stride_ = 1;  // between parts that are known
  std::vector<double> begin_;  // W
};

}  // namespace driftless
