#include "driftless/mechanism/mechanism_system.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace driftless {
namespace {

constexpr int kMaxFrames = 3;
constexpr int kMaxOutputs = 6;

struct MechanismWorkspace final : Workspace {
  std::vector<BodyState> bodies;    // pose by eval_configuration, velocity by whoever needs it
  std::vector<FrameMotion> frames;  // likewise
  std::vector<double> element;      // Jacobian of a block
  std::vector<double> element_rate;
  Vector applied;                 // generalised applied force
  Vector conservative;            // minus the gradient of U
  std::vector<double> counted;    // per counter: the angle at the last accepted step
  std::vector<double> turns;      // per counter: what is to be added to the angle now
  std::vector<double> variables;  // t and the measures
  std::vector<double> record_scratch;
};

Vector3 component_of(const double* p) { return {p[0], p[1], p[2]}; }

class MechanismSystem final : public System {
 public:
  explicit MechanismSystem(MechanismParts parts) : parts_(std::move(parts)) {
    info_.name = parts_.name;
    for (const Body& body : parts_.bodies) add_names(body);
    for (const RowBlock& block : parts_.rows) {
      row_start_.push_back(info_.position_rows);
      info_.position_rows += block.function->outputs();
      info_.rows.insert(info_.rows.end(), block.row_names.begin(), block.row_names.end());
    }
    info_.constant_mass = true;
    bool has_power = false;
    for (const ForceBlock& force : parts_.forces) has_power |= force.kernel->has_applied();
    info_.invariants.push_back(
        {.name = "energy", .is_energy = true, .has_power = has_power, .unit = "J"});
    info_.records = parts_.record_names;
    info_.record_units = parts_.record_units;
    for (const Measure& measure : parts_.measures) {
      info_.records_need_reactions |= needs_reactions(measure.kind);
    }
    is_row_counter_.assign(parts_.counters.size(), false);
    for (const RowBlock& block : parts_.rows) {
      for (const int counter : block.counters) {
        is_row_counter_[static_cast<std::size_t>(counter)] = true;
      }
    }
    make_mass();
  }

  std::unique_ptr<Workspace> make_workspace() const override {
    auto ws = std::make_unique<MechanismWorkspace>();
    resize_workspace(info_, *ws);
    ws->mass = mass_;
    ws->bodies.resize(parts_.bodies.size());
    ws->frames.resize(parts_.frames.size());
    for (std::size_t k = 0; k < parts_.frames.size(); ++k) {
      const BodyFrame& frame = parts_.frames[k];
      if (frame.body < 0) ws->frames[k].pose = {frame.offset, frame.axes, frame.angle};
    }
    ws->element.resize(static_cast<std::size_t>(kMaxOutputs * kMaxFrames * kTwist));
    ws->element_rate = ws->element;
    ws->applied = ws->conservative = Vector::Zero(info_.nv);
    ws->counted.assign(parts_.counters.size(), 0.0);
    ws->turns = ws->counted;
    ws->variables.assign(parts_.measures.size() + 1, 0.0);
    ws->record_scratch = parts_.records.make_scratch();
    return ws;
  }

  void eval_configuration(double /*t*/, ConstVectorRef q, Workspace& base) const override {
    auto& ws = static_cast<MechanismWorkspace&>(base);
    place_frames(q, ws);
    count_turns(ws, true);
    ws.jacobian.setZero();
    for (std::size_t k = 0; k < parts_.rows.size(); ++k) {
      const RowBlock& block = parts_.rows[k];
      std::array<Frame<double>, kMaxFrames> poses;
      gather(block.frames, ws, poses);
      std::array<double, kMaxFrames> turns;
      block.function->eval_jacobian(poses.data(), ws.phi.data() + row_start_[k], ws.element.data(),
                                    find_turns(block, ws, turns));
      for (int i = 0; i < block.function->outputs(); ++i) {
        for (std::size_t j = 0; j < block.frames.size(); ++j) {
          const double* g = element_entry(ws.element, block, i, j);
          add_row(row_start_[k] + i, block.frames[j], g, ws, ws.jacobian);
        }
      }
    }
  }

  void eval_velocity(double /*t*/, ConstVectorRef /*q*/, ConstVectorRef v,
                     Workspace& ws) const override {
    ws.velocity_residual.noalias() = ws.jacobian * v;
  }

  void eval_motion(double t, ConstVectorRef /*q*/, ConstVectorRef v,
                   Workspace& base) const override {
    auto& ws = static_cast<MechanismWorkspace&>(base);
    move_frames(v, ws);
    for (std::size_t k = 0; k < parts_.rows.size(); ++k) {
      const RowBlock& block = parts_.rows[k];
      std::array<FrameMotion, kMaxFrames> motions;
      gather(block.frames, ws, motions);
      std::array<double, kMaxFrames> turns;
      block.function->eval_motion(motions.data(), ws.velocity_residual.data() + row_start_[k],
                                  ws.gamma.data() + row_start_[k], find_turns(block, ws, turns));
    }
    ws.gamma = -ws.gamma;
    eval_forces(t, ws);
    ws.force = ws.applied + ws.conservative;
    for (const Body& body : parts_.bodies) add_gyroscopic(body, v, ws.force);
  }

  void eval_invariants(double /*t*/, ConstVectorRef q, ConstVectorRef v,
                       Workspace& base) const override {
    auto& ws = static_cast<MechanismWorkspace&>(base);
    place_frames(q, ws);
    ws.invariant_v.row(0).noalias() = v.transpose() * mass_;
    ws.invariant[0] = 0.5 * ws.invariant_v.row(0).dot(v) + eval_potential(ws);
  }

  void eval_invariant_gradients(double /*t*/, ConstVectorRef q, ConstVectorRef /*v*/,
                                Workspace& base) const override {
    auto& ws = static_cast<MechanismWorkspace&>(base);
    place_frames(q, ws);
    eval_potential(ws);
    ws.invariant_q.row(0) = -ws.conservative.transpose();
    ws.invariant_t[0] = 0.0;
  }

  void eval_power(double t, ConstVectorRef q, ConstVectorRef v, Workspace& base) const override {
    auto& ws = static_cast<MechanismWorkspace&>(base);
    place_frames(q, ws);
    move_frames(v, ws);
    eval_applied(t, ws);
    ws.power[0] = ws.applied.dot(v);
    ws.power_acceleration.setZero();
  }

  void eval_jacobian_rate(double /*t*/, ConstVectorRef q, ConstVectorRef w, Workspace& base,
                          Matrix& rate) const override {
    auto& ws = static_cast<MechanismWorkspace&>(base);
    place_frames(q, ws);
    move_frames(w, ws);
    rate.setZero(info_.position_rows, info_.nv);
    for (std::size_t k = 0; k < parts_.rows.size(); ++k) {
      const RowBlock& block = parts_.rows[k];
      std::array<Frame<double>, kMaxFrames> poses;
      std::array<Twist, kMaxFrames> twists;
      gather(block.frames, ws, poses);
      for (std::size_t j = 0; j < block.frames.size(); ++j) {
        twists[j] = ws.frames[static_cast<std::size_t>(block.frames[j])].velocity;
      }
      std::array<double, kMaxOutputs> phi;
      block.function->eval_jacobian(poses.data(), phi.data(), ws.element.data());
      block.function->eval_jacobian_rate(poses.data(), twists.data(), ws.element_rate.data());
      for (int i = 0; i < block.function->outputs(); ++i) {
        for (std::size_t j = 0; j < block.frames.size(); ++j) {
          add_row_rate(row_start_[k] + i, block.frames[j], element_entry(ws.element, block, i, j),
                       element_entry(ws.element_rate, block, i, j), ws, rate);
        }
      }
    }
  }

  void eval_records(const Moment& moment, Workspace& base, VectorRef values) const override {
    auto& ws = static_cast<MechanismWorkspace&>(base);
    place_frames(moment.q, ws);
    move_frames(moment.v, ws);
    count_turns(ws, false);
    if (info_.records_need_reactions) accelerate_frames(moment.v_dot, ws);
    ws.variables[0] = moment.t;
    for (std::size_t k = 0; k < parts_.measures.size(); ++k) {
      ws.variables[k + 1] = calc_measure(parts_.measures[k], moment, ws);
    }
    parts_.records.eval(ws.variables, {values.data(), static_cast<std::size_t>(values.size())},
                        ws.record_scratch);
  }

  void accept(ConstVectorRef q, Workspace& base) const override {
    if (parts_.counters.empty()) return;
    auto& ws = static_cast<MechanismWorkspace&>(base);
    place_frames(q, ws);
    count_turns(ws, false);
    for (std::size_t k = 0; k < parts_.counters.size(); ++k) {
      ws.counted[k] = calc_angle(parts_.counters[k], ws) + ws.turns[k];
    }
  }

  /// The measure minus `wanted`, and its derivative along a velocity; for start targets.
  double eval_target(const Measure& measure, double wanted, ConstVectorRef q, const Vector* v,
                     VectorRef row, MechanismWorkspace& ws) const {
    if (measure.kind == Measure::Kind::angular_velocity) {
      const int index = find_angular(measure);
      row.setZero();
      row[index] = 1.0;
      return (*v)[index] - wanted;
    }
    place_frames(q, ws);
    const FunctionBlock& block = parts_.functions[static_cast<std::size_t>(measure.block)];
    std::array<Frame<double>, kMaxFrames> poses;
    std::array<double, kMaxOutputs> f{};
    gather(block.frames, ws, poses);
    block.function->eval_jacobian(poses.data(), f.data(), ws.element.data());
    row.setZero();
    for (std::size_t j = 0; j < block.frames.size(); ++j) {
      const int frame = block.frames[j];
      const int body = parts_.frames[static_cast<std::size_t>(frame)].body;
      if (body < 0) continue;
      const std::size_t columns = kTwist * block.frames.size();
      const double* g =
          ws.element.data() + static_cast<std::size_t>(measure.component) * columns + kTwist * j;
      const Vector3 linear = component_of(g);
      add_entries(body, linear, component_of(g + 3) + cross(find_arm(frame, ws), linear), ws, row);
    }
    if (v != nullptr) return row.dot(*v) - wanted;
    const double difference = f[static_cast<std::size_t>(measure.component)] - wanted;
    return measure.counter < 0 ? difference : std::remainder(difference, 2.0 * std::numbers::pi);
  }

  void map_velocity(ConstVectorRef q, ConstVectorRef v, VectorRef q_dot) const override {
    for (const Body& body : parts_.bodies) map_body_velocity(body, q, v, q_dot);
  }
  void retract(VectorRef q, ConstVectorRef delta) const override {
    for (const Body& body : parts_.bodies) retract_body(body, q, delta);
  }
  void normalize(VectorRef q) const override {
    for (const Body& body : parts_.bodies) normalize_body(body, q);
  }

 private:
  // --- setting up ------------------------------------------------------------------------------

  void add_names(const Body& body) {
    static const char* const kSpace[] = {"x", "y", "z", "q0", "q1", "q2", "q3"};
    static const char* const kPlane[] = {"x", "y", "angle"};
    static const char* const kRates[] = {"x'", "y'", "z'", "wx", "wy", "wz"};
    for (int i = 0; i < body.nq(); ++i) {
      info_.coordinates.push_back(body.name + "." + (body.in_plane() ? kPlane[i] : kSpace[i]));
    }
    for (int i = 0; i < body.nv(); ++i) {
      info_.rates.push_back(
          body.name + "." +
          (body.in_plane() ? std::string(kPlane[i]) + "'" : std::string(kRates[i])));
    }
    info_.nq += body.nq();
    info_.normalizes |= body.kind == BodyKind::space_body;
    info_.nv += body.nv();
  }

  static bool needs_reactions(Measure::Kind kind) {
    return kind == Measure::Kind::acceleration || kind == Measure::Kind::body_acceleration ||
           kind == Measure::Kind::reaction_force || kind == Measure::Kind::reaction_torque;
  }

  void make_mass() {
    mass_ = Matrix::Zero(info_.nv, info_.nv);
    for (const Body& body : parts_.bodies) {
      const int shifts = body.in_plane() ? 2 : 3;
      mass_.diagonal().segment(body.v, shifts).setConstant(body.mass);
      if (body.kind == BodyKind::plane_body) mass_(body.v + 2, body.v + 2) = body.inertia(2, 2);
      if (body.kind == BodyKind::space_body) {
        mass_.block(body.v + 3, body.v + 3, 3, 3) = body.inertia;
      }
    }
  }

  // --- frames ----------------------------------------------------------------------------------

  void place_frames(ConstVectorRef q, MechanismWorkspace& ws) const {
    for (std::size_t k = 0; k < parts_.bodies.size(); ++k) {
      ws.bodies[k] = find_pose(parts_.bodies[k], q);
    }
    for (std::size_t k = 0; k < parts_.frames.size(); ++k) {
      const BodyFrame& frame = parts_.frames[k];
      if (frame.body < 0) continue;
      const BodyState& body = ws.bodies[static_cast<std::size_t>(frame.body)];
      ws.frames[k].pose = {body.position + apply(body.axes, frame.offset),
                           compose(body.axes, frame.axes), body.angle + frame.angle};
    }
  }

  /// Twists, and accelerations for v' = 0.
  void move_frames(ConstVectorRef v, MechanismWorkspace& ws) const {
    for (std::size_t k = 0; k < parts_.bodies.size(); ++k) {
      find_velocity(parts_.bodies[k], v, ws.bodies[k]);
    }
    for (std::size_t k = 0; k < parts_.frames.size(); ++k) {
      const BodyFrame& frame = parts_.frames[k];
      if (frame.body < 0) continue;
      const BodyState& body = ws.bodies[static_cast<std::size_t>(frame.body)];
      const Vector3 arm = ws.frames[k].pose.origin - body.position;
      const Vector3 sweep = cross(body.angular, arm);
      ws.frames[k].velocity = {body.velocity + sweep, body.angular};
      ws.frames[k].acceleration = {cross(body.angular, sweep), {}};
    }
  }

  /// Adds what v' does to the accelerations of move_frames.
  void accelerate_frames(ConstVectorRef v_dot, MechanismWorkspace& ws) const {
    for (std::size_t k = 0; k < parts_.frames.size(); ++k) {
      const BodyFrame& frame = parts_.frames[k];
      if (frame.body < 0) continue;
      const Body& body = parts_.bodies[static_cast<std::size_t>(frame.body)];
      BodyState change = ws.bodies[static_cast<std::size_t>(frame.body)];
      find_velocity(body, v_dot, change);
      const Vector3 arm = ws.frames[k].pose.origin - change.position;
      Twist& acceleration = ws.frames[k].acceleration;
      acceleration.linear = acceleration.linear + change.velocity + cross(change.angular, arm);
      acceleration.angular = change.angular;
    }
  }

  static void gather(const std::vector<int>& which, const MechanismWorkspace& ws,
                     std::array<Frame<double>, kMaxFrames>& out) {
    for (std::size_t j = 0; j < which.size(); ++j) {
      out[j] = ws.frames[static_cast<std::size_t>(which[j])].pose;
    }
  }
  static void gather(const std::vector<int>& which, const MechanismWorkspace& ws,
                     std::array<FrameMotion, kMaxFrames>& out) {
    for (std::size_t j = 0; j < which.size(); ++j) {
      out[j] = ws.frames[static_cast<std::size_t>(which[j])];
    }
  }

  // --- turns -----------------------------------------------------------------------------------

  double calc_angle(const TurnCounter& counter, const MechanismWorkspace& ws) const {
    const FunctionBlock& block = parts_.functions[static_cast<std::size_t>(counter.function)];
    std::array<Frame<double>, kMaxFrames> poses;
    std::array<double, kMaxOutputs> f{};
    gather(block.frames, ws, poses);
    block.function->eval(poses.data(), f.data());
    return f[static_cast<std::size_t>(counter.output)];
  }

  /// Of the nearest turn to where the last accepted step ended.
  void count_turns(MechanismWorkspace& ws, bool rows_only) const {
    for (std::size_t k = 0; k < parts_.counters.size(); ++k) {
      if (rows_only && !is_row_counter_[k]) continue;
      const double turn = 2.0 * std::numbers::pi;
      const double angle = calc_angle(parts_.counters[k], ws);
      ws.turns[k] = turn * std::round((ws.counted[k] - angle) / turn);
    }
  }

  static const double* find_turns(const RowBlock& block, const MechanismWorkspace& ws,
                                  std::array<double, kMaxFrames>& turns) {
    if (block.counters.empty()) return nullptr;
    for (std::size_t k = 0; k < block.counters.size(); ++k) {
      turns[k] = ws.turns[static_cast<std::size_t>(block.counters[k])];
    }
    return turns.data();
  }

  // --- rows ------------------------------------------------------------------------------------

  static const double* element_entry(const std::vector<double>& element, const RowBlock& block,
                                     int row, std::size_t frame) {
    const std::size_t columns = kTwist * block.frames.size();
    return element.data() + static_cast<std::size_t>(row) * columns + kTwist * frame;
  }

  Vector3 find_arm(int frame, const MechanismWorkspace& ws) const {
    const int body = parts_.frames[static_cast<std::size_t>(frame)].body;
    return ws.frames[static_cast<std::size_t>(frame)].pose.origin -
           ws.bodies[static_cast<std::size_t>(body)].position;
  }

  /// Adds (linear, turn in world axes) to the columns of a frame's body.
  template <class Row>
  void add_entries(int body_index, const Vector3& linear, const Vector3& turn,
                   const MechanismWorkspace& ws, Row&& row) const {
    const Body& body = parts_.bodies[static_cast<std::size_t>(body_index)];
    row[body.v] += linear.x;
    row[body.v + 1] += linear.y;
    if (!body.in_plane()) row[body.v + 2] += linear.z;
    if (body.kind == BodyKind::plane_body) row[body.v + 2] += turn.z;
    if (body.kind != BodyKind::space_body) return;
    const Vector3 local = apply_inverse(ws.bodies[static_cast<std::size_t>(body_index)].axes, turn);
    row[body.v + 3] += local.x;
    row[body.v + 4] += local.y;
    row[body.v + 5] += local.z;
  }

  /// [MEC.1]
  void add_row(int row, int frame, const double* g, const MechanismWorkspace& ws,
               Matrix& jacobian) const {
    const int body = parts_.frames[static_cast<std::size_t>(frame)].body;
    if (body < 0) return;
    const Vector3 linear = component_of(g);
    const Vector3 turn = component_of(g + 3) + cross(find_arm(frame, ws), linear);
    add_entries(body, linear, turn, ws, jacobian.row(row));
  }

  /// [MEC.2]
  void add_row_rate(int row, int frame, const double* g, const double* g_rate,
                    const MechanismWorkspace& ws, Matrix& rate) const {
    const int body = parts_.frames[static_cast<std::size_t>(frame)].body;
    if (body < 0) return;
    const Vector3 arm = find_arm(frame, ws);
    const Vector3& angular = ws.bodies[static_cast<std::size_t>(body)].angular;
    const Vector3 linear = component_of(g);
    const Vector3 linear_rate = component_of(g_rate);
    const Vector3 turn = component_of(g + 3) + cross(arm, linear);
    const Vector3 turn_rate =
        component_of(g_rate + 3) + cross(cross(angular, arm), linear) + cross(arm, linear_rate);
    add_entries(body, linear_rate, turn_rate - cross(angular, turn), ws, rate.row(row));
  }

  // --- forces ----------------------------------------------------------------------------------

  /// U, with -dU in ws.conservative.
  double eval_potential(MechanismWorkspace& ws) const {
    ws.conservative.setZero();
    double energy = 0.0;
    for (std::size_t k = 0; k < parts_.bodies.size(); ++k) {
      const Body& body = parts_.bodies[k];
      const Vector3 weight = body.mass * parts_.gravity;
      energy -= dot(weight, ws.bodies[k].position);
      add_entries(static_cast<int>(k), weight, {}, ws, ws.conservative);
    }
    for (const ForceBlock& force : parts_.forces) {
      if (!force.kernel->has_potential()) continue;
      std::array<Frame<double>, kMaxFrames> poses;
      std::array<Wrench, kMaxFrames> wrenches{};
      gather(force.frames, ws, poses);
      energy += force.kernel->eval_potential(poses.data(), wrenches.data());
      add_wrenches(force, wrenches, ws, ws.conservative);
    }
    return energy;
  }

  void eval_applied(double t, MechanismWorkspace& ws) const {
    ws.applied.setZero();
    for (const ForceBlock& force : parts_.forces) {
      if (!force.kernel->has_applied()) continue;
      std::array<FrameMotion, kMaxFrames> motions;
      std::array<Wrench, kMaxFrames> wrenches{};
      gather(force.frames, ws, motions);
      force.kernel->eval_applied(t, motions.data(), wrenches.data());
      add_wrenches(force, wrenches, ws, ws.applied);
    }
  }

  void eval_forces(double t, MechanismWorkspace& ws) const {
    eval_potential(ws);
    eval_applied(t, ws);
  }

  void add_wrenches(const ForceBlock& force, const std::array<Wrench, kMaxFrames>& wrenches,
                    const MechanismWorkspace& ws, Vector& out) const {
    for (std::size_t j = 0; j < force.frames.size(); ++j) {
      const int frame = force.frames[j];
      const int body = parts_.frames[static_cast<std::size_t>(frame)].body;
      if (body < 0) continue;
      const Wrench& wrench = wrenches[j];
      add_entries(body, wrench.force, wrench.torque + cross(find_arm(frame, ws), wrench.force), ws,
                  out);
    }
  }

  /// -ω×Jω, body axes
  static void add_gyroscopic(const Body& body, ConstVectorRef v, Vector& force) {
    if (body.kind != BodyKind::space_body) return;
    const Vector3 w = component_of(v.data() + body.v + 3);
    const Matrix& j = body.inertia;
    const Vector3 momentum{j(0, 0) * w.x + j(0, 1) * w.y + j(0, 2) * w.z,
                           j(1, 0) * w.x + j(1, 1) * w.y + j(1, 2) * w.z,
                           j(2, 0) * w.x + j(2, 1) * w.y + j(2, 2) * w.z};
    const Vector3 torque = cross(momentum, w);
    force[body.v + 3] += torque.x;
    force[body.v + 4] += torque.y;
    force[body.v + 5] += torque.z;
  }

  // --- measures --------------------------------------------------------------------------------

  /// Where in v.
  int find_angular(const Measure& measure) const {
    return parts_.bodies[static_cast<std::size_t>(measure.block)].v + 3 + measure.component;
  }

  static double pick(const Vector3& a, int axis) { return axis == 0 ? a.x : axis == 1 ? a.y : a.z; }

  double calc_measure(const Measure& measure, const Moment& moment, MechanismWorkspace& ws) const {
    using Kind = Measure::Kind;
    const auto block = static_cast<std::size_t>(measure.block);
    switch (measure.kind) {
      case Kind::value:
      case Kind::rate:
      case Kind::acceleration: return calc_function(measure, ws);
      case Kind::position: return pick(ws.frames[block].pose.origin, measure.component);
      case Kind::velocity: return pick(ws.frames[block].velocity.linear, measure.component);
      case Kind::body_acceleration:
        return pick(ws.frames[block].acceleration.linear, measure.component);
      case Kind::reaction_force:
        return pick(calc_reaction(block, moment, ws).force, measure.component);
      case Kind::reaction_torque:
        return pick(calc_reaction(block, moment, ws).torque, measure.component);
      case Kind::quaternion: return moment.q[parts_.bodies[block].q + 3 + measure.component];
      case Kind::angular_velocity: return moment.v[find_angular(measure)];
      case Kind::kinetic: return 0.5 * moment.v.dot(mass_ * moment.v);
      case Kind::potential: return eval_potential(ws);
    }
    return 0.0;
  }

  double calc_function(const Measure& measure, MechanismWorkspace& ws) const {
    const FunctionBlock& block = parts_.functions[static_cast<std::size_t>(measure.block)];
    const auto output = static_cast<std::size_t>(measure.component);
    std::array<double, kMaxOutputs> first{};
    std::array<double, kMaxOutputs> second{};
    if (measure.kind == Measure::Kind::value) {
      std::array<Frame<double>, kMaxFrames> poses;
      gather(block.frames, ws, poses);
      block.function->eval(poses.data(), first.data());
      return first[output] +
             (measure.counter < 0 ? 0.0 : ws.turns[static_cast<std::size_t>(measure.counter)]);
    }
    std::array<FrameMotion, kMaxFrames> motions;
    gather(block.frames, ws, motions);
    block.function->eval_motion(motions.data(), first.data(), second.data());
    return measure.kind == Measure::Kind::rate ? first[output] : second[output];
  }

  /// [MEC.4], on the last frame's body.
  Wrench calc_reaction(std::size_t index, const Moment& moment, MechanismWorkspace& ws) const {
    const RowBlock& block = parts_.rows[index];
    std::array<Frame<double>, kMaxFrames> poses;
    std::array<double, kMaxOutputs> phi;
    gather(block.frames, ws, poses);
    block.function->eval_jacobian(poses.data(), phi.data(), ws.element.data());
    Wrench wrench{};
    for (int i = 0; i < block.function->outputs(); ++i) {
      const double* g = element_entry(ws.element, block, i, block.frames.size() - 1);
      const double lambda = -moment.lambda[row_start_[index] + i];
      wrench += {lambda * component_of(g), lambda * component_of(g + 3)};
    }
    return wrench;
  }

  MechanismParts parts_;
  std::vector<int> row_start_;  // per block
  std::vector<bool> is_row_counter_;
  Matrix mass_;
};

class MechanismTargets final : public StartTargets {
 public:
  MechanismTargets(const MechanismSystem& system, std::vector<StartTarget> targets,
                   std::vector<Measure> measures)
      : system_(system), measures_(std::move(measures)), ws_(system.make_workspace()) {
    list_ = std::move(targets);
  }

  double eval_position(std::size_t index, ConstVectorRef q, VectorRef row) const override {
    return system_.eval_target(measures_[index], list_[index].value, q, nullptr, row, workspace());
  }
  double eval_rate(std::size_t index, ConstVectorRef q, ConstVectorRef v,
                   VectorRef row) const override {
    const Vector velocity = v;
    return system_.eval_target(measures_[index], list_[index].value, q, &velocity, row,
                               workspace());
  }

 private:
  MechanismWorkspace& workspace() const { return static_cast<MechanismWorkspace&>(*ws_); }

  const MechanismSystem& system_;
  std::vector<Measure> measures_;
  std::unique_ptr<Workspace> ws_;
};

}  // namespace

std::shared_ptr<const StartTargets> make_start_targets(const System& system,
                                                       std::vector<StartTarget> targets,
                                                       std::vector<Measure> measures) {
  return std::make_shared<MechanismTargets>(static_cast<const MechanismSystem&>(system),
                                            std::move(targets), std::move(measures));
}

std::unique_ptr<System> make_mechanism_system(MechanismParts parts) {
  return std::make_unique<MechanismSystem>(std::move(parts));
}

}  // namespace driftless
