#pragma once
// How often tests repeat a random trial.

#include "driftless/base/sanitized_test.hpp"

namespace driftless {

/// Sanitizers look for misuse of memory, which shows in the first trials or in none: there a tenth is enough.
constexpr int trials(int count) { return DRIFTLESS_SANITIZED ? (count + 9) / 10 : count; }

}  // namespace driftless
