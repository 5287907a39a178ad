#include "terminal.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace driftless::cli {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Progress make_progress() {
  Progress progress;
  progress.t = 14.05;
  progress.until = 40.0;
  progress.step = 0.001;
  progress.max_phi = 3.2e-15;
  progress.max_energy_error = 4.7e-6;
  return progress;
}

TEST(ProgressLine, ShowsEverythingOnAWideTerminal) {
  EXPECT_EQ(format_progress("bars", make_progress(), 0.35, 3.0, 120),
            "bars [========                ]  35 %  t = 14.05 s  3 s left  h 0.001  |Phi| 3.2e-15  "
            "energy 4.7e-06 J");
}

TEST(ProgressLine, NameAndBarGiveWayToTheFiguresAt80Columns) {
  const std::string line =
      format_progress("double_four_bar_bodies", make_progress(), 0.35, 3.0, 80);
  for (const char* part :
       {" 35 %", "t = 14.05 s", "3 s left", "h 0.001", "|Phi| 3.2e-15", "energy 4.7e-06 J", "[="}) {
    EXPECT_TRUE(has(line, part)) << part << " in " << line;
  }
  EXPECT_LT(line.size(), 80U) << line;
  EXPECT_FALSE(has(line, "double")) << line;
}

TEST(ProgressLine, ABarMattersMoreThanAirAndTheName) {
  Progress progress = make_progress();
  progress.step = 0.005;
  for (const char* name : {"bars", "four-bar in space"}) {
    for (const double left : {3.0, 13.0, 130.0}) {
      const std::string line = format_progress(name, progress, 0.15, left, 80);
      EXPECT_TRUE(has(line, "[=")) << line;
      EXPECT_TRUE(has(line, "energy 4.7e-06 J")) << line;
      EXPECT_LT(line.size(), 80U) << line;
    }
  }
}

TEST(ProgressLine, TheLongestFiguresFit80Columns) {
  Progress progress = make_progress();
  progress.t = 1.2345678e15;
  progress.step = 1.234e-5;
  const std::string line = format_progress("name", progress, 1.0, 1e12, 80);
  EXPECT_LT(line.size(), 80U) << line;
  EXPECT_TRUE(has(line, "over a year left")) << line;
  EXPECT_TRUE(has(line, "h 1.2e-05")) << line;
  EXPECT_TRUE(has(line, "energy 4.7e-06 J")) << line;
}

TEST(ProgressLine, ShareTimeLeftAndGapRemainAt50Columns) {
  for (const std::size_t columns : {50U, 45U, 60U, 70U}) {
    const std::string line = format_progress("a name of forty-two characters and no more",
                                             make_progress(), 0.07, 5e8, columns);
    EXPECT_LT(line.size(), columns) << line;
    for (const char* part : {"  7 %", "over a year left", "|Phi| 3.2e-15"})
      EXPECT_TRUE(has(line, part)) << part << " in " << line;
  }
}

TEST(Table, WhatIsTooWideGoesOnBelowUnderTheFirstColumn) {
  const std::vector<std::vector<std::string>> rows{
      {"method", "steps", "energy", "error"}, {"größer", "17", "1.25e-13", "3"}, {"b", "1"}};
  EXPECT_EQ(format_table(rows, 100),
            "method  steps    energy  error\n"
            "größer     17  1.25e-13      3\n"
            "b           1\n");
  EXPECT_EQ(format_table(rows, 24),
            "method  steps    energy\n"
            "größer     17  1.25e-13\n"
            "b           1\n"
            "\n"
            "method  error\n"
            "größer      3\n"
            "b\n");
  EXPECT_EQ(format_table({{"name"}, {"a"}}, 2), "name\na\n");
}

TEST(Lists, TextGoesOnBelowItself) {
  EXPECT_EQ(format_list({{"a", "one two three"}, {"longer", "four"}}, 20),
            "  a       one two\n"
            "          three\n"
            "  longer  four\n");
}

TEST(Entry, FitsItsColumns) {
  std::string text;
  for (int k = 0; k < 40; ++k) text += "word" + std::to_string(k) + ", ";
  for (const std::size_t columns : {40U, 60U, 80U}) {
    const std::string entry = format_entry("label", text, columns);
    std::size_t begin = 0, widest = 0;
    for (std::size_t end = 0; (end = entry.find('\n', begin)) != std::string::npos; begin = end + 1)
      widest = std::max(widest, end - begin);
    EXPECT_LE(widest, columns);
    EXPECT_GT(widest, columns - 10);
  }
}

TEST(Entry, KeepsNumbersBesideTheirUnitsAndKeysBesideTheirValues) {
  EXPECT_EQ(format_entry("time", "steps 0.125 s, samples -1.25 s, a = 2; b", 27),
            "  time        steps\n"
            "              0.125 s,\n"
            "              samples\n"
            "              -1.25 s,\n"
            "              a = 2; b\n");
}

}  // namespace
}  // namespace driftless::cli
