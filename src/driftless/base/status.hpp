#pragma once
// How a run ended. A numerical failure is a value: it says when, where and what to try; what was computed is kept.

#include <string>
#include <string_view>
#include <vector>

#include "driftless/base/error.hpp"

namespace driftless {

enum class Status { ok, failed, interrupted, invalid };

/// "ok", "failed", "interrupted", "invalid".
std::string_view to_string(Status status);

struct Failure {
  double t = 0.0;
  std::string message;            ///< "the constraints cannot be met: row 'pin_y' ..."
  std::string worst;              ///< the equation or element by name
  int rank = -1;                  ///< of the constraint matrix there; -1: not known
  std::vector<double> last_good;  ///< state (q, v) at the last accepted step
  std::string suggestion;
  Source where = {};  ///< in the file, of what `worst` names, if it is known
};

}  // namespace driftless
