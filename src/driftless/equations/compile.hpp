#pragma once
// An equation model as the user wrote it -> a System with start values.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "driftless/model/equation_model.hpp"
#include "driftless/system/system.hpp"

namespace driftless {

struct CompiledModel {
  std::unique_ptr<System> system;
  Vector q;                       ///< start values as written (n); 0 where left out
  Vector v;                       ///< start rates as written (n); 0 where left out
  std::vector<bool> start_given;  ///< per coordinate: false means q is a guess
  std::vector<bool> rate_given;
  std::vector<std::pair<std::string, double>> parameters;  ///< in the file's order, SI
  std::vector<std::string> warnings;                       ///< what is declared but never used

  State make_start(double t = 0.0) const { return {t, q, v}; }
};

/// Throws ModelError with all findings, each with its place. `used_elsewhere`: names that [run] and [method] use, which
/// therefore are not unused.
CompiledModel compile(const EquationModel& model,
                      const std::vector<std::string>& used_elsewhere = {});

}  // namespace driftless
