#include "driftless/assembly/start_level.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "driftless/assembly/metric.hpp"
#include "driftless/system/start_help.hpp"

namespace driftless {
namespace {

constexpr double kMet = 1e-12;
constexpr double kTargetMet = 1e-9;
constexpr double kLargestTurn = 0.5;
// The sine of 53 degrees. Two bodies turn by at most 1 rad against each other in one step, so from less a joint does not
// come out on its other side, where its rows hold as well.
constexpr double kUpright = 0.8;
// Where rows are met a joint is either right, to round-off, or turned over by a large angle.
constexpr double kTurnedOver = 1e-3;
constexpr double kFarTurned = 1.0;

}  // namespace

int StartLevel::count_free_threads() const {
  const auto* threads = dynamic_cast<const ThreadedSystem*>(&system_);
  return threads == nullptr || is_velocity() ? 0 : threads->count_free_threads();
}

void StartLevel::set_thread_turns(const std::vector<double>& turns) {
  dynamic_cast<const ThreadedSystem&>(system_).set_thread_turns(ws_, turns);
}

std::vector<double> StartLevel::find_thread_turns() {
  return dynamic_cast<const ThreadedSystem&>(system_).find_thread_turns(state_.t, state_.q, ws_);
}

std::vector<double> StartLevel::find_asked() {
  return dynamic_cast<const DrivenSystem&>(system_).find_asked(state_.t, state_.q, ws_);
}

void StartLevel::hold_threads() {
  if (count_free_threads() > 0) set_thread_turns(find_thread_turns());
}

std::vector<int> StartLevel::list_rows() const {
  std::vector<int> rows(static_cast<std::size_t>(row_count()));
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

std::vector<std::size_t> StartLevel::list_targets(Priority last) const {
  std::vector<std::size_t> found;
  if (targets_ == nullptr) return found;
  const std::vector<StartTarget>& list = targets_->list();
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (list[k].is_rate == is_velocity() && list[k].priority <= last) found.push_back(k);
  }
  return found;
}

void StartLevel::select(Selection selection) {
  selection_ = std::move(selection);
  remaining_ = Vector::Zero(static_cast<Eigen::Index>(selection_.targets.size()));
}

void StartLevel::eval() {
  eval_rows();
  const auto rows = static_cast<Eigen::Index>(selection_.rows.size());
  residual_.resize(rows + remaining_.size());
  jacobian_.resize(residual_.size(), info().nv);
  const Matrix& rows_of_system = row_jacobian();
  for (Eigen::Index i = 0; i < rows; ++i) {
    const int row = selection_.rows[static_cast<std::size_t>(i)];
    residual_[i] = row_residual()[row];
    jacobian_.row(i) = rows_of_system.row(row);
  }
  set_shares();
  Vector row(info().nv);
  for (Eigen::Index k = 0; k < remaining_.size(); ++k) {
    residual_[rows + k] =
        eval_target(selection_.targets[static_cast<std::size_t>(k)], row) - remaining_[k];
    jacobian_.row(rows + k) = row.transpose();
  }
}

void StartLevel::set_shares() {
  const Vector& of_all = ws_.jacobian.shares();
  shares_.resize(of_all.size() > 0 ? residual_.size() : 0);
  if (shares_.size() == 0) return;
  shares_.setOnes();
  for (std::size_t i = 0; i < selection_.rows.size(); ++i)
    shares_[static_cast<Eigen::Index>(i)] = of_all[selection_.rows[i]];
}

Vector StartLevel::find_whole_rows() const {
  Vector whole = jacobian_.rowwise().norm();
  for (Eigen::Index i = 0; i < shares_.size(); ++i)
    if (shares_[i] > 0.0) whole[i] /= shares_[i];
  return whole;
}

double StartLevel::eval_target(std::size_t index, Vector& row) {
  return is_velocity() ? targets_->eval_rate(index, state_.q, state_.v, row)
                       : targets_->eval_position(index, state_.q, row);
}

double StartLevel::find_misfit(std::size_t index) {
  Vector row(info().nv);
  return eval_target(index, row);
}

bool StartLevel::is_target_met(std::size_t index) {
  return std::abs(find_misfit(index)) <= kTargetMet * (1.0 + std::abs(target(index).value));
}

double StartLevel::find_reached(std::size_t index) {
  const int counter = is_velocity() ? -1 : targets_->find_counter(index);
  if (counter < 0) return target(index).value + find_misfit(index);
  return system_.find_counted_angles(state_.t, state_.q, ws_)[static_cast<std::size_t>(counter)];
}

bool StartLevel::is_reached(std::size_t index) {
  const double wanted = target(index).value;
  return std::abs(find_reached(index) - wanted) <= kTargetMet * (1.0 + std::abs(wanted));
}

Matrix StartLevel::make_scaling(const std::vector<bool>& is_free) {
  const Matrix& mass = ws_.mass.dense();
  if (is_free.empty()) {
    if (!info().constant_mass) return make_mass_scaling(mass);
    if (scaling_.size() == 0) scaling_ = make_mass_scaling(mass);
    return scaling_;
  }
  Matrix scaling = Matrix::Zero(mass.rows(), std::count(is_free.begin(), is_free.end(), true));
  Eigen::Index col = 0;
  for (Eigen::Index i = 0; i < mass.rows(); ++i) {
    if (!is_free[static_cast<std::size_t>(i)]) continue;
    scaling(i, col++) = mass(i, i) > 0.0 ? 1.0 / std::sqrt(mass(i, i)) : 1.0;
  }
  return scaling;
}

bool StartLevel::is_closed() {
  if (residual_.size() == 0) return true;
  if (!residual_.allFinite()) return false;
  Vector tolerance = Vector::Constant(residual_.size(), kMet);
  if (is_velocity()) {
    tolerance += kMet * values().norm() * find_whole_rows();
  } else if (values().size() == jacobian_.cols()) {
    tolerance += kMet * (jacobian_.cwiseAbs() * values().cwiseAbs());
  } else {
    tolerance *= 1.0 + max_abs(values());
  }
  return (residual_.cwiseAbs().array() <= tolerance.array()).all();
}

double StartLevel::find_step_limit(const Vector& delta) const {
  if (is_velocity()) return 1.0;
  double largest = 0.0;
  for (const BodyInfo& body : info().bodies) {
    largest =
        std::max(largest, delta.segment(body.rate + body.rates - body.turns, body.turns).norm());
  }
  return largest > kLargestTurn ? kLargestTurn / largest : 1.0;
}

std::vector<bool> StartLevel::find_tilted() const {
  std::vector<bool> tilted;
  if (is_velocity() || info().row_units.empty()) return tilted;
  for (const ElementInfo& element : info().elements) {
    double sine2 = 0.0;
    for (const int i : element.rows)
      if (i < row_count() && info().row_units[static_cast<std::size_t>(i)] == "1")
        sine2 += row_residual()[i] * row_residual()[i];
    tilted.push_back(!(sine2 <= kUpright * kUpright));
  }
  return tilted;
}

std::vector<std::size_t> StartLevel::find_turned(double angle) const {
  std::vector<std::size_t> turned;
  if (is_velocity()) return turned;
  const Vector turns = system_.find_turns_off(state_.q);
  for (Eigen::Index k = 0; k < turns.size(); ++k)
    if (turns[k] > angle) turned.push_back(static_cast<std::size_t>(k));
  return turned;
}

bool StartLevel::is_turned_over() const { return !find_turned(kTurnedOver).empty(); }
bool StartLevel::is_far_turned() const { return !find_turned(kFarTurned).empty(); }

void StartLevel::close_tree() {
  if (!is_velocity()) system_.close_tree(state_.q);
}

}  // namespace driftless
