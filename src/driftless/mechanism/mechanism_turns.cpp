// What a pose does not tell by itself: turns that are counted, where screws are on their threads; and what drives ask for.

#include <algorithm>
#include <numbers>

#include "driftless/mechanism/mechanism_system_class.hpp"
#include "driftless/mechanism/turn_choice.hpp"

namespace driftless {

void MechanismSystem::accept(double t, ConstVectorRef q, ConstVectorRef v, Workspace& base) const {
  if (!counts_) return;
  MechanismWorkspace& ws = down_to_bodies(base);
  ws.motion.t = t;
  kinematics_.place(q, ws.motion);
  kinematics_.move(v, ws.motion);
  kinematics_.accept_turns(ws.motion);
  ws.laws_placed = std::numeric_limits<double>::quiet_NaN();
}

bool MechanismSystem::let_turns_free(Workspace& base, TurnFreedom freedom) const {
  MotionState& motion = down_to_bodies(base).motion;
  motion.free_turns = freedom;
  return find_open_counters(parts_, laws_, joint_counters_, freedom).size() >
         find_open_counters(parts_, laws_, joint_counters_, TurnFreedom::not_given).size();
}

void MechanismSystem::set_thread_turns(Workspace& base, const std::vector<double>& turns) const {
  MotionState& motion = down_to_bodies(base).motion;
  const std::vector<std::size_t> threads = list_free_threads();
  for (std::size_t k = 0; k < threads.size(); ++k) {
    motion.counted[threads[k]] = find_thread_begin(threads[k]) + 2.0 * std::numbers::pi * turns[k];
  }
}

std::vector<double> MechanismSystem::find_thread_turns(double t, ConstVectorRef q,
                                                       Workspace& base) const {
  const std::vector<double> angles = find_counted_angles(t, q, base);
  std::vector<double> turns;
  for (const std::size_t k : list_free_threads())
    turns.push_back((angles[k] - find_thread_begin(k)) / (2.0 * std::numbers::pi));
  return turns;
}

std::vector<double> MechanismSystem::find_counted_angles(double t, ConstVectorRef q,
                                                         Workspace& base) const {
  MechanismWorkspace& ws = down_to_bodies(base);
  place(t, q, ws);
  kinematics_.place(q, ws.motion);
  std::vector<double> angles(parts_.counters.size());
  for (std::size_t k = 0; k < angles.size(); ++k) {
    const TurnCounter& each = parts_.counters[k];
    const int counter = static_cast<int>(k);
    if (std::find(needed_counters_.begin(), needed_counters_.end(), counter) ==
        needed_counters_.end())
      kinematics_.count_turns(counter, ws.motion);
    const double turns = ws.motion.turns[k];
    kinematics_.eval_value(parts_.functions[static_cast<std::size_t>(each.function)], ws.motion,
                           ws.motion.first.data());
    angles[k] = ws.motion.first[static_cast<std::size_t>(each.output)] + turns;
  }
  return angles;
}

std::vector<std::size_t> MechanismSystem::list_free_threads() const {
  std::vector<std::size_t> threads;
  for (const int counter : joint_counters_) {
    const auto k = static_cast<std::size_t>(counter);
    if (parts_.counters[k].teller >= 0 && !parts_.start_given[k]) threads.push_back(k);
  }
  return threads;
}

std::vector<DrivenRow> MechanismSystem::list_driven_rows() const {
  std::vector<DrivenRow> rows;
  for (const int k : laws_.prescribing_rows()) {
    const LawParts::Row& row = parts_.laws.position_rows[static_cast<std::size_t>(k)];
    rows.push_back({parts_.frame_rows + k, row.driven, row.unit, row.least});
  }
  return rows;
}

std::vector<double> MechanismSystem::find_asked(double t, ConstVectorRef q, Workspace& base) const {
  MechanismWorkspace& ws = down_to_bodies(base);
  place(t, q, ws);
  return laws_.eval_asked(ws.laws);
}

}  // namespace driftless
