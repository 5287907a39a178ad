// Each check compares a claimed derivative with differences of fourth order,
//   f'(0) ≈ (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / 12h,                                                         [CHECK.1]
//   f'(0) ≈ ±(-25 f(0) + 48 f(±h) - 36 f(±2h) + 16 f(±3h) - 3 f(±4h)) / 12h                                      [CHECK.4]
// for several steps h, and keeps the best agreement: a correct derivative agrees for one of them whatever the time scale
// of the system is, a wrong one for none. Where bodies turn fast, h is also taken as a part of a radian. The one-sided
// differences are for places where a derivative jumps, such as the begin of step(t, 0, ...): there it is that of one
// side. Along (t, q, v, c) = (1, v, a, d) with any acceleration a:
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
  Vector state_rate = {};  // d there
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

  void check(Motion motion);
  std::vector<DerivativeCheck> take() { return std::move(checks_); }
  const Vector& row_errors() const { return row_errors_; }
  const Vector& probe_errors() const { return probe_errors_; }

 private:
  void eval(const State& state, Workspace& ws) const;
  State find_moved(const Motion& motion, double h) const;
  /// The best agreement of `claimed` with differences of `value` over some steps, per component.
  /// `row_of`: the row of each component, if they are entries of a matrix, which are compared with their row's size; else
  /// each component is compared with its own.
  Vector find_errors(const Motion& motion, const Vector& claimed,
                     const std::function<Vector(double)>& value,
                     const std::vector<int>& row_of = {}) const;
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
  ws.states = state.c;
  system_.eval_configuration(state.t, state.q, ws);
  system_.eval_motion(state.t, state.q, state.v, ws);
  system_.eval_invariants(state.t, state.q, state.v, ws);
}

State DerivativeChecker::find_moved(const Motion& motion, double h) const {
  State moved = motion.state;
  moved.t += h;
  system_.retract(moved.q, Vector(h * motion.state.v));
  moved.v += h * motion.acceleration;
  moved.c += h * motion.state_rate;
  return moved;
}

Vector DerivativeChecker::find_errors(const Motion& motion, const Vector& claimed,
                                      const std::function<Vector(double)>& value,
                                      const std::vector<int>& row_of) const {
  const auto find_size = [&](const Vector& sample) -> Vector {
    if (row_of.empty()) return sample.cwiseAbs();
    Vector squares = Vector::Zero(info_.row_count());
    for (Eigen::Index k = 0; k < sample.size(); ++k)
      squares[row_of[static_cast<std::size_t>(k)]] += sample[k] * sample[k];
    Vector size(sample.size());
    for (Eigen::Index k = 0; k < sample.size(); ++k)
      size[k] = std::sqrt(squares[row_of[static_cast<std::size_t>(k)]]);
    return size;
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

void DerivativeChecker::check(Motion motion) {
  const State& s = motion.state;
  eval(s, *ws_);
  motion.state_rate = ws_->state_rate;
  system_.eval_invariant_gradients(s.t, s.q, s.v, *ws_);
  const bool is_defined = ws_->phi.allFinite() && ws_->velocity_residual.allFinite() &&
                          ws_->gamma.allFinite() && ws_->force.allFinite() &&
                          ws_->mass.is_finite() && ws_->invariant.allFinite() &&
                          ws_->state_rate.allFinite();
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
  ws.states = state.c;
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
  Vector rho_dot = ws_->gamma;
  ws_->jacobian.multiply(motion.acceleration, rho_dot);
  rho_dot -= ws_->gamma;
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

/// The entries of the first rows, those outside of the blocks left out, and the row of each.
Vector take_entries(const BlockMatrix& matrix, int rows, std::vector<int>* row_of) {
  std::vector<double> entries;
  const auto take = [&](int row, double entry) {
    if (row >= rows) return;
    entries.push_back(entry);
    if (row_of != nullptr) row_of->push_back(row);
  };
  if (matrix.is_whole() || matrix.blocks().empty()) {
    const Matrix& whole = matrix.dense();
    for (int j = 0; j < matrix.columns(); ++j)
      for (int i = 0; i < rows; ++i) take(i, whole(i, j));
  } else {
    for (const Block& block : matrix.blocks()) {
      const double* values = matrix.data() + block.first;
      for (int k = 0; k < block.rows * block.columns; ++k)
        take(block.row + k % block.rows, values[k]);
    }
  }
  return Eigen::Map<const Vector>(entries.data(), static_cast<Eigen::Index>(entries.size()));
}

void DerivativeChecker::check_jacobian_rate(const Motion& motion) {
  const State& s = motion.state;
  BlockMatrix blocks = ws_->jacobian;
  system_.eval_jacobian_rate(s.t, s.q, s.v, *ws_, blocks);
  std::vector<int> row_of;
  const Vector claimed = take_entries(blocks, info_.position_rows, &row_of);
  if (claimed.size() == 0) return;
  const auto eval_moved = [&](double h) -> Vector {
    Vector q = s.q;
    system_.retract(q, Vector(h * s.v));
    system_.eval_configuration(s.t, q, *moved_);
    return take_entries(moved_->jacobian, info_.position_rows, nullptr);
  };
  const Vector errors = find_errors(motion, claimed, eval_moved, row_of);
  Vector worst = Vector::Zero(info_.position_rows);
  for (Eigen::Index k = 0; k < errors.size(); ++k) {
    double& error = worst[row_of[static_cast<std::size_t>(k)]];
    error = std::max(error, errors[k]);
  }
  note(2, worst, info_.rows);
}

void DerivativeChecker::check_energy(const Motion& motion) {
  const State& s = motion.state;
  system_.eval_power(s.t, s.q, s.v, *ws_);
  const Vector& a = motion.acceleration;
  for (std::size_t k = 0; k < info_.invariants.size(); ++k) {
    if (!info_.invariants[k].is_energy) continue;
    const auto row = static_cast<Eigen::Index>(k);
    Vector inertia = a;
    ws_->mass.multiply(a, inertia);
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
  State begin = state;
  if (begin.c.size() == 0) begin.c = system.info().state_start;
  checker.check({begin, draw_vector(n, random)});
  for (int k = 0; k < kRandomStates; ++k) {
    State near = begin;
    const double distance = kDistance * (1.0 + max_abs(state.q));
    system.retract(near.q, Vector(distance * draw_vector(n, random)));
    near.v += (1.0 + kDistance * max_abs(state.v)) * draw_vector(n, random);
    near.t += 0.5 * (1.0 + draw_number(random));
    near.c += kDistance * (1.0 + max_abs(begin.c)) * draw_vector(begin.c.size(), random);
    checker.check({near, draw_vector(n, random)});
  }
  if (row_errors != nullptr) *row_errors = checker.row_errors();
  if (probe_errors != nullptr) *probe_errors = checker.probe_errors();
  return checker.take();
}

}  // namespace driftless
