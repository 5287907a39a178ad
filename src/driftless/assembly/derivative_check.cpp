// Each check compares a claimed derivative with central differences of fourth order,
//   f'(0) ≈ (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / 12h,                                  [CHECK.1]
// for four steps h, and keeps the best agreement: a correct derivative agrees for one of them
// whatever the time scale of the system is, a wrong one for none. Along (t, q, v) = (1, v, a) with
// any acceleration a:
//   dΦ/dt = ρ (position rows),   dρ/dt = G a - γ,   dI/dt = I_v a + I_q v + I_t           [CHECK.2]
// and along q = w alone: dG = jacobian rate. The forces are checked by energy. Whatever a is, the
// additional force r = M a - Q would produce it, without constraints; so [SYS.4] demands
//   I_v a + I_q v + I_t = power + power_acceleration·a + v·(M a - Q)                      [CHECK.3]

#include "driftless/assembly/derivative_check.hpp"

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "driftless/assembly/random_numbers.hpp"

namespace driftless {

namespace {

constexpr int kRandomStates = 3;
constexpr double kDistance = 0.1;  // of the random states, relative to 1 + |value|
constexpr std::array<double, 4> kSteps{1e-2, 1e-3, 1e-4, 1e-5};

struct Motion {
  State state;
  Vector acceleration;
};

class DerivativeChecker {
 public:
  explicit DerivativeChecker(const System& system)
      : system_(system),
        info_(system.info()),
        ws_(system.make_workspace()),
        moved_(system.make_workspace()),
        row_errors_(Vector::Zero(system.info().row_count())) {
    for (const char* what : {"Jacobian and velocity of the position constraints",
                             "acceleration of the constraints (gamma, G)", "rate of the Jacobian",
                             "gradients of the invariants", "energy balance of the forces"})
      checks_.push_back({what, "", 0.0});
  }

  void check(const Motion& motion);
  std::vector<DerivativeCheck> take() { return std::move(checks_); }
  const Vector& row_errors() const { return row_errors_; }

 private:
  void eval(const State& state, Workspace& ws) const;
  State find_moved(const Motion& motion, double h) const;
  /// The best agreement of `claimed` with differences of `value` along the motion, per component.
  Vector find_errors(const Motion& motion, const Vector& claimed,
                     const std::function<Vector(const Workspace&)>& value);
  void note(std::size_t check, const Vector& errors, const std::vector<std::string>& names);
  void check_jacobian_rate(const Motion& motion);
  void check_energy(const Motion& motion);
  std::vector<std::string> list_invariants() const;

  const System& system_;
  const SystemInfo& info_;
  std::unique_ptr<Workspace> ws_;
  std::unique_ptr<Workspace> moved_;
  std::vector<DerivativeCheck> checks_;
  Vector row_errors_;
};

void DerivativeChecker::eval(const State& state, Workspace& ws) const {
  system_.eval_configuration(state.t, state.q, ws);
  system_.eval_motion(state.t, state.q, state.v, ws);
  system_.eval_invariants(state.t, state.q, state.v, ws);
}

State DerivativeChecker::find_moved(const Motion& motion, double h) const {
  State moved = motion.state;
  moved.t += h;
  system_.retract(moved.q, h * motion.state.v);
  moved.v += h * motion.acceleration;
  return moved;
}

Vector DerivativeChecker::find_errors(const Motion& motion, const Vector& claimed,
                                      const std::function<Vector(const Workspace&)>& value) {
  Vector best = Vector::Constant(claimed.size(), std::numeric_limits<double>::infinity());
  for (const double h : kSteps) {
    Vector found = Vector::Zero(claimed.size());
    Vector size = Vector::Ones(claimed.size());
    for (const auto& [factor, weight] :
         {std::pair{1.0, 8.0}, {-1.0, -8.0}, {2.0, -1.0}, {-2.0, 1.0}}) {
      eval(find_moved(motion, factor * h), *moved_);
      const Vector sample = value(*moved_);
      found += weight / (12.0 * h) * sample;  // [CHECK.1]
      size = size.cwiseMax(sample.cwiseAbs());
    }
    size = size.cwiseMax(claimed.cwiseAbs());
    const Vector error = (claimed - found).cwiseAbs().cwiseQuotient(size);
    for (Eigen::Index i = 0; i < best.size(); ++i)
      if (error[i] < best[i]) best[i] = error[i];
  }
  return best;
}

void DerivativeChecker::note(std::size_t check, const Vector& errors,
                             const std::vector<std::string>& names) {
  if (&names == &info_.rows)
    row_errors_.head(errors.size()) = row_errors_.head(errors.size()).cwiseMax(errors);
  DerivativeCheck& result = checks_[check];
  for (Eigen::Index i = 0; i < errors.size(); ++i) {
    if (!(errors[i] > result.error || result.worst.empty())) continue;
    result.error = errors[i];
    result.worst = names[static_cast<std::size_t>(i)];
  }
}

std::vector<std::string> DerivativeChecker::list_invariants() const {
  std::vector<std::string> names;
  for (const InvariantInfo& invariant : info_.invariants) names.push_back(invariant.name);
  return names;
}

void DerivativeChecker::check(const Motion& motion) {
  const State& s = motion.state;
  eval(s, *ws_);
  system_.eval_invariant_gradients(s.t, s.q, s.v, *ws_);
  const bool is_defined = ws_->phi.allFinite() && ws_->velocity_residual.allFinite() &&
                          ws_->gamma.allFinite() && ws_->force.allFinite() &&
                          ws_->mass.allFinite() && ws_->invariant.allFinite();
  if (!is_defined) return;  // a random state outside of the domain of the expressions
  const Vector phi_dot = ws_->velocity_residual.head(info_.position_rows);
  note(0, find_errors(motion, phi_dot, [](const Workspace& ws) -> Vector { return ws.phi; }),
       info_.rows);
  const Vector rho_dot = ws_->jacobian * motion.acceleration - ws_->gamma;  // [CHECK.2]
  note(1,
       find_errors(motion, rho_dot,
                   [](const Workspace& ws) -> Vector { return ws.velocity_residual; }),
       info_.rows);
  const Vector invariant_dot =
      ws_->invariant_v * motion.acceleration + ws_->invariant_q * s.v + ws_->invariant_t;
  note(3,
       find_errors(motion, invariant_dot,
                   [](const Workspace& ws) -> Vector { return ws.invariant; }),
       list_invariants());
  check_jacobian_rate(motion);
  check_energy(motion);
}

void DerivativeChecker::check_jacobian_rate(const Motion& motion) {
  const State& s = motion.state;
  Matrix rate;
  system_.eval_jacobian_rate(s.t, s.q, s.v, *ws_, rate);
  Vector best = Vector::Constant(info_.position_rows, std::numeric_limits<double>::infinity());
  for (const double h : kSteps) {
    Matrix found = Matrix::Zero(rate.rows(), rate.cols());
    Vector size = Vector::Ones(rate.rows());
    for (const auto& [factor, weight] :
         {std::pair{1.0, 8.0}, {-1.0, -8.0}, {2.0, -1.0}, {-2.0, 1.0}}) {
      Vector q = s.q;
      system_.retract(q, factor * h * s.v);
      system_.eval_configuration(s.t, q, *moved_);
      const Matrix sample = moved_->jacobian.topRows(rate.rows());
      found += weight / (12.0 * h) * sample;
      size = size.cwiseMax(sample.rowwise().norm());
    }
    size = size.cwiseMax(rate.rowwise().norm());
    best = best.cwiseMin((rate - found).rowwise().norm().cwiseQuotient(size));
  }
  note(2, best, info_.rows);
}

void DerivativeChecker::check_energy(const Motion& motion) {
  const State& s = motion.state;
  system_.eval_power(s.t, s.q, s.v, *ws_);
  const Vector& a = motion.acceleration;
  for (std::size_t k = 0; k < info_.invariants.size(); ++k) {
    if (!info_.invariants[k].is_energy) continue;
    const auto row = static_cast<Eigen::Index>(k);
    const Vector inertia = ws_->mass * a;
    const double stored = ws_->invariant_v.row(row).dot(a) + ws_->invariant_q.row(row).dot(s.v) +
                          ws_->invariant_t[row];
    const double fed = ws_->power[row] + ws_->power_acceleration.row(row).dot(a) +
                       s.v.dot(inertia - ws_->force);  // [CHECK.3]
    const double size = std::max(
        {1.0, std::abs(stored), s.v.cwiseAbs().dot(inertia.cwiseAbs() + ws_->force.cwiseAbs())});
    note(4, Vector::Constant(1, std::abs(stored - fed) / size), {info_.invariants[k].name});
  }
}

}  // namespace

std::vector<DerivativeCheck> check_derivatives(const System& system, const State& state,
                                               Vector* row_errors) {
  DerivativeChecker checker(system);
  std::mt19937_64 random(20240229);
  const auto n = state.v.size();
  checker.check({state, draw_vector(n, random)});
  for (int k = 0; k < kRandomStates; ++k) {
    State near = state;
    system.retract(near.q, kDistance * (1.0 + max_abs(state.q)) * draw_vector(n, random));
    near.v += (1.0 + kDistance * max_abs(state.v)) * draw_vector(n, random);
    near.t += 0.5 * (1.0 + draw_number(random));
    checker.check({near, draw_vector(n, random)});
  }
  if (row_errors != nullptr) *row_errors = checker.row_errors();
  return checker.take();
}

}  // namespace driftless
