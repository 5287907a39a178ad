#include "driftless/formulations/index2.hpp"

#include <fmt/format.h>

namespace driftless {

Index2Field::Index2Field(Evaluator& evaluator, const FieldOptions& options)
    : AccelerationField(evaluator, options, {}),
      rows_(evaluator.info().position_rows, evaluator.info().row_count(), evaluator.info().nv) {
  const int size = evaluator.info().nv + evaluator.info().row_count();
  lu_.resize(size);
  matrix_ = Matrix::Zero(size, size);
  right_ = Vector::Zero(size);
  directions_ = Matrix::Zero(evaluator.info().row_count(), evaluator.info().nv);
  q_next_ = Vector::Zero(evaluator.info().nq);
  x_next_ = x_dot_ = Vector::Zero(layout_.nx);
  w_ = v_next_ = Vector::Zero(layout_.nv);
  residual_ = Vector::Zero(evaluator.info().row_count());
}

bool Index2Field::eval_half_explicit(double t, std::span<const double> y, double t_bar,
                                     std::span<const double> partial, double scale,
                                     std::span<double> dydt) {
  if (!read_state(t, y)) return false;
  evaluator_.set_configuration(t, q_);
  evaluator_.eval_motion(v_);
  if (!check_rows(t, true)) return false;
  const Workspace& ws = evaluator_.ws();
  if (!ws.jacobian.is_finite() || !ws.mass.is_finite())
    return fail(fmt::format("mass or constraints are not finite at t = {:.6g}", t));
  f_ = ws.force;
  rows_.choose(ws.jacobian.dense(), ws.mass.dense(), options_.rank_tolerance, ws.jacobian.shares());
  choose_directions();
  fill_upper();
  evaluator_.system().map_velocity(q_, v_, q_dot_);
  eval_feeds(t);

  charts_.map_rates(x_, q_, q_dot_, x_dot_);
  x_next_ = as_vector(partial).head(layout_.nx) + scale * x_dot_;
  charts_.to_q(x_next_, q_next_);
  w_ = as_vector(partial).segment(layout_.nx, layout_.nv);
  evaluator_.set_configuration(t_bar, q_next_);
  evaluator_.set_velocity(w_);
  if (!check_rows(t_bar, true)) return false;
  residual_ = ws.velocity_residual;
  if (!solve_stage(t, scale)) return false;
  if (!evaluator_.info().velocity_rows_linear && !solve_nonlinear(t, scale)) return false;
  evaluator_.note_acceleration_solve();
  find_power();
  return write_slopes(t, dydt);
}

/// [IX2.3]
void Index2Field::choose_directions() {
  const Matrix& jacobian = evaluator_.ws().jacobian.dense();
  has_all_ = rows_.rank() == jacobian.rows();
  if (has_all_) return;
  for (int k = 0; k < rows_.rank(); ++k) {
    auto own = directions_.col(k);
    own = jacobian.col(rows_.dependent()[static_cast<std::size_t>(k)])
              .cwiseProduct(rows_.row_scales());
    for (int pass = 0; pass < 2; ++pass)
      for (int j = 0; j < k; ++j) own -= directions_.col(j).dot(own) * directions_.col(j);
    own.normalize();
  }
  for (int k = 0; k < rows_.rank(); ++k) directions_.col(k).array() *= rows_.row_scales().array();
}

/// M(q), and G(q)ᵀ of the kept rows or of directions.
void Index2Field::fill_upper() {
  const Workspace& ws = evaluator_.ws();
  const Matrix& jacobian = ws.jacobian.dense();
  const Eigen::Index n = layout_.nv;
  matrix_.topLeftCorner(n, n) = ws.mass.dense();
  for (int k = 0; k < rows_.rank(); ++k) {
    if (has_all_)
      matrix_.col(n + k).head(n) =
          jacobian.row(rows_.kept()[static_cast<std::size_t>(k)]).transpose();
    else
      matrix_.col(n + k).head(n).noalias() = jacobian.transpose() * directions_.col(k);
  }
}

/// [IX2.2] with the constraints at hand, ρ being residual_.
bool Index2Field::solve_stage(double t, double scale) {
  const Matrix& jacobian = evaluator_.ws().jacobian.dense();
  const Eigen::Index n = layout_.nv;
  const Eigen::Index size = n + rows_.rank();
  right_.head(n) = f_;
  for (Eigen::Index k = n; k < size; ++k) {
    if (has_all_) {
      const int row = rows_.kept()[static_cast<std::size_t>(k - n)];
      matrix_.row(k).head(n) = jacobian.row(row);
      right_[k] = -residual_[row] / scale;
    } else {
      matrix_.row(k).head(n).noalias() = directions_.col(k - n).transpose() * jacobian;
      right_[k] = -directions_.col(k - n).dot(residual_) / scale;
    }
  }
  matrix_.block(n, n, size - n, size - n).setZero();
  evaluator_.note_factorisation();
  if (!lu_.factorize(matrix_.topLeftCorner(size, size)))
    return fail(
        fmt::format("the mass matrix is not positive definite on the motions that the "
                    "constraints leave free, or the constraints change too much in one "
                    "step, at t = {:.6g}",
                    t));
  lu_.solve(right_.head(size));
  v_dot_ = right_.head(n);
  lambda_.setZero();
  for (Eigen::Index k = n; k < size; ++k) {
    if (has_all_)
      lambda_[rows_.kept()[static_cast<std::size_t>(k - n)]] = right_[k];
    else
      lambda_ += right_[k] * directions_.col(k - n);
  }
  return true;
}

/// ρ(v+) = 0 by Newton: with G and ρ at the last v+, ρ + G (w + s v' - v+) = 0.
bool Index2Field::solve_nonlinear(double t, double scale) {
  constexpr int kMaxPasses = 20;
  const Workspace& ws = evaluator_.ws();
  for (int pass = 0; pass < kMaxPasses; ++pass) {
    v_next_ = w_ + scale * v_dot_;
    evaluator_.set_velocity(v_next_);
    if (!check_rows(t, true)) return false;
    const double open = max_abs(ws.velocity_residual);
    if (open <= 1e-13 * (1.0 + max_abs(v_next_))) return true;
    residual_ = ws.velocity_residual;
    residual_.noalias() += ws.jacobian.dense() * (w_ - v_next_);
    if (!solve_stage(t, scale)) return false;
  }
  return fail(fmt::format("the velocity constraints cannot be met at t = {:.6g}", t));
}

}  // namespace driftless
