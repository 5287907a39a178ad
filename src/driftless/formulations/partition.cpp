#include "driftless/formulations/partition.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace driftless {
namespace {

constexpr int kMaxPasses = 20;

}  // namespace

PartitionField::PartitionField(Evaluator& evaluator, const PartitionOptions& options,
                               const FieldOptions& field_options, Equations equations,
                               std::vector<FieldTerm*> terms)
    : AccelerationField(evaluator, field_options, std::move(terms)),
      partition_options_(options),
      equations_(equations),
      dense_(options.algebra == "dense"),
      partition_(evaluator.info().position_rows, evaluator.info().row_count(), evaluator.info().nv),
      candidate_(evaluator.info().position_rows, evaluator.info().row_count(),
                 evaluator.info().nv) {
  const SystemInfo& info = evaluator.info();
  const int n = info.nv;
  const int size = n + info.row_count();
  B_ = MB_ = Matrix::Zero(n, n);
  system_matrix_ = Matrix::Zero(size, size);
  lu_.resize(size);
  change_ = offset_ = force_ = Vector::Zero(n);
  right_ = Vector::Zero(size);
}

// ---- the partition -------------------------------------------------------------------------------------

void PartitionField::begin_step(double t, double h, std::span<const double> y,
                                std::span<const double> f) {
  AccelerationField::begin_step(t, h, y, f);
  charts_.to_q(as_vector(y).head(layout_.nx), q_);
  v_ = as_vector(y).segment(layout_.nx, layout_.nv);
  if (!set_point(t, q_, v_)) return;  // eval will report it
  if (partition_.is_chosen()) {
    review();
  } else {
    choose();
  }
}

bool PartitionField::set_point(double t, const Vector& q, const Vector& v) {
  evaluator_.set_configuration(t, q);
  evaluator_.set_velocity(v);
  return evaluator_.ws().jacobian.is_finite() && evaluator_.ws().mass.is_finite();
}

void PartitionField::choose() {
  const Workspace& ws = evaluator_.ws();
  partition_.choose(ws.jacobian.dense(), ws.mass.dense(), partition_options_.rank_tolerance,
                    ws.jacobian.shares());
  full_rank_ = std::max(full_rank_, partition_.rank());
}

/// Another partition, if the present one is poor or lacks a row, and the other is better.
void PartitionField::review() {
  const double condition = find_condition(partition_);
  const bool lacks_rows = partition_.rank() < full_rank_;
  worst_condition_ = std::max(worst_condition_, std::min(condition, 1e300));
  if (condition <= partition_options_.condition && !lacks_rows) return;
  const Workspace& ws = evaluator_.ws();
  candidate_.choose(ws.jacobian.dense(), ws.mass.dense(), partition_options_.rank_tolerance,
                    ws.jacobian.shares());
  const double other = find_condition(candidate_);
  const bool regains = candidate_.rank() > partition_.rank();
  const bool better = candidate_.rank() == partition_.rank() && 1.1 * other <= condition;
  const bool must_leave =
      candidate_.rank() < partition_.rank() && condition * partition_options_.rank_tolerance > 1.0;
  if (!regains && !better && !must_leave) return;
  std::swap(partition_, candidate_);
  full_rank_ = std::max(full_rank_, partition_.rank());
  ++changes_;
}

/// [PRT.2] at the present point; infinite if the partition is singular there.
double PartitionField::find_condition(CoordinatePartition& partition) {
  const Workspace& ws = evaluator_.ws();
  const Matrix& jacobian = ws.jacobian.dense();
  if (!partition.factorize(jacobian)) return std::numeric_limits<double>::infinity();
  partition.find_partial_velocities(jacobian, B_);
  const double condition = partition.find_condition(B_, ws.mass.dense());
  return std::isfinite(condition) ? condition : std::numeric_limits<double>::infinity();
}

// ---- position and velocity analysis --------------------------------------------------------------------

bool PartitionField::settle(double t) {
  evaluator_.set_configuration(t, q_);
  evaluator_.set_velocity(v_);
  if (!check_rows(t, true)) return false;
  if (!partition_.is_chosen()) choose();
  return close_positions(t) && close_velocities(t);
}

// [PRT.3]
bool PartitionField::close_positions(double t) {
  const Workspace& ws = evaluator_.ws();
  if (partition_.position_rank() == 0) return true;
  double last = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < kMaxPasses; ++pass) {
    if (!partition_.factorize_position(ws.jacobian.dense())) return fail_open(t);
    evaluator_.note_factorisation();
    right_.head(ws.phi.size()) = -ws.phi;
    partition_.solve(right_.head(ws.phi.size()), change_);
    const double size = max_abs(change_);
    if (!std::isfinite(size) || (pass > 3 && size > last)) return fail_open(t);
    evaluator_.system().retract(q_, change_);
    evaluator_.set_configuration(t, q_);
    if (size <= partition_options_.position_tolerance) return true;
    last = size;
  }
  return fail_open(t);
}

// [PRT.4]; rows that are not linear in v take more than one pass.
bool PartitionField::close_velocities(double t) {
  const Workspace& ws = evaluator_.ws();
  const int passes = evaluator_.info().velocity_rows_linear ? 1 : kMaxPasses;
  evaluator_.set_velocity(v_);
  if (partition_.rank() == 0) return true;
  for (int pass = 0; pass < passes; ++pass) {
    if (!partition_.factorize(ws.jacobian.dense())) return fail_open(t);
    evaluator_.note_factorisation();
    right_.head(ws.velocity_residual.size()) = -ws.velocity_residual;
    partition_.solve(right_.head(ws.velocity_residual.size()), change_);
    v_ += change_;
    evaluator_.set_velocity(v_);
    if (max_abs(change_) <= 1e-13 * (1.0 + max_abs(v_))) break;
  }
  return v_.allFinite() || fail_open(t);
}

bool PartitionField::correct(double t, Vector& q, Vector& v) {
  q_ = q;
  v_ = v;
  if (!settle(t)) return false;
  q = q_;
  v = v_;
  return true;
}

// ---- acceleration --------------------------------------------------------------------------------------

bool PartitionField::solve_motion(double t, const Vector& f, const Vector& b) {
  f_ = f;
  b_ = b;
  if (equations_ == Equations::multipliers) return solve_saddle(t);
  if (!solve_reduced(t)) return false;
  const SystemInfo& info = evaluator_.info();
  const bool rows_work = info.has_time_rows || info.velocity_rows > 0;
  has_multipliers_ = rows_work && layout_.size > layout_.controlled();
  if (has_multipliers_) solve_multipliers();
  return true;
}

// [PRT.5]
bool PartitionField::solve_saddle(double t) {
  if (!dense_) {
    if (!evaluator_.factorize(options_.rank_tolerance)) return fail_indefinite(t);
    evaluator_.solve(f_, b_, v_dot_, lambda_);
    return true;
  }
  const Workspace& ws = evaluator_.ws();
  const Eigen::Index n = layout_.nv;
  const Eigen::Index size = n + partition_.rank();
  auto A = system_matrix_.topLeftCorner(size, size);
  A.setZero();
  A.topLeftCorner(n, n) = ws.mass.dense();
  const Matrix& jacobian = ws.jacobian.dense();
  right_.head(n) = f_;
  for (Eigen::Index k = n; k < size; ++k) {
    const int row = partition_.kept()[static_cast<std::size_t>(k - n)];
    A.row(k).head(n) = jacobian.row(row);
    A.col(k).head(n) = jacobian.row(row).transpose();
    right_[k] = b_[row];
  }
  evaluator_.note_factorisation();
  if (!lu_.factorize(A)) return fail_indefinite(t);
  lu_.solve(right_.head(size));
  v_dot_ = right_.head(n);
  lambda_.setZero();
  for (Eigen::Index k = n; k < size; ++k)
    lambda_[partition_.kept()[static_cast<std::size_t>(k - n)]] = right_[k];
  return true;
}

// [PRT.6], [PRT.8]
bool PartitionField::solve_reduced(double t) {
  const Workspace& ws = evaluator_.ws();
  const Eigen::Index n = layout_.nv;
  const auto free = static_cast<Eigen::Index>(partition_.independent().size());
  const Matrix& jacobian = ws.jacobian.dense();
  partition_.find_partial_velocities(jacobian, B_);
  const auto B = B_.leftCols(free);
  evaluator_.note_factorisation();
  if (dense_) {
    auto A = system_matrix_.topLeftCorner(n, n);
    A.topRows(free).noalias() = B.transpose() * ws.mass.dense();
    right_.head(free).noalias() = B.transpose() * f_;
    for (Eigen::Index k = free; k < n; ++k) {
      const int row = partition_.kept()[static_cast<std::size_t>(k - free)];
      A.row(k) = jacobian.row(row);
      right_[k] = b_[row];
    }
    if (!lu_.factorize(A)) return fail_indefinite(t);
    lu_.solve(right_.head(n));
    v_dot_ = right_.head(n);
    return true;
  }
  auto MB = MB_.leftCols(free);
  MB.noalias() = ws.mass.dense() * B;
  offset_.setZero();
  if (partition_.rank() > 0) partition_.solve(b_, offset_);
  if (free == 0) {
    v_dot_ = offset_;
    return true;
  }
  auto A = system_matrix_.topLeftCorner(free, free);
  A.noalias() = B.transpose() * MB;
  right_.head(free).noalias() = B.transpose() * f_;
  right_.head(free).noalias() -= MB.transpose() * offset_;
  if (!solve_definite(A, right_.head(free))) return fail_indefinite(t);
  v_dot_ = offset_;
  v_dot_.noalias() += B * right_.head(free);
  return true;
}

const Vector& PartitionField::lambda() {
  if (!has_multipliers_) solve_multipliers();
  has_multipliers_ = true;
  return lambda_;
}

// [PRT.7]
void PartitionField::solve_multipliers() {
  lambda_.setZero();
  if (partition_.rank() == 0) return;
  force_ = f_;
  force_.noalias() -= evaluator_.ws().mass.dense() * v_dot_;
  partition_.solve_reactions(force_, lambda_);
}

bool PartitionField::solve_reactions(double t, const Vector& q, const Vector& v, Vector& v_dot,
                                     Vector& lambda) {
  if (equations_ == Equations::multipliers && !dense_)
    return AccelerationField::solve_reactions(t, q, v, v_dot, lambda);
  evaluator_.set_configuration(t, q);
  evaluator_.eval_motion(v);
  if (partition_.rank() > 0 && !partition_.factorize(evaluator_.ws().jacobian.dense()))
    return false;
  if (!solve_motion(t, evaluator_.ws().force, evaluator_.ws().gamma)) return false;
  v_dot = v_dot_;
  lambda = this->lambda();
  return true;
}

// ---- reports -------------------------------------------------------------------------------------------

bool PartitionField::fail_indefinite(double t) {
  return fail(
      fmt::format("the mass matrix is not positive definite on the motions that the "
                  "constraints leave free, at t = {:.6g}",
                  t));
}

/// Names the row that is farthest open.
bool PartitionField::fail_open(double t) {
  const SystemInfo& info = evaluator_.info();
  const Workspace& ws = evaluator_.ws();
  int worst = 0;
  double largest = -1.0;
  for (int i = 0; i < info.row_count(); ++i) {
    const double residual =
        i < info.position_rows ? std::abs(ws.phi[i]) : std::abs(ws.velocity_residual[i]);
    if (residual <= largest) continue;
    largest = residual;
    worst = i;
  }
  const std::string& name = info.rows[static_cast<std::size_t>(worst)];
  return fail(fmt::format("at t = {:.6g} the dependent coordinates cannot be found from the "
                          "independent ones: constraint '{}' stays open by {:.3g}; the pose is "
                          "singular or nearly so",
                          t, name, largest),
              name,
              "take shorter steps, or let a tolerance choose them; braun_goldfarb passes singular "
              "poses. A condition above 1 lets partitions become poorer before they are changed");
}

void PartitionField::add_figures(std::vector<std::pair<std::string, double>>& figures) const {
  figures.emplace_back("partition_changes", static_cast<double>(changes_));
  figures.emplace_back("partition_condition", worst_condition_);
}

}  // namespace driftless
