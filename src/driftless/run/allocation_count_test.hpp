#pragma once
// How often memory was asked for. Counted is malloc itself, which both operator new and Eigen call: the executable's own, defined
// here, goes on to the C library's. So one file of an executable includes this. A sanitizer brings its own malloc: nothing is
// counted there.

#include <atomic>
#include <cstdlib>

#include "driftless/base/sanitized_test.hpp"
#include "driftless/result/result.hpp"

#if defined(__GLIBC__) && !DRIFTLESS_SANITIZED
#define DRIFTLESS_COUNTS_MALLOC 1
#else
#define DRIFTLESS_COUNTS_MALLOC 0
#endif

namespace driftless::testing {
inline std::atomic<long> allocation_count{0};
}  // namespace driftless::testing

#if DRIFTLESS_COUNTS_MALLOC
extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* malloc(std::size_t size) {
  driftless::testing::allocation_count.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(size);
}
#endif

namespace driftless::testing {

/// Notes the count at the second and the last row: in between there are only steps.
class AllocationWatch : public ResultSink {
 public:
  void begin(const RunInfo&, const std::vector<Column>&) override {}
  void row(std::span<const double>) override {
    last = allocation_count.load();
    if (++rows == 2) first = last;
  }
  void finish(const Report&) override {}
  int rows = 0;
  long first = 0, last = 0;
};

}  // namespace driftless::testing
