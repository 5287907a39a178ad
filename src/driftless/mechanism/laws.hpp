#pragma once
// Rows, forces and invariants that are expressions of t, of scalars s and of rates r: [LAW.1] to [LAW.3] of
// elements/law.hpp, compiled to tapes. With the Jacobians J of the scalars (ds = J v dt, dr = J v' dt + bias dt),
//
//   position row   Φ(t, s):      G = Φ_s J,   Φ' = Φ_s r + Φ_t,   Φ''|v'=0 = D²Φ[(1, r)²] + Φ_s s''|v'=0           [LAS.1]
//   velocity row   Ψ(t, s, r):   G = Ψ_r J,   Ψ'|v'=0 = DΨ[(1, r, 0)] + Ψ_r r'|v'=0                                [LAS.2]
//   force          Q = Jᵀ τ,     τ = -U_s + applied                                                                [LAS.3]
//   state          c' = d(t, s, r, c), and U_c d of each potential                                                 [LAS.5]
//   invariant      I(t, s, r):   I_v = I_r J,   I_q = I_s J + I_r dr/dq                                            [LAS.4]
//
// D is the derivative along the direction in brackets; the graph forms it, so nothing is differentiated by hand.

#include <utility>
#include <vector>

#include "driftless/expressions/tape.hpp"
#include "driftless/mechanism/kinematics.hpp"
#include "driftless/system/system.hpp"

namespace driftless {

/// A list of nodes as a tape with room for its values.
class LawTape {
 public:
  LawTape() = default;
  LawTape(const Graph& graph, const std::vector<NodeId>& nodes, int variables)
      : tape_(graph, nodes, variables), scratch_(tape_.make_scratch()), size_(nodes.size()) {}

  std::size_t size() const { return size_; }
  const Tape& tape() const { return tape_; }
  const std::vector<double>& scratch() const { return scratch_; }

 private:
  Tape tape_;
  std::vector<double> scratch_;  // to be copied into a workspace
  std::size_t size_ = 0;
};

struct LawWorkspace {
  std::vector<double> variables;               ///< t, then value and rate of each scalar
  std::vector<double> bias;                    ///< per scalar: s'' or r' with v' = 0
  std::vector<std::vector<double>> jacobians;  ///< per used block
  std::vector<std::vector<double>> rates;      ///< dJ/ds per used function block

  struct TapeSpace {
    std::vector<double> scratch;
    std::vector<double> out;
  };
  TapeSpace position, asked, position_motion, partial_rates, velocity, velocity_motion,
      velocity_partials, potential, applied, inputs, states, invariants, invariant_partials;
};

class Laws {
 public:
  Laws(const MechanismParts& parts, const Kinematics& kinematics);

  LawWorkspace make_workspace() const;

  /// There are none: nothing of this needs to be called.
  bool is_empty() const;
  bool uses_time_in_rows() const { return rows_use_time_; }
  bool velocity_rows_linear() const { return velocity_rows_linear_; }
  bool velocity_rows_feed() const { return velocity_rows_feed_; }
  bool has_applied() const { return has_applied_; }
  /// Counters of the angles that laws depend on.
  const std::vector<int>& counters() const { return counters_; }

  /// t, and s with J at the placed poses. Before everything else.
  void set_position(double t, MotionState& state, LawWorkspace& ws) const;
  /// r with J at the twists. After set_position, before what depends on rates.
  void set_velocity(MotionState& state, LawWorkspace& ws) const;
  /// The bias of s'' and r'.
  void set_bias(MotionState& state, LawWorkspace& ws) const;

  /// Φ, Φ_t and Φ_s; eval_position_rows does it, too.
  void eval_slopes(LawWorkspace& ws) const { eval(position_tape_, ws.variables, ws.position); }

  // Rows. `phi` etc. point to the first of the rows of laws; `first_row` is its index in the Jacobian.
  void eval_position_rows(const MotionState& state, LawWorkspace& ws, double* phi, int first_row,
                          BlockMatrix& jacobian) const;
  /// The frames that a row of laws depends on.
  std::vector<int> find_frames(bool velocity_row, int row) const;
  /// Φ_t of row k, after eval_slopes.
  double time_slope(int row, const LawWorkspace& ws) const;
  /// The rows that prescribe a value, and what they ask for, after set_position.
  const std::vector<int>& prescribing_rows() const { return prescribing_rows_; }
  const std::vector<double>& eval_asked(LawWorkspace& ws) const;
  /// Ψ_r r of row k, after eval_velocity_rows: minus its multiplier times this is the power of the row.
  double rate_slope(int row, const LawWorkspace& ws) const;
  void eval_velocity_rows(const MotionState& state, LawWorkspace& ws, double* psi, int first_row,
                          BlockMatrix& jacobian) const;
  /// After eval_slopes.
  void eval_position_bias(LawWorkspace& ws, double* bias) const;
  void eval_velocity_bias(LawWorkspace& ws, double* bias) const;
  /// dG of the position rows along the twists of the state.
  void eval_jacobian_rate(MotionState& state, LawWorkspace& ws, int first_row,
                          BlockMatrix& rate) const;
  /// dΨ/dq·N
  void eval_velocity_partials(MotionState& state, LawWorkspace& ws, Matrix& partials) const;

  // Forces. Potential forces need set_position only.
  double eval_potential(const MotionState& state, LawWorkspace& ws, Vector& force) const;
  void eval_applied(const MotionState& state, LawWorkspace& ws, Vector& force) const;
  const double* eval_inputs(LawWorkspace& ws) const;
  /// τ of a force, and its power, after eval_potential and eval_applied.
  double effort(int force, const LawWorkspace& ws) const;
  double power(int force, const LawWorkspace& ws) const;
  /// U of a force and its derivative by the scalar, after eval_potential; 0 if it has none.
  std::pair<double, double> potential(int force, const LawWorkspace& ws) const;
  /// Adds what a unit of the force does.
  void add_unit_force(int force, const MotionState& state, const LawWorkspace& ws,
                      Vector& row) const;

  // First-order states; they are set with the position.
  void set_states(const Vector& c, LawWorkspace& ws) const;
  /// d. Needs velocities.
  void eval_states(LawWorkspace& ws, Vector& rate) const;
  /// U_c d of a force, and of all, after eval_states.
  double state_power(int force, const LawWorkspace& ws) const;
  double state_power(const LawWorkspace& ws) const;

  // Invariants beside the energy, from number 1 on.
  void eval_invariants(const MotionState& state, LawWorkspace& ws, Workspace& out) const;
  void eval_invariant_gradients(MotionState& state, LawWorkspace& ws, Workspace& out) const;
  void eval_invariant_power(LawWorkspace& ws, Workspace& out) const;

  /// A row's derivative by a scalar, and J of that scalar for one of its block's frames; for reactions.
  struct RowTerm {
    int scalar;
    int partial;  ///< place in the tape's outputs
  };
  /// The wrench per unit of -λ that a row exerts at a frame.
  Wrench find_row_wrench(bool velocity_row, int row, int frame, const LawWorkspace& ws) const;

 private:
  struct Row {
    std::vector<RowTerm> terms;
  };

  void compile_position_rows(Graph& graph);
  void compile_velocity_rows(Graph& graph);
  void compile_forces(Graph& graph);
  void compile_states(Graph& graph);
  void compile_invariants(Graph& graph);
  /// dnode/d(variable of each scalar it depends on), appended to `outputs`.
  std::vector<RowTerm> add_partials(Graph& graph, NodeId node, bool by_rate,
                                    std::vector<NodeId>& outputs) const;
  NodeId along_states(Graph& graph, NodeId node) const;
  NodeId derive(Graph& graph, NodeId node, bool with_time) const;
  LawTape make_tape(const Graph& graph, const std::vector<NodeId>& nodes) const;
  void find_used_blocks();

  const std::vector<int>& frames_of(const LawScalar& scalar) const;
  const double* jacobian_of(int scalar, const LawWorkspace& ws) const;
  template <class Entries>
  void add_scalar(int scalar, double factor, const MotionState& state, const LawWorkspace& ws,
                  Entries&& row) const;
  /// dr/dq·N of a scalar, times a factor, added to a row.
  template <class Entries>
  void add_rate_change(int scalar, double factor, MotionState& state, LawWorkspace& ws,
                       Entries&& row) const;
  static void eval(const LawTape& tape, const std::vector<double>& variables,
                   LawWorkspace::TapeSpace& space);

  const MechanismParts& parts_;
  const Kinematics& kinematics_;
  std::vector<int> functions_;   // blocks in use
  std::vector<int> velocities_;  // likewise
  std::vector<int>
      place_;  // per scalar: its block's place in functions_ or, behind them, velocities_
  std::vector<std::vector<int>> members_;  // scalars per place
  std::vector<int> counters_;
  std::vector<Row> position_rows_, velocity_rows_;
  std::vector<Row> velocity_values_;  // terms by s of the velocity rows
  struct InvariantTerms {
    std::vector<RowTerm> by_value, by_rate;
  };
  std::vector<InvariantTerms> invariants_;
  std::vector<int> potential_forces_, applied_forces_;  // which, in the order of the tapes
  std::vector<int> potential_place_, applied_place_;    // per force: place in the tapes; -1: none
  std::vector<int> prescribing_rows_;
  LawTape position_tape_, asked_tape_, position_motion_tape_, partial_rate_tape_, velocity_tape_,
      velocity_motion_tape_, velocity_partial_tape_, potential_tape_, applied_tape_, input_tape_,
      state_tape_, invariant_tape_, invariant_partial_tape_;
  bool rows_use_time_ = false;
  bool velocity_rows_linear_ = true;
  bool velocity_rows_feed_ = false;
  bool has_applied_ = false;
};

}  // namespace driftless
