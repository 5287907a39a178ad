#include "driftless/mechanism/mechanism_system.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "driftless/mechanism/describe_parts.hpp"
#include "driftless/mechanism/forces.hpp"
#include "driftless/mechanism/joint_tree.hpp"
#include "driftless/mechanism/kinematics.hpp"
#include "driftless/mechanism/laws.hpp"
#include "driftless/mechanism/linearizer.hpp"
#include "driftless/mechanism/pair_rows.hpp"
#include "driftless/mechanism/probes.hpp"
#include "driftless/mechanism/recorder.hpp"
#include "driftless/mechanism/system_layout.hpp"
#include "driftless/mechanism/turn_choice.hpp"
#include "driftless/mechanism/undirected_forces.hpp"
#include "driftless/system/start_help.hpp"

namespace driftless {
namespace {

struct MechanismWorkspace final : Workspace {
  MotionState motion;
  LawWorkspace laws;
  RecorderWorkspace records;
  LinearizerWorkspace linearizer;
  Vector applied;       // generalised applied force
  Vector conservative;  // minus the gradient of U
  Vector momentum;      // M v
  // The laws have positions of the pose at this time, and rates of the motion there; NaN, false: not yet.
  double laws_placed = std::numeric_limits<double>::quiet_NaN();
  bool laws_moved = false;
};

MechanismWorkspace& down(Workspace& ws) { return static_cast<MechanismWorkspace&>(ws); }

class MechanismSystem final : public System, public ThreadedSystem, public ForceExplainer {
 public:
  explicit MechanismSystem(std::shared_ptr<const MechanismParts> parts)
      : shared_(std::move(parts)),
        parts_(*shared_),
        kinematics_(parts_),
        tree_(parts_, kinematics_),
        laws_(parts_, kinematics_),
        forces_(parts_, kinematics_, laws_),
        recorder_(parts_, kinematics_, laws_, forces_),
        probes_(parts_, kinematics_, laws_),
        linearizer_(parts_, kinematics_) {
    info_.name = parts_.name;
    has_laws_ = !laws_.is_empty();
    counted_angles_ = parts_.start_angles;
    counted_angles_.resize(parts_.counters.size(), 0.0);
    counts_ = std::any_of(parts_.counters.begin(), parts_.counters.end(),
                          [](const TurnCounter& each) { return !each.continuous; });
    for (const Body& body : parts_.bodies) add_names(body, info_);
    for (const RowBlock& row : parts_.rows) {
      info_.rows.insert(info_.rows.end(), row.row_names.begin(), row.row_names.end());
      joint_counters_.insert(joint_counters_.end(), row.block.counters.begin(),
                             row.block.counters.end());
    }
    for (const LawParts::Row& row : parts_.laws.position_rows) info_.rows.push_back(row.name);
    for (const LawParts::Row& row : parts_.laws.velocity_rows) info_.rows.push_back(row.name);
    info_.position_rows = parts_.frame_rows + static_cast<int>(parts_.laws.position_rows.size());
    info_.velocity_rows = static_cast<int>(parts_.laws.velocity_rows.size());
    info_.velocity_rows_linear = laws_.velocity_rows_linear();
    info_.has_time_rows = laws_.uses_time_in_rows();
    info_.constant_mass = true;
    needed_counters_ = joint_counters_;
    needed_counters_.insert(needed_counters_.end(), laws_.counters().begin(),
                            laws_.counters().end());
    add_states(parts_, info_);
    add_invariants(parts_, laws_, info_);
    info_.records = parts_.record_names;
    info_.record_units = parts_.record_units;
    info_.probes = probes_.elements();
    info_.records_need_reactions = recorder_.needs_accelerations();
    mass_ = make_mass(parts_, info_);
    even_mass_ = make_even_mass(parts_, info_);
    make_rows();
    describe_parts(parts_, info_);
  }

  std::unique_ptr<Workspace> make_workspace() const override {
    auto ws = std::make_unique<MechanismWorkspace>();
    resize_workspace(info_, mass_, jacobian_, *ws);
    ws->motion = kinematics_.make_state();
    ws->motion.counted = counted_angles_;
    ws->laws = laws_.make_workspace();
    ws->records = recorder_.make_workspace();
    ws->applied = ws->conservative = ws->momentum = Vector::Zero(info_.nv);
    return ws;
  }

  std::unique_ptr<SaddleEngine> make_engine(const Workspace& ws, int rows,
                                            EngineKind kind) const override {
    const bool gaps =
        other_rows_.empty() && rows == parts_.frame_rows && has_one_kind_of_body(parts_);
    return make_saddle(ws.mass, ws.jacobian, rows, kind, gaps ? RowForm::gaps : RowForm::any,
                       even_mass_);
  }

  const BlockMatrix& find_row_metric(const Workspace& ws) const override {
    return even_mass_.rows() > 0 ? even_mass_ : ws.mass;
  }

  void eval_configuration(double t, ConstVectorRef q, Workspace& base) const override {
    MechanismWorkspace& ws = down(base);
    place(t, q, ws);
    MotionState& motion = ws.motion;
    pairs_.eval(motion, ws.phi.data(), ws.jacobian.data());
    set_zero_other_rows(ws.jacobian);
    for (const std::size_t k : other_rows_) {
      const FunctionBlock& block = parts_.rows[k].block;
      kinematics_.eval_jacobian(block, motion, ws.phi.data() + parts_.rows[k].first_row,
                                motion.jacobian.data());
      const std::size_t columns = kTwist * block.frames.size();
      for (int i = 0; i < block.function->outputs(); ++i) {
        kinematics_.add_row(block.frames,
                            motion.jacobian.data() + static_cast<std::size_t>(i) * columns, 1.0,
                            motion, ws.jacobian.row(parts_.rows[k].first_row + i));
      }
    }
    if (has_laws_)
      laws_.eval_position_rows(motion, ws.laws, ws.phi.data() + parts_.frame_rows,
                               parts_.frame_rows, ws.jacobian);
  }

  void eval_velocity(double t, ConstVectorRef q, ConstVectorRef v, Workspace& base) const override {
    MechanismWorkspace& ws = down(base);
    if (has_laws_in_rows()) {
      place(t, q, ws);
      move(v, ws);
      laws_.eval_slopes(ws.laws);
    }
    eval_residual(v, ws);
  }

  void eval_motion(double t, ConstVectorRef q, ConstVectorRef v, Workspace& base) const override {
    MechanismWorkspace& ws = down(base);
    place(t, q, ws);
    move(v, ws);
    if (has_laws_) laws_.eval_slopes(ws.laws);
    eval_residual(v, ws);
    eval_forces(v, ws);
  }

  bool eval_forces(double t, ConstVectorRef q, ConstVectorRef v, Workspace& base) const override {
    if (info_.velocity_rows > 0) return false;  // their γ goes with their G and ρ
    MechanismWorkspace& ws = down(base);
    place(t, q, ws);
    if (kinematics_.needs_twists()) move(v, ws);
    if (has_laws_) laws_.eval_slopes(ws.laws);
    eval_forces(v, ws);
    return true;
  }

  void eval_invariants(double t, ConstVectorRef q, ConstVectorRef v,
                       Workspace& base) const override {
    MechanismWorkspace& ws = down(base);
    place(t, q, ws);
    mass_.multiply(v, ws.momentum);
    ws.invariant_v.row(0) = ws.momentum.transpose();
    ws.invariant[0] =
        0.5 * ws.momentum.dot(v) + forces_.eval_potential(ws.motion, ws.laws, ws.conservative);
    if (parts_.laws.invariants.empty()) return;
    move(v, ws);
    laws_.eval_invariants(ws.motion, ws.laws, ws);
  }

  void eval_invariant_gradients(double t, ConstVectorRef q, ConstVectorRef v,
                                Workspace& base) const override {
    MechanismWorkspace& ws = down(base);
    place(t, q, ws);
    forces_.eval_potential(ws.motion, ws.laws, ws.conservative);
    ws.invariant_q.row(0) = -ws.conservative.transpose();
    move(v, ws);
    ws.invariant_t[0] = find_state_power(ws);
    laws_.eval_invariant_gradients(ws.motion, ws.laws, ws);
    laws_.eval_velocity_partials(ws.motion, ws.laws, ws.velocity_rows_q);
  }

  void eval_power(double t, ConstVectorRef q, ConstVectorRef v, Workspace& base) const override {
    MechanismWorkspace& ws = down(base);
    place(t, q, ws);
    move(v, ws);
    forces_.eval_applied(ws.motion, ws.laws, ws.applied);
    ws.power[0] = ws.applied.dot(v) + find_state_power(ws);
    ws.power_acceleration.setZero();
    laws_.eval_invariant_power(ws.laws, ws);
  }

  void eval_jacobian_rate(double t, ConstVectorRef q, ConstVectorRef w, Workspace& base,
                          BlockMatrix& rate) const override {
    MechanismWorkspace& ws = down(base);
    MotionState& motion = ws.motion;
    place(t, q, ws);
    move(w, ws);
    pairs_.eval_rate(motion, rate.data());
    set_zero_other_rows(rate);
    for (const std::size_t k : other_rows_) {
      const FunctionBlock& block = parts_.rows[k].block;
      kinematics_.eval_jacobian(block, motion, motion.first.data(), motion.jacobian.data());
      kinematics_.eval_jacobian_rate(block, motion, motion.jacobian_rate.data());
      for (int i = 0; i < block.function->outputs(); ++i) {
        const std::size_t at = static_cast<std::size_t>(i) * kTwist * block.frames.size();
        kinematics_.add_row_rate(block.frames, motion.jacobian.data() + at,
                                 motion.jacobian_rate.data() + at, 1.0, motion,
                                 rate.row(parts_.rows[k].first_row + i));
      }
    }
    laws_.eval_jacobian_rate(motion, ws.laws, parts_.frame_rows, rate);
  }

  Linearization make_linearization() const override {
    Linearization out(info_);
    std::vector<BlockPlace> pairs = linearizer_.find_pairs();
    out.stiffness = out.damping = BlockMatrix(info_.nv, info_.nv, std::move(pairs));
    std::vector<BlockPlace> rows = find_row_places(parts_, laws_, info_);
    linearizer_.add_row_places(rows);
    out.residual_q = BlockMatrix(info_.row_count(), info_.nv, std::move(rows));
    return out;
  }

  void eval_linearization(const Moment& moment, Workspace& base,
                          Linearization& out) const override {
    MechanismWorkspace& ws = down(base);
    place_all(moment, ws);
    out.set_zero();
    linearizer_.eval(moment.lambda, ws.motion, ws.laws, ws.linearizer, out);
  }

  void add_momentum_rate(double /*t*/, ConstVectorRef /*q*/, ConstVectorRef v, Workspace& /*ws*/,
                         VectorRef force) const override {
    for (const Body& body : parts_.bodies) add_gyroscopic(body, v, -1.0, force);
  }

  std::pair<std::string, Source> find_faulty_force(double t, ConstVectorRef q, ConstVectorRef v,
                                                   Workspace& base) const override {
    MechanismWorkspace& ws = down(base);
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
      if (!std::isfinite(norm(wrench.force) + norm(wrench.torque)))
        return {force.name, force.where};
    }
    return {};
  }

  ForceFault explain_force(const std::string& name, Workspace& base) const override {
    const MotionState& motion = down(base).motion;
    ForceFault fault;
    for (const ForceBlock& force : parts_.forces) {
      if (force.name != name || force.frames.size() != 2) continue;
      const Frame<double> poses[] = {motion.frames[static_cast<std::size_t>(force.frames[0])].pose,
                                     motion.frames[static_cast<std::size_t>(force.frames[1])].pose};
      force.kernel->explain_fault(poses, fault.reason, fault.remedy);
    }
    return fault;
  }

  std::vector<UndirectedForce> find_undirected_forces(double t, ConstVectorRef q, ConstVectorRef v,
                                                      Workspace& base) const override {
    MechanismWorkspace& ws = down(base);
    place(t, q, ws);
    move(v, ws);
    return driftless::find_undirected_forces(parts_, laws_, ws.motion, ws.laws);
  }

  void eval_records(const Moment& moment, Workspace& base, VectorRef values) const override {
    MechanismWorkspace& ws = down(base);
    place(moment.t, moment.q, ws);
    kinematics_.place(moment.q, ws.motion);
    for (int k = 0; k < static_cast<int>(parts_.counters.size()); ++k) {
      kinematics_.count_turns(k, ws.motion);
    }
    place_all(moment, ws);
    recorder_.eval(moment, ws.motion, ws.laws, ws.records, values);
  }

  void eval_probes(const Moment& moment, Workspace& base, VectorRef values,
                   VectorRef slopes) const override {
    MechanismWorkspace& ws = down(base);
    place_all(moment, ws);
    probes_.eval(moment, ws.motion, ws.laws, values, slopes);
  }

  void accept(double t, ConstVectorRef q, ConstVectorRef v, Workspace& base) const override {
    if (!counts_) return;
    MechanismWorkspace& ws = down(base);
    ws.motion.t = t;
    kinematics_.place(q, ws.motion);
    kinematics_.move(v, ws.motion);
    kinematics_.accept_turns(ws.motion);
    ws.laws_placed = std::numeric_limits<double>::quiet_NaN();
  }
  bool let_turns_free(Workspace& base, TurnFreedom freedom) const override {
    MotionState& motion = down(base).motion;
    motion.free_turns = freedom;
    return find_open_counters(parts_, laws_, joint_counters_, freedom).size() >
           find_open_counters(parts_, laws_, joint_counters_, TurnFreedom::not_given).size();
  }
  int count_free_threads() const override { return static_cast<int>(list_free_threads().size()); }
  void set_thread_turns(Workspace& base, const std::vector<double>& turns) const override {
    MotionState& motion = down(base).motion;
    const std::vector<std::size_t> threads = list_free_threads();
    for (std::size_t k = 0; k < threads.size(); ++k) {
      motion.counted[threads[k]] =
          find_thread_begin(threads[k]) + 2.0 * std::numbers::pi * turns[k];
    }
  }
  std::vector<double> find_thread_turns(double t, ConstVectorRef q,
                                        Workspace& base) const override {
    const std::vector<double> angles = find_counted_angles(t, q, base);
    std::vector<double> turns;
    for (const std::size_t k : list_free_threads())
      turns.push_back((angles[k] - find_thread_begin(k)) / (2.0 * std::numbers::pi));
    return turns;
  }
  std::vector<double> find_counted_angles(double t, ConstVectorRef q,
                                          Workspace& base) const override {
    MechanismWorkspace& ws = down(base);
    place(t, q, ws);
    kinematics_.place(q, ws.motion);
    std::vector<double> angles(parts_.counters.size());
    for (std::size_t k = 0; k < angles.size(); ++k) {
      const TurnCounter& each = parts_.counters[k];
      const int counter = static_cast<int>(k);
      if (std::find(needed_counters_.begin(), needed_counters_.end(), counter) ==
          needed_counters_.end())
        kinematics_.count_turns(counter, ws.motion);
      const double turns = ws.motion.turns[k];
      kinematics_.eval_value(parts_.functions[static_cast<std::size_t>(each.function)], ws.motion,
                             ws.motion.first.data());
      angles[k] = ws.motion.first[static_cast<std::size_t>(each.output)] + turns;
    }
    return angles;
  }
  void set_counted_angles(const std::vector<double>& angles) override { counted_angles_ = angles; }

  void map_velocity(ConstVectorRef q, ConstVectorRef v, VectorRef q_dot) const override {
    if (info_.nq == info_.nv) {
      q_dot = v;
      return;
    }
    for (const Body& body : parts_.bodies) map_body_velocity(body, q, v, q_dot);
  }
  void retract(VectorRef q, ConstVectorRef delta) const override {
    for (const Body& body : parts_.bodies) retract_body(body, q, delta);
  }
  void find_increment(ConstVectorRef from, ConstVectorRef to, VectorRef delta) const override {
    for (const Body& body : parts_.bodies) find_body_increment(body, from, to, delta);
  }
  Vector find_turns_off(ConstVectorRef q) const override {
    Vector angles = Vector::Zero(static_cast<Eigen::Index>(info_.elements.size()));
    angles.head(static_cast<Eigen::Index>(parts_.rows.size())) = tree_.find_turns_off(q);
    return angles;
  }
  void close_tree(VectorRef q) const override { tree_.close(q); }
  void normalize(VectorRef q) const override {
    for (const Body& body : parts_.bodies) normalize_body(body, q);
  }

 private:
  /// Counters of screws that begin anywhere.
  std::vector<std::size_t> list_free_threads() const {
    std::vector<std::size_t> threads;
    for (const int counter : joint_counters_) {
      const auto k = static_cast<std::size_t>(counter);
      if (parts_.counters[k].teller >= 0 && !parts_.start_given[k]) threads.push_back(k);
    }
    return threads;
  }
  double find_thread_begin(std::size_t counter) const {
    return std::isnan(counted_angles_[counter]) ? 0.0 : counted_angles_[counter];
  }

  // --- setting up ------------------------------------------------------------------------------

  void make_rows() {
    jacobian_ = BlockMatrix(info_.row_count(), info_.nv, find_row_places(parts_, laws_, info_));
    pairs_ = PairRows(parts_, jacobian_);
    pairs_.set_constant(jacobian_.data());
    for (std::size_t k = 0; k < parts_.rows.size(); ++k) {
      if (!PairRows::has_form(parts_.rows[k])) other_rows_.push_back(k);
    }
    std::vector<bool> is_other(static_cast<std::size_t>(info_.row_count()), true);
    for (const RowBlock& row : parts_.rows) {
      if (PairRows::has_form(row)) is_other[static_cast<std::size_t>(row.first_row)] = false;
    }
    for (std::size_t k = 0; k < jacobian_.strips().size(); ++k) {
      const int row = jacobian_.strips()[k].row;
      if (row < info_.position_rows && is_other[static_cast<std::size_t>(row)])
        other_strips_.push_back(static_cast<int>(k));
    }
  }

  // --- parts of the evaluation -----------------------------------------------------------------

  bool has_laws_in_rows() const {
    return !parts_.laws.position_rows.empty() || !parts_.laws.velocity_rows.empty();
  }

  /// Those that are no pair rows.
  void set_zero_other_rows(BlockMatrix& jacobian) const {
    for (const std::size_t k : other_rows_) {
      const RowBlock& row = parts_.rows[k];
      jacobian.set_zero(row.first_row, row.block.function->outputs());
    }
    if (parts_.frame_rows < info_.row_count())
      jacobian.set_zero(parts_.frame_rows, info_.row_count() - parts_.frame_rows);
  }

  /// All frames, for what is not part of the equations of motion.
  void place_all(const Moment& moment, MechanismWorkspace& ws) const {
    place(moment.t, moment.q, ws);
    kinematics_.place(moment.q, ws.motion);
    move(moment.v, ws);
    kinematics_.move(moment.v, ws.motion);
  }

  void place(double t, ConstVectorRef q, MechanismWorkspace& ws) const {
    ws.motion.t = t;
    const bool is_new = kinematics_.place_working(q, ws.motion);
    if (!has_laws_ && needed_counters_.empty()) return;
    laws_.set_states(ws.states, ws.laws);
    // Turns are counted anew even where the pose is the same: they depend on what was accepted.
    if (!is_new && ws.laws_placed == t && needed_counters_.empty()) return;
    for (const int counter : needed_counters_) kinematics_.count_turns(counter, ws.motion);
    laws_.set_position(t, ws.motion, ws.laws);
    ws.laws_placed = t;
    ws.laws_moved = false;
    if (ws.motion.free_turns) choose_turns(parts_, laws_, joint_counters_, ws.motion, ws.laws);
  }

  /// Of the energy: what flows off through states.
  double find_state_power(MechanismWorkspace& ws) const {
    if (info_.nc == 0) return 0.0;
    laws_.eval_states(ws.laws, ws.state_rate);
    return laws_.state_power(ws.laws);
  }

  void move(ConstVectorRef v, MechanismWorkspace& ws) const {
    if (!kinematics_.move_working(v, ws.motion) && ws.laws_moved) return;
    if (!has_laws_) return;
    laws_.set_velocity(ws.motion, ws.laws);
    ws.laws_moved = true;
  }

  /// Q, γ and c'. The state is moved, the slopes of the laws are there.
  void eval_forces(ConstVectorRef v, MechanismWorkspace& ws) const {
    double* gamma = ws.gamma.data();
    pairs_.eval_gamma(ws.motion, ws.jacobian.data(), v.data(), gamma);
    for (const std::size_t k : other_rows_) {
      const RowBlock& row = parts_.rows[k];
      double* out = gamma + row.first_row;
      kinematics_.eval_motion(row.block, ws.motion, ws.motion.first.data(), out);
      for (int i = 0; i < row.block.function->outputs(); ++i) out[i] = -out[i];
    }
    forces_.eval(ws.motion, ws.laws, ws.force);
    if (kinematics_.has_space_bodies()) {
      for (const Body& body : parts_.bodies) add_gyroscopic(body, v, 1.0, ws.force);
    }
    if (!has_laws_) return;
    laws_.set_bias(ws.motion, ws.laws);
    laws_.eval_position_bias(ws.laws, gamma + parts_.frame_rows);
    laws_.eval_velocity_bias(ws.laws, gamma + info_.position_rows);
    for (int k = parts_.frame_rows; k < info_.row_count(); ++k) gamma[k] = -gamma[k];
    laws_.eval_states(ws.laws, ws.state_rate);
  }

  /// Φ' = G v + Φ_t, and Ψ with its rows of G. The slopes of the laws are there.
  void eval_residual(ConstVectorRef v, MechanismWorkspace& ws) const {
    pairs_.eval_velocity(ws.jacobian.data(), v.data(), ws.velocity_residual.data());
    for (const int strip : other_strips_)
      ws.jacobian.multiply_strip(strip, v.data(), ws.velocity_residual.data());
    if (info_.has_time_rows) {
      for (int k = parts_.frame_rows; k < info_.position_rows; ++k) {
        ws.velocity_residual[k] += laws_.time_slope(k - parts_.frame_rows, ws.laws);
      }
    }
    if (info_.velocity_rows > 0)
      laws_.eval_velocity_rows(ws.motion, ws.laws,
                               ws.velocity_residual.data() + info_.position_rows,
                               info_.position_rows, ws.jacobian);
  }

  /// -ω×Jω, body axes, times a factor
  static void add_gyroscopic(const Body& body, ConstVectorRef v, double factor, VectorRef force) {
    if (body.kind != BodyKind::space_body) return;
    const Vector3 w{v[body.v + 3], v[body.v + 4], v[body.v + 5]};
    const Matrix& j = body.inertia;
    const Vector3 momentum{j(0, 0) * w.x + j(0, 1) * w.y + j(0, 2) * w.z,
                           j(1, 0) * w.x + j(1, 1) * w.y + j(1, 2) * w.z,
                           j(2, 0) * w.x + j(2, 1) * w.y + j(2, 2) * w.z};
    const Vector3 torque = cross(momentum, w);
    force[body.v + 3] += factor * torque.x;
    force[body.v + 4] += factor * torque.y;
    force[body.v + 5] += factor * torque.z;
  }

  std::shared_ptr<const MechanismParts> shared_;
  const MechanismParts& parts_;
  Kinematics kinematics_;
  JointTree tree_;
  Laws laws_;
  Forces forces_;
  Recorder recorder_;
  Probes probes_;
  Linearizer linearizer_;
  std::vector<int> joint_counters_;   // of rows of joints
  std::vector<int> needed_counters_;  // of rows and laws
  bool has_laws_ = false;
  bool counts_ = false;                 // some angle does not count its turns by itself
  std::vector<double> counted_angles_;  // per counter: where workspaces begin to count
  BlockMatrix mass_;
  BlockMatrix even_mass_;  // of no size: none is needed
  BlockMatrix jacobian_;   // its blocks
  PairRows pairs_;
  std::vector<std::size_t> other_rows_;  // in parts_.rows: those that are no pair rows
  std::vector<int> other_strips_;        // of all other position rows
};

}  // namespace

std::unique_ptr<System> make_mechanism_system(std::shared_ptr<const MechanismParts> parts) {
  return std::make_unique<MechanismSystem>(std::move(parts));
}

}  // namespace driftless
