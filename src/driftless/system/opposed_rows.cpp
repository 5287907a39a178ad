#include "driftless/system/opposed_rows.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/system/evaluator.hpp"

namespace driftless {

std::vector<int> find_opposed_rows(const SystemInfo& info, const Workspace& ws, const Vector& rates,
                                   const Vector& acceleration, const DrawnRank& drawn) {
  constexpr double kAskedAlike = 1e-6;
  constexpr double kRounding = 1e-11;
  Vector residual = ws.gamma;
  ws.jacobian.multiply(acceleration, residual);
  residual -= ws.gamma;
  const double fastest = max_abs(acceleration);
  const double speed = max_abs(rates);
  const double moving = 1.0 + fastest + speed * speed;
  const double misfit = drawn.is_known ? kGapMisfits * drawn.misfit : kDrawnGap;
  std::vector<int> opposed;
  for (int i = 0; i < info.row_count(); ++i) {
    const double size = i < drawn.sizes.size() ? drawn.sizes[i] : 0.0;
    const double whole = std::max(find_whole_row(ws.jacobian, i), size);
    const double asked = kAskedAlike * (whole * (1.0 + fastest) + std::abs(ws.gamma[i]));
    const double allowed = misfit * whole * moving + std::max(asked, kRounding * moving);
    if (!(std::abs(residual[i]) <= allowed)) opposed.push_back(i);
  }
  return opposed;
}

std::vector<int> find_opposed_rows(const System& system, const State& state,
                                   const DrawnRank& drawn) {
  const SystemInfo& info = system.info();
  Evaluator at(system);
  if (state.c.size() > 0) at.set_states(state.c);
  at.set_configuration(state.t, state.q);
  at.eval_motion(state.v);
  if (!at.factorize(find_run_tolerance(system, state, drawn, kDefaultRankTolerance))) return {};
  Vector acceleration = Vector::Zero(info.nv), lambda = Vector::Zero(info.row_count());
  at.solve(at.ws().force, at.ws().gamma, acceleration, lambda);
  return find_opposed_rows(info, at.ws(), state.v, acceleration, drawn);
}

}  // namespace driftless
