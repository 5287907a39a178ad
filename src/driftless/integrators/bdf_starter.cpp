#include "driftless/integrators/bdf_starter.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/integrators/step_memory.hpp"

namespace driftless {

void BdfStarter::resize(std::size_t n) {
  stages_.resize(n);
  for (auto* v : {&y_, &slope_, &found_, &found_slope_}) v->assign(n, 0.0);
}

double BdfStarter::find_first_step(const StepEnds& ends, DaeNorm& norm) {
  norm.set_scale(ends.own_y1(), 1.0);
  const double size = norm.calc_slope(ends.own_y1()), rate = norm.calc_slope(ends.f1());
  return size > 1e-5 && rate > 1e-5 ? 0.01 * size / rate : 0.0;
}

bool BdfStarter::attempt(OdeProblem& problem, StepEnds& ends, const StepTarget& target,
                         DaeNorm& norm, const NewtonRules& rules) {
  problem.begin_step(ends.t0(), target.h, ends.y0(), ends.f0());
  norm.set_scale(ends.own_y1(), target.h);
  if (stages_.attempt(*problem.dae(), ends.t0(), target.t, target.h, ends.own_y1(), ends.f0(), norm,
                      rules, ends.counts) != NewtonResult::converged)
    return false;
  std::copy(stages_.y1().begin(), stages_.y1().end(), y_.begin());
  std::copy(stages_.slope().begin(), stages_.slope().end(), slope_.begin());
  return true;
}

bool BdfStarter::calc_error(DaeProblem& dae, DaeNorm& norm, double rtol, StepEnds& ends,
                            double& error) {
  if (!stages_.calc_error(dae, found_, ends.counts)) return false;
  error = norm.calc_error(found_) * std::max(1.0, std::pow(rtol, -0.4) / 256.0);
  return true;
}

double BdfStarter::find_factor(double error) {
  return std::clamp(0.5 * std::pow(std::max(error, 1e-30), -0.25), 0.1, 2.0);
}

void BdfStarter::make_consistent(DaeProblem& dae, double t) {
  found_ = y_;
  if (!dae.make_consistent(t, found_, found_slope_) || find_nonfinite(found_) >= 0 ||
      find_nonfinite(found_slope_) >= 0)
    return;
  y_.swap(found_);
  slope_.swap(found_slope_);
}

void BdfStarter::interpolate(DaeProblem& dae, double t, double theta, std::span<double> y) {
  stages_.interpolate(theta, y);
  std::copy(y.begin(), y.end(), found_.begin());
  if (!dae.make_consistent(t, found_, found_slope_) || find_nonfinite(found_) >= 0) return;
  std::copy(found_.begin(), found_.end(), y.begin());
}

}  // namespace driftless
