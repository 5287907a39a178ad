#include "driftless/mechanism/forces.hpp"

namespace driftless {

Forces::Forces(const MechanismParts& parts, const Kinematics& kinematics, const Laws& laws)
    : parts_(parts), kinematics_(kinematics), laws_(laws) {
  int rates = 0;
  for (const Body& body : parts.bodies) rates += body.nv();
  weights_ = Vector::Zero(rates);
  has_only_weights_ = parts.forces.empty() && laws.is_empty();
  for (const Body& body : parts.bodies) {
    const Vector3 weight = body.mass * parts.gravity;
    weights_[body.v] = weight.x;
    weights_[body.v + 1] = weight.y;
    if (!body.in_plane()) weights_[body.v + 2] = weight.z;
  }
}

double Forces::eval_potential(MotionState& state, LawWorkspace& laws, Vector& force) const {
  force = weights_;
  double energy = 0.0;
  for (std::size_t k = 0; k < parts_.bodies.size(); ++k)
    energy -= parts_.bodies[k].mass * dot(parts_.gravity, state.bodies[k].position);
  return energy + add_potential(state, laws, force);
}

void Forces::eval(MotionState& state, LawWorkspace& laws, Vector& force) const {
  force = weights_;
  if (has_only_weights_) return;
  add_potential(state, laws, force);
  add_applied(state, laws, force);
}

double Forces::add_potential(MotionState& state, LawWorkspace& laws, Vector& force) const {
  double energy = 0.0;
  for (const ForceBlock& each : parts_.forces) {
    if (!each.kernel->has_potential()) continue;
    Wrench wrenches[kMaxForceFrames] = {};
    for (std::size_t j = 0; j < each.frames.size(); ++j) {
      state.poses[j] = state.frames[static_cast<std::size_t>(each.frames[j])].pose;
    }
    energy += each.kernel->eval_potential(state.poses.data(), wrenches);
    for (std::size_t j = 0; j < each.frames.size(); ++j) {
      kinematics_.add_wrench(each.frames[j], wrenches[j], state, force);
    }
  }
  return energy + laws_.eval_potential(state, laws, force);
}

void Forces::eval_applied(MotionState& state, LawWorkspace& laws, Vector& force) const {
  force.setZero();
  add_applied(state, laws, force);
}

void Forces::add_applied(MotionState& state, LawWorkspace& laws, Vector& force) const {
  const double* inputs = laws_.eval_inputs(laws);
  for (const ForceBlock& each : parts_.forces) {
    if (!each.kernel->has_applied()) continue;
    Wrench wrenches[kMaxForceFrames] = {};
    for (std::size_t j = 0; j < each.frames.size(); ++j) {
      state.motions[j] = state.frames[static_cast<std::size_t>(each.frames[j])];
    }
    each.kernel->eval_applied(inputs + each.first_input, state.motions.data(), wrenches);
    for (std::size_t j = 0; j < each.frames.size(); ++j) {
      kinematics_.add_wrench(each.frames[j], wrenches[j], state, force);
    }
  }
  laws_.eval_applied(state, laws, force);
}

/// Also leaves the frames' motions in the state.
void Forces::eval_wrenches(const ForceBlock& force, MotionState& state, LawWorkspace& laws,
                           Wrench* wrenches) const {
  for (std::size_t j = 0; j < force.frames.size(); ++j) {
    state.motions[j] = state.frames[static_cast<std::size_t>(force.frames[j])];
    state.poses[j] = state.motions[j].pose;
  }
  if (force.kernel->has_potential()) force.kernel->eval_potential(state.poses.data(), wrenches);
  if (force.kernel->has_applied()) {
    const double* inputs = laws_.eval_inputs(laws) + force.first_input;
    force.kernel->eval_applied(inputs, state.motions.data(), wrenches);
  }
}

double Forces::calc_power(std::size_t force, MotionState& state, LawWorkspace& laws) const {
  const ForceBlock& each = parts_.forces[force];
  Wrench wrenches[kMaxForceFrames] = {};
  eval_wrenches(each, state, laws, wrenches);
  double power = 0.0;
  for (std::size_t j = 0; j < each.frames.size(); ++j) {
    power += dot(wrenches[j], state.motions[j].velocity);
  }
  return power;
}

Wrench Forces::calc_wrench(std::size_t force, MotionState& state, LawWorkspace& laws) const {
  const ForceBlock& each = parts_.forces[force];
  Wrench wrenches[kMaxForceFrames] = {};
  eval_wrenches(each, state, laws, wrenches);
  return wrenches[each.frames.size() - 1];
}

}  // namespace driftless
