#include "driftless/formulations/implicit_field.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace driftless {

ImplicitField::ImplicitField(Evaluator& evaluator, const FieldOptions& options, ConstraintForm form,
                             double gain)
    : AccelerationField(evaluator, options, {}),
      form_(form),
      gain_(gain),
      rows_(evaluator.info().row_count()),
      position_rows_(evaluator.info().position_rows),
      choice_(position_rows_, rows_, evaluator.info().nv),
      derivatives_(evaluator.info()) {
  const int n = layout_.nv;
  at_lambda_ = layout_.size;
  at_mu_ = at_lambda_ + rows_;
  at_kappa_ = at_mu_ + (has_mu() ? position_rows_ : 0);
  at_norms_ = at_kappa_ + (has_kappa() ? rows_ : 0);
  size_ = at_norms_ + charts_.norms();
  mass_ = Matrix::Zero(n, n);
  jacobian_ = Matrix::Zero(rows_, n);
  u_ = Vector::Zero(n);
  mu_ = Vector::Zero(position_rows_);
  kappa_ = Vector::Zero(rows_);
  norms_ = norm_residual_ = Vector::Zero(charts_.norms());
  x_dot_ = Vector::Zero(layout_.nx);
  unknowns_ = n + rows_ + (has_mu() ? position_rows_ : 0) + (has_kappa() ? rows_ : 0);
  if (unknowns_ < kSparseFrom) sparse_ = false;
  resize(real_);
  resize(complex_);
}

template <class S>
void ImplicitField::resize(NewtonParts<S>& parts) {
  const int n = layout_.nv;
  for (auto* square : {&parts.Ks, &parts.M, &parts.K, &parts.C}) square->setZero(n, n);
  for (auto* rows : {&parts.Rs, &parts.G, &parts.Gs}) rows->setZero(rows_, n);
  parts.states.resize(n, layout_.nc);
  parts.right.setZero(unknowns_);
  for (auto* rates : {&parts.du, &parts.dv, &parts.delta}) rates->setZero(n);
  for (auto* positions : {&parts.dx, &parts.r_x}) positions->setZero(layout_.nx);
  for (auto* norms : {&parts.d_norm, &parts.r_norm}) norms->setZero(charts_.norms());
  parts.dc.setZero(layout_.nc);
  if (!sparse_) return;
  if (*sparse_) {
    parts.all.setZero(unknowns_ + (has_mu() ? n : 0) + (has_kappa() ? n : 0));
    parts.sparse.resize(parts.all.size());
  } else {
    parts.lu.resize(unknowns_);
    parts.matrix.setZero(unknowns_, unknowns_);
  }
}

bool ImplicitField::find_sparse() const {
  constexpr double kMostlyEmpty = 0.1;
  const auto count = [](const Matrix& matrix) { return (matrix.array() != 0.0).count(); };
  const auto filled = count(mass_) + count(derivatives_.stiffness) + count(derivatives_.damping) +
                      2 * count(jacobian_);
  return static_cast<double>(filled) < kMostlyEmpty * unknowns_ * unknowns_;
}

// ---- what the components are -----------------------------------------------------------------------------

double ImplicitField::error_weight(int component) const {
  // κ vanishes: it has no size that its error could be compared with, and what it does is seen in v.
  if (component >= at_kappa_) return 0.0;
  return component >= at_lambda_ ? 1.0 : AccelerationField::error_weight(component);
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
  if (component < at_lambda_) return AccelerationField::component_name(component);
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
  const bool at_acceleration =
      form_ == ConstraintForm::index1 || form_ == ConstraintForm::stabilized_index1;
  if (at_acceleration) {
    ws.jacobian.multiply(v_dot_, main);
    main -= ws.gamma;
  } else {
    main = ws.velocity_residual;
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
  if (!read_state(t, y)) return false;
  if (!solve_reactions(t, q_, v_, v_dot_, lambda_)) {
    return fail(fmt::format(
        "the mass matrix is not positive definite on the motions that the constraints leave free, "
        "at t = {:.6g}",
        t));
  }
  choice_.choose(evaluator_.ws().jacobian, evaluator_.ws().mass, options_.rank_tolerance);
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

// ---- Newton ----------------------------------------------------------------------------------------------

bool ImplicitField::eval_derivatives(double t, std::span<const double> y,
                                     std::span<const double> y_dot) {
  if (!eval_equations(t, y, y_dot)) return false;
  Workspace& ws = evaluator_.ws();
  mass_ = ws.mass.dense();
  jacobian_ = ws.jacobian.dense();
  charts_.linearize(x_, u_, norms_);
  const bool keeps_all = sparse_ && *sparse_ && choice_.is_full();
  if (!keeps_all) choice_.choose(ws.jacobian, ws.mass, options_.rank_tolerance);
  evaluator_.system().eval_linearization({t, q_, v_, v_dot_, lambda_}, ws, derivatives_);
  if (derivatives_.stiffness.allFinite() && derivatives_.damping.allFinite() &&
      derivatives_.residual_q.allFinite() && derivatives_.states.all_finite() &&
      jacobian_.allFinite() && mass_.allFinite()) {
    if (!sparse_) {
      sparse_ = find_sparse();
      resize(real_);
      resize(complex_);
    }
    return true;
  }
  return fail(fmt::format("the derivatives of the equations are not finite at t = {:.6g}", t));
}

template <class S>
bool ImplicitField::factorize(S a, NewtonParts<S>& parts) {
  evaluator_.note_factorisation();
  parts.a = a;
  if (!parts.charts.factorize(charts_, a)) return false;
  if (!parts.states.factorize(derivatives_.states, a)) return false;
  fill_blocks(parts);
  if (!*sparse_) {
    fill_matrix(parts);
    return parts.lu.factorize(parts.matrix);
  }
  fill_sparse(parts);
  if (parts.sparse.factorize()) return true;
  choice_.forget();
  return false;
}

/// What [DAE.4] is made of.
template <class S>
void ImplicitField::fill_blocks(NewtonParts<S>& parts) {
  // Plain matrices: products with conversions would make them each time.
  parts.M = mass_.template cast<S>();
  parts.G = jacobian_.template cast<S>();
  parts.K = derivatives_.stiffness.template cast<S>();
  parts.C = derivatives_.damping.template cast<S>();
  parts.states.add_to(derivatives_.states, parts.K, parts.C);
  parts.Ks = parts.K;
  parts.charts.multiply_right(charts_, parts.Ks);
  parts.Rs = derivatives_.residual_q.template cast<S>();
  parts.charts.multiply_right(charts_, parts.Rs);
  parts.Gs = parts.G;
  parts.charts.multiply_right(charts_, parts.Gs);
}

/// [DAE.4]
template <class S>
void ImplicitField::fill_matrix(NewtonParts<S>& parts) {
  const Eigen::Index n = layout_.nv;
  const S inverse = S(1.0) / parts.a;
  const Eigen::Index at_mu = n + rows_;
  const Eigen::Index at_kappa = at_mu + (has_mu() ? position_rows_ : 0);
  auto& A = parts.matrix;
  const auto& G = parts.G;
  const auto P = G.topRows(position_rows_);
  A.setZero();
  A.topLeftCorner(n, n) = parts.M + inverse * parts.C + (inverse * inverse) * parts.Ks;
  A.block(0, n, n, rows_) = G.transpose();
  const bool at_acceleration =
      form_ == ConstraintForm::index1 || form_ == ConstraintForm::stabilized_index1;
  auto main = A.block(n, 0, rows_, n);
  const auto& Gs = parts.Gs;
  if (at_acceleration) {
    main = G + (S(2.0) * inverse) * derivatives_.residual_q.template cast<S>();
  } else {
    main = G + inverse * parts.Rs;
    if (form_ == ConstraintForm::index3) main.topRows(position_rows_) = Gs.topRows(position_rows_);
    if (form_ == ConstraintForm::index2_baumgarte)
      main.topRows(position_rows_) += (S(alpha_) * inverse) * Gs.topRows(position_rows_);
  }
  if (has_mu()) {
    A.block(0, at_mu, n, position_rows_).noalias() =
        -(inverse * inverse) * parts.Ks * P.transpose();
    if (!at_acceleration)
      A.block(n, at_mu, rows_, position_rows_).noalias() = -inverse * parts.Rs * P.transpose();
    A.block(at_mu, 0, position_rows_, n) = Gs.topRows(position_rows_);
    A.block(at_mu, at_mu, position_rows_, position_rows_).noalias() =
        -Gs.topRows(position_rows_) * P.transpose();
  }
  if (has_kappa()) {
    A.block(0, at_kappa, n, rows_).noalias() = parts.M * G.transpose();
    A.block(n, at_kappa, rows_, rows_).noalias() = G * G.transpose();
    A.block(at_kappa, 0, rows_, n) = G + inverse * parts.Rs;
    A.block(at_kappa, at_mu, rows_, position_rows_).noalias() = -inverse * parts.Rs * P.transpose();
  }
  for (const int i : choice_.aside()) {  // [DAE.5]
    A.row(n + i).setZero();
    A.row(n + i).segment(n, rows_) = -choice_.relation(i).template cast<S>();
    A(n + i, n + i) += S(1.0);
    if (!has_kappa()) continue;
    A.row(at_kappa + i).setZero();
    A(at_kappa + i, at_kappa + i) = S(1.0);
  }
  if (!has_mu()) return;
  for (int i = 0; i < position_rows_; ++i) {
    if (choice_.is_position_kept(i)) continue;
    A.row(at_mu + i).setZero();
    A(at_mu + i, at_mu + i) = S(1.0);
  }
}

template <class S>
void ImplicitField::solve(S* r, NewtonParts<S>& parts) {
  const Eigen::Index n = layout_.nv;
  const Eigen::Index nx = layout_.nx;
  Eigen::Map<typename NewtonParts<S>::VectorS> all(r, size_);
  const S a = parts.a;
  const S inverse = S(1.0) / a;
  const Eigen::Index at_mu = n + rows_;
  const Eigen::Index at_kappa = at_mu + (has_mu() ? position_rows_ : 0);
  const bool at_acceleration =
      form_ == ConstraintForm::index1 || form_ == ConstraintForm::stabilized_index1;

  parts.r_x = all.head(nx);
  parts.r_norm = all.tail(charts_.norms());
  parts.du.setZero();
  parts.charts.solve(charts_, parts.r_x, parts.r_norm, parts.du, parts.dx, parts.d_norm);
  parts.charts.find_turn(charts_, parts.dx, parts.delta);  // δ0

  auto& b = parts.right;
  b.head(n).noalias() = parts.K * parts.delta;
  b.head(n) = all.segment(nx, n) - b.head(n);
  parts.dc = all.segment(layout_.at_states(), layout_.nc);
  parts.states.subtract_from(parts.dc, b.head(n));
  b.head(n) *= inverse;
  for (int i = 0; i < rows_; ++i) {
    const S value = all[at_lambda_ + i];
    const bool is_position = i < position_rows_;
    const S slide = parts.G.row(i).cwiseProduct(parts.delta.transpose()).sum();
    const S turn = derivatives_.residual_q.row(i)
                       .template cast<S>()
                       .cwiseProduct(parts.delta.transpose())
                       .sum();
    S& out = b[n + i];
    if (!choice_.is_kept(i)) {
      out = inverse * value;  // ℓ = Δλ/a
    } else if (at_acceleration) {
      out = inverse * value;
    } else if (form_ == ConstraintForm::index3 && is_position) {
      out = a * (value - slide);
    } else {
      out = value - turn;
      if (form_ == ConstraintForm::index2_baumgarte && is_position) out -= alpha_ * slide;
    }
    if (has_mu() && is_position) {
      const S position = all[at_mu_ + i];
      b[at_mu + i] = choice_.is_position_kept(i) ? a * (position - slide) : position;
    }
    if (has_kappa()) {
      const S velocity = all[at_kappa_ + i];
      b[at_kappa + i] = choice_.is_kept(i) ? velocity - turn : inverse * velocity;
    }
  }
  if (*sparse_) {
    parts.all.setZero();
    parts.all.head(unknowns_) = b;
    parts.sparse.solve(parts.all);
    b = parts.all.head(unknowns_);
  } else {
    parts.lu.solve(b);
  }

  parts.du = b.head(n);
  if (has_mu()) {
    parts.du.noalias() -=
        parts.G.topRows(position_rows_).transpose() * b.segment(at_mu, position_rows_);
    all.segment(at_mu_, position_rows_) = b.segment(at_mu, position_rows_);
  }
  parts.charts.solve(charts_, parts.r_x, parts.r_norm, parts.du, parts.dx, parts.d_norm);
  all.head(nx) = parts.dx;
  all.segment(nx, n) = b.head(n);
  if (layout_.nc > 0) {
    parts.dv = b.head(n);
    parts.charts.find_turn(charts_, parts.dx, parts.delta);
    parts.states.solve(derivatives_.states, parts.delta, parts.dv, parts.dc);
    all.segment(layout_.at_states(), layout_.nc) = parts.dc;
  }
  for (std::size_t k = 0; k < power_.size(); ++k)
    if (layout_.work_slot[k] >= 0) all[layout_.work_slot[k]] *= inverse;
  all.segment(at_lambda_, rows_) = a * b.segment(n, rows_);
  if (has_kappa()) all.segment(at_kappa_, rows_) = a * b.segment(at_kappa, rows_);
  all.tail(charts_.norms()) = parts.d_norm;
}

}  // namespace driftless
