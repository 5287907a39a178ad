#pragma once
// When Newton's method with a frozen matrix has found its solution, and when it never will. Sizes are those of DaeNorm.
//
// Increments of sizes s_1, s_2, ... contract with the rate theta ~ s_m / s_{m-1}; what is missing after the last one is
// about theta/(1 - theta) s_m. The first increment is judged by the rate of the step before, with doubt: that may have
// been small by chance.

#include <cstddef>
#include <span>
#include <vector>

namespace driftless {

class DaeProblem;

struct NewtonRules {
  double goal = 0.01;  ///< what may be missing
  double stagnation =
      0.0;  ///< increments that no longer fall are no failure below this size; 0: they are
  int max_iterations = 7;
  double slow = 1e-3;      ///< a rate above this asks for new derivatives at the next point
  double round_off = 0.0;  ///< increments below this size that no longer fall are all rounding
};

/// What a number of roundings leaves in increments, in the norm with a tolerance; never so much that the error test sees it.
double find_newton_round_off(double tolerance, double roundings);

/// To round-off: fixed steps are taken to see orders, and errors of Newton's method would hide them. In units of
/// kFixedNewtonScale, relative and absolute.
inline constexpr double kFixedNewtonScale = 1e-10;
inline constexpr NewtonRules kFixedNewtonRules{
    .goal = 1e-6, .stagnation = 1.0, .max_iterations = 40, .slow = 0.02};

enum class NewtonResult {
  converged,
  diverged,
  undefined,  ///< a residual or a derivative is
  singular,
};

class NewtonMonitor {
 public:
  void resize(std::size_t n);

  /// New derivatives: nothing is known of the rate.
  void forget_rate() { missing_ = 1.0; }
  void begin(const NewtonRules& rules);
  enum class Verdict { go_on, converged, diverged };
  /// After each increment.
  Verdict judge(double size);
  int iterations() const { return iterations_; }
  /// The smallest increment since `begin`.
  double least_size() const { return least_size_; }
  bool is_slow() const { return iterations_ > 1 && rate_ > rules_.slow; }

  /// Before each increment: the residual from which it is computed.
  void record(std::span<const double> residual);
  /// The equation whose residual fell least since the first two records; one that is not finite before all; -1: none. Those of
  /// integrals that are carried along fail only because others do.
  int find_worst_equation(const DaeProblem& dae) const;

 private:
  NewtonRules rules_;
  int iterations_ = 0;
  int records_ = 0;
  double missing_ = 1.0;  // theta/(1 - theta)
  double rate_ = 0.0;     // theta
  double old_size_ = 0.0;
  double least_size_ = 0.0;
  double old_ratio_ = 0.0;
  std::vector<double> first_, last_;  // (n) residuals
};

}  // namespace driftless
