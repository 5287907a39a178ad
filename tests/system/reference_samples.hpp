#pragma once
// Published solutions, a few times and values each, against runs.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/system/run_model.hpp"

namespace driftless::trials {

using Columns = std::vector<std::string>;

struct Sample {
  double t;
  Values values;
};

/// Largest error relative to the value; of values below `least`, relative to that.
inline double find_relative_error(const Result& result, const Columns& names,
                                  const std::vector<Sample>& samples, double least) {
  double worst = 0.0;
  for (const Sample& sample : samples) {
    const Values got = at(result, sample.t, names);
    for (std::size_t k = 0; k < got.size(); ++k) {
      const double wanted = sample.values[k];
      worst = std::max(worst, std::abs(got[k] - wanted) / std::max(std::abs(wanted), least));
    }
  }
  return worst;
}

inline Trial make_tight(double until, double every) {
  return {.method = "braun_goldfarb/dop853", .tolerance = 1e-12, .until = until, .every = every};
}

}  // namespace driftless::trials
