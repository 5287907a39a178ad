#include "driftless/formulations/acceleration_field.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/math/finite.hpp"
#include "driftless/system/start_help.hpp"

namespace driftless {
namespace {

// Directions above this are never noise: leaving them out breaks constraints that the pose does determine (measured on
// the double four-bar: 0.1 already mixes symmetric and antisymmetric motions). Where a step is so long that [FLD.3]
// asks for more, the step is too long, which is the error estimate's business.
constexpr double kMaxStageTolerance = 0.03;

// [FLD.6]
constexpr double kTurnsAhead = 1.5;
constexpr double kFallen = 0.5;
constexpr double kAtEnd = 1e-6;

/// Whether constraints may feed the energy: those that move, and velocity rows, which need not be linear in v.
bool rows_work(const SystemInfo& info) { return info.has_time_rows || info.velocity_rows > 0; }

}  // namespace

StateLayout::StateLayout(const SystemInfo& info, int positions)
    : nx(positions), nv(info.nv), nc(info.nc) {
  size = controlled();
  for (const InvariantInfo& invariant : info.invariants) {
    work_slot.push_back(invariant.has_power ? size++ : -1);
  }
}

AccelerationField::AccelerationField(Evaluator& evaluator, const FieldOptions& options,
                                     std::vector<FieldTerm*> terms)
    : evaluator_(evaluator),
      options_(options),
      charts_(evaluator.info(), options.rotations),
      layout_(evaluator.info(), charts_.size()),
      terms_(std::move(terms)),
      stage_tolerance_(options.rank_tolerance) {
  const SystemInfo& info = evaluator.info();
  q_ = q_dot_ = moved_q_ = Vector::Zero(info.nq);
  x_ = Vector::Zero(layout_.nx);
  v_ = v_dot_ = f_ = Vector::Zero(info.nv);
  b_ = lambda_ = row_power_ = Vector::Zero(info.row_count());
  stage_gap_ = Vector::Zero(info.position_rows);
  stage_move_ = Vector::Zero(info.nv);
  if (options.is_projected) {
    error_move_ = error_dropped_ = Vector::Zero(info.nv);
    error_rows_ = error_lambda_ = Vector::Zero(info.row_count());
  }
  work_.assign(info.invariants.size(), 0.0);
  power_.assign(info.invariants.size(), 0.0);
}

void AccelerationField::begin_step(double t, double h, std::span<const double> y,
                                   std::span<const double> f) {
  failure_.clear();  // of an attempt that was given up
  for (FieldTerm* term : terms_) term->begin_step(t, h);
  near_until_ = kNever;
  least_pivot_ = last_pivot_ = 1.0;
  largest_pivot_ = 0.0;
  stage_tolerance_ = options_.rank_tolerance;
  // One row alone depends on no other, whatever the tolerance.
  if (options_.stage_factor <= 0.0 || f.empty() || evaluator_.info().row_count() <= 1) return;
  charts_.to_q(as_vector(y).head(layout_.nx), q_);
  v_ = as_vector(y).segment(layout_.nx, layout_.nv);
  evaluator_.set_configuration(t, q_);
  evaluator_.set_velocity(v_);
  if (!evaluator_.ensure_factorized(options_.rank_tolerance)) return;  // eval will report it
  note_pivot();
  const double turn = evaluator_.find_row_turn(as_vector(f).segment(layout_.nx, layout_.nv));
  const double angle = h * evaluator_.find_row_turn(v_);
  widest_pivot_ = std::max(widest_pivot_, last_pivot_);
  if (options_.project_stages && last_pivot_ < kTurnsAhead * angle &&
      last_pivot_ < kFallen * widest_pivot_)
    near_until_ = t + (1.0 - kAtEnd) * h;
  const double noise = options_.stage_factor * std::max(h * h * turn, angle * angle * angle);
  if (std::isfinite(noise)) {
    const double largest = std::max(kMaxStageTolerance, options_.rank_tolerance);
    stage_tolerance_ = std::clamp(noise, options_.rank_tolerance, largest);
  }
}

void AccelerationField::to_state(std::span<const double> y, Vector& q, Vector& v,
                                 std::vector<double>& work) const {
  charts_.to_q(as_vector(y).head(layout_.nx), q);
  v = as_vector(y).segment(layout_.nx, layout_.nv);
  for (std::size_t k = 0; k < work.size(); ++k) {
    work[k] = layout_.work_slot[k] < 0 ? 0.0 : y[static_cast<std::size_t>(layout_.work_slot[k])];
  }
}

void AccelerationField::from_state(const Vector& q, const Vector& v, std::span<double> y) const {
  charts_.from_q(q, as_vector(y).head(layout_.nx));
  as_vector(y).segment(layout_.nx, layout_.nv) = v;
}

Change AccelerationField::recentre(std::span<double> y, bool always) {
  if (charts_.is_plain()) return Change::unchanged;
  charts_.to_q(as_vector(y).head(layout_.nx), moved_q_);
  if (!charts_.recentre(moved_q_, always)) return Change::unchanged;
  charts_.from_q(moved_q_, as_vector(y).head(layout_.nx));
  return Change::new_chart;
}

bool AccelerationField::read_state(double t, std::span<const double> y) {
  const bool is_plain = charts_.is_plain();
  FiniteWatch watch;
  watch.copy(y.data(), layout_.nx, is_plain ? q_.data() : x_.data());
  watch.copy(y.data() + layout_.nx, layout_.nv, v_.data());
  watch.look(y.data() + layout_.at_states(), std::ssize(y) - layout_.at_states());
  if (!watch.is_finite()) return fail(fmt::format("the state is not finite at t = {:.6g}", t));
  if (!is_plain) charts_.to_q(x_, q_);
  if (layout_.nc > 0) evaluator_.set_states(states_of(y));
  for (std::size_t k = 0; k < work_.size(); ++k) {
    work_[k] = layout_.work_slot[k] < 0 ? 0.0 : y[static_cast<std::size_t>(layout_.work_slot[k])];
  }
  return true;
}

bool AccelerationField::eval(double t, std::span<const double> y, std::span<double> dydt) {
  if (!read_state(t, y) || !settle(t)) return false;
  // Of the projected velocity nobody wants ρ, unless a term or a feed does.
  if (options_.project_stages && terms_.empty() && !(has_feeds() && rows_work(evaluator_.info()))) {
    evaluator_.eval_forces(v_);
  } else {
    evaluator_.eval_motion(v_);
  }
  const Workspace& ws = evaluator_.ws();
  const FieldPoint point{t, q_, v_, work_, power_, evaluator_};
  if (!terms_.empty()) {
    f_ = ws.force;
    b_ = ws.gamma;
    for (FieldTerm* term : terms_) term->before_solve(point, f_, b_);
  }
  const bool is_solved =
      terms_.empty() ? solve_motion(t, ws.force, ws.gamma) : solve_motion(t, f_, b_);
  if (!is_solved) return false;
  evaluator_.note_acceleration_solve();
  eval_feeds(t);
  find_power();
  if (terms_.empty() && charts_.is_plain()) {
    evaluator_.system().map_velocity(q_, v_, as_vector(dydt).head(layout_.nx));
    return write_other_slopes(t, dydt);
  }
  evaluator_.system().map_velocity(q_, v_, q_dot_);
  for (FieldTerm* term : terms_) term->after_solve(point, q_dot_, v_dot_);
  return write_slopes(t, dydt);
}

bool AccelerationField::write_slopes(double t, std::span<double> dydt) {
  charts_.map_rates(x_, q_, q_dot_, as_vector(dydt).head(layout_.nx));
  return write_other_slopes(t, dydt);
}

bool AccelerationField::write_other_slopes(double t, std::span<double> dydt) {
  FiniteWatch watch;
  watch.look(dydt.data(), layout_.nx);
  watch.copy(v_dot_.data(), layout_.nv, dydt.data() + layout_.nx);
  if (std::ssize(dydt) > layout_.at_states()) {
    const auto others = dydt.subspan(static_cast<std::size_t>(layout_.at_states()));
    if (layout_.nc > 0) as_vector(others).head(layout_.nc) = evaluator_.ws().state_rate;
    for (std::size_t k = 0; k < power_.size(); ++k) {
      if (layout_.work_slot[k] >= 0)
        dydt[static_cast<std::size_t>(layout_.work_slot[k])] = power_[k];
    }
    watch.look(others.data(), std::ssize(others));
  }
  if (watch.is_finite()) return true;
  describe_non_finite(t);
  return false;
}

bool AccelerationField::settle(double t) {
  Workspace& ws = evaluator_.ws();
  evaluator_.set_configuration(t, q_);
  if (t < near_until_ && !close_stage(t)) return fail_not_definite(t);
  const bool project = options_.project_stages && evaluator_.info().row_count() > 0;  // [FLD.1]
  const bool need_velocity = project || evaluator_.info().velocity_rows > 0;
  if (need_velocity) evaluator_.set_velocity(v_);
  if (!check_rows(t, need_velocity)) return false;
  const bool is_solvable = project ? evaluator_.factorize_and_correct(
                                         stage_tolerance_, ws.velocity_residual, v_dot_, lambda_)
                                   : evaluator_.factorize(stage_tolerance_);
  if (!is_solvable) return fail_not_definite(t);
  note_pivot();
  if (project) {
    v_ -= v_dot_;
    if (!evaluator_.info().velocity_rows_linear) {
      evaluator_.set_velocity(v_);
      if (!evaluator_.factorize(stage_tolerance_)) {
        return fail(fmt::format("the mass matrix is not positive definite at t = {:.6g}", t));
      }
    }
  }
  return true;
}

bool AccelerationField::close_stage(double t) {
  constexpr int kPasses = 2;
  constexpr double kClosed = 1e-12;
  for (int pass = 0; pass < kPasses && evaluator_.find_gap() > kClosed; ++pass) {
    if (evaluator_.info().velocity_rows > 0) evaluator_.set_velocity(v_);
    stage_gap_ = -evaluator_.ws().phi;
    if (!evaluator_.solve_position(stage_tolerance_, stage_gap_, stage_move_)) return false;
    evaluator_.system().retract(q_, stage_move_);
    evaluator_.set_configuration(t, q_);
  }
  return true;
}

void AccelerationField::note_pivot() {
  last_pivot_ = evaluator_.smallest_pivot();
  least_pivot_ = std::min(least_pivot_, last_pivot_);
  largest_pivot_ = std::max(largest_pivot_, last_pivot_);
}

JumpNear AccelerationField::find_jump() const {
  constexpr double kPassed = 0.1, kReached = 0.01;
  if (last_pivot_ < kReached * largest_pivot_) return JumpNear::reached;
  return least_pivot_ < kPassed * largest_pivot_ ? JumpNear::passed : JumpNear::none;
}

void AccelerationField::drop_corrected(double t, std::span<const double> y,
                                       std::span<double> error) {
  const SystemInfo& info = evaluator_.info();
  if (!options_.is_projected || info.row_count() == 0) return;
  const auto x = as_vector(y).head(layout_.nx);
  const auto v = as_vector(y).segment(layout_.nx, layout_.nv);
  auto error_x = as_vector(error).head(layout_.nx);
  auto error_v = as_vector(error).segment(layout_.nx, layout_.nv);
  charts_.to_q(x, q_);
  evaluator_.set_configuration(t, q_);
  if (info.velocity_rows > 0) evaluator_.set_velocity(v);
  if (!evaluator_.factorize(options_.rank_tolerance)) return;
  const BlockMatrix& jacobian = evaluator_.ws().jacobian;
  error_move_.setZero();
  jacobian.multiply(error_v, error_rows_);
  evaluator_.solve(error_move_, error_rows_, error_dropped_, error_lambda_);
  error_v -= error_dropped_;
  if (info.position_rows == 0) return;
  x_ = x + error_x;
  charts_.to_q(x_, moved_q_);
  evaluator_.system().find_increment(q_, moved_q_, error_move_);
  auto rows = error_rows_.head(info.position_rows);
  jacobian.multiply(error_move_, rows);
  if (!evaluator_.solve_position(options_.rank_tolerance, rows, error_dropped_)) return;
  error_move_ -= error_dropped_;
  charts_.map_velocity(x, error_move_, error_x);
}

bool AccelerationField::solve_motion(double /*t*/, const Vector& f, const Vector& b) {
  evaluator_.solve(f, b, v_dot_, lambda_);
  return true;
}

bool AccelerationField::solve_reactions(double t, const Vector& q, const Vector& v, Vector& v_dot,
                                        Vector& lambda) {
  evaluator_.set_configuration(t, q);
  evaluator_.eval_motion(v);
  if (!evaluator_.factorize(options_.rank_tolerance)) return false;
  evaluator_.solve(evaluator_.ws().force, evaluator_.ws().gamma, v_dot, lambda);
  return true;
}

/// Before anything is solved with the rows: afterwards one that is not finite has spoilt all others.
bool AccelerationField::check_rows(double t, bool with_velocity) {
  const Workspace& ws = evaluator_.ws();
  const SystemInfo& info = evaluator_.info();
  if (info.row_count() == 0) return true;
  FiniteWatch watch;
  watch.look(ws.phi);
  if (with_velocity) watch.look(ws.velocity_residual);
  if (watch.is_finite()) return true;
  for (int i = 0; i < info.row_count(); ++i) {
    const bool is_finite = (i >= info.position_rows || std::isfinite(ws.phi[i])) &&
                           (!with_velocity || std::isfinite(ws.velocity_residual[i]));
    if (is_finite) continue;
    const std::string& name = info.rows[static_cast<std::size_t>(i)];
    return fail(
        fmt::format("constraint '{}' or its derivative is not finite at t = {:.6g}", name, t),
        name);
  }
  return true;
}

void AccelerationField::eval_feeds(double t) {
  if (!has_feeds()) return;
  Workspace& ws = evaluator_.ws();
  evaluator_.system().eval_power(t, q_, v_, ws);
  if (!rows_work(evaluator_.info())) return;
  ws.jacobian.multiply(v_, row_power_);
  row_power_ = ws.velocity_residual - row_power_;  // Φ_t in position rows
}

void AccelerationField::find_power() {
  if (!has_feeds()) return;
  const SystemInfo& info = evaluator_.info();
  const Workspace& ws = evaluator_.ws();
  for (std::size_t k = 0; k < info.invariants.size(); ++k) {
    if (layout_.work_slot[k] < 0) continue;
    const auto row = static_cast<Eigen::Index>(k);
    power_[k] = ws.power[row] + ws.power_acceleration.row(row).dot(v_dot_);
    if (info.invariants[k].is_energy && rows_work(info)) power_[k] += lambda_.dot(row_power_);
  }
}

std::string AccelerationField::component_name(int component) const {
  const SystemInfo& info = evaluator_.info();
  if (component < layout_.nx) return charts_.name(component);
  component -= layout_.nx;
  if (component < layout_.nv) return info.rates[static_cast<std::size_t>(component)];
  if (component < layout_.nv + layout_.nc)
    return info.states[static_cast<std::size_t>(component - layout_.nv)];
  for (std::size_t k = 0; k < info.invariants.size(); ++k) {
    if (layout_.work_slot[k] == component + layout_.nx)
      return info.invariants[k].is_energy ? "work of the forces"
                                          : "feed of " + info.invariants[k].name;
  }
  return "work";
}

bool AccelerationField::fail(std::string message, std::string worst, std::string remedy) {
  failure_ = std::move(message);
  worst_ = std::move(worst);
  remedy_ = std::move(remedy);
  return false;
}

bool AccelerationField::fail_not_definite(double t) {
  describe_non_finite(t);
  if (!failure_.empty()) return false;
  return fail(fmt::format(
      "the mass matrix is not positive definite on the motions that the constraints leave free, "
      "at t = {:.6g}",
      t));
}

bool AccelerationField::fail_not_finite(double t) {
  describe_non_finite(t);
  if (failure_.empty())
    fail(fmt::format("the equations of motion are not finite at t = {:.6g}", t));
  return false;
}

void AccelerationField::describe_non_finite(double t) {
  const Workspace& ws = evaluator_.ws();
  const SystemInfo& info = evaluator_.info();
  failure_.clear();
  // Of a body in space there are more coordinates than rates.
  const std::vector<std::string>& names = info.nq == info.nv ? info.coordinates : info.rates;
  for (int i = 0; i < info.row_count(); ++i) {
    if (!ws.jacobian.is_row_finite(i) || !std::isfinite(ws.gamma[i])) {
      const std::string& name = info.rows[static_cast<std::size_t>(i)];
      fail(fmt::format("constraint '{}' or its derivative is not finite at t = {:.6g}", name, t),
           name);
      return;
    }
  }
  for (int j = 0; j < info.nv; ++j) {
    const std::string& name = names[static_cast<std::size_t>(j)];
    if (!ws.mass.is_row_finite(j)) {
      fail(fmt::format("the mass of '{}' is not finite at t = {:.6g}", name, t), name);
      return;
    }
    if (!std::isfinite(ws.force[j])) {
      const System& system = evaluator_.system();
      const auto [force, where] = system.find_faulty_force(t, q_, v_, evaluator_.ws());
      if (force.empty()) {
        fail(fmt::format("the force on '{}' is not finite at t = {:.6g}", name, t), name);
      } else {
        const ForceFault fault = explain_force(system, force, evaluator_.ws());
        fail(fmt::format("force '{}' ({}) {} at t = {:.6g}", force, format_source(where),
                         fault.reason.empty() ? "is not finite" : fault.reason, t),
             force,
             !fault.remedy.empty()
                 ? fault.remedy
                 : "look at its formula and at what it acts between: a division by zero, a root or "
                   "logarithm of a negative number, or points that meet");
      }
      return;
    }
  }
  for (int j = 0; j < info.nv; ++j) {
    if (!std::isfinite(v_dot_[j])) {
      const std::string& name = names[static_cast<std::size_t>(j)];
      fail(fmt::format("the acceleration of '{}' is not finite at t = {:.6g}", name, t), name);
      return;
    }
  }
  for (int k = 0; k < info.nc; ++k) {
    if (std::isfinite(ws.state_rate[k])) continue;
    const std::string& name = info.states[static_cast<std::size_t>(k)];
    fail(fmt::format("the rate of state '{}' is not finite at t = {:.6g}", name, t), name);
    return;
  }
}

}  // namespace driftless
