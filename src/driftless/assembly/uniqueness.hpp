#pragma once
// Which reactions are the same whatever way redundant constraints share their load.

#include <memory>
#include <string>
#include <vector>

#include "driftless/system/drawn_rank.hpp"

namespace driftless {

struct NotUnique {
  int dimension = 0;  ///< of the free multipliers: rows beyond the rank; of many rows, about
  std::vector<std::string> names;
};

/// Looks at one state after another of one system.
class UniquenessProbe {
 public:
  explicit UniquenessProbe(const System& system);

  /// Records that are made of reactions and not unique at this state, in their order. Where `engine_rank`, the rank that the
  /// run's engine found there, is that of the state before, rows that depend on each other are not counted anew, which would
  /// take most of the time; -1: it is not known.
  NotUnique find(const State& state, int engine_rank = -1);

  /// What was found of the system's rows where the run's engine finds this rank.
  void set_rank(int engine_rank, const DrawnRank& drawn);

 private:
  void count_rows(const State& state);

  const System& system_;
  const System& drawn_system_;  // in which a tree's joints have rows, too
  std::unique_ptr<Workspace> ws_;
  int engine_rank_ = -1;  // for which the following holds
  DrawnRank drawn_;       // of the rows of either system: what is used of it is the same
  int rank_ = 0;          // of those of drawn_system_
};

}  // namespace driftless
