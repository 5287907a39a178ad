// Consistent start values
// -----------------------
// First the positions, then the velocities, each by iterations of least change in the mass metric (start_solver.cpp,
// start_pull.cpp: [START.1], [START.4], [START.5]). Values that were left out move first, alone: the other columns of G U
// are dropped and U = diag(M)^(-1/2). Only if that does not close the constraints, everything moves.
//
// A row is met if its residual is round-off of evaluating it:
//   |r_i| <= 1e-12 (1 + Σ_j |G_ij| |q_j|)   or   1e-12 (1 + |G_i| |v|)                                          [START.2]
// Of rates the whole lengths count: G belongs to a pose that is met to 1e-12 and not better, so an entry that should be 0
// is that much off it, and redundant rows of a fast motion disagree by its product with a rate that they do not contain.
// A state whose rows are met is left alone, bit for bit.
//
// Wanted values of measures (start targets) are further rows, r = measured - wanted. They are tried all together; where
// the wanted pose is far, they approach it in several steps, each of them solved.                              [START.3]
// The rows of a joint also hold with its axes opposed or turned by half a turn. Closed is what is closed the right way
// round (System::find_turns_off); from joints that are far off the rows may lead to the wrong side, so there the joints
// that form no loop are put together first, body after body, and the rows do the rest.
// If that fails, other poses are tried (start_search.cpp). The exact values always hold; the preferred ones come as near
// as they can; the guesses decide between what is left.
//
// Rejected: minimising the distance to the given values over the whole manifold. It converges
// linearly where Newton converges quadratically, and the answer differs only by the square of a
// correction that is small or unwanted.

#include "driftless/assembly/start.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/assembly/asked_values.hpp"
#include "driftless/assembly/metric.hpp"
#include "driftless/assembly/start_failure.hpp"
#include "driftless/assembly/start_many.hpp"
#include "driftless/assembly/start_search.hpp"
#include "driftless/math/decompositions.hpp"

namespace driftless {

namespace {

FreeFlags find_guesses(const std::vector<bool>& given, Eigen::Index n) {
  if (static_cast<Eigen::Index>(given.size()) != n) return {};
  FreeFlags is_free(given);
  is_free.flip();
  const auto count = std::count(is_free.begin(), is_free.end(), true);
  if (count == 0) return {};
  return is_free;
}

/// Rates on which the rows depend linearly: every start leads to the same end.
bool is_linear(const StartLevel& level) {
  return level.is_velocity() && level.info().velocity_rows_linear;
}

/// Positions or velocities of one start.
class LevelStart {
 public:
  LevelStart(StartLevel& level, const std::vector<bool>& given, const StartOptions& options,
             StartReport& report)
      : level_(level),
        limits_{options.max_iterations, is_linear(level) ? 1 : options.max_tries},
        report_(report),
        iterations_(level.is_velocity() ? report.velocity_iterations : report.position_iterations),
        guesses_(find_guesses(given, level.info().nv)),
        start_(level.values()) {
    for (const std::size_t index : level.list_targets(Priority::guess)) {
      const Priority priority = level.target(index).priority;
      (priority == Priority::exact       ? wishes_.exact
       : priority == Priority::preferred ? wishes_.preferred
                                         : wishes_.guesses)
          .push_back(index);
    }
  }

  /// True: the constraints hold, and the wanted values as far as they can.
  bool close() {
    SearchReport found;
    if (close_with_turns(found)) return true;
    level_.values() = start_;
    // An angle that is wanted half a turn or more away from what a drive, gear or rack asks for: its turn gives way.
    SearchReport found_free;
    if (!level_.is_velocity() && level_.let_turns_free(TurnFreedom::not_exact) &&
        close_with_turns(found_free)) {
      if (report_.closed_how.empty()) report_.closed_how = kFromGivenPose;  // at once
      return true;
    }
    level_.values() = start_;
    if (!level_.is_velocity()) level_.let_turns_free(TurnFreedom::not_given);
    if (explain_failure(level_, wishes_, found, limits_, report_)) {
      pull_wishes(level_, wishes_, limits_.max_iterations, iterations_);
      come_back(level_, wishes_, start_, limits_.max_iterations, iterations_);
      report_.closed_how = "with one joint closed after all others";
      report_.moved_given = report_.other_branch = true;
      return true;
    }
    level_.values() = start_;
    return false;
  }

  void list_unmet_targets() {
    for (const std::size_t index : level_.list_targets(Priority::preferred)) {
      if (level_.is_reached(index)) continue;
      const StartTarget& target = level_.target(index);
      report_.unmet_targets.push_back(
          fmt::format("{} (wanted {})", describe_target(target, level_.find_reached(index)),
                      describe_target(target, target.value)));
    }
  }

 private:
  /// With the turns of angles that are free at the time.
  bool close_with_turns(SearchReport& found) {
    all_ = {level_.list_rows(), wishes_.all()};
    level_.select(all_);
    level_.eval();
    if (level_.is_met() && !level_.is_turned_over()) return true;
    const bool is_defined = level_.is_finite();  // else the given values are wrong, not far
    const bool is_far = level_.is_far_turned();
    if (is_far && close_put_together()) return true;
    if (close_straight() || (level_.is_velocity() && close_rates())) return true;
    if (!is_far && ended_turned_over_ && close_put_together()) return true;
    return is_defined && close_by_search(found);
  }

  bool has_free_ones() const {
    return !guesses_.empty() &&
           std::find(guesses_.begin(), guesses_.end(), false) != guesses_.end();
  }

  /// Guesses first, then everything, from where they are.
  bool close_straight() {
    if (has_free_ones()) {
      if (solve_newton(level_, guesses_, limits_.max_iterations, iterations_)) return true;
      level_.values() = start_;
    }
    return approach(start_);
  }

  /// Many stages are for wheels that make many turns, and cost little: an iteration costs the cube of the size.
  bool is_small() const { return std::max(level_.info().nv, level_.row_count()) < 200; }

  bool close_put_together() {
    level_.close_tree();
    const Vector together = level_.values();
    if (approach(together)) return true;
    level_.values() = start_;
    return false;
  }

  /// [START.3]
  bool approach(const Vector& from) {
    level_.values() = from;
    level_.eval();
    Vector way(static_cast<Eigen::Index>(all_.targets.size()));
    for (std::size_t k = 0; k < all_.targets.size(); ++k)
      way[static_cast<Eigen::Index>(k)] = level_.find_misfit(all_.targets[k]);
    for (const int stages : {1, 4, 16, 64}) {
      if (stages > 16 && !is_small()) break;
      level_.values() = from;
      bool reached = true;
      for (int k = stages - 1; k >= 0 && reached; --k) {
        level_.hold_back(static_cast<double>(k) / stages * way);
        reached = solve_newton(level_, {}, limits_.max_iterations, iterations_);
      }
      if (reached && level_.is_turned_over()) {
        ended_turned_over_ = true;
        reached = false;
      }
      if (reached) {
        report_.moved_given |= guesses_.empty() || has_free_ones();
        return true;
      }
      if (way.size() == 0) break;
    }
    level_.values() = start_;
    level_.hold_back(Vector::Zero(way.size()));
    return false;
  }

  /// Rates are linear: no other pose to try, only the wishes to weigh.
  bool close_rates() {
    level_.select({all_.rows, wishes_.exact});
    if (!solve_newton(level_, {}, limits_.max_iterations, iterations_)) {
      level_.values() = start_;
      return false;
    }
    pull_wishes(level_, wishes_, limits_.max_iterations, iterations_);
    return true;
  }

  bool close_by_search(SearchReport& found) {
    if (has_free_ones()) {
      if (note(search(level_, wishes_, guesses_, limits_), found)) return true;
    }
    if (!note(search(level_, wishes_, {}, limits_), found)) return false;
    report_.moved_given = true;
    return true;
  }

  bool note(SearchReport report, SearchReport& found) {
    found = std::move(report);
    iterations_ += found.iterations;
    report_.tries += found.tries;
    if (!found.closed) return false;
    report_.closed_how = found.how;
    report_.other_branch = found.how != kFromGivenPose || !has_sense_of_start();
    return true;
  }

  /// On the way to a mirrored pose, as of a four-bar to its other side, the determinant of what holds the pose passes
  /// zero: rows and the wanted values that are met.
  bool has_sense_of_start() {
    if (level_.is_velocity()) return true;
    const Vector closed = level_.values();
    const Selection selection = level_.selection();
    Selection held{all_.rows, {}};
    for (const std::size_t index : all_.targets)
      if (level_.is_target_met(index)) held.targets.push_back(index);
    level_.select(held);
    const auto find_rows = [&](const Vector& values) {
      level_.values() = values;
      level_.eval();
      Vector norms;
      return normalize_rows(level_.jacobian() * level_.make_scaling({}), norms);
    };
    const Matrix drawn = find_rows(start_);
    const Matrix here = find_rows(closed);
    level_.select(selection);
    level_.eval();
    return find_common_sense(here, drawn) > 0;
  }

  StartLevel& level_;
  const SearchLimits limits_;
  StartReport& report_;
  int& iterations_;
  const FreeFlags guesses_;
  const Vector start_;
  Wishes wishes_;
  Selection all_;
  bool ended_turned_over_ = false;
};

/// At values that are met.
void list_drawn_gaps(StartLevel& level, StartReport& report) {
  constexpr double kShown = 1e-3;  // of the widest
  level.select({level.list_rows(), {}});
  level.eval();
  if (level.is_closed()) return;
  report.drawn_gaps = find_gaps(level.info(), level.row_residual(), level.row_jacobian());
  auto& gaps = report.drawn_gaps;
  std::sort(gaps.begin(), gaps.end(),
            [](const Gap& a, const Gap& b) { return a.size() > b.size(); });
  std::erase_if(gaps, [&](const Gap& gap) { return !(gap.size() > kShown * gaps.front().size()); });
}

}  // namespace

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

StartReport make_consistent(const System& system, State& state, const GivenFlags& given,
                            const StartOptions& options) {
  StartReport report;
  if (!check_range(state.q, system.info().coordinates, report) ||
      !check_range(state.v, system.info().rates, report) ||
      (!options.keep_given && !check_domains(system, state, report)))
    return report;
  if (system.info().row_count() >= kManyStartRows)
    return make_many_consistent(system, state, given, options);
  const State before = state;
  const auto ws = system.make_workspace();
  system.let_turns_free(*ws, TurnFreedom::not_given);
  PositionLevel position(system, *ws, state, given.targets);
  VelocityLevel velocity(system, *ws, state, given.targets);
  const auto find_residual = [](StartLevel& level) {
    level.select({});
    level.eval();
    return max_abs(level.row_residual());
  };

  report.phi_before = report.phi_after = find_residual(position);
  if (options.keep_given) {
    report.rho_before = report.rho_after = find_residual(velocity);
    report.counted_angles = system.find_counted_angles(state.t, state.q, *ws);
    report.success = true;
    return report;
  }
  LevelStart positions(position, given.q, options, report);
  bool closed = positions.close();
  report.phi_after = find_residual(position);
  if (closed) {
    list_drawn_gaps(position, report);
    positions.list_unmet_targets();
  }
  report.rho_before = report.rho_after = find_residual(velocity);
  if (closed) {
    LevelStart velocities(velocity, given.v, options, report);
    closed = velocities.close();
    report.rho_after = find_residual(velocity);
    if (closed) velocities.list_unmet_targets();
  }
  report.success = closed;
  if (closed) {
    list_changes(system.info(), before, state, report);
    report.counted_angles = system.find_counted_angles(state.t, state.q, *ws);
  } else {
    state = before;
  }
  return report;
}

}  // namespace driftless
