// Two drives of one angle agree at the start and part later: t³ and 2t³ have the same value, rate and acceleration at
// t = 0. So the mechanism is taken along the prescribed motion, in steps that turn no body far, to random later times.
// There redundant rows must hold together. If they do not, the step is shortened a few times, because from far Newton's
// method fails for other reasons, too; contradictory rows fail at any distance.
//
// Drives of different joints of a loop are at odds without any two rows that are: there it is for the run's own test of
// reach to say whether a pose near the last one closes. Which gaps count is the run's rule, too [DRW.5], of what its
// projection leaves: it moves the rows that it keeps, and those that it leaves out bear the whole gap. With a misfit it
// leaves out directions, as is done here.

#include "driftless/assembly/contradiction.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "driftless/assembly/random_numbers.hpp"
#include "driftless/assembly/start_solver.hpp"
#include "driftless/base/names.hpp"
#include "driftless/math/decompositions.hpp"
#include "driftless/math/row_choice.hpp"
#include "driftless/system/drawn_rank.hpp"

namespace driftless {
namespace {

/// The rows a little beside the level's values, and how they depend on each other there.
struct Dependence {
  Matrix rows;
  Vector norms;
  Vector residual;  ///< divided by the norms
  RowChoice choice;

  /// Row i as a combination of the others, of the rows as they are.
  Vector find_own_combination(Eigen::Index i) const {
    return (norms[i] * find_combination(rows, choice, i)).cwiseQuotient(norms);
  }
  bool is_redundant(Eigen::Index i) const {
    return std::find(choice.redundant.begin(), choice.redundant.end(), i) != choice.redundant.end();
  }
};

// Beside the level's values loops are open: only rows that say the same by themselves depend on each other.
constexpr double kSameRows = 1e-9;

/// All rows, those first that time changes while nothing moves: what they ask for is compared with each other before loops,
/// which are open here, can make up for it.
std::vector<Eigen::Index> find_order(StartLevel& level) {
  constexpr double kLater = 0.37;
  const Vector now = level.residual();
  level.state().t += kLater;
  level.eval();
  const Vector later = level.residual();
  level.state().t -= kLater;
  level.eval();
  std::vector<Eigen::Index> order(static_cast<std::size_t>(now.size()));
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  std::stable_partition(order.begin(), order.end(),
                        [&](Eigen::Index i) { return later[i] != now[i]; });
  return order;
}

RowChoice choose_in_order(const Matrix& rows, const std::vector<Eigen::Index>& order) {
  Matrix ordered(rows.rows(), rows.cols());
  for (std::size_t k = 0; k < order.size(); ++k)
    ordered.row(static_cast<Eigen::Index>(k)) = rows.row(order[k]);
  RowChoice choice = choose_rows(ordered, kSameRows);
  for (std::vector<Eigen::Index>* const list : {&choice.needed, &choice.redundant})
    for (Eigen::Index& row : *list) row = order[static_cast<std::size_t>(row)];
  return choice;
}

bool find_dependence(StartLevel& level, double phase, Dependence& found) {
  const Vector start = level.values();
  Vector delta(level.info().nv);
  const double size = 0.01 * (1.0 + max_abs(start));
  for (Eigen::Index i = 0; i < delta.size(); ++i)
    delta[i] = size * std::sin(phase + 2.4 * static_cast<double>(i));
  level.select({level.list_rows(), {}});
  level.move(delta);
  level.eval();
  found.rows = level.find_unit_rows(level.make_scaling({}), found.norms);
  found.residual = level.residual().cwiseQuotient(found.norms);
  const std::vector<Eigen::Index> order = find_order(level);
  level.values() = start;
  level.eval();
  if (!found.rows.allFinite() || !found.residual.allFinite()) return false;
  found.choice = choose_in_order(found.rows, order);
  return true;
}

}  // namespace

// Rows that depend on each other beside this state, too, in the same way here as there, with residuals that do not: they
// contradict each other everywhere. (Of more rows than rates some always depend on each other, but not in the same way.)
// Each redundant row with all those of which it is a combination.
std::vector<int> find_contradictory_rows(StartLevel& level) {
  constexpr double kContradict = 1e-9;
  constexpr double kSame = 1e-6;
  Dependence here;
  Dependence there;
  if (!find_dependence(level, 1.0, here) || !find_dependence(level, 2.2, there)) return {};
  std::vector<bool> involved(static_cast<std::size_t>(here.rows.rows()), false);
  for (const Eigen::Index i : here.choice.redundant) {
    if (!there.is_redundant(i)) continue;
    const Vector own = here.find_own_combination(i);
    if (max_abs(Vector(own - there.find_own_combination(i))) > kSame * (1.0 + max_abs(own)))
      continue;
    const Vector c = find_combination(here.rows, here.choice, i);
    const double size = std::abs(here.residual[i]) + c.cwiseAbs().dot(here.residual.cwiseAbs());
    if (!(std::abs(here.residual[i] - c.dot(here.residual)) > kContradict * size)) continue;
    for (Eigen::Index k = 0; k < c.size(); ++k)
      if (k == i || c[k] != 0.0) involved[static_cast<std::size_t>(k)] = true;
  }
  std::vector<int> found;
  for (std::size_t k = 0; k < involved.size(); ++k)
    if (involved[k]) found.push_back(static_cast<int>(k));
  return found;
}

namespace {

constexpr int kTimes = 4;
constexpr int kMaxSteps = 60;
constexpr int kMaxHalvings = 6;
constexpr double kLargestTurn = 0.5;  // rad in one step

/// Takes the mechanism along. False: it cannot get on.
class PrescribedWalk {
 public:
  PrescribedWalk(const System& system, const State& start, const DrawnRank& drawn)
      : system_(system),
        state_(start),
        ws_(system.make_workspace()),
        level_(system, *ws_, state_, nullptr),
        drawn_(drawn),
        rank_tolerance_(find_run_tolerance(system, start, drawn, kDefaultRankTolerance)) {
    level_.select({level_.list_rows(), {}});
    level_.go_on_the_way();
    system.accept(state_.t, state_.q, Vector(Vector::Zero(system.info().nv)), *ws_);
    way_.push_back(state_);
    level_.eval();
    engine_ = system.make_engine(*ws_, system.info().position_rows, EngineKind::automatic);
    (void)engine_->factorize(ws_->mass, true, ws_->jacobian, rank_tolerance_);
  }

  StartLevel& level() { return level_; }
  double t() const { return state_.t; }
  /// After a step that failed: from where, and the shortest that was tried.
  HaltedMotion halted() const { return {way_, tried_, drawn_, rank_tolerance_}; }

  bool step(double until) {
    const State before = state_;
    const Vector rates = find_rates();
    const double fastest = max_abs(rates);
    double dt = until - state_.t;
    if (fastest > 0.0) dt = std::min(dt, kLargestTurn / fastest);
    const double first_dt = dt;
    for (int halving = 0; halving <= kMaxHalvings; ++halving, dt *= 0.5) {
      state_ = before;
      state_.t += dt;
      if (rates.allFinite()) level_.move(dt * rates);
      int iterations = 0;
      tried_ = state_.t;
      if (solve_newton(level_, {}, 50, iterations) && is_near(before) && is_closed_by_run()) {
        system_.accept(state_.t, state_.q, Vector(Vector::Zero(system_.info().nv)), *ws_);
        way_.push_back(state_);
        return true;
      }
    }
    // Where it fails beyond doubt, rather than where it begins to.
    state_ = before;
    state_.t += first_dt;
    if (rates.allFinite()) level_.move(first_dt * rates);
    return false;
  }

 private:
  /// The slowest motion with Φ' = 0, in the mass metric.
  Vector find_rates() {
    level_.eval();
    const Vector rest = Vector::Zero(system_.info().nv);
    system_.eval_velocity(state_.t, state_.q, rest, *ws_);
    const Matrix scaling = level_.make_scaling({});
    Vector norms;
    const Matrix rows = level_.find_unit_rows(scaling, norms);
    const Vector asked = ws_->velocity_residual.head(level_.row_count()).cwiseQuotient(norms);
    return -(scaling * solve_least_norm(rows, asked, kDrawnTolerance));
  }

  /// Of what a projection of the run leaves open.
  bool is_closed_by_run() {
    const SystemInfo& info = system_.info();
    if (drawn_.misfit > 0.0) return true;
    level_.eval();
    if (!engine_->factorize(ws_->mass, true, ws_->jacobian, rank_tolerance_)) return true;
    Vector change(info.nv), lambda(info.position_rows);
    engine_->solve(Vector(Vector::Zero(info.nv)), Vector(-ws_->phi), change, lambda);
    const Vector pose = state_.q;
    level_.move(change);
    level_.eval();
    const double visible = drawn_.find_visible_gap();
    bool is_closed = true;
    for (int i = 0; i < info.position_rows; ++i) {
      const double whole = drawn_.sizes[i] > 0.0
                               ? drawn_.sizes[i]
                               : ws_->jacobian.find_row_norm(i) * (1.0 + max_abs(state_.q));
      is_closed = is_closed && std::abs(ws_->phi[i]) <= visible * (whole > 0.0 ? whole : 1.0);
    }
    state_.q = pose;
    level_.eval();
    return is_closed;
  }

  bool is_near(const State& before) const {
    Vector delta(system_.info().nv);
    system_.find_increment(before.q, state_.q, delta);
    for (const BodyInfo& body : system_.info().bodies)
      if (max_abs(delta.segment(body.rate + body.rates - body.turns, body.turns)) > 1.0)
        return false;
    return true;
  }

  const System& system_;
  State state_;
  std::unique_ptr<Workspace> ws_;
  PositionLevel level_;
  const DrawnRank& drawn_;
  double rank_tolerance_;
  std::unique_ptr<SaddleEngine> engine_;
  std::vector<State> way_;
  double tried_ = 0.0;
};

std::vector<std::string> find_owners(const SystemInfo& info, const std::vector<int>& rows) {
  std::vector<std::string> names;
  for (const int row : rows) {
    std::string name = info.rows[static_cast<std::size_t>(row)];
    for (const ElementInfo& element : info.elements)
      if (std::find(element.rows.begin(), element.rows.end(), row) != element.rows.end())
        name = element.name;
    if (names.empty() || names.back() != name) names.push_back(name);
  }
  return names;
}

}  // namespace

void check_prescribed_motion(const System& system, const State& start, double until,
                             CheckReport& report) {
  const SystemInfo& info = system.info();
  if (!info.has_time_rows || report.redundant.empty() || !(until > start.t)) return;
  const DrawnRank drawn = find_drawn_rank(system, start);
  const double gap = drawn.find_start_gap();
  const bool is_closed = report.max_phi <= gap * (1.0 + max_abs(start.q)) &&
                         report.max_rho <= gap * (1.0 + max_abs(start.v));
  if (!is_closed) return;
  std::mt19937_64 random(20260303);
  std::array<double, kTimes> times{};
  for (double& time : times) time = start.t + 0.5 * (1.0 + draw_number(random)) * (until - start.t);
  times.back() = until;
  std::sort(times.begin(), times.end());
  PrescribedWalk walk(system, start, drawn);
  int steps = 0;
  for (const double time : times) {
    for (; walk.t() < time && steps < kMaxSteps; ++steps) {
      if (walk.step(time)) continue;
      const std::vector<int> rows = find_contradictory_rows(walk.level());
      if (rows.size() < 2) {  // it may be out of reach, which is for the run to tell
        if (report.dof == 0) report.halted = walk.halted();
        return;
      }
      const std::string names = join_names(find_owners(info, rows));
      report.errors.push_back(fmt::format(
          "{} contradict each other at t = {:.4g}: what they prescribe is the same at the start, "
          "but not later",
          names, walk.t()));
      report.remedy = fmt::format("remove or correct one of {}", names);
      if (!info.row_sources.empty())
        report.where = info.row_sources[static_cast<std::size_t>(rows.back())];
      return;
    }
  }
}

}  // namespace driftless
