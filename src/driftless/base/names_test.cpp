#include "driftless/base/names.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

TEST(Names, AFewAreAllThere) {
  EXPECT_EQ(list_names({}, 3), "");
  EXPECT_EQ(list_names({"a"}, 3), "a");
  EXPECT_EQ(list_names({"a", "b", "c"}, 3), "a, b, c");
  EXPECT_EQ(join_names({}), "");
  EXPECT_EQ(join_names({"a"}), "'a'");
  EXPECT_EQ(join_names({"a", "b"}), "'a' and 'b'");
  EXPECT_EQ(join_names({"a", "b", "c"}, 3), "'a', 'b' and 'c'");
}

TEST(Names, OfManyTheFirstAndHowManyMore) {
  EXPECT_EQ(list_names({"a", "b", "c"}, 2), "a, b and 1 more");
  EXPECT_EQ(join_names({"a", "b", "c", "d"}, 2), "'a', 'b' and 2 more");
  EXPECT_TRUE(join_names(std::vector<std::string>(30, "n")).ends_with("'n', 'n' and 6 more"));
}

}  // namespace
}  // namespace driftless
