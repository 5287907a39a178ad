// In Newton's step a body may turn as far as it likes: where a nut must go half a metre on a thread of 10 mm, the step says
// 50 turns. A small part of the step is made, and what the screws turn in it is extrapolated: what turns by many radians at
// once does not come out where it should.                                                                       [THR.1]
//
// Where a thread is fine, a point beside its axis comes nearer and goes away again in each turn, and every turn has a place
// at which least is missing and from which Newton's method does not get away. So the rows φ_k that bind advance to angle are
// left out first: the nuts slide. With the others closed, screw k belongs
//
//   n_k = -φ_k / (∂φ_k/∂n_k)                                                                                      [THR.2]
//
// turns further, and only then all rows must hold. If sliding nuts do not close it, neither do screws.

#include "driftless/assembly/start_threads.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/assembly/random_numbers.hpp"

namespace driftless {

bool find_asked_turns(StartLevel& level, const FreeFlags& is_free, const std::vector<double>& held,
                      std::vector<double>& turns) {
  constexpr double kMostTurns = 1e5;
  constexpr double kSame = 0.01;
  constexpr double kSmall = 1e-6;
  level.eval();
  if (!level.is_finite()) return false;
  const Vector step = find_newton_step(level, is_free);
  const Vector here = level.values();
  turns = level.find_thread_turns();
  const double part = kSmall / std::max(max_abs(step), kSmall);
  level.move(part * step);
  const std::vector<double> beside = level.find_thread_turns();
  level.values() = here;
  level.eval();
  double furthest = 0.0, change = 0.0;
  for (std::size_t k = 0; k < turns.size(); ++k) {
    turns[k] += std::remainder(beside[k] - turns[k], 1.0) / part;  // [THR.1]
    if (!(std::abs(turns[k]) <= furthest)) furthest = std::abs(turns[k]);
    change = std::max(change, std::abs(turns[k] - held[k]));
  }
  return furthest <= kMostTurns && change >= kSame;
}

namespace {

/// The row that binds the advance of each screw, and its change in one turn.
struct ThreadRow {
  int row = 0;
  double slope = 0.0;
};

std::vector<ThreadRow> find_thread_rows(StartLevel& level) {
  level.eval();
  const Vector before = level.row_residual();
  const std::vector<double> held = level.find_thread_turns();
  std::vector<ThreadRow> found;
  for (std::size_t k = 0; k < held.size(); ++k) {
    std::vector<double> turned = held;
    turned[k] += 1.0;
    level.set_thread_turns(turned);
    level.eval();
    const Vector change = level.row_residual() - before;
    Eigen::Index row = 0;
    change.cwiseAbs().maxCoeff(&row);
    found.push_back({static_cast<int>(row), change[row]});
  }
  level.set_thread_turns(held);
  level.eval();
  return found;
}

}  // namespace

Selection leave_out_threads(StartLevel& level, Selection selection) {
  const std::vector<ThreadRow> threads = find_thread_rows(level);
  std::erase_if(selection.rows, [&](int row) {
    return std::any_of(threads.begin(), threads.end(),
                       [&](const ThreadRow& each) { return each.row == row; });
  });
  return selection;
}

void settle_threads(StartLevel& level) {
  const std::vector<ThreadRow> threads = find_thread_rows(level);
  std::vector<double> turns = level.find_thread_turns();
  for (std::size_t k = 0; k < turns.size(); ++k)
    turns[k] -= level.row_residual()[threads[k].row] / threads[k].slope;  // [THR.2]
  level.set_thread_turns(turns);
  level.eval();
}

bool slide_along_threads(StartLevel& level, const FreeFlags& is_free, int max_iterations,
                         int& iterations) {
  const Selection all = level.selection();
  level.select(leave_out_threads(level, all));
  const bool closes = solve_from_far(level, is_free, max_iterations, iterations);
  level.select(all);
  if (closes) settle_threads(level);
  return closes;
}

bool close_along_threads(StartLevel& level, int max_iterations, int& iterations) {
  constexpr int kTries = 16;
  const Vector start = level.values();
  if (solve_from_far(level, {}, max_iterations, iterations)) return true;
  if (level.count_free_threads() == 0) return false;
  std::mt19937_64 random(20260414);
  for (int k = 0; k < kTries; ++k) {
    if (k % 4 == 0) level.values() = start;  // else from where the last try has led
    if (!slide_along_threads(level, {}, max_iterations, iterations)) return false;
    if (k > 0) {  // into a turn nearby
      std::vector<double> turns = level.find_thread_turns();
      for (double& each : turns) each += (1 + k / 4) * draw_number(random);
      level.set_thread_turns(turns);
    }
    if (solve_from_far(level, {}, max_iterations, iterations)) return true;
  }
  return false;
}

}  // namespace driftless
