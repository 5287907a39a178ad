// Newton's matrix of implicit_field.hpp, [DAE.4]: the dense one, and what both kinds share.

#include <utility>

#include <fmt/format.h>

#include "driftless/formulations/implicit_field.hpp"

namespace driftless {

template <class S>
void ImplicitField::resize(NewtonParts<S>& parts) {
  const int n = layout_.nv;
  parts.states.resize(n, layout_.nc);
  parts.right.setZero(unknowns_);
  for (auto* rates : {&parts.du, &parts.dv, &parts.delta}) rates->setZero(n);
  for (auto* rows : {&parts.slide, &parts.turned}) rows->setZero(rows_);
  for (auto* positions : {&parts.dx, &parts.r_x}) positions->setZero(layout_.nx);
  for (auto* norms : {&parts.d_norm, &parts.r_norm}) norms->setZero(charts_.norms());
  parts.dc.setZero(layout_.nc);
  if (sparse_) {
    parts.all.setZero(unknowns_ + (has_mu() ? n : 0) + (has_kappa() ? n : 0));
    // Unknowns of one rate, and those of one row, are eliminated together.
    std::vector<int> groups(static_cast<std::size_t>(parts.all.size()));
    const auto set = [&](Eigen::Index first, int count, int group) {
      for (int k = 0; k < count; ++k) groups[static_cast<std::size_t>(first + k)] = group + k;
    };
    set(0, n, 0);
    set(n, rows_, n);
    if (has_mu()) set(mu_place(), position_rows_, n);
    if (has_mu()) set(z_place(), n, 0);
    if (has_kappa()) set(kappa_place(), rows_, n);
    if (has_kappa()) set(y_place(), n, 0);
    parts.sparse.resize(parts.all.size(), std::move(groups));
    return;
  }
  for (auto* square : {&parts.Ks, &parts.M, &parts.K, &parts.C}) square->setZero(n, n);
  for (auto* rows : {&parts.Rs, &parts.G, &parts.Gs}) rows->setZero(rows_, n);
  parts.lu.resize(unknowns_);
  parts.matrix.setZero(unknowns_, unknowns_);
}

template void ImplicitField::resize(NewtonParts<double>&);
template void ImplicitField::resize(NewtonParts<std::complex<double>>&);

bool ImplicitField::find_sparse() const {
  const Eigen::Index filled = mass_.count() + derivatives_.stiffness.count() +
                              derivatives_.damping.count() + 2 * jacobian_.count();
  return is_worth_sparse(unknowns_, filled);
}

bool ImplicitField::eval_derivatives(double t, std::span<const double> y,
                                     std::span<const double> y_dot) {
  if (!eval_equations(t, y, y_dot)) return false;
  Workspace& ws = evaluator_.ws();
  mass_.take(ws.mass);
  jacobian_.take(ws.jacobian);
  charts_.linearize(x_, u_, norms_);
  const bool keeps_all = sparse_ && unknowns_ >= kManyUnknowns && choice_.is_full();
  if (!keeps_all) {
    choose_rows();
    if (has_new_rows() && !(hold_new_rows() && eval_equations(t, y, y_dot))) return false;
  }
  evaluator_.system().eval_linearization({t, q_, v_, v_dot_, lambda_}, ws, derivatives_);
  return (derivatives_.is_finite() && jacobian_.is_finite() && mass_.is_finite()) ||
         fail(fmt::format("the derivatives of the equations are not finite at t = {:.6g}", t));
}

template <class S>
bool ImplicitField::factorize(S a, NewtonParts<S>& parts) {
  evaluator_.note_factorisation();
  parts.a = a;
  if (!parts.charts.factorize(charts_, a)) return false;
  if (!parts.states.factorize(derivatives_.states, a)) return false;
  if (!sparse_) {
    fill_blocks(parts);
    fill_matrix(parts);
    return parts.lu.factorize(parts.matrix);
  }
  fill_sparse(parts);
  if (parts.sparse.factorize()) return true;
  choice_.forget();
  return false;
}

template bool ImplicitField::factorize(double, NewtonParts<double>&);
template bool ImplicitField::factorize(std::complex<double>, NewtonParts<std::complex<double>>&);

/// What [DAE.4] is made of.
template <class S>
void ImplicitField::fill_blocks(NewtonParts<S>& parts) {
  // Plain matrices: products with conversions would make them each time.
  parts.M = mass_.dense().template cast<S>();
  parts.G = jacobian_.dense().template cast<S>();
  parts.K = derivatives_.stiffness.dense().template cast<S>();
  parts.C = derivatives_.damping.dense().template cast<S>();
  parts.states.add_to(derivatives_.states, parts.K, parts.C);
  parts.Ks = parts.K;
  parts.charts.multiply_right(charts_, parts.Ks);
  parts.Rs = derivatives_.residual_q.dense().template cast<S>();
  parts.charts.multiply_right(charts_, parts.Rs);
  parts.Gs = parts.G;
  parts.charts.multiply_right(charts_, parts.Gs);
}

/// [DAE.4]
template <class S>
void ImplicitField::fill_matrix(NewtonParts<S>& parts) {
  const Eigen::Index n = layout_.nv;
  const S inverse = S(1.0) / parts.a;
  const Eigen::Index at_mu = mu_place(), at_kappa = kappa_place();
  auto& A = parts.matrix;
  const auto& G = parts.G;
  const auto P = G.topRows(position_rows_);
  A.setZero();
  A.topLeftCorner(n, n) = parts.M + inverse * parts.C + (inverse * inverse) * parts.Ks;
  A.block(0, n, n, rows_) = G.transpose();
  auto main = A.block(n, 0, rows_, n);
  const auto& Gs = parts.Gs;
  if (at_acceleration()) {
    main = G + (S(2.0) * inverse) * derivatives_.residual_q.dense().template cast<S>();
  } else {
    main = G + inverse * parts.Rs;
    if (form_ == ConstraintForm::index3) main.topRows(position_rows_) = Gs.topRows(position_rows_);
    if (form_ == ConstraintForm::index2_baumgarte)
      main.topRows(position_rows_) += (S(alpha_) * inverse) * Gs.topRows(position_rows_);
  }
  if (has_mu()) {
    A.block(0, at_mu, n, position_rows_).noalias() =
        -(inverse * inverse) * parts.Ks * P.transpose();
    if (!at_acceleration())
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

/// The right side of [DAE.4] from that of F.
template <class S>
void ImplicitField::fill_right(Eigen::Map<Eigen::Matrix<S, Eigen::Dynamic, 1>> all,
                               NewtonParts<S>& parts) {
  const Eigen::Index n = layout_.nv;
  const S a = parts.a;
  const S inverse = S(1.0) / a;
  parts.du.setZero();
  parts.charts.solve(charts_, parts.r_x, parts.r_norm, parts.du, parts.dx, parts.d_norm);
  parts.charts.find_turn(charts_, parts.dx, parts.delta);  // δ0

  auto& b = parts.right;
  parts.dv.setZero();
  add_product(derivatives_.stiffness, parts.delta, parts.dv);
  b.head(n) = all.segment(layout_.nx, n) - parts.dv;
  parts.dc = all.segment(layout_.at_states(), layout_.nc);
  parts.states.add_turn(derivatives_.states, parts.delta, parts.dc);
  parts.states.subtract_from(parts.dc, b.head(n));
  b.head(n) *= inverse;
  parts.slide.setZero();
  add_product(jacobian_, parts.delta, parts.slide);
  parts.turned.setZero();
  add_product(derivatives_.residual_q, parts.delta, parts.turned);
  for (int i = 0; i < rows_; ++i) {
    const S value = all[at_lambda_ + i];
    const bool is_position = i < position_rows_;
    S& out = b[n + i];
    if (!choice_.is_kept(i) || at_acceleration()) {
      out = inverse * value;  // of a row set aside: ℓ = Δλ/a
    } else if (form_ == ConstraintForm::index3 && is_position) {
      out = a * (value - parts.slide[i]);
    } else {
      out = value - parts.turned[i];
      if (form_ == ConstraintForm::index2_baumgarte && is_position) out -= alpha_ * parts.slide[i];
    }
    if (has_mu() && is_position) {
      const S position = all[at_mu_ + i];
      b[mu_place() + i] = choice_.is_position_kept(i) ? a * (position - parts.slide[i]) : position;
    }
    if (has_kappa()) {
      const S velocity = all[at_kappa_ + i];
      b[kappa_place() + i] = choice_.is_kept(i) ? velocity - parts.turned[i] : inverse * velocity;
    }
  }
}

template <class S>
void ImplicitField::solve(S* r, NewtonParts<S>& parts) {
  const Eigen::Index n = layout_.nv;
  const Eigen::Index nx = layout_.nx;
  Eigen::Map<typename NewtonParts<S>::VectorS> all(r, size_);
  const S a = parts.a;
  parts.r_x = all.head(nx);
  parts.r_norm = all.tail(charts_.norms());
  fill_right<S>(all, parts);
  auto& b = parts.right;
  if (sparse_) {
    parts.all.setZero();
    parts.all.head(unknowns_) = b;
    parts.sparse.solve(parts.all);
    b = parts.all.head(unknowns_);
  } else {
    parts.lu.solve(b);
  }

  parts.du = b.head(n);
  if (has_mu()) {
    subtract_transposed(jacobian_, b.segment(mu_place(), position_rows_), parts.du);
    all.segment(at_mu_, position_rows_) = b.segment(mu_place(), position_rows_);
  }
  parts.charts.solve(charts_, parts.r_x, parts.r_norm, parts.du, parts.dx, parts.d_norm);
  all.head(nx) = parts.dx;
  all.segment(nx, n) = b.head(n);
  if (layout_.nc > 0) {
    parts.dv = b.head(n);
    parts.charts.find_turn(charts_, parts.dx, parts.delta);
    parts.dc = all.segment(layout_.at_states(), layout_.nc);
    parts.states.solve(derivatives_.states, parts.delta, parts.dv, parts.dc);
    all.segment(layout_.at_states(), layout_.nc) = parts.dc;
  }
  for (std::size_t k = 0; k < power_.size(); ++k)
    if (layout_.work_slot[k] >= 0) all[layout_.work_slot[k]] *= S(1.0) / a;
  all.segment(at_lambda_, rows_) = a * b.segment(n, rows_);
  if (has_kappa()) all.segment(at_kappa_, rows_) = a * b.segment(kappa_place(), rows_);
  all.tail(charts_.norms()) = parts.d_norm;
}

template void ImplicitField::solve(double*, NewtonParts<double>&);
template void ImplicitField::solve(std::complex<double>*, NewtonParts<std::complex<double>>&);

}  // namespace driftless
