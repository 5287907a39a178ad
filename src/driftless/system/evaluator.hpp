#pragma once
// One configuration, evaluated and factorised once, asked many things: acceleration, reactions, corrections of position
// and velocity, the direction in which energy may change. Formulation and drift controls of a run share one Evaluator,
// so the factorisation behind a correction serves as the first stage of the next step.

#include <memory>

#include "driftless/saddle/saddle.hpp"
#include "driftless/system/system.hpp"

namespace driftless {

struct EvaluatorCounts {
  long factorisations = 0;
  long acceleration_solves = 0;
};

class Evaluator {
 public:
  explicit Evaluator(const System& system, EngineKind kind = EngineKind::automatic);

  const System& system() const { return system_; }
  const SystemInfo& info() const { return system_.info(); }
  Workspace& ws() { return *ws_; }
  const EvaluatorCounts& counts() const { return counts_; }
  /// A factorisation by other means than this Evaluator's.
  void note_factorisation() { ++counts_.factorisations; }
  /// An evaluation of the field, by whatever means.
  void note_acceleration_solve() { ++counts_.acceleration_solves; }

  /// c [SYS.6], for all evaluations that follow. Neither M nor a constraint depends on it: what is factorised stays.
  void set_states(ConstVectorRef c) { ws_->states = c; }

  /// M, Φ, G of the position rows at (t, q); nothing is done if they are there already.
  void set_configuration(double t, ConstVectorRef q);

  /// ρ and the velocity rows of G at v.
  void set_velocity(ConstVectorRef v);

  /// Q, γ and all of set_velocity at v.
  void eval_motion(ConstVectorRef v);

  /// Q, γ and c' at v; ρ may stay that of the last set_velocity.
  void eval_forces(ConstVectorRef v);

  /// Factorises M with all rows of G; nothing is done if that is there already with the same tolerance. Needs
  /// set_velocity if there are velocity rows. False: M is not definite on the null space of G.
  bool factorize(double rank_tolerance);

  /// `factorize`, and then `solve` with f = 0.
  bool factorize_and_correct(double rank_tolerance, ConstVectorRef b, VectorRef x,
                             VectorRef lambda);

  /// Solves with the factorisation of all rows.
  void solve(ConstVectorRef f, ConstVectorRef b, VectorRef x, VectorRef lambda);

  /// As `factorize`, but a factorisation of another tolerance at this configuration serves as well.
  bool ensure_factorized(double rank_tolerance);

  /// Solves with f = 0 for the position rows alone, which is what moves q.
  bool solve_position(double rank_tolerance, ConstVectorRef b, VectorRef x);

  /// The same with the factors of the last `solve_position`, of whatever configuration; `factorize` must not have followed it.
  void solve_position_again(ConstVectorRef b, VectorRef x);

  bool solve_mass(ConstVectorRef f, VectorRef x) { return engine_->solve_mass(f, x); }

  /// The widest gap at this configuration, relative to its row's length times the size of q.
  double find_gap() const;

  /// How much the position rows turn, relative to their length, if q moves along w. Needs `factorize` or
  /// `solve_position` at this configuration.
  double find_row_turn(ConstVectorRef w);

  std::string describe_engine() const { return engine_->describe(); }
  int rank() const { return engine_->rank(); }
  int truncated() const { return engine_->truncated(); }
  /// Of the last factorisation, by `factorize` or `solve_position`.
  double smallest_pivot() const { return last_engine_->smallest_pivot(); }
  /// Of all rows, each of length 1 in the mass metric, the rank-th one; needs `factorize` or `ensure_factorized`.
  double calc_singular_value(int rank) {
    return engine_->calc_singular_value(ws_->mass, ws_->jacobian, rank);
  }

  double t() const { return t_; }
  const Vector& q() const { return q_; }
  const Vector& v() const { return v_; }

 private:
  /// Whether the factorisation of this configuration serves; whether it succeeded is in factor_ok_.
  bool has_factors(double rank_tolerance);
  bool note_factors(bool ok, double rank_tolerance);

  const System& system_;
  std::unique_ptr<Workspace> ws_;
  std::unique_ptr<SaddleEngine> engine_;  // all rows
  std::unique_ptr<SaddleEngine>
      position_engine_;        // position rows only; made if there are velocity rows
  SaddleEngine* last_engine_;  // the one that was factorised last
  double t_ = 0.0;
  Vector q_, v_;
  bool has_configuration_ = false;
  bool has_velocity_ = false;
  bool mass_is_new_ = true;           // for engine_
  bool position_mass_is_new_ = true;  // for position_engine_
  double tolerance_ = -1.0;           // of the factorisation in engine_; negative: none
  double position_tolerance_ = -1.0;
  bool factor_ok_ = false;
  Vector zero_force_;
  Vector lambda_;
  BlockMatrix row_rate_;
  EvaluatorCounts counts_;
};

}  // namespace driftless
