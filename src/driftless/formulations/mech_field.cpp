#include "driftless/formulations/mech_field.hpp"

#include <cmath>

#include <fmt/format.h>

#include "driftless/formulations/chart_motions.hpp"
#include "driftless/formulations/rigid_motions.hpp"

namespace driftless {

MechField::MechField(Evaluator& evaluator, const FieldOptions& options, Level level)
    : AccelerationField(evaluator, options, {}),
      level_(level),
      choice_(evaluator.info().position_rows, evaluator.info().row_count(), evaluator.info().nv),
      derivatives_(evaluator.system().make_linearization()),
      relation_(Eigen::RowVectorXd::Zero(evaluator.info().row_count())),
      change_lambda_(Vector::Zero(evaluator.info().row_count())),
      found_(Vector::Zero(evaluator.info().nv)) {
  for (const int slot : layout_.work_slot)
    if (slot >= 0) slots_.push_back(slot);
  if (options.in_charts) {
    other_ = std::make_unique<ChartMotions>(*this, charts_, evaluator.info());
  } else if (options.along_screws) {
    other_ = std::make_unique<RigidMotions>(*this, evaluator.info());
  }
}

double MechField::error_weight(int component) const {
  return component < layout_.controlled() ? 1.0 : 0.0;
}

std::string MechField::component_name(int component) const {
  if (component < layout_.size) return AccelerationField::component_name(component);
  return "the reaction of '" + row_name(component - layout_.size) + "'";
}

/// A turn has the size of 1 rad, however near to 0 the angles are that it starts from.
double MechField::least_size() const {
  for (const BodyInfo& body : evaluator_.info().bodies)
    if (body.turns > 0) return 1.0;
  return 0.0;
}

std::string MechField::row_name(int row) const {
  return evaluator_.info().rows[static_cast<std::size_t>(row)];
}

// ---- y -----------------------------------------------------------------------------------------------------

void MechField::read(std::span<const double> y, MechPoint& point) const {
  const auto all = as_vector(y);
  point.q.resize(evaluator_.info().nq);
  charts_.to_q(all.head(layout_.nx), point.q);
  point.v = all.segment(layout_.nx, layout_.nv);
  point.c = states_of(y);
  point.lambda = all.tail(rows());
}

void MechField::write(const MechPoint& point, std::span<double> y) const {
  auto all = as_vector(y);
  charts_.from_q(point.q, all.head(layout_.nx));
  all.segment(layout_.nx, layout_.nv) = point.v;
  set_states(point.c, y);
  all.tail(rows()) = point.lambda;
}

void MechField::write_acceleration(const MechPoint& point, std::span<double> slopes) const {
  as_vector(slopes).segment(layout_.nx, layout_.nv) = point.v_dot;
}

bool MechField::complete(double t, std::span<double> y) {
  MechPoint point;
  read(y, point);
  point.t = t;
  point.v_dot = Vector::Zero(layout_.nv);
  if (!find_motion(point)) return false;
  write(point, y);
  return true;
}

/// v' by M v' = Q - Gᵀλ, or, if M is singular, the one of index 1.
bool MechField::find_reactions(double t, std::span<const double> y, const Vector& q,
                               const Vector& v, Vector& v_dot, Vector& lambda) {
  if (!AccelerationField::find_reactions(t, y, q, v, v_dot, lambda)) return false;
  lambda = as_vector(y).tail(rows());
  f_ = evaluator_.ws().force;
  evaluator_.ws().jacobian.add_transposed(lambda, -1.0, f_);
  if (evaluator_.solve_mass(f_, found_)) v_dot = found_;
  return true;
}

// ---- the equations -----------------------------------------------------------------------------------------

bool MechField::eval_point(const MechPoint& point, MechTerms& terms) {
  if (!point.q.allFinite() || !point.v.allFinite())
    return fail(fmt::format("the state is not finite at t = {:.6g}", point.t));
  q_ = point.q;
  v_ = point.v;
  evaluator_.set_states(point.c);
  evaluator_.set_configuration(point.t, q_);
  evaluator_.eval_motion(v_);
  if (!check_rows(point.t, true)) return false;
  evaluator_.note_acceleration_solve();
  const Workspace& ws = evaluator_.ws();
  terms.mass.take(ws.mass);
  terms.jacobian.take(ws.jacobian);
  terms.phi = ws.phi;
  terms.rho = ws.velocity_residual;
  terms.state_rate = ws.state_rate;
  terms.residual.resize(point.v_dot.size());
  ws.mass.multiply(point.v_dot, terms.residual);
  ws.jacobian.add_transposed(point.lambda, 1.0, terms.residual);
  terms.residual -= ws.force;
  if (terms.residual.allFinite() && terms.state_rate.allFinite()) return true;
  v_dot_ = point.v_dot;
  return fail_not_finite(point.t);
}

bool MechField::eval_derivatives(const MechPoint& point, MechDerivatives& out) {
  evaluator_.note_factorisation();
  evaluator_.set_states(point.c);
  evaluator_.system().eval_linearization({point.t, point.q, point.v, point.v_dot, point.lambda},
                                         evaluator_.ws(), derivatives_);
  out.stiffness.take(derivatives_.stiffness);
  out.damping.take(derivatives_.damping);
  out.rho_q.take(derivatives_.residual_q);
  out.states = derivatives_.states;
  return derivatives_.is_finite() ||
         fail(
             fmt::format("the derivatives of the equations are not finite at t = {:.6g}", point.t));
}

void MechField::add_momentum_rate(const MechPoint& point, VectorRef force) {
  evaluator_.system().add_momentum_rate(point.t, point.q, point.v, evaluator_.ws(), force);
}

bool MechField::find_motion(MechPoint& point) {
  evaluator_.set_states(point.c);
  if (!solve_reactions(point.t, point.q, point.v, point.v_dot, point.lambda)) {
    return fail(fmt::format(
        "the mass matrix is not positive definite on the motions that the constraints leave free, "
        "at t = {:.6g}",
        point.t));
  }
  return point.v_dot.allFinite() ||
         fail(fmt::format("the accelerations are not finite at t = {:.6g}", point.t));
}

void MechField::solve_change(ConstVectorRef b, VectorRef change) {
  found_.setZero();
  evaluator_.solve(found_, b, change, change_lambda_);
}

// ---- the manifold ------------------------------------------------------------------------------------------

void MechField::retract(VectorRef q, ConstVectorRef delta) const {
  evaluator_.system().retract(q, delta);
}

void MechField::find_increment(ConstVectorRef from, ConstVectorRef to, VectorRef delta) const {
  evaluator_.system().find_increment(from, to, delta);
}

/// [MCF.1]
void MechField::eval_tangent(ConstVectorRef delta, BlockMatrix& tangent) const {
  for (const BodyInfo& body : evaluator_.info().bodies) {
    if (body.turns < 3) continue;
    const int first = body.rate + body.rates - 3;
    const double x = delta[first], y = delta[first + 1], z = delta[first + 2];
    const double s = x * x + y * y + z * z;
    const double angle = std::sqrt(s);
    // (1 - cos a)/a² and (a - sin a)/a³; by their series where the quotients would lose digits
    const bool is_small = angle < 1e-2;
    const double even = is_small ? 0.5 - s / 24.0 + s * s / 720.0 : (1.0 - std::cos(angle)) / s;
    const double odd =
        is_small ? 1.0 / 6.0 - s / 120.0 + s * s / 5040.0 : (angle - std::sin(angle)) / (s * angle);
    const double cross[3][3] = {{0.0, -z, y}, {z, 0.0, -x}, {-y, x, 0.0}};
    auto T = tangent.part(first, first, 3, 3);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        double twice = 0.0;
        for (int k = 0; k < 3; ++k) twice += cross[i][k] * cross[k][j];
        T(i, j) = (i == j ? 1.0 : 0.0) - even * cross[i][j] + odd * twice;
      }
    }
  }
}

BlockMatrix MechField::make_tangent() const { return make_identity(evaluator_.info(), 3); }

void MechField::choose_rows(const BlockMatrix& mass, const BlockMatrix& jacobian) {
  if (jacobian.rows() + jacobian.columns() >= kManyUnknowns) {
    // Of many rows that were all kept the choice is looked at now and then.
    constexpr int kOften = 50;
    if (choice_.is_full() && ++kept_for_ < kOften) return;
    kept_for_ = 0;
  }
  choice_.choose(jacobian, mass, options_.rank_tolerance);
}

BlockMatrix make_identity(const SystemInfo& info, int of_body) {
  std::vector<int> size(static_cast<std::size_t>(info.nv), 1);
  for (const BodyInfo& body : info.bodies)
    if (body.turns == 3) size[static_cast<std::size_t>(body.rate + body.rates - of_body)] = of_body;
  std::vector<BlockPlace> places;
  for (int k = 0; k < info.nv; k += size[static_cast<std::size_t>(k)]) {
    const int rows = size[static_cast<std::size_t>(k)];
    places.push_back({k, k, rows, rows});
  }
  BlockMatrix identity(info.nv, info.nv, std::move(places));
  for (int k = 0; k < info.nv; ++k) identity.at(k, k) = 1.0;
  return identity;
}

/// Shifts along the world's axes commute with all; turns about body axes: ω×w.
void MechField::eval_bracket(ConstVectorRef v, ConstVectorRef w, VectorRef bracket) const {
  bracket.setZero();
  for (const BodyInfo& body : evaluator_.info().bodies) {
    if (body.turns < 3) continue;
    const int k = body.rate + body.rates - 3;
    bracket[k] = v[k + 1] * w[k + 2] - v[k + 2] * w[k + 1];
    bracket[k + 1] = v[k + 2] * w[k] - v[k] * w[k + 2];
    bracket[k + 2] = v[k] * w[k + 1] - v[k + 1] * w[k];
  }
}

Eigen::Ref<const Eigen::RowVectorXd> MechField::relation(int row) const {
  relation_ = choice_.relation(row);
  return relation_;
}

void MechField::eval_quadratures(const MechPoint& point, std::span<double> slopes) {
  q_ = point.q;
  v_ = point.v;
  v_dot_ = point.v_dot;
  lambda_ = point.lambda;
  evaluator_.set_states(point.c);
  evaluator_.set_configuration(point.t, q_);
  evaluator_.eval_motion(v_);
  eval_feeds(point.t);
  find_power();
  std::size_t next = 0;
  for (std::size_t k = 0; k < power_.size(); ++k)
    if (layout_.work_slot[k] >= 0) slopes[next++] = power_[k];
}

}  // namespace driftless
