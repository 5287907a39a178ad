#include "driftless/formulations/chart_motions.hpp"

#include <algorithm>

namespace driftless {

ChartMotions::ChartMotions(MechProblem& base, const RotationCharts& charts, const SystemInfo& info)
    : base_(base),
      charts_(charts),
      norms_(charts.norms()),
      relation_(Eigen::RowVectorXd::Zero(charts.norms() + info.row_count())),
      extra_(Vector::Zero(info.nv)),
      momentum_(Vector::Zero(info.nv)),
      change_(Vector::Zero(info.nv)) {
  const int nv = info.nv, nx = charts.size();
  world_.q = Vector::Zero(info.nq);
  world_.v = world_.v_dot = Vector::Zero(nv);
  wide_ = v_x_ = acceleration_x_ = v_dot_v_ = Matrix::Zero(nv, nx);
}

// ---- between x and v ---------------------------------------------------------------------------------------

void ChartMotions::map_forward(ConstVectorRef from, VectorRef to) const {
  for (const auto& plain : charts_.plains())
    to.segment(plain.v, plain.count) = from.segment(plain.x, plain.count);
  for (const auto& map : maps_)
    to.segment<3>(map.v) = map.A.lazyProduct(from.segment(map.x, map.count));
}

void ChartMotions::map_back(ConstVectorRef from, VectorRef to) const {
  for (const auto& plain : charts_.plains())
    to.segment(plain.x, plain.count) = from.segment(plain.v, plain.count);
  for (const auto& map : maps_)
    to.segment(map.x, map.count) = map.A.transpose().lazyProduct(from.segment<3>(map.v));
}

void ChartMotions::map_columns(const Matrix& from, Matrix& to) const {
  to.resize(from.rows(), charts_.size());
  for (const auto& plain : charts_.plains())
    to.middleCols(plain.x, plain.count) = from.middleCols(plain.v, plain.count);
  for (const auto& map : maps_)
    to.middleCols(map.x, map.count) = from.middleCols<3>(map.v).lazyProduct(map.A);
}

void ChartMotions::set_world(const MechPoint& point, bool slopes) const {
  charts_.find_motion_maps(point.q, point.v, slopes, maps_);
  x_ = point.q;
  world_.t = point.t;
  world_.c = point.c;
  charts_.to_q(point.q, world_.q);
  map_forward(point.v, world_.v);
  world_.lambda = point.lambda.tail(base_.rows());
  world_.v_dot.setZero();
  if (point.v_dot.size() == 0) return;
  map_forward(point.v_dot, world_.v_dot);
  for (const auto& map : maps_)
    world_.v_dot.segment<3>(map.v) += map.A_dot.lazyProduct(point.v.segment(map.x, map.count));
}

void ChartMotions::read(std::span<const double> y, MechPoint& point) const {
  base_.read(y, world_);
  const int nx = charts_.size();
  point.q = as_vector(y).head(nx);
  point.v.resize(nx);
  charts_.map_velocity(point.q, world_.v, point.v);
  point.c = world_.c;
  point.lambda = Vector::Zero(rows());
  point.lambda.tail(base_.rows()) = world_.lambda;
}

void ChartMotions::write(const MechPoint& point, std::span<double> y) const {
  set_world(point, false);
  base_.write(world_, y);
  as_vector(y).head(charts_.size()) = point.q;
}

void ChartMotions::write_acceleration(const MechPoint& point, std::span<double> slopes) const {
  set_world(point, false);
  base_.write_acceleration(world_, slopes);
}

int ChartMotions::rate_slot(int rate) const {
  for (const auto& plain : charts_.plains())
    if (rate >= plain.x && rate < plain.x + plain.count)
      return base_.rate_slot(plain.v + rate - plain.x);
  for (const auto& map : maps_)
    if (rate >= map.x && rate < map.x + map.count)
      return base_.rate_slot(map.v + std::min(rate - map.x, 2));
  return -1;
}

Eigen::Ref<const Eigen::RowVectorXd> ChartMotions::relation(int row) const {
  relation_.setZero();
  if (row >= norms_) relation_.tail(base_.rows()) = base_.relation(row - norms_);
  return relation_;
}

void ChartMotions::eval_quadratures(const MechPoint& point, std::span<double> slopes) {
  set_world(point, false);
  base_.eval_quadratures(world_, slopes);
}

/// x'' = B v' + B' v: B v' less what A' x' makes of it; a quaternion keeps its length, p·p'' = -p'·p'.
bool ChartMotions::find_motion(MechPoint& point) {
  set_world(point, false);
  if (!base_.find_motion(world_)) return false;
  point.lambda.setZero();
  point.lambda.tail(base_.rows()) = world_.lambda;
  change_ = world_.v_dot;
  for (const auto& map : maps_)
    change_.segment<3>(map.v) -= map.A_dot.lazyProduct(point.v.segment(map.x, map.count));
  charts_.map_velocity(point.q, change_, point.v_dot);
  if (norms_ == 0) return true;
  for (const auto& map : maps_) {
    const auto p = point.q.segment<4>(map.x);
    point.v_dot.segment<4>(map.x) -= point.v.segment<4>(map.x).squaredNorm() / p.squaredNorm() * p;
  }
  return true;
}

void ChartMotions::solve_change(ConstVectorRef b, VectorRef change) {
  base_.solve_change(b.tail(base_.rows()), change_);  // at the q of the last find_motion
  charts_.map_velocity(x_, change_, change);
}

// ---- the equations -----------------------------------------------------------------------------------------

/// [CHM.1]
bool ChartMotions::eval_point(const MechPoint& point, MechTerms& terms) {
  set_world(point, false);
  if (!base_.eval_point(world_, terms_)) return false;
  const int nx = charts_.size();
  const int base_rows = base_.rows();
  map_columns(terms_.mass, wide_);
  terms.mass.resize(nx, nx);
  for (int j = 0; j < nx; ++j) map_back(wide_.col(j), terms.mass.col(j));
  map_columns(terms_.jacobian, moved_);
  terms.jacobian.resize(norms_ + base_rows, nx);
  terms.jacobian.topRows(norms_).setZero();
  terms.jacobian.bottomRows(base_rows) = moved_;
  terms.residual.resize(nx);
  map_back(terms_.residual, terms.residual);
  terms.phi.resize(norms_ + terms_.phi.size());
  terms.phi.tail(terms_.phi.size()) = terms_.phi;
  terms.rho.resize(norms_ + base_rows);
  terms.rho.tail(base_rows) = terms_.rho;
  terms.state_rate = terms_.state_rate;
  for (int k = 0; k < norms_; ++k) {
    const int x = maps_[static_cast<std::size_t>(k)].x;
    const auto p = point.q.segment<4>(x);
    terms.phi[k] = p.squaredNorm() - 1.0;
    terms.rho[k] = 2.0 * p.dot(point.v.segment<4>(x));
    terms.jacobian.row(k).segment<4>(x) = 2.0 * p.transpose();
    terms.residual.segment<4>(x) += 2.0 * point.lambda[k] * p;
  }
  return true;
}

/// [CHM.2]; at the point of the last eval_point.
bool ChartMotions::eval_derivatives(const MechPoint& point, MechDerivatives& out) {
  set_world(point, true);
  if (!base_.eval_derivatives(world_, derivatives_)) return false;
  const int nx = charts_.size();
  v_x_.setZero();
  acceleration_x_.setZero();
  v_dot_v_.setZero();
  for (const auto& map : maps_) {
    const auto x_dot = point.v.segment(map.x, map.count);
    const auto x_ddot = point.v_dot.segment(map.x, map.count);
    for (int k = 0; k < map.count; ++k) {
      const auto at = static_cast<std::size_t>(k);
      v_x_.block<3, 1>(map.v, map.x + k) = map.A_x[at].lazyProduct(x_dot);
      acceleration_x_.block<3, 1>(map.v, map.x + k) =
          map.A_x[at].lazyProduct(x_ddot) + map.A_dot_x[at].lazyProduct(x_dot);
      v_dot_v_.block<3, 1>(map.v, map.x + k) = map.A_x[at].lazyProduct(x_dot) + map.A_dot.col(k);
    }
  }
  out.stiffness.resize(nx, nx);
  map_columns(derivatives_.stiffness, wide_);
  wide_.noalias() += derivatives_.damping * v_x_;
  wide_.noalias() += terms_.mass * acceleration_x_;
  for (int j = 0; j < nx; ++j) map_back(wide_.col(j), out.stiffness.col(j));
  out.damping.resize(nx, nx);
  map_columns(derivatives_.damping, wide_);
  wide_.noalias() += terms_.mass * v_dot_v_;
  for (int j = 0; j < nx; ++j) map_back(wide_.col(j), out.damping.col(j));
  map_columns(derivatives_.rho_q, moved_);
  moved_.noalias() += terms_.jacobian * v_x_;
  out.rho_q.resize(rows(), nx);
  out.rho_q.topRows(norms_).setZero();
  out.rho_q.bottomRows(base_.rows()) = moved_;
  for (const auto& map : maps_)
    for (int k = 0; k < map.count; ++k)
      out.stiffness.block(map.x, map.x + k, map.count, 1) +=
          map.A_x[static_cast<std::size_t>(k)].transpose().lazyProduct(
              terms_.residual.segment<3>(map.v));
  for (int k = 0; k < norms_; ++k) {
    const int x = maps_[static_cast<std::size_t>(k)].x;
    out.stiffness.block<4, 4>(x, x).diagonal().array() += 2.0 * point.lambda[k];
    out.rho_q.row(k).segment<4>(x) = 2.0 * point.v.segment<4>(x).transpose();
  }
  const StateSlopes& from = derivatives_.states;
  StateSlopes& states = out.states;
  states.rate_c = from.rate_c;
  states.residual_c.resize(nx, from.count());
  for (Eigen::Index j = 0; j < from.count(); ++j)
    map_back(from.residual_c.col(j), states.residual_c.col(j));
  map_columns(from.rate_q, states.rate_q);
  states.rate_q.noalias() += from.rate_v * v_x_;
  map_columns(from.rate_v, states.rate_v);
  return true;
}

/// [CHM.3]; -r of v' = 0 has Aᵀ(Q - M A' x') in it already.
void ChartMotions::add_momentum_rate(const MechPoint& point, VectorRef force) {
  extra_.setZero();
  base_.add_momentum_rate(world_, extra_);
  momentum_.noalias() = terms_.mass * world_.v;
  change_.setZero();  // A' x'
  for (const auto& map : maps_) {
    for (int i = 0; i < 3; ++i) {  // ω×(M v)
      const int j = map.v + (i + 1) % 3, k = map.v + (i + 2) % 3;
      extra_[map.v + i] -= world_.v[j] * momentum_[k] - world_.v[k] * momentum_[j];
    }
    change_.segment<3>(map.v) = map.A_dot.lazyProduct(point.v.segment(map.x, map.count));
  }
  extra_.noalias() += terms_.mass * change_;
  for (const auto& plain : charts_.plains())
    force.segment(plain.x, plain.count) += extra_.segment(plain.v, plain.count);
  for (const auto& map : maps_)
    force.segment(map.x, map.count) +=
        map.A.transpose().lazyProduct(extra_.segment<3>(map.v)) +
        map.A_dot.transpose().lazyProduct(momentum_.segment<3>(map.v));
}

}  // namespace driftless
