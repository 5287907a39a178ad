#pragma once
// Which reactions are not unique in a run. Redundant rows share their load in other ways at one pose than at another: a
// component may be unique where the mechanism starts only because a link is parallel to an axis there, and rows may depend
// on each other in a part of the motion, or at a single pose that is singular. What is marked is what is not unique
//
//   at the start, after the first step, at a few moments spread over the run, and wherever the rank has changed and stays,
//
// all of it united, but without poses at which more rows depend on each other than at both moments beside them: those are
// passed, and their numbers are one row of the result. They are told in a warning.                              [RCW.1]
//
// The moments are kept while the run goes on, without allocation, and looked at after it.

#include <string>
#include <vector>

#include "driftless/result/result.hpp"
#include "driftless/run/run_state.hpp"

namespace driftless {

class ReactionWatch {
 public:
  /// `drawn`: at the start, and there while the watch is.
  ReactionWatch(const System& system, const DrawnRank& drawn, double t_start, double until);

  /// With the rank at the start, and after each step.
  void begin(double t, const RunState& state, int rank);
  void accept(double t, const RunState& state, int rank);
  /// The marks, and a warning of single poses.
  void write(Report& report) const;

 private:
  /// A moment; without a state if all rows are independent there.
  struct Seen {
    double t = 0.0;
    int rank = 0;
    Vector q, v, c;
  };

  static constexpr int kSettled = 3;
  void keep(double t, const RunState& state, int rank);

  const System& system_;
  const DrawnRank& drawn_;
  int rows_;
  bool watches_ = false;
  std::vector<double> moments_;  // spread over the run
  std::size_t next_moment_ = 0;
  std::vector<Seen> seen_;
  std::size_t count_ = 0;
  int changes_left_;
  int rank_ = 0;
  int steps_of_rank_ = kSettled;  // since it changed
};

}  // namespace driftless
