// What is measured, recorded and told of a mechanism, beside its equations.

#include "driftless/mechanism/mechanism_system_class.hpp"
#include "driftless/mechanism/undirected_forces.hpp"

namespace driftless {

std::pair<std::string, Source> MechanismSystem::find_faulty_force(double t, ConstVectorRef q,
                                                                  ConstVectorRef v,
                                                                  Workspace& base) const {
  MechanismWorkspace& ws = down_to_bodies(base);
  place(t, q, ws);
  move(v, ws);
  forces_.eval_potential(ws.motion, ws.laws, ws.conservative);
  forces_.eval_applied(ws.motion, ws.laws, ws.applied);
  for (std::size_t k = 0; k < parts_.laws.forces.size(); ++k) {
    const LawParts::Force& force = parts_.laws.forces[k];
    if (!std::isfinite(laws_.effort(static_cast<int>(k), ws.laws)))
      return {force.name, force.where};
  }
  for (std::size_t k = 0; k < parts_.forces.size(); ++k) {
    const Wrench wrench = forces_.calc_wrench(k, ws.motion, ws.laws);
    const ForceBlock& force = parts_.forces[k];
    if (!std::isfinite(norm(wrench.force) + norm(wrench.torque))) return {force.name, force.where};
  }
  return {};
}

ForceFault MechanismSystem::explain_force(const std::string& name, Workspace& base) const {
  const MotionState& motion = down_to_bodies(base).motion;
  ForceFault fault;
  for (const ForceBlock& force : parts_.forces) {
    if (force.name != name || force.frames.size() != 2) continue;
    const Frame<double> poses[] = {motion.frames[static_cast<std::size_t>(force.frames[0])].pose,
                                   motion.frames[static_cast<std::size_t>(force.frames[1])].pose};
    force.kernel->explain_fault(poses, fault.reason, fault.remedy);
  }
  return fault;
}

std::vector<System::UndirectedForce> MechanismSystem::find_undirected_forces(
    double t, ConstVectorRef q, ConstVectorRef v, Workspace& base) const {
  MechanismWorkspace& ws = down_to_bodies(base);
  place(t, q, ws);
  move(v, ws);
  return driftless::find_undirected_forces(parts_, laws_, ws.motion, ws.laws);
}

void MechanismSystem::eval_records(const Moment& moment, Workspace& base, VectorRef values) const {
  MechanismWorkspace& ws = down_to_bodies(base);
  place(moment.t, moment.q, ws);
  kinematics_.place(moment.q, ws.motion);
  for (int k = 0; k < static_cast<int>(parts_.counters.size()); ++k) {
    kinematics_.count_turns(k, ws.motion);
  }
  place_all(moment, ws);
  recorder_.eval(moment, ws.motion, ws.laws, ws.records, values);
}

void MechanismSystem::eval_probes(const Moment& moment, Workspace& base, VectorRef values,
                                  VectorRef slopes) const {
  MechanismWorkspace& ws = down_to_bodies(base);
  place_all(moment, ws);
  probes_.eval(moment, ws.motion, ws.laws, values, slopes);
}

}  // namespace driftless
