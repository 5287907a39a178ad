#include "driftless/formulations/chart_motions.hpp"

#include <algorithm>
#include <utility>

namespace driftless {

ChartMotions::ChartMotions(MechProblem& base, const RotationCharts& charts, const SystemInfo& info)
    : base_(base),
      charts_(charts),
      norms_(charts.norms()),
      relation_(Eigen::RowVectorXd::Zero(charts.norms() + info.row_count())),
      extra_(Vector::Zero(info.nv)),
      momentum_(Vector::Zero(info.nv)),
      change_(Vector::Zero(info.nv)) {
  world_.q = Vector::Zero(info.nq);
  world_.v = world_.v_dot = Vector::Zero(info.nv);
  turn_at_.assign(static_cast<std::size_t>(info.nv), -1);
  x_at_.assign(static_cast<std::size_t>(info.nv) + 1, charts.size());
  for (const auto& plain : charts.plains())
    for (int k = 0; k < plain.count; ++k)
      x_at_[static_cast<std::size_t>(plain.v + k)] = plain.x + k;
  const std::vector<int> turns = charts.find_turn_rates();
  const int parameters = norms_ > 0 ? 4 : 3;
  for (std::size_t k = 0; k < turns.size(); ++k) {
    const auto v = static_cast<std::size_t>(turns[k]);
    turn_at_[v] = static_cast<int>(k);
    for (std::size_t i = 0; i < 3; ++i) x_at_[v + i] = -1;
  }
  for (std::size_t v = x_at_.size() - 1; v-- > 0;)  // turns end where the next rate begins
    if (turn_at_.size() > v && turn_at_[v] >= 0) x_at_[v] = x_at_[v + 3] - parameters;
  for (Maps* maps : {&v_x_, &acceleration_x_, &v_dot_v_})
    maps->assign(turns.size(), RotationCharts::MotionMaps::Map::Zero(3, parameters));
}

BlockMatrix ChartMotions::make_tangent() const {
  std::vector<BlockPlace> places;
  for (int k = 0; k < charts_.size(); ++k) places.push_back({k, k, 1, 1});
  BlockMatrix identity(charts_.size(), charts_.size(), std::move(places));
  for (int k = 0; k < charts_.size(); ++k) identity.at(k, k) = 1.0;
  return identity;
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

int ChartMotions::width(const Block& block) const {
  return x_at_[static_cast<std::size_t>(block.column + block.columns)] -
         x_at_[static_cast<std::size_t>(block.column)];
}

BlockMatrix ChartMotions::make_mapped(const BlockMatrix& from, int down, bool both) const {
  const int rows = both ? charts_.size() : from.rows() + down;
  if (from.is_whole()) return {rows, charts_.size()};
  std::vector<BlockPlace> places;
  for (int k = 0; k < down; ++k) places.push_back({k, maps_[static_cast<std::size_t>(k)].x, 1, 4});
  for (const Block& block : from.blocks()) {
    const auto row = static_cast<std::size_t>(block.row);
    const int first = both ? x_at_[row] : block.row + down;
    const int count = both ? x_at_[row + static_cast<std::size_t>(block.rows)] - first : block.rows;
    places.push_back({first, x_at_[static_cast<std::size_t>(block.column)], count, width(block)});
  }
  return {rows, charts_.size(), std::move(places)};
}

void ChartMotions::map_columns(const BlockMatrix& from, int down, BlockMatrix& to) const {
  for (const Block& block : from.blocks()) {
    if (block.rows == 0) continue;
    const auto source = from.part(block.row, block.column, block.rows, block.columns);
    const int first = x_at_[static_cast<std::size_t>(block.column)];
    auto target = to.part(block.row + down, first, block.rows, width(block));
    for (int j = 0; j < block.columns; ++j) {
      const auto v = static_cast<std::size_t>(block.column + j);
      if (turn_at_[v] < 0) {
        target.col(x_at_[v] - first) = source.col(j);
        continue;
      }
      const auto& map = maps_[static_cast<std::size_t>(turn_at_[v])];
      target.middleCols(x_at_[v] - first, map.count) = source.middleCols<3>(j).lazyProduct(map.A);
      j += 2;
    }
  }
}

void ChartMotions::add_columns(const BlockMatrix& from, const Maps& maps, int down,
                               BlockMatrix& to) const {
  for (const Block& block : from.blocks()) {
    if (block.rows == 0) continue;
    const auto source = from.part(block.row, block.column, block.rows, block.columns);
    const int first = x_at_[static_cast<std::size_t>(block.column)];
    auto target = to.part(block.row + down, first, block.rows, width(block));
    for (int j = 0; j < block.columns; ++j) {
      const auto v = static_cast<std::size_t>(block.column + j);
      if (turn_at_[v] < 0) continue;
      const auto& map = maps[static_cast<std::size_t>(turn_at_[v])];
      target.middleCols(x_at_[v] - first, map.cols()) += source.middleCols<3>(j).lazyProduct(map);
      j += 2;
    }
  }
}

void ChartMotions::map_rows(const BlockMatrix& from, BlockMatrix& to) const {
  for (const Block& block : from.blocks()) {
    if (block.columns == 0) continue;
    const auto source = from.part(block.row, block.column, block.rows, block.columns);
    const int first = x_at_[static_cast<std::size_t>(block.row)];
    const int count = x_at_[static_cast<std::size_t>(block.row + block.rows)] - first;
    auto target = to.part(first, block.column, count, block.columns);
    for (int i = 0; i < block.rows; ++i) {
      const auto v = static_cast<std::size_t>(block.row + i);
      if (turn_at_[v] < 0) {
        target.row(x_at_[v] - first) = source.row(i);
        continue;
      }
      const auto& map = maps_[static_cast<std::size_t>(turn_at_[v])];
      target.middleRows(x_at_[v] - first, map.count) =
          map.A.transpose().lazyProduct(source.middleRows<3>(i));
      i += 2;
    }
  }
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
  for (int k = 0; k < norms_; ++k) {  // turns leave the length as it is
    const int x = maps_[static_cast<std::size_t>(k)].x;
    const auto p = x_.segment<4>(x);
    change.segment<4>(x) += 0.5 * b[k] / p.squaredNorm() * p;
  }
}

// ---- the equations -----------------------------------------------------------------------------------------

/// [CHM.1]
bool ChartMotions::eval_point(const MechPoint& point, MechTerms& terms) {
  set_world(point, false);
  if (!base_.eval_point(world_, terms_)) return false;
  const int nx = charts_.size();
  const int base_rows = base_.rows();
  if (mass_columns_.rows() == 0) mass_columns_ = make_mapped(terms_.mass, 0, false);
  if (terms.mass.rows() == 0) {
    terms.mass = make_mapped(terms_.mass, 0, true);
    terms.jacobian = make_mapped(terms_.jacobian, norms_, false);
  }
  map_columns(terms_.mass, 0, mass_columns_);
  map_rows(mass_columns_, terms.mass);
  map_columns(terms_.jacobian, norms_, terms.jacobian);
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
    terms.jacobian.part(k, x, 1, 4) = 2.0 * p.transpose();
    terms.residual.segment<4>(x) += 2.0 * point.lambda[k] * p;
  }
  return true;
}

/// [CHM.2]; at the point of the last eval_point.
bool ChartMotions::eval_derivatives(const MechPoint& point, MechDerivatives& out) {
  set_world(point, true);
  if (!base_.eval_derivatives(world_, derivatives_)) return false;
  for (std::size_t k = 0; k < maps_.size(); ++k) {
    const auto& map = maps_[k];
    const auto x_dot = point.v.segment(map.x, map.count);
    const auto x_ddot = point.v_dot.segment(map.x, map.count);
    for (int j = 0; j < map.count; ++j) {
      const auto at = static_cast<std::size_t>(j);
      v_x_[k].col(j) = map.A_x[at].lazyProduct(x_dot);
      acceleration_x_[k].col(j) =
          map.A_x[at].lazyProduct(x_ddot) + map.A_dot_x[at].lazyProduct(x_dot);
      v_dot_v_[k].col(j) = map.A_x[at].lazyProduct(x_dot) + map.A_dot.col(j);
    }
  }
  if (wide_.rows() == 0) wide_ = make_mapped(derivatives_.stiffness, 0, false);
  if (out.stiffness.rows() == 0) {
    out.stiffness = out.damping = make_mapped(derivatives_.stiffness, 0, true);
    out.rho_q = make_mapped(derivatives_.rho_q, norms_, false);
  }
  map_columns(derivatives_.stiffness, 0, wide_);
  add_columns(derivatives_.damping, v_x_, 0, wide_);
  add_columns(terms_.mass, acceleration_x_, 0, wide_);
  map_rows(wide_, out.stiffness);
  map_columns(derivatives_.damping, 0, wide_);
  add_columns(terms_.mass, v_dot_v_, 0, wide_);
  map_rows(wide_, out.damping);
  map_columns(derivatives_.rho_q, norms_, out.rho_q);
  add_columns(terms_.jacobian, v_x_, norms_, out.rho_q);
  for (const auto& map : maps_) {
    auto own = out.stiffness.part(map.x, map.x, map.count, map.count);
    for (int k = 0; k < map.count; ++k)
      own.col(k) += map.A_x[static_cast<std::size_t>(k)].transpose().lazyProduct(
          terms_.residual.segment<3>(map.v));
  }
  for (int k = 0; k < norms_; ++k) {
    const int x = maps_[static_cast<std::size_t>(k)].x;
    out.stiffness.part(x, x, 4, 4).diagonal().array() += 2.0 * point.lambda[k];
    out.rho_q.part(k, x, 1, 4) = 2.0 * point.v.segment<4>(x).transpose();
  }
  map_states(out.states);
  return true;
}

void ChartMotions::map_states(StateSlopes& states) const {
  const StateSlopes& from = derivatives_.states;
  if (states.rate_c.rows() != from.count() || states.rate_q.cols() != charts_.size())
    states = StateSlopes(charts_.size(), static_cast<int>(from.count()));
  states.rate_c = from.rate_c;
  for (Eigen::Index k = 0; k < from.count(); ++k) {
    map_back(from.residual_c.col(k), states.residual_c.col(k));
    for (const auto& plain : charts_.plains()) {
      states.rate_q.row(k).segment(plain.x, plain.count) =
          from.rate_q.row(k).segment(plain.v, plain.count);
      states.rate_v.row(k).segment(plain.x, plain.count) =
          from.rate_v.row(k).segment(plain.v, plain.count);
    }
    for (std::size_t m = 0; m < maps_.size(); ++m) {
      const auto& map = maps_[m];
      const auto by_q = from.rate_q.row(k).segment<3>(map.v);
      const auto by_v = from.rate_v.row(k).segment<3>(map.v);
      states.rate_q.row(k).segment(map.x, map.count) =
          by_q.lazyProduct(map.A) + by_v.lazyProduct(v_x_[m]);
      states.rate_v.row(k).segment(map.x, map.count) = by_v.lazyProduct(map.A);
    }
  }
}

/// [CHM.3]; -r of v' = 0 has Aᵀ(Q - M A' x') in it already.
void ChartMotions::add_momentum_rate(const MechPoint& point, VectorRef force) {
  extra_.setZero();
  base_.add_momentum_rate(world_, extra_);
  terms_.mass.multiply(world_.v, momentum_);
  change_.setZero();  // A' x'
  for (const auto& map : maps_) {
    for (int i = 0; i < 3; ++i) {  // ω×(M v)
      const int j = map.v + (i + 1) % 3, k = map.v + (i + 2) % 3;
      extra_[map.v + i] -= world_.v[j] * momentum_[k] - world_.v[k] * momentum_[j];
    }
    change_.segment<3>(map.v) = map.A_dot.lazyProduct(point.v.segment(map.x, map.count));
  }
  add_product(terms_.mass, change_, extra_);
  for (const auto& plain : charts_.plains())
    force.segment(plain.x, plain.count) += extra_.segment(plain.v, plain.count);
  for (const auto& map : maps_)
    force.segment(map.x, map.count) +=
        map.A.transpose().lazyProduct(extra_.segment<3>(map.v)) +
        map.A_dot.transpose().lazyProduct(momentum_.segment<3>(map.v));
}

}  // namespace driftless
