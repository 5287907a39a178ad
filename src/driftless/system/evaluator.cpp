#include "driftless/system/evaluator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/math/same.hpp"

namespace driftless {

Evaluator::Evaluator(const System& system, EngineKind kind)
    : system_(system), ws_(system.make_workspace()) {
  const SystemInfo& info = system.info();
  engine_ = system.make_engine(*ws_, info.row_count(), kind);
  last_engine_ = engine_.get();
  if (info.velocity_rows > 0) position_engine_ = system.make_engine(*ws_, info.position_rows, kind);
  q_ = Vector::Zero(info.nq);
  v_ = Vector::Zero(info.nv);
  zero_force_ = Vector::Zero(info.nv);
  lambda_ = Vector::Zero(info.row_count());
  row_rate_ = ws_->jacobian;
}

void Evaluator::set_configuration(double t, ConstVectorRef q) {
  if (has_configuration_ && t == t_ && is_same(q, q_)) return;
  t_ = t;
  q_ = q;
  system_.eval_configuration(t, q, *ws_);
  has_configuration_ = true;
  has_velocity_ = false;
  tolerance_ = -1.0;
  position_tolerance_ = -1.0;
  if (!info().constant_mass) mass_is_new_ = position_mass_is_new_ = true;
}

void Evaluator::set_velocity(ConstVectorRef v) {
  if (has_velocity_ && is_same(v, v_)) return;
  v_ = v;
  system_.eval_velocity(t_, q_, v, *ws_);
  // Velocity rows that are nonlinear in v have another G now.
  if (info().velocity_rows > 0 && (!info().velocity_rows_linear || !has_velocity_))
    tolerance_ = -1.0;
  has_velocity_ = true;
}

void Evaluator::eval_motion(ConstVectorRef v) {
  system_.eval_motion(t_, q_, v, *ws_);
  const bool same = has_velocity_ && is_same(v, v_);
  v_ = v;
  if (!same && info().velocity_rows > 0 && (!info().velocity_rows_linear || !has_velocity_)) {
    tolerance_ = -1.0;
  }
  has_velocity_ = true;
}

void Evaluator::eval_forces(ConstVectorRef v) {
  if (!system_.eval_forces(t_, q_, v, *ws_)) eval_motion(v);
}

bool Evaluator::has_factors(double rank_tolerance) {
  last_engine_ = engine_.get();
  if (tolerance_ == rank_tolerance) return true;
  // Far from singular both tolerances decide alike.
  return tolerance_ >= 0.0 && factor_ok_ && engine_->truncated() == 0 &&
         engine_->smallest_pivot() > 10.0 * std::max(tolerance_, rank_tolerance);
}

bool Evaluator::note_factors(bool ok, double rank_tolerance) {
  factor_ok_ = ok;
  tolerance_ = rank_tolerance;
  mass_is_new_ = !ok;
  ++counts_.factorisations;
  return ok;
}

bool Evaluator::factorize(double rank_tolerance) {
  if (has_factors(rank_tolerance)) return factor_ok_;
  return note_factors(engine_->factorize(ws_->mass, mass_is_new_, ws_->jacobian, rank_tolerance),
                      rank_tolerance);
}

bool Evaluator::factorize_and_correct(double rank_tolerance, ConstVectorRef b, VectorRef x,
                                      VectorRef lambda) {
  if (has_factors(rank_tolerance)) {
    if (factor_ok_) engine_->solve(zero_force_, b, x, lambda);
    return factor_ok_;
  }
  return note_factors(engine_->factorize_and_correct(ws_->mass, mass_is_new_, ws_->jacobian,
                                                     rank_tolerance, zero_force_, b, x, lambda),
                      rank_tolerance);
}

bool Evaluator::ensure_factorized(double rank_tolerance) {
  return tolerance_ >= 0.0 ? factor_ok_ : factorize(rank_tolerance);
}

void Evaluator::solve(ConstVectorRef f, ConstVectorRef b, VectorRef x, VectorRef lambda) {
  engine_->solve(f, b, x, lambda);
}

bool Evaluator::solve_position(double rank_tolerance, ConstVectorRef b, VectorRef x) {
  const int rows = info().position_rows;
  if (position_engine_ == nullptr) {
    if (!factorize(rank_tolerance)) return false;
    engine_->solve(zero_force_, b, x, lambda_);
    return true;
  }
  if (position_tolerance_ != rank_tolerance) {
    if (!position_engine_->factorize(ws_->mass, position_mass_is_new_, ws_->jacobian,
                                     rank_tolerance)) {
      return false;
    }
    position_tolerance_ = rank_tolerance;
    position_mass_is_new_ = false;
    ++counts_.factorisations;
  }
  last_engine_ = position_engine_.get();
  position_engine_->solve(zero_force_, b, x, lambda_.head(rows));
  return true;
}

void Evaluator::solve_position_again(ConstVectorRef b, VectorRef x) {
  SaddleEngine& engine = position_engine_ != nullptr ? *position_engine_ : *engine_;
  engine.solve(zero_force_, b, x, lambda_.head(info().position_rows));
}

double Evaluator::find_gap() const {
  const double size = 1.0 + max_abs(q_);
  double widest = 0.0;
  for (Eigen::Index i = 0; i < ws_->phi.size(); ++i) {
    if (ws_->phi[i] == 0.0) continue;
    const double length = ws_->jacobian.find_row_norm(static_cast<int>(i)) * size;
    widest = std::max(widest, length > 0.0 ? std::abs(ws_->phi[i]) / length
                                           : std::numeric_limits<double>::infinity());
  }
  return widest;
}

double Evaluator::find_row_turn(ConstVectorRef w) {
  if (info().position_rows == 0) return 0.0;
  system_.eval_jacobian_rate(t_, q_, w, *ws_, row_rate_);
  return last_engine_->find_row_change(row_rate_, info().position_rows);
}

}  // namespace driftless
