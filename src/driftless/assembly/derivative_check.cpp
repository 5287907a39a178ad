// Each check compares a claimed derivative with differences of fourth order,
//   f'(0) ≈ (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / 12h,                                                         [CHECK.1]
//   f'(0) ≈ ±(-25 f(0) + 48 f(±h) - 36 f(±2h) + 16 f(±3h) - 3 f(±4h)) / 12h                                      [CHECK.4]
// for several steps h, and keeps the best agreement: a correct derivative agrees for one of them whatever the time scale
// of the system is, a wrong one for none. Where bodies turn fast, h is also taken as a part of a radian. The one-sided
// differences are for places where a derivative jumps, such as the begin of step(t, 0, ...): there it is that of one
// side. Along (t, q, v) = (1, v, a) with any acceleration a:
//   dΦ/dt = ρ (position rows),   dρ/dt = G a - γ,   dI/dt = I_v a + I_q v + I_t,   and the probes of elements   [CHECK.2]
// and along q = w alone: dG = jacobian rate. The forces are checked by energy. Whatever a is, the additional force
// r = M a - Q would produce it, without constraints; so [SYS.4] demands
//   I_v a + I_q v + I_t = power + power_acceleration·a + v·(M a - Q)                                             [CHECK.3]

#include "driftless/assembly/derivative_check.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <span>

#include "driftless/assembly/random_numbers.hpp"

namespace driftless {

namespace {

constexpr int kRandomStates = 3;
constexpr double kDistance = 0.1;  // of the random states, relative to 1 + |value|
constexpr std::array<double, 4> kSteps{1e-2, 1e-3, 1e-4, 1e-5};
constexpr double kFast = 10.0;  // rates above: their turns count, not only the time

struct Point {
  int place;      // in steps
  double weight;  // divided by h
};
constexpr std::array<Point, 4> kCentral{
    {{1, 8.0 / 12.0}, {-1, -8.0 / 12.0}, {2, -1.0 / 12.0}, {-2, 1.0 / 12.0}}};
constexpr std::array<Point, 5> kForward{
    {{0, -25.0 / 12.0}, {1, 48.0 / 12.0}, {2, -36.0 / 12.0}, {3, 16.0 / 12.0}, {4, -3.0 / 12.0}}};

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
        row_errors_(Vector::Zero(system.info().row_count())),
        probe_errors_(Vector::Zero(static_cast<Eigen::Index>(system.info().probes.size()))) {
    for (const char* what : {"Jacobian and velocity of the position constraints",
                             "acceleration of the constraints (gamma, G)", "rate of the Jacobian",
                             "gradients of the invariants", "energy balance of the forces",
                             "rates of forces and measures"})
      checks_.push_back({what, "", 0.0});
  }

  void check(const Motion& motion);
  std::vector<DerivativeCheck> take() { return std::move(checks_); }
  const Vector& row_errors() const { return row_errors_; }
  const Vector& probe_errors() const { return probe_errors_; }

 private:
  void eval(const State& state, Workspace& ws) const;
  State find_moved(const Motion& motion, double h) const;
  /// The best agreement of `claimed` with differences of `value` over some steps, per component.
  /// `groups`: so many rows of a matrix, stored by columns, whose entries are compared with their row's size; 0: each
  /// component with its own.
  Vector find_errors(const Motion& motion, const Vector& claimed,
                     const std::function<Vector(double)>& value, Eigen::Index groups = 0) const;
  void check_along(const Motion& motion);
  Vector eval_probes(const State& state, const Vector& acceleration, Workspace& ws,
                     Vector& slopes) const;
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
  Vector probe_errors_;
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
                                      const std::function<Vector(double)>& value,
                                      Eigen::Index groups) const {
  const auto find_size = [&](const Vector& sample) -> Vector {
    if (groups == 0) return sample.cwiseAbs();
    const Eigen::Index members = sample.size() / groups;
    return sample.reshaped(groups, members).rowwise().norm().replicate(1, members).reshaped();
  };
  Vector best = Vector::Constant(claimed.size(), std::numeric_limits<double>::infinity());
  const auto compare = [&](double h, std::span<const Point> points) {
    Vector found = Vector::Zero(claimed.size());
    Vector size = find_size(claimed).cwiseMax(1.0);
    for (const Point& point : points) {
      const Vector sample = value(point.place * h);
      found += point.weight / h * sample;
      size = size.cwiseMax(find_size(sample));
    }
    const Vector error = (claimed - found).cwiseAbs().cwiseQuotient(size);
    for (Eigen::Index i = 0; i < best.size(); ++i)
      if (error[i] < best[i]) best[i] = error[i];
  };
  std::vector<double> steps(kSteps.begin(), kSteps.end());
  const double fastest = max_abs(motion.state.v);
  if (fastest > kFast)
    for (const double h : kSteps) steps.push_back(h / fastest);
  for (const double h : steps) compare(h, kCentral);  // [CHECK.1]
  const auto is_good = [&] {
    return claimed.size() == 0 || best.maxCoeff() <= kDerivativeTolerance;
  };
  for (std::size_t k = 0; k < steps.size() && !is_good(); ++k) {
    compare(steps[k], kForward);  // [CHECK.4]
    compare(-steps[k], kForward);
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
                          ws_->mass.is_finite() && ws_->invariant.allFinite();
  if (!is_defined) return;  // a random state outside of the domain of the expressions
  check_along(motion);
  check_jacobian_rate(motion);
  check_energy(motion);
}

Vector DerivativeChecker::eval_probes(const State& state, const Vector& acceleration, Workspace& ws,
                                      Vector& slopes) const {
  Vector values = Vector::Zero(probe_errors_.size());
  slopes = values;
  if (values.size() == 0) return values;
  const Vector lambda = Vector::Zero(info_.row_count());
  system_.eval_probes({state.t, state.q, state.v, acceleration, lambda}, ws, values, slopes);
  return values;
}

/// [CHECK.2], all of them at once: each sample costs a whole evaluation.
void DerivativeChecker::check_along(const Motion& motion) {
  const State& s = motion.state;
  const auto positions = static_cast<Eigen::Index>(info_.position_rows);
  const auto rows = static_cast<Eigen::Index>(info_.row_count());
  const auto invariants = static_cast<Eigen::Index>(info_.invariants.size());
  Vector claimed(positions + rows + invariants + probe_errors_.size());
  Vector probe_slopes;
  const Vector rho_dot = ws_->jacobian.dense() * motion.acceleration - ws_->gamma;
  const Vector invariant_dot =
      ws_->invariant_v * motion.acceleration + ws_->invariant_q * s.v + ws_->invariant_t;
  const Vector phi_dot = ws_->velocity_residual.head(positions);
  eval_probes(s, motion.acceleration, *moved_, probe_slopes);
  claimed << phi_dot, rho_dot, invariant_dot, probe_slopes;
  const Vector errors = find_errors(motion, claimed, [&](double h) {
    const State moved = find_moved(motion, h);
    eval(moved, *moved_);
    Vector sample(claimed.size());
    sample << moved_->phi, moved_->velocity_residual, moved_->invariant,
        eval_probes(moved, motion.acceleration, *moved_, probe_slopes);
    return sample;
  });
  note(0, errors.head(positions), info_.rows);
  note(1, errors.segment(positions, rows), info_.rows);
  note(3, errors.segment(positions + rows, invariants), list_invariants());
  const Vector probes = errors.tail(probe_errors_.size());
  probe_errors_ = probe_errors_.cwiseMax(probes);
  note(5, probes, info_.probes);
}

void DerivativeChecker::check_jacobian_rate(const Motion& motion) {
  const State& s = motion.state;
  BlockMatrix blocks = ws_->jacobian;
  system_.eval_jacobian_rate(s.t, s.q, s.v, *ws_, blocks);
  const Matrix rate = blocks.dense().topRows(info_.position_rows);
  const Vector claimed = rate.reshaped();
  if (claimed.size() == 0) return;
  const auto eval_moved = [&](double h) -> Vector {
    Vector q = s.q;
    system_.retract(q, h * s.v);
    system_.eval_configuration(s.t, q, *moved_);
    return moved_->jacobian.dense().topRows(rate.rows()).reshaped();
  };
  const Vector errors = find_errors(motion, claimed, eval_moved, rate.rows());
  note(2, errors.reshaped(rate.rows(), rate.cols()).rowwise().maxCoeff(), info_.rows);
}

void DerivativeChecker::check_energy(const Motion& motion) {
  const State& s = motion.state;
  system_.eval_power(s.t, s.q, s.v, *ws_);
  const Vector& a = motion.acceleration;
  for (std::size_t k = 0; k < info_.invariants.size(); ++k) {
    if (!info_.invariants[k].is_energy) continue;
    const auto row = static_cast<Eigen::Index>(k);
    const Vector inertia = ws_->mass.dense() * a;
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
                                               Vector* row_errors, Vector* probe_errors) {
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
  if (probe_errors != nullptr) *probe_errors = checker.probe_errors();
  return checker.take();
}

}  // namespace driftless
