#include "driftless/formulations/implicit_field.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace driftless {
namespace {

constexpr double kMostDrift = 1e-2;        // that is told from rank
constexpr double kStepsOfAnOffset = 10.0;  // [DAE.7]

}  // namespace

ImplicitField::ImplicitField(Evaluator& evaluator, const FieldOptions& options, ConstraintForm form,
                             double gain)
    : AccelerationField(evaluator, options, {}),
      form_(form),
      gain_(gain),
      rows_(evaluator.info().row_count()),
      position_rows_(evaluator.info().position_rows),
      choice_(position_rows_, rows_, evaluator.info().nv),
      derivatives_(evaluator.system().make_linearization()),
      turn_at_(static_cast<std::size_t>(evaluator.info().nv), -1) {
  const int n = layout_.nv;
  at_lambda_ = layout_.size;
  at_mu_ = at_lambda_ + rows_;
  at_kappa_ = at_mu_ + (has_mu() ? position_rows_ : 0);
  at_norms_ = at_kappa_ + (has_kappa() ? rows_ : 0);
  size_ = at_norms_ + charts_.norms();
  way_back_ = Vector::Zero(n);
  step_y_ = Vector::Zero(size_);
  offsets_.resize(static_cast<std::size_t>(rows_));
  held_.assign(static_cast<std::size_t>(rows_), true);
  mass_.take(evaluator.ws().mass);
  jacobian_.take(evaluator.ws().jacobian);
  const std::vector<int> turns = charts_.find_turn_rates();
  for (std::size_t k = 0; k < turns.size(); ++k)
    turn_at_[static_cast<std::size_t>(turns[k])] = static_cast<int>(k);
  u_ = Vector::Zero(n);
  mu_ = Vector::Zero(position_rows_);
  kappa_ = Vector::Zero(rows_);
  norms_ = norm_residual_ = Vector::Zero(charts_.norms());
  x_dot_ = Vector::Zero(layout_.nx);
  unknowns_ = n + rows_ + (has_mu() ? position_rows_ : 0) + (has_kappa() ? rows_ : 0);
  sparse_ = find_sparse();
  resize(real_);
  resize(complex_);
}

// ---- what the components are -----------------------------------------------------------------------------

double ImplicitField::error_weight(int component) const {
  // κ vanishes: it has no size that its error could be compared with, and what it does is seen in v.
  if (component >= at_kappa_) return 0.0;
  return component >= at_lambda_ || component < layout_.controlled() ? 1.0 : 0.0;
}

std::string ImplicitField::component_name(int component) const {
  if (component < at_lambda_) return AccelerationField::component_name(component);
  if (component >= at_norms_) return "the length of a quaternion";
  const int first = component >= at_kappa_ ? at_kappa_ : component >= at_mu_ ? at_mu_ : at_lambda_;
  return "the reaction of '" + evaluator_.info().rows[static_cast<std::size_t>(component - first)] +
         "'";
}

std::string ImplicitField::equation_name(int component) const {
  if (component < layout_.nx) return "the motion of '" + charts_.name(component) + "'";
  if (component < layout_.nx + layout_.nv)
    return "the equation of motion of '" + AccelerationField::component_name(component) + "'";
  if (component < layout_.controlled())
    return "the rate of '" + AccelerationField::component_name(component) + "'";
  if (component < at_lambda_) return "the " + AccelerationField::component_name(component);
  if (component >= at_norms_) return "the length of a quaternion";
  const int first = component >= at_kappa_ ? at_kappa_ : component >= at_mu_ ? at_mu_ : at_lambda_;
  return "constraint '" + evaluator_.info().rows[static_cast<std::size_t>(component - first)] + "'";
}

int ImplicitField::variable_index(int component) const {
  const bool is_rate = component >= layout_.nx && component < layout_.nx + layout_.nv;
  // The feedback C/h makes of an error of Φ one of Φ/h in v, as index 3 does; reactions of rows of velocities feel it, too.
  const bool is_three = position_rows_ > 0 && (form_ == ConstraintForm::index3 ||
                                               form_ == ConstraintForm::index2_baumgarte);
  if (component < at_lambda_) return is_rate && is_three ? 2 : 1;
  if (component >= at_mu_) return 2;
  if (form_ == ConstraintForm::index1 || form_ == ConstraintForm::stabilized_index1) return 1;
  return is_three ? 3 : 2;
}

bool ImplicitField::is_algebraic(int component) const { return component >= at_lambda_; }

// ---- the equations ---------------------------------------------------------------------------------------

void ImplicitField::begin_step(double t, double h, std::span<const double> y,
                               std::span<const double> f) {
  AccelerationField::begin_step(t, h, y, f);
  alpha_ = form_ == ConstraintForm::index2_baumgarte ? gain_ / h : 0.0;
  step_t_ = t;
  step_h_ = h;
  step_y_ = as_vector(y);
  if (has_new_rows()) hold_new_rows();
}

// ---- rows held anew [DAE.7] ------------------------------------------------------------------------------

double ImplicitField::find_rank_tolerance() {
  const bool drifts = form_ == ConstraintForm::index1 || form_ == ConstraintForm::index2;
  // Rows of velocities need no Φ, and beside them the way back would have to be that of positions alone.
  if (!drifts || choice_.aside().empty() || rows_ > position_rows_) return options_.rank_tolerance;
  choice_.find_way_back(evaluator_.ws().phi, way_back_);
  if (!evaluator_.ensure_factorized(options_.rank_tolerance)) return options_.rank_tolerance;
  const double turn = evaluator_.find_row_turn(way_back_);
  return std::clamp(10.0 * turn, options_.rank_tolerance, kMostDrift);
}

void ImplicitField::choose_rows() {
  const Workspace& ws = evaluator_.ws();
  choice_.choose(ws.jacobian, ws.mass, find_rank_tolerance());
  for (const int row : choice_.aside()) held_[static_cast<std::size_t>(row)] = false;
}

bool ImplicitField::has_new_rows() const {
  if (form_ != ConstraintForm::index2) return false;
  for (int i = 0; i < rows_; ++i)
    if (choice_.is_kept(i) && !held_[static_cast<std::size_t>(i)]) return true;
  return false;
}

bool ImplicitField::hold_new_rows() {
  if (!read_state(step_t_, as_span(step_y_))) return false;
  evaluator_.set_configuration(step_t_, q_);
  evaluator_.set_velocity(v_);
  for (int i = 0; i < rows_; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (held_[at] || !choice_.is_kept(i)) continue;
    offsets_[at] = {evaluator_.ws().velocity_residual[i], step_t_, kStepsOfAnOffset * step_h_};
    held_[at] = true;
  }
  return true;
}

void ImplicitField::read_multipliers(std::span<const double> y) {
  const auto all = as_vector(y);
  lambda_ = all.segment(at_lambda_, rows_);
  if (has_mu()) mu_ = all.segment(at_mu_, position_rows_);
  if (has_kappa()) kappa_ = all.segment(at_kappa_, rows_);
  norms_ = all.segment(at_norms_, charts_.norms());
}

bool ImplicitField::eval_equations(double t, std::span<const double> y,
                                   std::span<const double> y_dot) {
  if (!read_state(t, y)) return false;
  x_ = as_vector(y).head(layout_.nx);
  read_multipliers(y);
  evaluator_.set_configuration(t, q_);
  evaluator_.eval_motion(v_);
  if (!check_rows(t, true)) return false;
  const Workspace& ws = evaluator_.ws();
  v_dot_ = as_vector(y_dot).segment(layout_.nx, layout_.nv);
  if (has_kappa()) ws.jacobian.add_transposed(kappa_, 1.0, v_dot_);
  u_ = v_;
  if (has_mu()) ws.jacobian.add_transposed(mu_, -1.0, u_);
  return true;
}

bool ImplicitField::eval_residual(double t, std::span<const double> y,
                                  std::span<const double> y_dot, std::span<double> residual) {
  if (!eval_equations(t, y, y_dot)) return false;
  evaluator_.note_acceleration_solve();
  const Workspace& ws = evaluator_.ws();
  auto F = as_vector(residual);
  const int nx = layout_.nx;
  charts_.map_velocity(x_, u_, x_dot_);
  F.head(nx) = as_vector(y_dot).head(nx) - x_dot_;
  if (charts_.norms() > 0) {
    charts_.eval_norms(x_, norms_, norm_residual_, F.head(nx));
    F.tail(charts_.norms()) = norm_residual_;
  }
  auto momentum = F.segment(nx, layout_.nv);
  ws.mass.multiply(v_dot_, momentum);
  ws.jacobian.add_transposed(lambda_, 1.0, momentum);
  momentum -= ws.force;
  F.segment(layout_.at_states(), layout_.nc) =
      as_vector(y_dot).segment(layout_.at_states(), layout_.nc) - ws.state_rate;
  eval_feeds(t);
  find_power();
  for (std::size_t k = 0; k < power_.size(); ++k) {
    const int slot = layout_.work_slot[k];
    if (slot >= 0) F[slot] = y_dot[static_cast<std::size_t>(slot)] - power_[k];
  }
  auto main = F.segment(at_lambda_, rows_);
  if (at_acceleration()) {
    ws.jacobian.multiply(v_dot_, main);
    main -= ws.gamma;
  } else {
    main = ws.velocity_residual;
    for (int i = 0; i < rows_; ++i)
      if (const Offset& o = offsets_[static_cast<std::size_t>(i)]; o.size != 0.0)
        main[i] -= o.at(t);
    if (form_ == ConstraintForm::index3) main.head(position_rows_) = ws.phi;
    if (form_ == ConstraintForm::index2_baumgarte) main.head(position_rows_) += alpha_ * ws.phi;
  }
  for (const int row : choice_.aside())
    main[row] = lambda_[row] - choice_.relation(row).dot(lambda_);
  if (has_mu()) {
    auto position = F.segment(at_mu_, position_rows_);
    for (int i = 0; i < position_rows_; ++i)
      position[i] = choice_.is_position_kept(i) ? ws.phi[i] : mu_[i];
  }
  if (has_kappa()) {
    auto velocity = F.segment(at_kappa_, rows_);
    for (int i = 0; i < rows_; ++i)
      velocity[i] = choice_.is_kept(i) ? ws.velocity_residual[i] : kappa_[i];
  }
  return F.allFinite() || fail_not_finite(t);
}

bool ImplicitField::find_slopes(double t, std::span<double> y, std::span<double> y_dot) {
  if (!read_state(t, y) || !write_consistent(t, y, y_dot)) return false;
  choose_rows();
  return true;
}

bool ImplicitField::make_consistent(double t, std::span<double> y, std::span<double> y_dot) {
  if (!read_state(t, y)) return false;
  if (rows_ > 0) {
    evaluator_.set_configuration(t, q_);
    evaluator_.set_velocity(v_);
    if (!evaluator_.factorize_and_correct(options_.rank_tolerance,
                                          evaluator_.ws().velocity_residual, v_dot_, lambda_))
      return false;
    v_ -= v_dot_;
    as_vector(y).segment(layout_.nx, layout_.nv) = v_;
  }
  return write_consistent(t, y, y_dot);
}

bool ImplicitField::write_consistent(double t, std::span<double> y, std::span<double> y_dot) {
  x_ = as_vector(y).head(layout_.nx);
  if (!solve_reactions(t, q_, v_, v_dot_, lambda_)) {
    return fail(fmt::format(
        "the mass matrix is not positive definite on the motions that the constraints leave free, "
        "at t = {:.6g}",
        t));
  }
  auto all = as_vector(y);
  auto slopes = as_vector(y_dot);
  all.tail(size_ - at_lambda_).setZero();
  all.segment(at_lambda_, rows_) = lambda_;
  slopes.setZero();
  charts_.map_velocity(x_, v_, slopes.head(layout_.nx));
  slopes.segment(layout_.nx, layout_.nv) = v_dot_;
  slopes.segment(layout_.at_states(), layout_.nc) = evaluator_.ws().state_rate;
  eval_feeds(t);
  find_power();
  for (std::size_t k = 0; k < power_.size(); ++k)
    if (layout_.work_slot[k] >= 0) slopes[layout_.work_slot[k]] = power_[k];
  return slopes.allFinite() ||
         fail(fmt::format("the accelerations are not finite at t = {:.6g}", t));
}

bool ImplicitField::complete(double t, std::span<double> y) {
  Vector slopes = Vector::Zero(size_);
  return find_slopes(t, y, as_span(slopes));
}

/// v' by M v' = Q - Gᵀλ, or, if M is singular, the one of index 1.
bool ImplicitField::find_reactions(double t, std::span<const double> y, const Vector& q,
                                   const Vector& v, Vector& v_dot, Vector& lambda) {
  if (!AccelerationField::find_reactions(t, y, q, v, v_dot, lambda)) return false;
  lambda = as_vector(y).segment(at_lambda_, rows_);
  f_ = evaluator_.ws().force;
  evaluator_.ws().jacobian.add_transposed(lambda, -1.0, f_);
  Vector& found = u_;
  if (evaluator_.solve_mass(f_, found)) v_dot = found;
  return true;
}

}  // namespace driftless
