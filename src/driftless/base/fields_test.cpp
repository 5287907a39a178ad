#include "driftless/base/fields.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

TEST(Fields, BoundsAreDescribedAsTheyAreKept) {
  EXPECT_EQ(describe_bounds({}), "");
  EXPECT_EQ(describe_bounds(kPositive), "greater than 0");
  EXPECT_EQ(describe_bounds(kNotNegative), "at least 0");
  EXPECT_EQ(describe_bounds(Bounds{1, 50}), "at least 1 and at most 50");
  EXPECT_EQ(describe_bounds(Bounds{-0.5, 0.99, true}), "greater than -0.5 and at most 0.99");
  EXPECT_EQ(describe_bounds(kNotZero), "other than 0");
  Bounds below;
  below.high = 3;
  EXPECT_EQ(describe_bounds(below), "at most 3");
}

}  // namespace
}  // namespace driftless
