#pragma once
// The problems as model texts, and what to look at in their results.

#include <string>
#include <utility>
#include <vector>

#include "bench/common/harness.hpp"

namespace bench {

struct OurProblem {
  std::string text;
  double end = 0.0;
  /// What is compared with the reference: factor * column + offset each.
  struct Watched {
    std::string column;
    double factor = 1.0, offset = 0.0;
  };
  std::vector<Watched> watched;
  /// The rate whose acceleration all programs tell for comparison, by the names it may have.
  std::vector<std::string> checked_rate;
  /// Set before one evaluation is timed, for a state that is not special.
  std::vector<std::pair<std::string, std::string>> evaluation_start;
  bool moves_by_acceleration = false;  ///< velocities for one evaluation: see data.hpp, chains
};

/// `coordinates` and `engine`, if given, become keys of the model.
OurProblem make_our_problem(const Arguments& arguments);

}  // namespace bench
