#include "driftless/mechanism/kinematics.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "driftless/math/same.hpp"
#include "driftless/math/sines.hpp"

namespace driftless {
namespace {

/// Makes room for a block with so many outputs, frames and turn inputs.
void make_room(std::size_t outputs, std::size_t frames, std::size_t turns, MotionState& state) {
  const auto grow = [](auto& list, std::size_t size) {
    if (list.size() < size) list.resize(size);
  };
  grow(state.poses, frames);
  grow(state.motions, frames);
  grow(state.twists, 2 * frames);
  grow(state.turn_inputs, turns);
  grow(state.first, outputs);
  grow(state.second, outputs);
  grow(state.jacobian, outputs * frames * kTwist);
  grow(state.jacobian_rate, outputs * frames * kTwist);
}

}  // namespace

Kinematics::Kinematics(const MechanismParts& parts) : parts_(parts) {
  find_working_frames();
  has_space_bodies_ = std::any_of(parts.bodies.begin(), parts.bodies.end(), [](const Body& each) {
    return each.kind == BodyKind::space_body;
  });
  only_plane_bodies_ = std::all_of(parts.bodies.begin(), parts.bodies.end(), [](const Body& each) {
    return each.kind == BodyKind::plane_body;
  });
}

void Kinematics::find_working_frames() {
  std::vector<bool> works(parts_.frames.size(), false);
  const auto add = [&](const std::vector<int>& frames) {
    for (const int frame : frames) works[static_cast<std::size_t>(frame)] = true;
  };
  const auto add_counter = [&](int counter) {
    const int function = parts_.counters[static_cast<std::size_t>(counter)].function;
    add(parts_.functions[static_cast<std::size_t>(function)].frames);
  };
  for (const RowBlock& row : parts_.rows) {
    if (!row.is_written_by_hand()) add(row.block.frames);
    for (const int counter : row.block.counters) add_counter(counter);
  }
  for (const LawScalar& scalar : parts_.laws.scalars) {
    if (scalar.state >= 0) continue;
    const auto block = static_cast<std::size_t>(scalar.block);
    add(scalar.is_velocity ? parts_.velocities[block].frames : parts_.functions[block].frames);
    if (scalar.counter >= 0) add_counter(scalar.counter);
  }
  for (const ForceBlock& force : parts_.forces) add(force.frames);
  for (const RelationBlock& relation : parts_.relations) add(relation.frames);
  for (std::size_t k = 0; k < parts_.frames.size(); ++k) {
    if (parts_.frames[k].body >= 0) (works[k] ? working_ : idle_).push_back(k);
  }
}

MotionState Kinematics::make_state() const {
  MotionState state;
  state.bodies.resize(parts_.bodies.size());
  if (only_plane_bodies_) {
    for (std::vector<double>* each : {&state.angles, &state.cosines, &state.sines})
      each->assign(parts_.bodies.size(), 0.0);
  }
  state.frames.resize(parts_.frames.size());
  for (std::size_t k = 0; k < parts_.frames.size(); ++k) {
    const BodyFrame& frame = parts_.frames[k];
    if (frame.body < 0) state.frames[k].pose = {frame.offset, frame.axes, frame.angle};
  }
  state.counted = parts_.start_angles;
  state.counted.resize(parts_.counters.size(), 0.0);
  state.counted_rate.assign(parts_.counters.size(), 0.0);
  state.turns.assign(parts_.counters.size(), 0.0);
  state.turns_settled.assign(parts_.counters.size(), false);
  int nq = 0;
  int nv = 0;
  for (const Body& body : parts_.bodies) {
    nq += body.nq();
    nv += body.nv();
  }
  state.q = Vector::Zero(nq);
  state.v = Vector::Zero(nv);
  const auto add = [&](const auto& block) {
    make_room(static_cast<std::size_t>(block.function->outputs()), block.frames.size(), 0, state);
  };
  for (const RowBlock& row : parts_.rows) {
    add(row.block);
    make_room(0, 0, row.block.counters.size(), state);
  }
  for (const FunctionBlock& block : parts_.functions) add(block);
  for (const VelocityBlock& block : parts_.velocities) add(block);
  for (const ForceBlock& force : parts_.forces) make_room(0, force.frames.size(), 0, state);
  return state;
}

void Kinematics::place_frame(std::size_t k, MotionState& state) const {
  const BodyFrame& frame = parts_.frames[k];
  const BodyState& body = state.bodies[static_cast<std::size_t>(frame.body)];
  state.frames[k].pose = {body.position + apply(body.axes, frame.offset),
                          compose(body.axes, frame.axes), body.angle + frame.angle};
}

void Kinematics::move_frame(std::size_t k, MotionState& state) const {
  const BodyState& body = state.bodies[static_cast<std::size_t>(parts_.frames[k].body)];
  const Vector3 sweep = cross(body.angular, state.frames[k].pose.origin - body.position);
  state.frames[k].velocity = {body.velocity + sweep, body.angular};
  state.frames[k].acceleration = {cross(body.angular, sweep), {}};
}

bool Kinematics::place_working(ConstVectorRef q, MotionState& state) const {
  if (state.is_placed && is_same(state.q, q)) return false;
  state.q = q;
  state.is_placed = true;
  state.is_moved = state.all_placed = state.all_moved = false;
  const std::size_t count = parts_.bodies.size();
  if (only_plane_bodies_) {
    for (std::size_t k = 0; k < count; ++k) state.angles[k] = q[parts_.bodies[k].q + 2];
    eval_sines(state.angles.data(), count, state.cosines.data(), state.sines.data());
    for (std::size_t k = 0; k < count; ++k) {
      set_plane_pose(q.data() + parts_.bodies[k].q, state.cosines[k], state.sines[k],
                     state.bodies[k]);
    }
  } else {
    for (std::size_t k = 0; k < count; ++k) find_pose(parts_.bodies[k], q, state.bodies[k]);
  }
  for (const std::size_t k : working_) place_frame(k, state);
  return true;
}

void Kinematics::place(ConstVectorRef q, MotionState& state) const {
  place_working(q, state);
  if (state.all_placed) return;
  state.all_placed = true;
  state.all_moved = false;
  for (const std::size_t k : idle_) place_frame(k, state);
}

bool Kinematics::move_working(ConstVectorRef v, MotionState& state) const {
  if (state.is_moved && is_same(state.v, v)) return false;
  state.v = v;
  state.is_moved = true;
  state.all_moved = false;
  for (std::size_t k = 0; k < parts_.bodies.size(); ++k) {
    find_velocity(parts_.bodies[k], v, state.bodies[k]);
  }
  for (const std::size_t k : working_) move_frame(k, state);
  return true;
}

void Kinematics::move(ConstVectorRef v, MotionState& state) const {
  place(state.q, state);
  move_working(v, state);
  if (state.all_moved) return;
  state.all_moved = true;
  for (const std::size_t k : idle_) move_frame(k, state);
}

void Kinematics::accelerate(ConstVectorRef v_dot, MotionState& state) const {
  state.is_moved = state.all_moved = false;  // whoever comes next wants v' = 0
  for (std::size_t k = 0; k < parts_.frames.size(); ++k) {
    const BodyFrame& frame = parts_.frames[k];
    if (frame.body < 0) continue;
    BodyState change = state.bodies[static_cast<std::size_t>(frame.body)];
    find_velocity(parts_.bodies[static_cast<std::size_t>(frame.body)], v_dot, change);
    const Vector3 arm = state.frames[k].pose.origin - change.position;
    Twist& acceleration = state.frames[k].acceleration;
    acceleration.linear = acceleration.linear + change.velocity + cross(change.angular, arm);
    acceleration.angular = change.angular;
  }
}

void Kinematics::count_turns(int counter, MotionState& state) const {
  constexpr double kTurn = 2.0 * std::numbers::pi;
  const auto k = static_cast<std::size_t>(counter);
  const TurnCounter& each = parts_.counters[k];
  if (each.continuous && state.turns_settled[k]) return;
  state.turns_settled[k] = true;
  eval_value(parts_.functions[static_cast<std::size_t>(each.function)], state, state.first.data());
  const double angle = state.first[static_cast<std::size_t>(each.output)];
  const double expected = state.counted[k] + state.counted_rate[k] * (state.t - state.counted_t);
  state.turns[k] = std::isnan(expected) ? 0.0 : kTurn * std::round((expected - angle) / kTurn);
}

void Kinematics::accept_turns(MotionState& state) const {
  for (std::size_t k = 0; k < parts_.counters.size(); ++k) {
    const TurnCounter& each = parts_.counters[k];
    if (each.continuous) continue;
    count_turns(static_cast<int>(k), state);
    const double angle = state.first[static_cast<std::size_t>(each.output)] + state.turns[k];
    eval_motion(parts_.functions[static_cast<std::size_t>(each.function)], state,
                state.first.data(), state.second.data());
    state.counted[k] = angle;
    state.counted_rate[k] = state.first[static_cast<std::size_t>(each.output)];
  }
  state.counted_t = state.t;
}

// ---- blocks ----------------------------------------------------------------------------------------

const Frame<double>* Kinematics::gather_poses(const std::vector<int>& frames,
                                              MotionState& state) const {
  for (std::size_t j = 0; j < frames.size(); ++j) {
    state.poses[j] = state.frames[static_cast<std::size_t>(frames[j])].pose;
  }
  return state.poses.data();
}

const FrameMotion* Kinematics::gather_motions(const std::vector<int>& frames,
                                              MotionState& state) const {
  for (std::size_t j = 0; j < frames.size(); ++j) {
    state.motions[j] = state.frames[static_cast<std::size_t>(frames[j])];
  }
  return state.motions.data();
}

const double* Kinematics::gather_turns(const FunctionBlock& block, MotionState& state) const {
  if (block.counters.empty()) return nullptr;
  for (std::size_t k = 0; k < block.counters.size(); ++k) {
    state.turn_inputs[k] = state.turns[static_cast<std::size_t>(block.counters[k])];
  }
  return state.turn_inputs.data();
}

void Kinematics::eval_value(const FunctionBlock& block, MotionState& state, double* f) const {
  block.function->eval(gather_poses(block.frames, state), f, gather_turns(block, state));
}

void Kinematics::eval_jacobian(const FunctionBlock& block, MotionState& state, double* f,
                               double* jacobian) const {
  block.function->eval_jacobian(gather_poses(block.frames, state), f, jacobian,
                                gather_turns(block, state));
}

void Kinematics::eval_motion(const FunctionBlock& block, MotionState& state, double* first,
                             double* second) const {
  block.function->eval_motion(gather_motions(block.frames, state), first, second,
                              gather_turns(block, state));
}

void Kinematics::eval_jacobian_rate(const FunctionBlock& block, MotionState& state,
                                    double* rate) const {
  const Frame<double>* poses = gather_poses(block.frames, state);
  for (std::size_t j = 0; j < block.frames.size(); ++j) {
    state.twists[j] = state.frames[static_cast<std::size_t>(block.frames[j])].velocity;
  }
  block.function->eval_jacobian_rate(poses, state.twists.data(), rate, gather_turns(block, state));
}

void Kinematics::eval_jacobian_rate(const FunctionBlock& block, const Twist* directions,
                                    MotionState& state, double* rate) const {
  block.function->eval_jacobian_rate(gather_poses(block.frames, state), directions, rate,
                                     gather_turns(block, state));
}

void Kinematics::eval_velocity_change(const VelocityBlock& block, const Twist* directions,
                                      const Twist* changes, MotionState& state, double* change,
                                      double* jacobian_change) const {
  const FrameMotion* motions = gather_motions(block.frames, state);
  block.function->eval_change(motions, directions, changes, change);
  block.function->eval_jacobian_change(motions, directions, changes, jacobian_change);
}

void Kinematics::eval_velocity(const VelocityBlock& block, MotionState& state, double* psi,
                               double* jacobian) const {
  block.function->eval_jacobian(gather_motions(block.frames, state), psi, jacobian);
}

void Kinematics::eval_velocity_rate(const VelocityBlock& block, MotionState& state,
                                    double* rate) const {
  const std::size_t count = block.frames.size();
  const FrameMotion* motions = gather_motions(block.frames, state);
  for (std::size_t j = 0; j < count; ++j) {
    state.twists[j] = motions[j].velocity;
    state.twists[count + j] = motions[j].acceleration;
  }
  block.function->eval_change(motions, state.twists.data(), state.twists.data() + count, rate);
}

void Kinematics::eval_velocity_change(const VelocityBlock& block, ConstVectorRef w,
                                      MotionState& state, double* change) const {
  const std::size_t count = block.frames.size();
  const FrameMotion* motions = gather_motions(block.frames, state);
  for (std::size_t j = 0; j < count; ++j) {
    const int body = frame_body(block.frames[j]);
    state.twists[j] = state.twists[count + j] = {};
    if (body < 0) continue;
    // ω = R ω_b with ω_b fixed turns with the body, δω = δθ×ω; the arm r turns, too: δ(ω×r) = δω×r + ω×δr.
    const BodyState& now = state.bodies[static_cast<std::size_t>(body)];
    BodyState moved = now;
    find_velocity(parts_.bodies[static_cast<std::size_t>(body)], w, moved);
    const Vector3 arm = find_arm(block.frames[j], state);
    const Vector3 arm_change = cross(moved.angular, arm);
    const Vector3 turn_change = cross(moved.angular, now.angular);
    state.twists[j] = {moved.velocity + arm_change, moved.angular};
    state.twists[count + j] = {cross(turn_change, arm) + cross(now.angular, arm_change),
                               turn_change};
  }
  block.function->eval_change(motions, state.twists.data(), state.twists.data() + count, change);
}

}  // namespace driftless
