#pragma once
// Numbers below 2e-308 as 0, where and as long as this lives. A rate that a projection removes anew in each step shrinks to such
// numbers, as those out of the plane of a linkage do; each of them costs a processor a hundred cycles, and no result has
// a digit from them.

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace driftless {

class FlushTiny {
 public:
  FlushTiny(const FlushTiny&) = delete;
  FlushTiny& operator=(const FlushTiny&) = delete;

#if defined(__SSE2__)
  FlushTiny() : before_(_mm_getcsr()) { _mm_setcsr(before_ | kResultsAndOperands); }
  ~FlushTiny() {
    _mm_setcsr((_mm_getcsr() & ~kResultsAndOperands) | (before_ & kResultsAndOperands));
  }

 private:
  static constexpr unsigned kResultsAndOperands = 0x8040;
  unsigned before_;
#else
  FlushTiny() = default;
  ~FlushTiny() = default;
#endif
};

}  // namespace driftless
