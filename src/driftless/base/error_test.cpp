#include "driftless/base/error.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

TEST(Diagnostics, ShowOnlyWhatIsKnownOfThePlace) {
  const auto format = [](const Source& where) { return format_diagnostic({where, "wrong", ""}); };
  EXPECT_EQ(format({"a.toml", 6, 3}), "a.toml:6:3: error: wrong");
  EXPECT_EQ(format({"a.toml", 6, 0}), "a.toml:6: error: wrong");
  EXPECT_EQ(format({"a.toml", 0, 0}), "a.toml: error: wrong");
  EXPECT_EQ(format({"", 6, 0}), "6: error: wrong");
  EXPECT_EQ(format({}), "error: wrong");
  EXPECT_EQ(format_diagnostic({{"a.toml", 6, 0}, "wrong", "mend it"}),
            "a.toml:6: error: wrong\n    mend it");
}

TEST(Diagnostics, AreThrownInTheOrderOfTheFile) {
  DiagnosticList list;
  EXPECT_NO_THROW(list.finish());
  list.add({"a.toml", 9, 2}, "third");
  list.add({"a.toml", 4, 7}, "second");
  list.add({"a.toml", 4, 1}, "first");
  list.add({"a.toml", 9, 2}, "third again");
  list.add({"--set m=x", 0, 0}, "not in the file");
  try {
    list.finish();
    FAIL() << "nothing was thrown";
  } catch (const ModelError& error) {
    std::vector<std::string> messages;
    for (const Diagnostic& each : error.diagnostics()) messages.push_back(each.message);
    EXPECT_EQ(messages, (std::vector<std::string>{"not in the file", "first", "second", "third",
                                                  "third again"}));
  }
}

// A stage tells a screenful and how many more; the next one takes that over with errors of its own.
TEST(Diagnostics, AreCountedOverSeveralStages) {
  DiagnosticList first, second, third;
  for (int line = 1; line <= 200; ++line) first.add({"a.toml", line, 1}, "wrong");
  second.gather([&] { first.finish(); });
  second.gather([&] { first.finish(); });  // the same ones, found once more
  second.add({"a.toml", 1000, 1}, "wrong, too");
  try {
    second.finish();
    FAIL() << "nothing was thrown";
  } catch (const ModelError& error) {
    third.add({"a.toml", 50, 1}, "told already");
    third.add_further(error);
  }
  try {
    third.finish();
    FAIL() << "nothing was thrown";
  } catch (const ModelError& error) {
    ASSERT_EQ(error.diagnostics().size(), 51U);
    EXPECT_EQ(error.diagnostics().back().message, "and 151 more errors after this one");
  }
}

TEST(Suggestions, OfLongWordsAllowATrippedFinger) {
  EXPECT_EQ(find_nearest("baumgart", {"index1", "baumgarte"}), "baumgarte");
  EXPECT_EQ(find_nearest("revolut", {"prismatic", "revolute"}), "revolute");
  EXPECT_EQ(find_nearest("zzzzzz", {"x", "alpha"}), "");
  EXPECT_EQ(find_nearest("point", {"joint", "points"}), "points");
  EXPECT_EQ(find_nearest("point", {"points", "joint"}), "points");
  EXPECT_EQ(suggest("zzzzzz", {"x", "alpha"}), "known: x, alpha");
}

TEST(Suggestions, OfAPartOrAPluralAreTheWholeWords) {
  const std::vector<std::string> forces{"spring_damper", "torsion_spring", "motor"};
  EXPECT_EQ(suggest("spring", forces), "did you mean 'spring_damper' or 'torsion_spring'?");
  EXPECT_EQ(suggest("prin", forces), "known: spring_damper, torsion_spring, motor");
  EXPECT_EQ(suggest("rest_length", {"law", "length"}), "did you mean 'length'?");
  EXPECT_EQ(suggest("rest_lenght", {"law", "length"}), "did you mean 'length'?");
  EXPECT_EQ(suggest("lenght", {"law", "length"}), "did you mean 'length'?");
  EXPECT_EQ(suggest("centre_of_mass", {"box", "centre", "mass"}),
            "did you mean 'centre' or 'mass'?");
  EXPECT_EQ(suggest("damp", {"law", "damping"}), "did you mean 'damping'?");
  EXPECT_EQ(suggest("initial_velocity", {"inertia", "mass"}), "known: inertia, mass");
  EXPECT_EQ(suggest("on_top", {"on", "at"}), "known: on, at");
  EXPECT_EQ(suggest("stepsize", {"rtol", "step", "gain"}), "did you mean 'step'?");
  EXPECT_EQ(suggest("timestep", {"rtol", "step", "gain"}), "did you mean 'step'?");
  EXPECT_EQ(suggest("gearbox", {"on", "ear"}), "known: on, ear");
  EXPECT_EQ(suggest("bodies", {"joint", "body"}), "did you mean 'body'?");
  EXPECT_EQ(suggest("angle", {"A.angle", "crank.x"}), "did you mean 'A.angle'?");
  EXPECT_EQ(suggest("x", {"a.x", "b.x", "c.x", "d.x"}), "known: a.x, b.x, c.x, d.x");
}

TEST(Suggestions, OfOneLetterKeepTheLetter) {
  EXPECT_EQ(find_nearest("z", {"x", "y"}), "");
  EXPECT_EQ(suggest("z", {"x", "y"}), "known: x, y");
  EXPECT_EQ(find_nearest("z'", {"x'", "y'"}), "");
  EXPECT_EQ(find_nearest("X", {"y", "x"}), "x");
  EXPECT_EQ(find_nearest("x", {"a1", "x1"}), "x1");
  EXPECT_EQ(find_nearest("xx", {"y", "x"}), "x");
  EXPECT_EQ(find_nearest("x", {"x1", "x2"}), "") << "which of them?";
  EXPECT_EQ(suggest("x", {"x1", "x2"}), "known: x1, x2");
}

TEST(Suggestions, ListNotMoreThanOneReads) {
  std::vector<std::string> many;
  for (int k = 0; k < 100; ++k) many.push_back("name" + std::to_string(k));
  const std::string text = suggest("q", many);
  EXPECT_TRUE(text.starts_with("known: name0, name1, ")) << text;
  EXPECT_TRUE(text.ends_with("name39 and 60 more")) << text;
}

TEST(FindNearest, ExchangedNeighboursAreOneMistake) {
  EXPECT_EQ(find_nearest("rnu", {"list", "run", "new"}), "run");
  EXPECT_EQ(find_nearest("lsit", {"last", "list", "info"}), "list");
  EXPECT_EQ(find_nearest("nur", {"run", "plot"}), "");
}

}  // namespace
}  // namespace driftless
