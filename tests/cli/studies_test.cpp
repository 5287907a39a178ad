// driftless check, compare, sweep.

#include <gtest/gtest.h>

#include "tests/cli/program_test.hpp"

namespace driftless::testing {
namespace {

class CliStudies : public Program {};

TEST_F(CliStudies, CheckTellsDegreesOfFreedom) {
  const Outcome outcome = run({"check", "first.toml"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(outcome.out.starts_with("swing: ok\n")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "1 degree of freedom = 2 rates - rank 1 of 1 constraints"))
      << outcome.out;
  expect_one_screen(outcome.out);
  EXPECT_FALSE(exists("first.h5"));
  const Outcome json = run({"check", "first.toml", "--json"});
  EXPECT_EQ(find_value(json.out, "dof"), "1");
  EXPECT_EQ(find_value(json.out, "status"), "\"ok\"");
}

TEST_F(CliStudies, CompareTakesTheMethodsOfTheFile) {
  const Outcome outcome = run({"compare", "first.toml", "--reference", "tight", "--plot",
                               "energy_error", "--log-y", "-o", "e.svg"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const auto lines = split_lines(outcome.out);
  ASSERT_EQ(lines.size(), 4U) << outcome.out;
  EXPECT_TRUE(lines[0].starts_with("method")) << lines[0];
  EXPECT_TRUE(lines[0].ends_with("error")) << lines[0];
  EXPECT_TRUE(lines[2].starts_with("drifting")) << lines[2];
  EXPECT_EQ(lines[3], "e.svg");
  expect_one_screen(outcome.out);
  EXPECT_TRUE(contains(read_text(path("e.svg")), "<svg "));
  const Outcome json =
      run({"compare", "first.toml", "--methods", "braun_goldfarb,baumgarte/heun", "--json"});
  EXPECT_EQ(find_keys(json.out), (Words{"status", "runs"}));
}

TEST_F(CliStudies, CompareChecksBeforeItRuns) {
  for (const Words& words :
       {Words{"--methods", "index1,bogus"}, Words{"--columns", "q9"},
        Words{"--plot", "q9", "-o", "a.svg"}, Words{"--plot", "x"}, Words{"-o", "a.svg"},
        Words{"--plot", "x", "-o", "a.png"}, Words{"--plot", "x", "-o", "no/a.svg"},
        Words{"--reference", "nothing.h5"}, Words{"--reference", "first.toml"}}) {
    Words all{"compare", "first.toml", "--until", "1e9"};
    all.insert(all.end(), words.begin(), words.end());
    all.insert(all.end(), {"--every", "1e6"});
    const Outcome outcome = run(all);
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    EXPECT_TRUE(outcome.out.empty()) << outcome.out;
  }
}

TEST_F(CliStudies, InterruptedStudiesEndWith130) {
  const Outcome compare =
      run_and_signal({"compare", "first.toml", "--until", "1e6", "--every", "1e3"}, SIGINT, "");
  EXPECT_EQ(compare.code, 130);
  EXPECT_TRUE(contains(compare.out, "interrupted at t = ")) << compare.out;
  const Outcome sweep = run_and_signal(
      {"sweep", "first.toml", "--until", "1e6", "--every", "1e3", "--vary", "l=1,2,3", "--json"},
      SIGINT, "");
  EXPECT_EQ(sweep.code, 130);
  EXPECT_EQ(find_value(sweep.out, "status"), "\"interrupted\"");
}

TEST_F(CliStudies, SweepDoesNotDependOnThreads) {
  const auto sweep = [this](const std::string& jobs) {
    return run({"sweep", "first.toml", "--vary", "l=0.5:1:3", "--vary", "x'=0,1", "--show",
                "last(x),max_phi,max(angle)", "--jobs", jobs, "-o", "s" + jobs + ".csv", "-o",
                "s" + jobs + ".svg"});
  };
  const Outcome one = sweep("1");
  const Outcome two = sweep("2");
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_EQ(two.code, 0) << two.err;
  const std::string table = read_text(path("s1.csv"));
  EXPECT_EQ(table, read_text(path("s2.csv")));
  EXPECT_EQ(read_text(path("s1.svg")), read_text(path("s2.svg")));
  const auto lines = split_lines(table);
  ASSERT_EQ(lines.size(), 7U) << table;
  EXPECT_EQ(lines[0], "l,x',last(x),max_phi,max(angle),status");
  EXPECT_TRUE(lines[1].starts_with("0.5,0,") && lines[1].ends_with(",ok")) << lines[1];
}

TEST_F(CliStudies, SweepRefusesWhatItCannotVary) {
  for (const char* axis :
       {"l", "l=", "l=1:2", "l=1:2:0", "l=a,b", "q9=1,2", "l=nan,1", "l=1:inf:3"}) {
    const Outcome outcome = run({"sweep", "first.toml", "--vary", axis});
    EXPECT_EQ(outcome.code, 2) << axis << outcome.out;
    EXPECT_TRUE(outcome.out.empty()) << outcome.out;
  }
  for (const char* figure : {"bogus", "last(q9)", "median(x)", "last(x"}) {
    EXPECT_EQ(run({"sweep", "first.toml", "--vary", "l=1,2", "--show", figure}).code, 2) << figure;
  }
}

}  // namespace
}  // namespace driftless::testing
