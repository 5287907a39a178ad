#pragma once
// The class behind make_mechanism_system. Its equations are in mechanism_equations.cpp, turns, threads and drives in
// mechanism_turns.cpp, what is measured and told in mechanism_records.cpp, the rest in mechanism_system.cpp.

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "driftless/mechanism/forces.hpp"
#include "driftless/mechanism/joint_tree.hpp"
#include "driftless/mechanism/kinematics.hpp"
#include "driftless/mechanism/laws.hpp"
#include "driftless/mechanism/linearizer.hpp"
#include "driftless/mechanism/mechanism_system.hpp"
#include "driftless/mechanism/pair_rows.hpp"
#include "driftless/mechanism/probes.hpp"
#include "driftless/mechanism/recorder.hpp"
#include "driftless/mechanism/rod_rows.hpp"
#include "driftless/system/start_help.hpp"

namespace driftless {

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

inline MechanismWorkspace& down_to_bodies(Workspace& ws) {
  return static_cast<MechanismWorkspace&>(ws);
}

class MechanismSystem final : public System,
                              public ThreadedSystem,
                              public DrivenSystem,
                              public ForceExplainer {
 public:
  explicit MechanismSystem(std::shared_ptr<const MechanismParts> parts);

  std::unique_ptr<Workspace> make_workspace() const override;

  std::unique_ptr<SaddleEngine> make_engine(const Workspace& ws, int rows,
                                            EngineKind kind) const override;

  const BlockMatrix& find_row_metric(const Workspace& ws) const override {
    return even_mass_.rows() > 0 ? even_mass_ : ws.mass;
  }
  void eval_configuration(double t, ConstVectorRef q, Workspace& base) const override;
  void eval_velocity(double t, ConstVectorRef q, ConstVectorRef v, Workspace& base) const override;
  void eval_motion(double t, ConstVectorRef q, ConstVectorRef v, Workspace& base) const override;
  bool eval_forces(double t, ConstVectorRef q, ConstVectorRef v, Workspace& base) const override;
  void eval_invariants(double t, ConstVectorRef q, ConstVectorRef v,
                       Workspace& base) const override;
  void eval_invariant_gradients(double t, ConstVectorRef q, ConstVectorRef v,
                                Workspace& base) const override;
  void eval_power(double t, ConstVectorRef q, ConstVectorRef v, Workspace& base) const override;
  void eval_jacobian_rate(double t, ConstVectorRef q, ConstVectorRef w, Workspace& base,
                          BlockMatrix& rate) const override;

  Linearization make_linearization() const override;
  void eval_linearization(const Moment& moment, Workspace& base, Linearization& out) const override;

  void add_momentum_rate(double /*t*/, ConstVectorRef /*q*/, ConstVectorRef v, Workspace& /*ws*/,
                         VectorRef force) const override {
    for (const Body& body : parts_.bodies) add_gyroscopic(body, v, -1.0, force);
  }

  std::pair<std::string, Source> find_faulty_force(double t, ConstVectorRef q, ConstVectorRef v,
                                                   Workspace& base) const override;

  ForceFault explain_force(const std::string& name, Workspace& base) const override;
  std::vector<UndirectedForce> find_undirected_forces(double t, ConstVectorRef q, ConstVectorRef v,
                                                      Workspace& base) const override;
  void eval_records(const Moment& moment, Workspace& base, VectorRef values) const override;
  void eval_probes(const Moment& moment, Workspace& base, VectorRef values,
                   VectorRef slopes) const override;

  void accept(double t, ConstVectorRef q, ConstVectorRef v, Workspace& base) const override;
  bool let_turns_free(Workspace& base, TurnFreedom freedom) const override;
  int count_free_threads() const override { return static_cast<int>(list_free_threads().size()); }
  void set_thread_turns(Workspace& base, const std::vector<double>& turns) const override;
  std::vector<double> find_thread_turns(double t, ConstVectorRef q, Workspace& base) const override;
  std::vector<double> find_counted_angles(double t, ConstVectorRef q,
                                          Workspace& base) const override;
  std::vector<DrivenRow> list_driven_rows() const override;
  std::vector<double> find_asked(double t, ConstVectorRef q, Workspace& base) const override;
  void set_counted_angles(const std::vector<double>& angles) override { counted_angles_ = angles; }

  void map_velocity(ConstVectorRef q, ConstVectorRef v, VectorRef q_dot) const override;
  void retract(VectorRef q, ConstVectorRef delta) const override {
    for (const Body& body : parts_.bodies) retract_body(body, q, delta);
  }
  void find_increment(ConstVectorRef from, ConstVectorRef to, VectorRef delta) const override {
    for (const Body& body : parts_.bodies) find_body_increment(body, from, to, delta);
  }
  Vector find_turns_off(ConstVectorRef q) const override;
  void close_tree(VectorRef q) const override { tree_.close(q); }
  void normalize(VectorRef q) const override {
    for (const Body& body : parts_.bodies) normalize_body(body, q);
  }

 private:
  /// Counters of screws that begin anywhere.
  std::vector<std::size_t> list_free_threads() const;
  double find_thread_begin(std::size_t counter) const {
    return std::isnan(counted_angles_[counter]) ? 0.0 : counted_angles_[counter];
  }

  // --- setting up ------------------------------------------------------------------------------

  void make_rows();

  // --- parts of the evaluation -----------------------------------------------------------------

  bool has_laws_in_rows() const {
    return !parts_.laws.position_rows.empty() || !parts_.laws.velocity_rows.empty();
  }

  /// Those that are not written out by hand.
  void set_zero_other_rows(BlockMatrix& jacobian) const;

  /// All frames, for what is not part of the equations of motion.
  void place_all(const Moment& moment, MechanismWorkspace& ws) const;

  void place(double t, ConstVectorRef q, MechanismWorkspace& ws) const;

  /// Of the energy: what flows off through states.
  double find_state_power(MechanismWorkspace& ws) const;

  void move(ConstVectorRef v, MechanismWorkspace& ws) const;

  /// Q, γ and c'. The state is moved, the slopes of the laws are there.
  void eval_forces(ConstVectorRef v, MechanismWorkspace& ws) const;

  /// Φ' = G v + Φ_t, and Ψ with its rows of G. The slopes of the laws are there.
  void eval_residual(ConstVectorRef v, MechanismWorkspace& ws) const;

  /// -ω×Jω, body axes, times a factor
  static void add_gyroscopic(const Body& body, ConstVectorRef v, double factor, VectorRef force);

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
  RodRows rods_;
  std::vector<std::size_t> other_rows_;  // in parts_.rows: those that are not written out by hand
  std::vector<int> other_strips_;        // of all other position rows
};

}  // namespace driftless
