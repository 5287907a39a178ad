// Consistent start values
// -----------------------
// Gauss-Newton steps of least change, first for the positions, then for the velocities:
//   delta = -U (D G U)⁺ D r,      r = Φ or ρ,  U Uᵀ = M⁻¹,  D = 1/row norms of G U        [START.1]
// so that deltaᵀ M delta is least among all steps that remove the linearised residual; redundant
// rows are no obstacle (pseudoinverse). A step is halved until it reduces |D r|. Values that were
// left out move first, alone: the other columns of G U are dropped and U = diag(M)^(-1/2). Only if
// that does not close the constraints, everything moves.
//
// A row is met if its residual is round-off of evaluating it, x = q or v:
//   |r_i| <= 1e-12 (1 + Σ_j |G_ij| |x_j|)                                                 [START.2]
//
// Wanted values of measures (start targets) are further rows, r = measured - wanted. They are tried all together, then
// without the guesses, then the exact ones alone; the first set that can be met with the constraints counts. Where the
// wanted pose is far, the targets approach it in several steps, each of them solved.    [START.3]
//
// Rejected: minimising the distance to the given values over the whole manifold. It converges
// linearly where Newton converges quadratically, and the answer differs only by the square of a
// correction that is small or unwanted.

#include "driftless/assembly/start.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/assembly/metric.hpp"
#include "driftless/math/decompositions.hpp"

namespace driftless {

namespace {

constexpr double kMet = 1e-12;
constexpr int kMaxHalvings = 20;
constexpr double kRankTolerance = 1e-10;

/// One level of the constraints as a function of what moves at that level.
class Level {
 public:
  Level(const System& system, Workspace& ws, State& state)
      : system_(system), ws_(ws), state_(state) {}
  virtual ~Level() = default;
  virtual Vector& values() = 0;
  virtual bool is_velocity() const = 0;
  virtual void move(const Vector& delta) = 0;

  void eval() {
    eval_rows();
    const Vector& rows = row_residual();
    const auto count = rows.size();
    residual_.resize(count + static_cast<Eigen::Index>(active_.size()));
    jacobian_.resize(residual_.size(), ws_.jacobian.cols());
    residual_.head(count) = rows;
    jacobian_.topRows(count) = ws_.jacobian.topRows(count);
    Vector row(ws_.jacobian.cols());
    for (std::size_t k = 0; k < active_.size(); ++k) {
      const auto i = count + static_cast<Eigen::Index>(k);
      residual_[i] = eval_target(active_[k], row) + remaining_[k];
      jacobian_.row(i) = row.transpose();
    }
  }
  const Vector& residual() const { return residual_; }
  const Matrix& jacobian() const { return jacobian_; }
  const Matrix& mass() const { return ws_.mass; }

  /// Which targets count from now on.
  void aim(const StartTargets* targets, std::vector<std::size_t> active) {
    targets_ = targets;
    active_ = std::move(active);
    remaining_.assign(active_.size(), 0.0);
  }
  /// Lets the targets stand this fraction of the way before where they are wanted. [START.3]
  void hold_back(double fraction, const std::vector<double>& way) {
    for (std::size_t k = 0; k < active_.size(); ++k) remaining_[k] = -fraction * way[k];
  }
  std::vector<double> find_way() {
    std::vector<double> way;
    Vector row(ws_.jacobian.cols());
    for (const std::size_t index : active_) way.push_back(eval_target(index, row));
    return way;
  }
  const StartTargets* targets() const { return targets_; }
  double eval_target(std::size_t index, Vector& row) {
    return is_velocity() ? targets_->eval_rate(index, state_.q, state_.v, row)
                         : targets_->eval_position(index, state_.q, row);
  }

  /// [START.2]; infinity or NaN is never met.
  Vector find_tolerances() {
    const Vector ones = Vector::Ones(residual().size());
    if (values().size() != ws_.jacobian.cols()) return kMet * ones * (1.0 + max_abs(values()));
    return kMet * (ones + jacobian().cwiseAbs() * values().cwiseAbs());
  }
  bool is_met() {
    return residual().size() == 0 ||
           (residual().allFinite() &&
            (residual().cwiseAbs().array() <= find_tolerances().array()).all());
  }

 protected:
  virtual void eval_rows() = 0;
  virtual const Vector& row_residual() const = 0;

  const System& system_;
  Workspace& ws_;
  State& state_;

 private:
  const StartTargets* targets_ = nullptr;
  std::vector<std::size_t> active_;
  std::vector<double> remaining_;
  Vector residual_;
  Matrix jacobian_;
};

class PositionLevel final : public Level {
 public:
  using Level::Level;
  Vector& values() override { return state_.q; }
  bool is_velocity() const override { return false; }
  void move(const Vector& delta) override { system_.retract(state_.q, delta); }

 private:
  void eval_rows() override { system_.eval_configuration(state_.t, state_.q, ws_); }
  const Vector& row_residual() const override { return ws_.phi; }
};

class VelocityLevel final : public Level {
 public:
  using Level::Level;
  Vector& values() override { return state_.v; }
  bool is_velocity() const override { return true; }
  void move(const Vector& delta) override { state_.v += delta; }

 private:
  void eval_rows() override {
    system_.eval_configuration(state_.t, state_.q, ws_);
    system_.eval_motion(state_.t, state_.q, state_.v, ws_);
  }
  const Vector& row_residual() const override { return ws_.velocity_residual; }
};

// U of [START.1]: all columns, or only those of the guesses.
Matrix make_scaling(ConstMatrixRef mass, const std::vector<bool>& is_free) {
  if (is_free.empty()) return make_mass_scaling(mass);
  const auto n = mass.rows();
  Matrix scaling = Matrix::Zero(n, std::count(is_free.begin(), is_free.end(), true));
  Eigen::Index col = 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    if (!is_free[static_cast<std::size_t>(i)]) continue;
    scaling(i, col++) = mass(i, i) > 0.0 ? 1.0 / std::sqrt(mass(i, i)) : 1.0;
  }
  return scaling;
}

// One damped step of [START.1]; false if no length of it reduces the residual.
bool take_step(Level& level, const std::vector<bool>& is_free) {
  const Matrix scaling = make_scaling(level.mass(), is_free);
  Vector norms;
  const Matrix rows = normalize_rows(level.jacobian() * scaling, norms);
  const Vector before = level.residual().cwiseQuotient(norms);
  const Vector delta = -(scaling * solve_least_norm(rows, before, kRankTolerance));
  if (!delta.allFinite() || max_abs(delta) == 0.0) return false;
  const Vector start = level.values();
  double length = 1.0;
  for (int halving = 0; halving < kMaxHalvings; ++halving, length *= 0.5) {
    level.values() = start;
    level.move(length * delta);
    level.eval();
    const double after = level.residual().cwiseQuotient(norms).norm();
    if (after < (1.0 - 1e-3 * length) * before.norm()) return true;
  }
  level.values() = start;
  level.eval();
  return false;
}

// Steps until the rows are met, and one more to reach round-off. Returns success.
bool solve(Level& level, const std::vector<bool>& is_free, int max_iterations, int& iterations) {
  level.eval();
  for (int k = 0; k < max_iterations; ++k) {
    if (level.is_met()) {
      if (k > 0) iterations += int{take_step(level, is_free)};
      return true;
    }
    if (!level.residual().allFinite() || !level.jacobian().allFinite()) return false;
    if (!take_step(level, is_free)) return level.is_met();
    ++iterations;
  }
  return level.is_met();
}

std::vector<bool> find_guesses(const std::vector<bool>& given, Eigen::Index n) {
  if (static_cast<Eigen::Index>(given.size()) != n) return {};
  std::vector<bool> is_free(given);
  is_free.flip();
  const auto count = std::count(is_free.begin(), is_free.end(), true);
  if (count == 0) return {};
  return is_free;
}

// Guesses first, then everything. Returns success.
bool close(Level& level, const std::vector<bool>& given, const StartOptions& options,
           int& iterations, bool& moved_given) {
  level.eval();
  if (level.is_met()) return true;
  const Vector start = level.values();
  const std::vector<bool> guesses = find_guesses(given, level.mass().rows());
  const bool all_free = std::find(guesses.begin(), guesses.end(), false) == guesses.end();
  if (!guesses.empty() && !all_free) {
    if (solve(level, guesses, options.max_iterations, iterations)) return true;
    level.values() = start;
  }
  const bool closed = solve(level, {}, options.max_iterations, iterations);
  moved_given |= closed && (guesses.empty() || !all_free);
  return closed;
}

// [START.3]: one set of targets with the constraints. Returns success.
bool reach(Level& level, std::vector<std::size_t> active, const StartTargets& targets,
           const StartOptions& options, int& iterations) {
  const Vector start = level.values();
  level.aim(&targets, std::move(active));
  level.eval();
  const std::vector<double> way = level.find_way();
  for (const int stages : {1, 4, 16}) {
    level.values() = start;
    bool reached = true;
    for (int k = stages - 1; k >= 0 && reached; --k) {
      level.hold_back(static_cast<double>(k) / stages, way);
      reached = solve(level, {}, options.max_iterations, iterations);
    }
    if (reached) return true;
  }
  level.values() = start;
  return false;
}

// The targets of this level as far as they can be met with the constraints. Returns success.
bool close_with_targets(Level& level, const StartTargets& targets, const StartOptions& options,
                        int& iterations, std::vector<std::string>& unmet) {
  const std::vector<StartTarget>& list = targets.list();
  for (const Priority last : {Priority::guess, Priority::preferred, Priority::exact}) {
    std::vector<std::size_t> active;
    for (std::size_t k = 0; k < list.size(); ++k) {
      if (list[k].is_rate == level.is_velocity() && list[k].priority <= last) active.push_back(k);
    }
    if (!reach(level, active, targets, options, iterations)) continue;
    Vector row(level.mass().rows());
    for (std::size_t k = 0; k < list.size(); ++k) {
      if (list[k].is_rate != level.is_velocity() || list[k].priority == Priority::guess) continue;
      const double off = level.eval_target(k, row);
      if (std::abs(off) > 1e-9 * (1.0 + std::abs(list[k].value))) {
        unmet.push_back(fmt::format("{} = {:.6g} {} (wanted {:.6g})", list[k].name,
                                    list[k].value + off, list[k].unit, list[k].value));
      }
    }
    return true;
  }
  level.aim(&targets, {});
  level.eval();
  return false;
}

// Rows that are dependent also a little beside this state, with residuals that are not: they contradict each other
// everywhere. Each redundant row with all those of which it is a combination.
std::vector<Eigen::Index> find_contradiction(Level& level) {
  constexpr double kContradict = 1e-9;
  const Vector start = level.values();
  Vector delta(level.mass().rows());
  for (Eigen::Index i = 0; i < delta.size(); ++i)
    delta[i] = 0.01 * (1.0 + max_abs(start)) * std::sin(1.0 + 2.4 * static_cast<double>(i));
  level.move(delta);
  level.eval();
  Vector norms;
  const Matrix rows = normalize_rows(level.jacobian() * make_mass_scaling(level.mass()), norms);
  std::vector<bool> involved(static_cast<std::size_t>(rows.rows()), false);
  if (rows.allFinite() && level.residual().allFinite()) {
    const Vector residual = level.residual().cwiseQuotient(norms);
    const RowChoice choice = choose_rows(rows);
    for (const Eigen::Index i : choice.redundant) {
      const Vector c = find_combination(rows, choice, i);
      const double size = std::abs(residual[i]) + c.cwiseAbs().dot(residual.cwiseAbs());
      if (!(std::abs(residual[i] - c.dot(residual)) > kContradict * size)) continue;
      for (Eigen::Index k = 0; k < c.size(); ++k)
        if (k == i || c[k] != 0.0) involved[static_cast<std::size_t>(k)] = true;
    }
  }
  level.values() = start;
  level.eval();
  std::vector<Eigen::Index> found;
  for (std::size_t k = 0; k < involved.size(); ++k)
    if (involved[k]) found.push_back(static_cast<Eigen::Index>(k));
  return found;
}

/// "x = 1e+200".
std::string describe_largest(const SystemInfo& info, Level& level) {
  const Vector& values = level.values();
  if (values.size() == 0) return {};
  Eigen::Index largest = 0;
  values.cwiseAbs().maxCoeff(&largest);
  const bool is_rate = level.is_velocity();
  const std::string& name =
      (is_rate ? info.rates : info.coordinates)[static_cast<std::size_t>(largest)];
  return fmt::format("{} = {:.6g}", name, values[largest]);
}

/// Numbers whose squares leave the range of double precision. False: there is one, and it is named.
bool check_range(const Vector& values, const std::vector<std::string>& names, StartReport& report) {
  constexpr double kLargest = 1e150;
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    if (std::abs(values[i]) <= kLargest) continue;  // false for NaN
    report.message = fmt::format(
        "the start value {} = {:.6g} is too large: its square is beyond double precision",
        names[static_cast<std::size_t>(i)], values[i]);
    report.suggestion = fmt::format("give a value between -{:.0e} and {:.0e}", kLargest, kLargest);
    return false;
  }
  return true;
}

void explain_failure(const System& system, Level& level, const char* what, StartReport& report) {
  const Vector& residual = level.residual();
  Eigen::Index worst = 0;
  if (residual.allFinite()) {
    residual.cwiseAbs().maxCoeff(&worst);
  } else {
    while (std::isfinite(residual[worst])) ++worst;
  }
  report.worst_row = system.info().rows[static_cast<std::size_t>(worst)];
  report.worst_residual = residual[worst];
  if (!std::isfinite(residual[worst])) {
    report.message =
        fmt::format("constraint '{}' has no finite {} at the start", report.worst_row, what);
    report.suggestion = fmt::format(
        "change the start values, the largest of which is {}: the expression is not defined there",
        describe_largest(system.info(), level));
    return;
  }
  const std::vector<Eigen::Index> rows = find_contradiction(level);
  if (rows.size() < 2) {
    report.message =
        fmt::format("the constraints cannot be met at the start: the {} of '{}' stays at {:.3g}",
                    what, report.worst_row, residual[worst]);
    report.suggestion =
        "the dimensions do not fit, or the start values are too far from a possible pose: check "
        "the dimensions, or give start values nearer to one";
    return;
  }
  std::string left;
  for (const Eigen::Index row : rows) {
    report.contradictory.push_back(system.info().rows[static_cast<std::size_t>(row)]);
    left += fmt::format("{}{:.3g}", left.empty() ? "" : ", ", residual[row]);
  }
  const std::string names = join_names(report.contradictory);
  report.message = fmt::format(
      "the constraints cannot be met at the start: {} contradict each other (the {} stays at {})",
      names, what, left);
  report.suggestion = fmt::format("remove or correct one of {}", names);
}

void list_changes(const SystemInfo& info, const State& before, const State& after,
                  StartReport& report) {
  for (int i = 0; i < info.nq; ++i)
    if (before.q[i] != after.q[i])
      report.changes.push_back(
          {info.coordinates[static_cast<std::size_t>(i)], before.q[i], after.q[i]});
  for (int i = 0; i < info.nv; ++i)
    if (before.v[i] != after.v[i])
      report.changes.push_back({info.rates[static_cast<std::size_t>(i)], before.v[i], after.v[i]});
}

}  // namespace

StartReport make_consistent(const System& system, State& state, const GivenFlags& given,
                            const StartOptions& options) {
  StartReport report;
  if (!check_range(state.q, system.info().coordinates, report) ||
      !check_range(state.v, system.info().rates, report))
    return report;
  const State before = state;
  const auto ws = system.make_workspace();
  PositionLevel position(system, *ws, state);
  VelocityLevel velocity(system, *ws, state);

  position.eval();
  report.phi_before = report.phi_after = max_abs(position.residual());
  if (options.keep_given) {
    velocity.eval();
    report.rho_before = report.rho_after = max_abs(velocity.residual());
    report.success = true;
    return report;
  }
  const StartTargets* targets = given.targets;
  bool closed =
      targets != nullptr
          ? close_with_targets(position, *targets, options, report.position_iterations,
                               report.unmet_targets)
          : close(position, given.q, options, report.position_iterations, report.moved_given);
  report.phi_after = max_abs(position.residual());
  if (!closed) explain_failure(system, position, "residual", report);

  velocity.eval();
  report.rho_before = report.rho_after = max_abs(velocity.residual());
  if (closed) {
    closed =
        targets != nullptr
            ? close_with_targets(velocity, *targets, options, report.velocity_iterations,
                                 report.unmet_targets)
            : close(velocity, given.v, options, report.velocity_iterations, report.moved_given);
    report.rho_after = max_abs(velocity.residual());
    if (!closed) explain_failure(system, velocity, "velocity residual", report);
  }
  report.success = closed;
  if (closed) {
    list_changes(system.info(), before, state, report);
  } else {
    state = before;
  }
  return report;
}

}  // namespace driftless
