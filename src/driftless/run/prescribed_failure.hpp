#pragma once

#include <optional>

#include "driftless/assembly/check.hpp"
#include "driftless/base/status.hpp"

namespace driftless {

/// By the test of reach that a run asks where its joints come open (reach.hpp); nothing if some pose closes them.
std::optional<Failure> find_prescribed_failure(const System& system, const HaltedMotion& halted);

}  // namespace driftless
