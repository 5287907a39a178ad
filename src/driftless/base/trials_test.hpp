#pragma once
// How often tests repeat a random trial.

#if defined(__has_feature)  // clang
#define DRIFTLESS_SANITIZED __has_feature(address_sanitizer)
#elif defined(__SANITIZE_ADDRESS__)
#define DRIFTLESS_SANITIZED 1
#else
#define DRIFTLESS_SANITIZED 0
#endif

namespace driftless {

/// Sanitizers look for misuse of memory, which shows in the first trials or in none: there a tenth is enough.
constexpr int trials(int count) { return DRIFTLESS_SANITIZED ? (count + 9) / 10 : count; }

}  // namespace driftless
