#pragma once
// The class behind make_joint_system; for joint_*.cpp alone. Derivations: joint_system.hpp.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "driftless/math/range_projection.hpp"
#include "driftless/mechanism/joint_info.hpp"
#include "driftless/mechanism/joint_reactions.hpp"
#include "driftless/mechanism/joint_system.hpp"
#include "driftless/mechanism/mass_range.hpp"
#include "driftless/mechanism/mechanism_system.hpp"
#include "driftless/mechanism/tree_bodies.hpp"
#include "driftless/mechanism/tree_rows.hpp"
#include "driftless/mechanism/tree_saddle.hpp"
#include "driftless/mechanism/tree_signs.hpp"
#include "driftless/mechanism/tree_slopes.hpp"
#include "driftless/system/start_help.hpp"

namespace driftless {

struct JointWorkspace final : Workspace {
  TreeState tree;
  TreeBodiesWorkspace bodies;
  std::unique_ptr<Workspace> open;  // of the bodies without the tree's joints
  std::unique_ptr<Workspace> full;  // with them: for records
  MotionState frames;               // for reactions
  std::vector<TreeSigns::Quaternion> quaternions;
  std::optional<RangeProjection> range;  // for reactions that are not unique
  TreeSlopesWorkspace slopes;            // grows at the first use
  Linearization of_bodies;               // likewise
  Vector q;                              // where the tree is placed
  bool is_placed = false;
  bool bodies_placed = false;
  Vector body_q, body_v, body_v_dot, body_force, body_row;
  Vector velocity_change, acceleration_change, force_change;
  Vector direction, change, all_lambda, full_records, row_values;
  BlockMatrix body_rate;
};

inline JointWorkspace& down_to_joints(Workspace& ws) { return static_cast<JointWorkspace&>(ws); }

class JointSystem final : public System, public DrivenSystem {
 public:
  JointSystem(std::shared_ptr<const MechanismParts> parts,
              std::shared_ptr<const SpanningTree> spanning)
      : shared_(std::move(parts)),
        shared_tree_(std::move(spanning)),
        parts_(*shared_),
        spanning_(*shared_tree_),
        recursion_(spanning_.tree),
        bodies_(parts_, spanning_, recursion_),
        signs_(parts_, spanning_),
        slopes_(parts_, spanning_),
        reactions_(parts_, spanning_, bodies_),
        kinematics_(parts_),
        open_(make_mechanism_system(make_open_parts(parts_, spanning_))),
        full_(make_mechanism_system(shared_)),
        rows_(parts_, spanning_, recursion_, open_->make_workspace()->jacobian) {
    info_ = make_joint_info(parts_, spanning_, open_->info(), full_->info());
    records_ = list_joint_records(info_, full_->info());
    counted_ = list_counted_coordinates(parts_, spanning_);
    const LawParts& laws = parts_.laws;
    sees_bodies_ = open_->info().row_count() > 0 || !parts_.forces.empty() ||
                   !laws.forces.empty() || !laws.states.empty();
    if (!sees_bodies_) weight_ = parts_.gravity;
  }

  std::unique_ptr<Workspace> make_workspace() const override {
    auto ws = std::make_unique<JointWorkspace>();
    JointWorkspace* made = ws.get();  // M is made of its poses when somebody asks for it
    BlockMatrix mass(
        info_.nv, info_.nv, [this, made](Matrix& out) { recursion_.eval_mass(made->tree, out); },
        [this, made](ConstVectorRef x, VectorRef y) { recursion_.multiply(x, made->tree, y); });
    resize_workspace(info_, std::move(mass), rows_.make_matrix(), *ws);
    ws->tree = recursion_.make_state();
    ws->bodies = bodies_.make_workspace();
    ws->open = open_->make_workspace();
    ws->full = full_->make_workspace();
    ws->frames = kinematics_.make_state();
    ws->quaternions = signs_.make_workspace();
    const SystemInfo& body_info = full_->info();
    ws->q = Vector::Zero(info_.nq);
    ws->body_q = Vector::Zero(body_info.nq);
    for (Vector* each : {&ws->body_v, &ws->body_v_dot, &ws->body_force, &ws->body_row,
                         &ws->velocity_change, &ws->acceleration_change, &ws->force_change}) {
      *each = Vector::Zero(body_info.nv);
    }
    ws->direction = ws->change = Vector::Zero(info_.nv);
    ws->all_lambda = Vector::Zero(body_info.row_count());
    ws->full_records = Vector::Zero(static_cast<Eigen::Index>(body_info.records.size()));
    ws->row_values = Vector::Zero(info_.row_count());
    ws->body_rate = ws->open->jacobian;
    return ws;
  }

  std::unique_ptr<SaddleEngine> make_engine(const Workspace& base, int rows,
                                            EngineKind kind) const override {
    const auto& ws = static_cast<const JointWorkspace&>(base);
    return make_tree_saddle(recursion_, rows_, ws.tree, rows, kind,
                            find_even_radius(parts_.bodies));
  }

  void eval_configuration(double t, ConstVectorRef q, Workspace& base) const override {
    JointWorkspace& ws = down_to_joints(base);
    place(q, ws);
    if (info_.row_count() == 0) return;
    place_bodies(q, ws);
    open_->eval_configuration(t, ws.body_q, *ws.open);
    ws.phi = ws.open->phi;
    carry_rows(0, info_.position_rows, ws);
  }

  void eval_velocity(double t, ConstVectorRef q, ConstVectorRef v, Workspace& base) const override {
    JointWorkspace& ws = down_to_joints(base);
    if (info_.row_count() == 0) return;
    place_bodies(q, ws);
    bodies_.find_velocities(v, ws.tree, ws.bodies, ws.body_v);
    open_->eval_velocity(t, ws.body_q, ws.body_v, *ws.open);
    ws.velocity_residual = ws.open->velocity_residual;
    carry_rows(info_.position_rows, info_.row_count(), ws);
  }

  void eval_motion(double t, ConstVectorRef q, ConstVectorRef v, Workspace& base) const override {
    JointWorkspace& ws = down_to_joints(base);
    place(q, ws);
    recursion_.move(v, weight_, ws.tree, ws.force);
    if (!sees_bodies_) return;
    eval_bodies(t, q, v, ws);
    ws.state_rate = ws.open->state_rate;
    ws.body_force = ws.open->force;  // its inertia terms are in the recursion already
    open_->add_momentum_rate(t, ws.body_q, ws.body_v, *ws.open, ws.body_force);
    bodies_.add_force(ws.body_force, 1.0, ws.tree, ws.bodies, ws.force);
    if (info_.row_count() == 0) return;
    ws.velocity_residual = ws.open->velocity_residual;
    carry_rows(info_.position_rows, info_.row_count(), ws);
    ws.change.setZero();
    bodies_.find_accelerations(ws.change, weight_, ws.tree, ws.bodies, ws.body_v_dot);
    rows_.find_bias(ws.open->jacobian, ws.body_v_dot, ws.open->gamma, ws.gamma);  // [JSY.2]
  }

  void eval_invariants(double t, ConstVectorRef q, ConstVectorRef v,
                       Workspace& base) const override {
    JointWorkspace& ws = down_to_joints(base);
    move_bodies(q, v, ws);
    open_->eval_invariants(t, ws.body_q, ws.body_v, *ws.open);
    ws.invariant = ws.open->invariant;
    for (Eigen::Index k = 0; k < ws.invariant.size(); ++k) {
      ws.body_row = ws.open->invariant_v.row(k).transpose();
      ws.change.setZero();
      bodies_.add_force(ws.body_row, 1.0, ws.tree, ws.bodies, ws.change);
      ws.invariant_v.row(k) = ws.change.transpose();
    }
  }

  void eval_power(double t, ConstVectorRef q, ConstVectorRef v, Workspace& base) const override {
    JointWorkspace& ws = down_to_joints(base);
    move_bodies(q, v, ws);
    open_->eval_power(t, ws.body_q, ws.body_v, *ws.open);
    ws.power = ws.open->power;  // nothing of it depends on accelerations of bodies
    ws.power_acceleration.setZero();
  }

  // in joint_derivatives.cpp
  void eval_invariant_gradients(double t, ConstVectorRef q, ConstVectorRef v,
                                Workspace& base) const override;
  void eval_jacobian_rate(double t, ConstVectorRef q, ConstVectorRef w, Workspace& base,
                          BlockMatrix& rate) const override;
  void eval_linearization(const Moment& moment, Workspace& base, Linearization& out) const override;
  void add_momentum_rate(double t, ConstVectorRef q, ConstVectorRef v, Workspace& base,
                         VectorRef force) const override;

  std::pair<std::string, Source> find_faulty_force(double t, ConstVectorRef q, ConstVectorRef v,
                                                   Workspace& base) const override {
    JointWorkspace& ws = down_to_joints(base);
    move_bodies(q, v, ws);
    return open_->find_faulty_force(t, ws.body_q, ws.body_v, *ws.open);
  }

  std::vector<UndirectedForce> find_undirected_forces(double t, ConstVectorRef q, ConstVectorRef v,
                                                      Workspace& base) const override {
    JointWorkspace& ws = down_to_joints(base);
    move_bodies(q, v, ws);
    return open_->find_undirected_forces(t, ws.body_q, ws.body_v, *ws.open);
  }

  void eval_records(const Moment& moment, Workspace& base, VectorRef values) const override {
    JointWorkspace& ws = down_to_joints(base);
    if (info_.records_need_reactions) {
      set_moment(moment, ws);
      find_multipliers(moment, ws);
    } else {
      move_bodies(moment.q, moment.v, ws);
    }
    signs_.apply(moment.q, ws.quaternions, ws.body_q);
    // reactions of constraints are told by slopes that the equations of motion leave behind
    ws.full->states = ws.states;
    full_->eval_configuration(moment.t, ws.body_q, *ws.full);
    full_->eval_velocity(moment.t, ws.body_q, ws.body_v, *ws.full);
    if (info_.records_need_reactions) spread_multipliers(moment.rank, ws);
    full_->eval_records({moment.t, ws.body_q, ws.body_v, ws.body_v_dot, ws.all_lambda}, *ws.full,
                        ws.full_records);
    for (std::size_t k = 0; k < records_.size(); ++k) {
      const JointRecord& record = records_[k];
      const Vector& from = record.kind == JointRecord::Kind::record            ? ws.full_records
                           : record.kind == JointRecord::Kind::body_coordinate ? ws.body_q
                                                                               : ws.body_v;
      values[static_cast<Eigen::Index>(k)] = from[record.index];
    }
  }

  void eval_probes(const Moment& moment, Workspace& base, VectorRef values,
                   VectorRef slopes) const override {
    JointWorkspace& ws = down_to_joints(base);
    set_moment(moment, ws);
    open_->eval_probes({moment.t, ws.body_q, ws.body_v, ws.body_v_dot, moment.lambda}, *ws.open,
                       values, slopes);
  }

  // ---- coordinates, turns ---------------------------------------------------------------------

  void accept(double t, ConstVectorRef q, ConstVectorRef v, Workspace& base) const override {
    if (parts_.counters.empty()) return;
    JointWorkspace& ws = down_to_joints(base);
    move_bodies(q, v, ws);
    if (sees_bodies_) open_->accept(t, ws.body_q, ws.body_v, *ws.open);
    full_->accept(t, ws.body_q, ws.body_v, *ws.full);
  }
  bool let_turns_free(Workspace& base, TurnFreedom freedom) const override {
    return open_->let_turns_free(*down_to_joints(base).open, freedom);
  }
  std::vector<double> find_counted_angles(double t, ConstVectorRef q,
                                          Workspace& base) const override {
    JointWorkspace& ws = down_to_joints(base);
    place_bodies(q, ws);
    return open_->find_counted_angles(t, ws.body_q, *ws.open);
  }
  std::vector<DrivenRow> list_driven_rows() const override {
    return dynamic_cast<const DrivenSystem&>(*open_).list_driven_rows();
  }
  std::vector<double> find_asked(double t, ConstVectorRef q, Workspace& base) const override {
    JointWorkspace& ws = down_to_joints(base);
    place_bodies(q, ws);
    return dynamic_cast<const DrivenSystem&>(*open_).find_asked(t, ws.body_q, *ws.open);
  }
  void set_counted_angles(const std::vector<double>& angles) override {
    open_->set_counted_angles(angles);
    full_->set_counted_angles(angles);
  }
  const System& start_system() const override { return *full_; }
  State find_drawn_state(const State& state) const override {
    TreeState tree = recursion_.make_state();
    TreeBodiesWorkspace bodies = bodies_.make_workspace();
    auto quaternions = signs_.make_workspace();
    State drawn{state.t, Vector::Zero(full_->info().nq), Vector::Zero(full_->info().nv), state.c};
    recursion_.place(state.q, tree);
    bodies_.find_coordinates(state.q, tree, bodies, drawn.q);
    signs_.apply(state.q, quaternions, drawn.q);
    bodies_.find_velocities(state.v, tree, bodies, drawn.v);
    return drawn;
  }
  State adopt_start(const State& start, const std::vector<double>& counted_angles) override {
    set_counted_angles(counted_angles);
    State own{start.t, find_tree_coordinates(spanning_, parts_, start.q), Vector::Zero(info_.nv),
              start.c};
    // coordinates that are counted angles themselves begin at their turn, on which nothing else depends
    for (const CountedCoordinate& each : counted_) {
      if (counted_angles.empty()) break;
      constexpr double kTurn = 2.0 * std::numbers::pi;
      double& angle = own.q[each.coordinate];
      angle += kTurn *
               std::round((counted_angles[static_cast<std::size_t>(each.counter)] - angle) / kTurn);
    }
    signs_.set_start(own.q, start.q);
    TreeState tree = recursion_.make_state();
    TreeBodiesWorkspace bodies = bodies_.make_workspace();
    Vector body_q = start.q;
    recursion_.place(own.q, tree);
    bodies_.find_coordinates(own.q, tree, bodies, body_q);
    bodies_.find_rates(start.v, tree, bodies, own.v);
    return own;
  }

  void map_velocity(ConstVectorRef q, ConstVectorRef v, VectorRef q_dot) const override {
    recursion_.map_velocity(q, v, q_dot);
  }
  void retract(VectorRef q, ConstVectorRef delta) const override { recursion_.retract(q, delta); }
  void find_increment(ConstVectorRef from, ConstVectorRef to, VectorRef delta) const override {
    recursion_.find_increment(from, to, delta);
  }
  void normalize(VectorRef q) const override { recursion_.normalize(q); }

  Vector find_turns_off(ConstVectorRef q) const override {
    TreeState tree = recursion_.make_state();
    TreeBodiesWorkspace bodies = bodies_.make_workspace();
    Vector body_q = Vector::Zero(full_->info().nq);
    recursion_.place(q, tree);
    bodies_.find_coordinates(q, tree, bodies, body_q);
    return open_->find_turns_off(body_q);
  }
  void close_tree(VectorRef /*q*/) const override {}  // it never opens

 private:
  void make_slopes(JointWorkspace& ws) const {
    if (ws.slopes.links.empty()) ws.slopes = slopes_.make_workspace();
  }
  void place(ConstVectorRef q, JointWorkspace& ws) const {
    if (ws.is_placed && std::equal(ws.q.data(), ws.q.data() + ws.q.size(), q.data())) return;
    ws.q = q;
    ws.is_placed = true;
    ws.bodies_placed = false;
    recursion_.place(q, ws.tree);
  }
  void place_bodies(ConstVectorRef q, JointWorkspace& ws) const {
    place(q, ws);
    if (ws.bodies_placed) return;
    ws.bodies_placed = true;
    bodies_.find_coordinates(q, ws.tree, ws.bodies, ws.body_q);
  }
  void move_bodies(ConstVectorRef q, ConstVectorRef v, JointWorkspace& ws) const {
    place_bodies(q, ws);
    if (info_.nc > 0) ws.open->states = ws.states;
    bodies_.find_velocities(v, ws.tree, ws.bodies, ws.body_v);
  }
  void eval_bodies(double t, ConstVectorRef q, ConstVectorRef v, JointWorkspace& ws) const {
    move_bodies(q, v, ws);
    open_->eval_motion(t, ws.body_q, ws.body_v, *ws.open);
  }

  /// Bodies at a moment, with their accelerations.
  void set_moment(const Moment& moment, JointWorkspace& ws) const {
    move_bodies(moment.q, moment.v, ws);
    recursion_.move(moment.v, {}, ws.tree, ws.change);
    bodies_.find_accelerations(moment.v_dot, {}, ws.tree, ws.bodies, ws.body_v_dot);
  }

  /// G = G_b V
  void carry_rows(int first, int last, JointWorkspace& ws) const {
    rows_.carry(ws.open->jacobian, first, last, bodies_, ws.tree, ws.bodies, ws.jacobian);
  }

  static void read_row(const BlockMatrix& matrix, int index, Vector& row) {
    row.setZero();
    for (const Strip& strip : matrix.strips()) {
      if (index < strip.row || index >= strip.row + strip.rows) continue;
      for (int b = strip.first_block; b < strip.first_block + strip.blocks; ++b) {
        const Block& block = matrix.blocks()[static_cast<std::size_t>(b)];
        for (int j = 0; j < block.columns; ++j) {
          row[block.column + j] = matrix.data()[block.first + j * block.rows + index - strip.row];
        }
      }
    }
  }

  /// [JSY.6]
  void spread_multipliers(int rank, JointWorkspace& ws) const {
    const int rows = full_->info().row_count();
    if (rank < 0 || rank >= info_.row_count()) return;
    const BlockMatrix& jacobian = ws.full->jacobian;
    if (!ws.range) ws.range.emplace(jacobian);
    if (ws.range->set(jacobian, rank + rows - info_.row_count())) ws.range->project(ws.all_lambda);
  }

  /// [JSY.5]
  void find_multipliers(const Moment& moment, JointWorkspace& ws) const {
    open_->eval_configuration(moment.t, ws.body_q, *ws.open);
    open_->eval_motion(moment.t, ws.body_q, ws.body_v, *ws.open);
    ws.open->mass.multiply(ws.body_v_dot, ws.body_force);
    ws.body_force = ws.open->force - ws.body_force;
    ws.open->jacobian.add_transposed(moment.lambda, -1.0, ws.body_force);
    kinematics_.place(ws.body_q, ws.frames);
    reactions_.find_multipliers(moment.lambda, ws.body_force, ws.frames, ws.tree, ws.bodies,
                                ws.all_lambda);
  }

  std::shared_ptr<const MechanismParts> shared_;
  std::shared_ptr<const SpanningTree> shared_tree_;
  const MechanismParts& parts_;
  const SpanningTree& spanning_;
  TreeRecursion recursion_;
  TreeBodies bodies_;
  TreeSigns signs_;
  TreeSlopes slopes_;
  JointReactions reactions_;
  Kinematics kinematics_;
  std::unique_ptr<System> open_;
  std::unique_ptr<System> full_;
  TreeRows rows_;
  std::vector<JointRecord> records_;
  std::vector<CountedCoordinate> counted_;
  bool sees_bodies_ = false;  // some element does
  Vector3 weight_;            // gravity, where the recursion takes care of it
};

}  // namespace driftless
