// driftless animate.

#include "tests/cli/program_test.hpp"

namespace driftless::testing {
namespace {

class Animate : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    ASSERT_EQ(run({"examples", "elements/gear", "-o", "gear.toml"}).code, 0);
    ASSERT_EQ(run({"run", "gear.toml", "--until", "1", "--out", "gear.h5", "--quiet"}).code, 0);
  }
};

TEST_F(Animate, WritesAPictureThatMoves) {
  const Outcome outcome = run({"animate", "gear.h5", "--seconds", "0.5", "--title", "gears"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "gear.svg\n");
  const std::string svg = read_text(path("gear.svg"));
  EXPECT_TRUE(contains(svg, "<animate"));
  EXPECT_TRUE(contains(svg, "<svg xmlns"));
  EXPECT_LT(svg.size(), 200'000U);
  // Its own picture may be written again, that of others not.
  EXPECT_EQ(run({"animate", "gear.h5"}).code, 0);
  write_text(path("mine.svg"), "<svg/>");
  const Outcome refused = run({"animate", "gear.h5", "-o", "mine.svg"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(contains(refused.err, "was not written by Driftless")) << refused.err;
}

TEST_F(Animate, TellsWhatItMadeAsJson) {
  const Outcome outcome = run({"animate", "gear.h5", "--seconds", "500 ms", "--json"});
  EXPECT_EQ(find_keys(outcome.out),
            (Words{"status", "out", "from", "seconds", "speed", "poses", "closed", "bytes"}));
  EXPECT_EQ(find_value(outcome.out, "seconds"), "0.5");
}

TEST_F(Animate, SaysWhyThereIsNothingToShow) {
  ASSERT_EQ(run({"run", "first.toml", "--until", "1", "--out", "first.h5", "--quiet"}).code, 0);
  const Outcome outcome = run({"animate", "first.h5"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.err, "An equation model says nothing about shapes")) << outcome.err;
  EXPECT_FALSE(exists("first.svg"));
  EXPECT_EQ(run({"animate", "gear.h5", "-o", "gear.gif"}).code, 2);
  EXPECT_EQ(run({"animate", "gear.h5", "--seconds", "-1"}).code, 2);
}

}  // namespace
}  // namespace driftless::testing
