#include "driftless/mechanism/turn_choice.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace driftless {
namespace {

bool has_counter(const std::vector<int>& list, int value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

/// Of the position rows of laws.
Vector find_residuals(const MechanismParts& parts, const Laws& laws, MotionState& motion,
                      LawWorkspace& ws) {
  laws.set_position(motion.t, motion, ws);
  laws.eval_slopes(ws);
  return Eigen::Map<const Vector>(ws.position.out.data(),
                                  static_cast<Eigen::Index>(parts.laws.position_rows.size()));
}

/// A row with one open counter, and that counter; without such a row -1 and any open one.
std::pair<Eigen::Index, std::size_t> find_deciding_row(const Matrix& change,
                                                       const std::vector<bool>& is_open) {
  for (Eigen::Index i = 0; i < change.rows(); ++i) {
    std::size_t count = 0, last = 0;
    for (std::size_t k = 0; k < is_open.size(); ++k) {
      if (!is_open[k] || change(i, static_cast<Eigen::Index>(k)) == 0.0) continue;
      ++count;
      last = k;
    }
    if (count == 1) return {i, last};
  }
  const auto any = std::find(is_open.begin(), is_open.end(), true);
  return {-1, static_cast<std::size_t>(any - is_open.begin())};
}

}  // namespace

std::vector<int> find_open_counters(const MechanismParts& parts, const Laws& laws,
                                    const std::vector<int>& joint_counters, TurnFreedom freedom) {
  std::vector<int> open;
  for (const int counter : laws.counters()) {
    const auto k = static_cast<std::size_t>(counter);
    const bool is_free = freedom == TurnFreedom::all         ? true
                         : freedom == TurnFreedom::not_exact ? !parts.start_exact[k]
                                                             : !parts.start_given[k];
    if (is_free && !has_counter(joint_counters, counter) && !has_counter(open, counter))
      open.push_back(counter);
  }
  return open;
}

void choose_turns(const MechanismParts& parts, const Laws& laws,
                  const std::vector<int>& joint_counters, MotionState& motion, LawWorkspace& ws) {
  const std::vector<int> open = find_open_counters(parts, laws, joint_counters, *motion.free_turns);
  if (open.empty()) return;
  constexpr double kTurn = 2.0 * std::numbers::pi;
  const auto turns = [&](std::size_t k) -> double& {
    return motion.turns[static_cast<std::size_t>(open[k])];
  };
  Vector residual = find_residuals(parts, laws, motion, ws);
  Matrix change(residual.size(), static_cast<Eigen::Index>(open.size()));
  for (std::size_t k = 0; k < open.size(); ++k) {
    turns(k) += kTurn;
    change.col(static_cast<Eigen::Index>(k)) = find_residuals(parts, laws, motion, ws) - residual;
    turns(k) -= kTurn;
  }
  // A sine of the angle does not know its turns, but for round-off.
  change = (change.array().abs() > 1e-9).select(change, 0.0);
  std::vector<bool> is_open(open.size(), true);
  for (std::size_t left = open.size(); left > 0; --left) {
    const auto [row, k] = find_deciding_row(change, is_open);
    is_open[k] = false;
    if (row < 0) continue;
    const auto column = static_cast<Eigen::Index>(k);
    const double count = std::round(-residual[row] / change(row, column));
    if (!std::isfinite(count)) continue;
    turns(k) += count * kTurn;
    residual += count * change.col(column);
  }
  laws.set_position(motion.t, motion, ws);
}

}  // namespace driftless
