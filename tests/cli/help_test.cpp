// driftless list, explain, new, --help.

#include <sstream>

#include <gtest/gtest.h>

#include "driftless/io/result_files.hpp"
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

/// The words after "known: " in a message, up to the line's end.
Words find_known(const std::string& text) {
  Words words;
  const std::size_t begin = text.find("known: ");
  if (begin == std::string::npos) return words;
  std::istringstream list(text.substr(begin + 7, text.find('\n', begin) - begin - 7));
  for (std::string word; std::getline(list >> std::ws, word, ',');)
    words.push_back(word.substr(0, word.find(' ')));  // what follows is prose
  return words;
}

// What the program itself names as known where it refuses a word must all be explained.
TEST_F(CliHelp, EveryWordThatAFileOrAMethodTakesIsExplained) {
  std::size_t count = 0;
  const auto expect_explained = [&](const std::string& refused, const std::string& where) {
    const Words known = find_known(refused);
    EXPECT_FALSE(known.empty()) << where << ": " << refused;
    for (const std::string& word : known) {
      if (word == "drifting") continue;  // the file's own method
      EXPECT_EQ(run({"explain", word}).code, 0) << where << ": " << word;
      ++count;
    }
  };
  const std::string head = "format = \"driftless/1\"\n";
  const std::string body = "[coordinates]\nx = 1\n[energy]\nkinetic = \"x'^2\"\n";
  const std::vector<std::pair<std::string, std::string>> files{
      {"top", head + "qqqqqqqqqq = 1\n" + body},
      {"energy", head + "[coordinates]\nx = 1\n[energy]\nqqqqqqqqqq = 1\n"},
      {"coordinates", head + "[coordinates]\nx = { qqqqqqqqqq = 1 }\n"},
      {"matrices", head + "[coordinates]\nx = 1\n[matrices]\nqqqqqqqqqq = 1\nM = 1\nK = 1\n"},
      {"conserved", head + body + "[conserved]\np = { qqqqqqqqqq = 1, value = \"x'\" }\n"},
      {"run", head + body + "[run]\nqqqqqqqqqq = 1\n"},
      {"formulation", head + body + "[method]\nformulation = \"qqqqqqqqqq\"\n"},
      {"integrator", head + body + "[method]\nintegrator = \"qqqqqqqqqq\"\n"},
      {"drift", head + body + "[method]\ndrift = \"qqqqqqqqqq\"\n"},
      {"option", head + body + "[method]\nqqqqqqqqqq = 1\n"},
      {"tableau", head + body + "[method]\ntableau = { qqqqqqqqqq = 1 }\n"},
      {"function", head + body + "[record]\ny = \"qqqqqqqqqq(x)\"\n"},
      {"unit", head + body + "[parameters]\nm = \"1 qqqqqqqqqq\"\n"},
  };
  for (const auto& [where, text] : files) {
    write_text(path(where + ".toml"), text);
    const Outcome outcome = run({"check", where + ".toml"});
    EXPECT_EQ(outcome.code, 2) << where;
    expect_explained(outcome.err, where);
  }
  expect_explained(run({"check", "first.toml", "--method", "qqqqqqqqqq"}).err, "method");
  EXPECT_GT(count, 120U);
  for (const char* word :
       {"given",  "consistent", "none",        "alpha_beta", "2alpha_beta2", "h",
        "t",      "pi",         "T",           "U",          "N/mm",         "method.step",
        "kutta3", "rows",       "redundant",   "not_unique", "status",       "ok",
        "failed", "invalid",    "interrupted", "130"}) {
    EXPECT_EQ(run({"explain", word}).code, 0) << word;
  }
}

TEST_F(CliHelp, IntegratorsAreExplainedWithTheirOptionsAndCoefficients) {
  const std::string rk4 = run({"explain", "rk4"}).out;
  EXPECT_TRUE(contains(rk4, "method.step (option of integrator), in s")) << rk4;
  EXPECT_FALSE(contains(rk4, "max_step")) << rk4;
  const std::string dopri5 = run({"explain", "dopri5"}).out;
  for (const char* option : {"step", "rtol", "atol", "tolerance", "max_step"}) {
    EXPECT_TRUE(contains(dopri5, "method." + std::string(option) + " (option")) << dopri5;
  }
  // The coefficients as they are printed make the same run.
  const std::size_t begin = rk4.find("tableau = ");
  ASSERT_NE(begin, std::string::npos) << rk4;
  const std::string line = rk4.substr(begin, rk4.find('\n', begin) - begin);
  std::string model = kPendulum;
  model.replace(model.find("integrator = \"rk4\""), 18, "integrator = \"tableau\"\n" + line);
  write_text(path("own.toml"), model);
  const Outcome own = run({"run", "own.toml", "--out", "own.csv"});
  EXPECT_EQ(own.code, 0) << own.err;
  expect_one_screen(own.out);
  EXPECT_EQ(run({"run", "first.toml", "--out", "first.csv"}).code, 0);
  EXPECT_EQ(read_result(path("own.csv").string()).data,
            read_result(path("first.csv").string()).data);
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
  EXPECT_TRUE(contains(run({"new", "chain", "--joint", "spherical"}).out, "type = \"spherical\""));
  EXPECT_EQ(run({"new", "chain", "--joint", "ball"}).code, 2);
  EXPECT_EQ(run({"new", "pendulum", "--joint", "revolute"}).code, 2);
  EXPECT_EQ(run({"new", "n-four-bar", "--n", "5001"}).code, 2);
  EXPECT_EQ(run({"new", "-o", "no/where.toml"}).code, 2);
}

TEST_F(CliHelp, SchemaIsOneObjectAndExplained) {
  const Outcome schema = run({"schema"});
  EXPECT_EQ(schema.code, 0);
  EXPECT_TRUE(schema.err.empty());
  EXPECT_TRUE(contains(find_value(schema.out, "$schema"), "2020-12"));
  EXPECT_TRUE(contains(run({"explain", "schema"}).out, "schema (command)"));
  EXPECT_TRUE(contains(run({"schema", "--help"}).out, "#:schema ./driftless.schema.json"));
  // A model that names its schema is read as ever.
  write_text(path("named.toml"), std::string("#:schema ./driftless.schema.json\n") + kPendulum);
  EXPECT_EQ(run({"check", "named.toml"}).code, 0);
}

TEST_F(CliHelp, EveryVerbHasHelpWithExamples) {
  const Outcome all = run({"--help"});
  EXPECT_EQ(all.code, 0);
  EXPECT_TRUE(contains(all.out, "driftless new -o first.toml"));
  for (const char* verb : {"run", "check", "compare", "sweep", "info", "convert", "diff", "plot",
                           "list", "explain", "new", "schema"}) {
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
