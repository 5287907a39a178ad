#include "driftless/base/flush_tiny.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

#if defined(__SSE2__)
TEST(FlushTiny, HoldsWhileItLives) {
  volatile double tiny = 1e-300, small = 1e-20;
  const auto product = [&] { return tiny * small; };
  ASSERT_GT(product(), 0.0);
  {
    const FlushTiny flush;
    EXPECT_EQ(product(), 0.0);
    EXPECT_GT(tiny, 0.0);
  }
  EXPECT_GT(product(), 0.0);
}
#endif

}  // namespace
}  // namespace driftless
