#pragma once
// Positions or velocities as unknowns of the start: what must hold, how far it is off, and how the unknowns move.

#include <vector>

#include "driftless/system/start_targets.hpp"
#include "driftless/system/system.hpp"

namespace driftless {

/// What is asked to hold: some of the constraint rows, and some of the targets.
struct Selection {
  std::vector<int> rows;
  std::vector<std::size_t> targets;
};

/// One level of the constraints as a function of what moves at that level.
class StartLevel {
 public:
  StartLevel(const System& system, Workspace& ws, State& state, const StartTargets* targets)
      : system_(system), ws_(ws), state_(state), targets_(targets) {}
  virtual ~StartLevel() = default;

  virtual Vector& values() = 0;
  virtual bool is_velocity() const = 0;
  virtual void move(const Vector& delta) = 0;
  virtual int row_count() const = 0;

  const System& system() const { return system_; }
  const SystemInfo& info() const { return system_.info(); }
  State& state() { return state_; }

  std::vector<int> list_rows() const;
  /// Targets of this level from the firmest priority down to `last`.
  std::vector<std::size_t> list_targets(Priority last) const;
  const StartTarget& target(std::size_t index) const { return targets_->list()[index]; }

  /// What counts from now on.
  void select(Selection selection);
  const Selection& selection() const { return selection_; }
  /// Lets each selected target stand this much before where it is wanted.
  void hold_back(const Vector& remaining) { remaining_ = remaining; }

  /// Residual and Jacobian of the selection.
  void eval();
  const Vector& residual() const { return residual_; }
  const Matrix& jacobian() const { return jacobian_; }
  const Matrix& mass() const { return ws_.mass.dense(); }
  /// Of all rows of the constraints, after `eval`.
  virtual const Vector& row_residual() const = 0;
  const Matrix& row_jacobian() const { return ws_.jacobian.dense(); }

  /// What is measured minus what is wanted. Needs `eval` of the same values before.
  double eval_target(std::size_t index, Vector& row);
  double find_misfit(std::size_t index);
  bool is_target_met(std::size_t index);
  /// What is measured, an angle with its turns.
  double find_reached(std::size_t index);
  /// Whether that is what is wanted: a whole turn counts.
  bool is_reached(std::size_t index);
  /// See System::let_turns_free.
  bool let_turns_free(TurnFreedom freedom) { return system_.let_turns_free(ws_, freedom); }
  /// See ThreadedSystem.
  int count_free_threads() const;
  void set_thread_turns(const std::vector<double>& turns);
  std::vector<double> find_thread_turns();
  /// See DrivenSystem; of one.
  std::vector<double> find_asked();
  /// From here on each screw stays within half a turn of where it is now.
  void hold_threads();

  /// U with U Uᵀ = M⁻¹; with `is_free`, only columns of what may move, U = diag(M)^(-1/2).
  Matrix make_scaling(const std::vector<bool>& is_free);

  /// The rows of the selection times U, each of length 1 or of its share [DRW.6]; `norms`: what they were divided by.
  Matrix find_unit_rows(const Matrix& scaling, Vector& norms) const;
  /// One step of [START.1] and [START.8].
  struct Step {
    Vector delta;
    Vector norms;  ///< of the rows
    Matrix
        kept;  ///< directions of the residual, divided by the norms, that it removes; one column each
  };
  /// What becomes of directions of [START.8] that the drawing does not mean.
  enum class Doubtful { gone_if_near, left_out };
  Step find_step(const std::vector<bool>& is_free, Doubtful doubtful = Doubtful::gone_if_near);

  /// Gaps are those of a run from now on, not those of a start [DRW.5].
  void go_on_the_way() { is_on_the_way_ = true; }
  /// Closed to round-off, or as far as the drawing fits together.
  bool is_met() { return is_closed() || is_closed_as_drawn(); }
  /// [START.2]; infinity or NaN is never met.
  bool is_closed();
  /// [DRW.5]
  bool is_closed_as_drawn();
  bool is_finite() const { return residual_.allFinite() && jacobian_.allFinite(); }

  /// The factor that keeps every body from turning by more than half a radian in one step.
  double find_step_limit(const Vector& delta) const;
  /// Per element: its axes are so far off that the next step might turn it over.
  std::vector<bool> find_tilted() const;

  /// Elements that are off the nearest pose which they allow by more than this angle.
  std::vector<std::size_t> find_turned(double angle) const;
  /// Of values that meet the rows: some joint is closed the wrong way round.
  bool is_turned_over() const;
  /// Some joint is so far off that its rows may lead to the wrong side.
  bool is_far_turned() const;
  /// The values with all joints closed that form no loop; the values as they are at velocity level.
  void close_tree();

 protected:
  virtual void eval_rows() = 0;

  const System& system_;
  Workspace& ws_;
  State& state_;

 private:
  void set_shares();
  /// |G_i| by the shares.
  Vector find_whole_rows() const;
  bool has_drawn_gaps();
  /// [DRW.10], per position row.
  Vector find_gap_sizes() const;

  const StartTargets* targets_;
  bool is_on_the_way_ = false;
  Selection selection_;
  Vector remaining_;
  Vector residual_;
  Matrix jacobian_;
  Vector shares_;   // of the rows of the selection; empty: all are 1
  Matrix scaling_;  // if the mass matrix is constant
};

class PositionLevel final : public StartLevel {
 public:
  using StartLevel::StartLevel;
  Vector& values() override { return state_.q; }
  bool is_velocity() const override { return false; }
  void move(const Vector& delta) override { system_.retract(state_.q, delta); }
  int row_count() const override { return info().position_rows; }
  const Vector& row_residual() const override { return ws_.phi; }

 private:
  void eval_rows() override { system_.eval_configuration(state_.t, state_.q, ws_); }
};

class VelocityLevel final : public StartLevel {
 public:
  using StartLevel::StartLevel;
  Vector& values() override { return state_.v; }
  bool is_velocity() const override { return true; }
  void move(const Vector& delta) override { state_.v += delta; }
  int row_count() const override { return info().row_count(); }
  const Vector& row_residual() const override { return ws_.velocity_residual; }

 private:
  void eval_rows() override {
    system_.eval_configuration(state_.t, state_.q, ws_);
    system_.eval_motion(state_.t, state_.q, state_.v, ws_);
  }
};

}  // namespace driftless
