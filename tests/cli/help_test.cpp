// driftless list, explain, new, --help.

#include <gtest/gtest.h>

#include "tests/cli/program_test.hpp"

namespace driftless::testing {
namespace {

class CliHelp : public Program {};

/// First words of indented lines.
Words find_listed(const std::string& text) {
  Words words;
  for (const std::string& line : split_lines(text)) {
    if (!line.starts_with("  ") || line.starts_with("    ")) continue;
    words.push_back(line.substr(2, line.find(' ', 2) - 2));
  }
  return words;
}

TEST_F(CliHelp, EveryListedWordIsExplained) {
  const Outcome kinds = run({"list"});
  EXPECT_EQ(kinds.code, 0);
  std::size_t count = 0;
  for (const std::string& kind : find_listed(kinds.out)) {
    EXPECT_EQ(run({"explain", kind}).code, 0) << kind;
    for (const std::string& word : find_listed(run({"list", kind}).out)) {
      const Outcome outcome = run({"explain", word});
      EXPECT_EQ(outcome.code, 0) << kind << ": " << word;
      EXPECT_TRUE(outcome.err.empty());
      ++count;
    }
  }
  EXPECT_GT(count, 60U);
  const Outcome unknown = run({"explain", "baumgart"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(contains(unknown.err, "did you mean 'baumgarte'?"));
  EXPECT_EQ(run({"list", "bogus"}).code, 2);
}

TEST_F(CliHelp, EveryTemplateRuns) {
  const Words templates = find_listed(run({"list", "templates"}).out);
  EXPECT_GE(templates.size(), 4U);
  for (const std::string& name : templates) {
    const Outcome made = run({"new", name, "-o", "made_" + name + ".toml"});
    EXPECT_EQ(made.code, 0) << made.err;
    EXPECT_EQ(made.out, "made_" + name + ".toml\n");
    EXPECT_EQ(run({"new", name}).out, read_text(path("made_" + name + ".toml")));
    const Outcome outcome = run({"run", "made_" + name + ".toml", "--json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(find_value(outcome.out, "status"), "\"ok\"") << name;
    EXPECT_EQ(find_value(outcome.out, "warnings"), "[]") << name;
    EXPECT_EQ(run({"check", "made_" + name + ".toml"}).code, 0) << name;
  }
  EXPECT_EQ(run({"new", "bogus"}).code, 2);
  EXPECT_EQ(run({"new", "chain", "--n", "0"}).code, 2);
  EXPECT_EQ(run({"new", "-o", "no/where.toml"}).code, 2);
}

TEST_F(CliHelp, EveryVerbHasHelpWithExamples) {
  const Outcome all = run({"--help"});
  EXPECT_EQ(all.code, 0);
  EXPECT_TRUE(contains(all.out, "driftless new -o first.toml"));
  for (const char* verb : {"run", "check", "compare", "sweep", "info", "convert", "diff", "plot",
                           "list", "explain", "new"}) {
    EXPECT_TRUE(contains(all.out, std::string("\n  ") + verb)) << verb;
    const Outcome outcome = run({verb, "--help"});
    EXPECT_EQ(outcome.code, 0) << verb;
    EXPECT_TRUE(contains(outcome.out, "Example")) << verb;
    EXPECT_TRUE(outcome.err.empty());
  }
  EXPECT_TRUE(run({"--version"}).out.starts_with("driftless "));
  EXPECT_EQ(run({}).code, 2);
  EXPECT_EQ(run({"bogus"}).code, 2);
}

}  // namespace
}  // namespace driftless::testing
