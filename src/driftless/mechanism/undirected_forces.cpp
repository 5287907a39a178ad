#include "driftless/mechanism/undirected_forces.hpp"

#include <cmath>

namespace driftless {
namespace {

double find_effort(const Laws& laws, int force, const MotionState& state, LawWorkspace& ws) {
  Vector forces = Vector::Zero(state.v.size());
  laws.eval_potential(state, ws, forces);
  laws.eval_applied(state, ws, forces);
  return laws.effort(force, ws);
}

}  // namespace

std::vector<System::UndirectedForce> find_undirected_forces(const MechanismParts& parts,
                                                            const Laws& laws,
                                                            const MotionState& state,
                                                            LawWorkspace& ws) {
  constexpr double kNoSlope = 0.1;  // of a distance it is 1 from a nanometre on
  std::vector<System::UndirectedForce> found;
  Vector row(state.v.size());
  for (std::size_t k = 0; k < parts.laws.forces.size(); ++k) {
    const auto force = static_cast<int>(k);
    row.setZero();
    laws.add_unit_force(force, state, ws, row);
    if (max_abs(row) > kNoSlope) continue;
    // With 0 and with the nanometre to which the distance is rounded: either may be the length at rest of a stiff spring.
    const auto index = static_cast<std::size_t>(LawParts::value_of(parts.laws.forces[k].scalar));
    const double measured = ws.variables[index];
    double least = find_effort(laws, force, state, ws);
    ws.variables[index] = 0.0;
    const double at_zero = find_effort(laws, force, state, ws);
    ws.variables[index] = measured;
    if (std::abs(at_zero) < std::abs(least)) least = at_zero;
    if (!std::isfinite(least) || least == 0.0) continue;
    found.push_back({parts.laws.forces[k].name, parts.laws.forces[k].where, least});
  }
  return found;
}

}  // namespace driftless
