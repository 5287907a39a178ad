#include "driftless/integrators/bdf_start.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/integrators/step_memory.hpp"

namespace driftless {

double find_bdf_tolerance(double rtol, double power, double least) {
  return std::max(2.0 * std::pow(rtol, power), least);
}

double invert_bdf_tolerance(double tolerance, double power) {
  return std::pow(0.5 * tolerance, 1.0 / power);
}

NewtonRules find_bdf_newton_rules(double tolerance, double caution, double goal) {
  const double round_off = find_newton_round_off(tolerance, 300.0);
  return {.goal = std::max(goal / caution, 0.01 * round_off),
          .max_iterations = 4,
          .slow = 0.2,
          .round_off = round_off};
}

double calc_first_bdf_step(DaeProblem& dae, const BdfStart& from, double caution, DaeNorm& norm,
                           StepperCounts& counts) {
  norm.set_scale(from.y, 1.0);
  const double size = norm.calc_slope(from.y), rate = norm.calc_slope(from.slope);
  double h0 = size > 1e-5 && rate > 1e-5 ? 0.01 * size / rate : from.longest;
  h0 = std::min(h0, from.longest);
  for (std::size_t i = 0; i < from.y.size(); ++i) from.probe[i] = from.y[i] + h0 * from.slope[i];
  ++counts.evaluations;
  if (!dae.find_slopes(from.t + h0, from.probe, from.probe_slope) ||
      find_nonfinite(from.probe_slope) >= 0)
    return std::min(from.longest, rate > 0.0 ? 0.5 / (caution * rate) : h0);
  for (std::size_t i = 0; i < from.y.size(); ++i)
    from.probe[i] = (from.probe_slope[i] - from.slope[i]) / h0;
  const double bend = caution * norm.calc_slope(from.probe);
  double h = std::min(100.0 * h0, from.longest);
  if (bend * h * h > 0.002) h = std::sqrt(0.002 / bend);
  return h;
}

}  // namespace driftless
