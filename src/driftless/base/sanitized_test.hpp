#pragma once
// Whether sanitizers are at work: DRIFTLESS_SANITIZED.

#if defined(__has_feature)  // clang
#define DRIFTLESS_SANITIZED __has_feature(address_sanitizer)
#elif defined(__SANITIZE_ADDRESS__)
#define DRIFTLESS_SANITIZED 1
#else
#define DRIFTLESS_SANITIZED 0
#endif
