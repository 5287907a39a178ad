// driftless list, explain, new, --help.

#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "driftless/io/result_files.hpp"
#include "driftless/model/keys.hpp"
#include "driftless/run/method_reader.hpp"
#include "tests/cli/program_test.hpp"

namespace driftless::testing {
namespace {

class CliHelp : public Program {};
using LongCliHelp = CliHelp;

/// First words of indented lines.
Words find_listed(const std::string& text) {
  Words words;
  for (const std::string& line : split_lines(text)) {
    if (!line.starts_with("  ") || line.starts_with("    ")) continue;
    words.push_back(line.substr(2, line.find(' ', 2) - 2));
  }
  return words;
}

/// `explain` with all the words at once: a process for each would take long.
Words make_explain(const Words& words) {
  Words command{"explain"};
  command.insert(command.end(), words.begin(), words.end());
  return command;
}

TEST_F(LongCliHelp, EveryListedWordIsExplained) {
  const Outcome list = run({"list"});
  EXPECT_EQ(list.code, 0);
  const Words kinds = find_listed(list.out);
  EXPECT_EQ(std::set<std::string>(kinds.begin(), kinds.end()).size(), kinds.size())
      << "a kind is listed twice:\n"
      << list.out;
  std::size_t count = 0;
  for (const std::string& kind : kinds) {
    Words words = find_listed(run({"list", kind}).out);
    EXPECT_FALSE(words.empty()) << kind;
    count += words.size();
    words.insert(words.begin(), kind);
    const Outcome outcome = run(make_explain(words));
    EXPECT_EQ(outcome.code, 0) << kind << ": " << outcome.err;
    EXPECT_TRUE(outcome.err.empty());
  }
  EXPECT_GT(count, 160U);
  const Outcome unknown = run({"explain", "baumgart"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(contains(unknown.err, "did you mean 'baumgarte'?"));
  EXPECT_EQ(run({"list", "bogus"}).code, 2);
}

TEST_F(CliHelp, ExplainsTheBoundsOfEveryKeyAndOption) {
  for (const KeyInfo& key : all_keys()) {
    const std::string bounds = describe_bounds(key.bounds);
    if (bounds.empty()) continue;
    EXPECT_TRUE(contains(run({"explain", std::string(key.key)}).out, bounds)) << key.key;
  }
  for (const OptionInfo& option : all_options()) {
    const std::string bounds = describe_bounds(option.bounds);
    if (bounds.empty()) continue;
    EXPECT_TRUE(contains(run({"explain", option.owner + "." + option.key}).out, bounds))
        << option.owner << "." << option.key;
  }
}

TEST_F(CliHelp, ReadmeAndGuideNameEveryPartOfAMethod) {
  const std::string readme = read_text(DRIFTLESS_SOURCE_DIR "/README.md");
  const std::string guide = read_text(DRIFTLESS_SOURCE_DIR "/docs/methods.md");
  for (const char* kind : {"formulations", "integrators", "drift"}) {
    for (const std::string& word : find_listed(run({"list", kind}).out)) {
      if (word == "none") continue;  // says that there is no drift control
      EXPECT_TRUE(contains(readme, "`" + word + "`")) << kind << ": " << word;
      EXPECT_TRUE(contains(guide, "`" + word + "`")) << kind << " in docs/methods.md: " << word;
    }
  }
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
TEST_F(LongCliHelp, EveryWordThatAFileOrAMethodTakesIsExplained) {
  std::size_t count = 0;
  const auto expect_explained = [&](const std::string& refused, const std::string& where) {
    const Words known = find_known(refused);
    EXPECT_FALSE(known.empty()) << where << ": " << refused;
    Words words;
    for (const std::string& word : known) {
      if (word != "drifting") words.push_back(word);  // the file's own method
    }
    const Outcome outcome = run(make_explain(words));
    EXPECT_EQ(outcome.code, 0) << where << ": " << outcome.err;
    count += words.size();
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
  const Outcome others = run(
      {"explain",     "given",     "consistent", "none",   "alpha_beta",  "2alpha_beta2", "h",
       "t",           "pi",        "T",          "U",      "N/mm",        "method.step",  "kutta3",
       "rows",        "redundant", "not_unique", "status", "ok",          "failed",       "invalid",
       "interrupted", "130",       "of",         "world",  "measure.type"});
  EXPECT_EQ(others.code, 0) << others.err;
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

TEST_F(LongCliHelp, EveryTemplateRuns) {
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
  EXPECT_EQ(run({"new", "n-four-bar", "--n", "100001"}).code, 2);
  EXPECT_EQ(run({"new", "-o", "no/where.toml"}).code, 2);
}

// What --help proposes to somebody new.
TEST_F(CliHelp, TheFirstStepsOfTheHelpWork) {
  std::filesystem::remove(path("first.toml"));
  ASSERT_EQ(run({"new", "-o", "first.toml"}).code, 0);
  EXPECT_TRUE(contains(run({"check", "first.toml"}).out, "1 degree of freedom"));
  const Outcome ran = run({"run", "first.toml"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_FALSE(contains(ran.err, "warning")) << ran.err;
  expect_one_screen(ran.out);
  EXPECT_EQ(run({"plot", "first.h5", "energy_error", "--log-y", "-o", "energy.svg"}).code, 0);
  const Outcome motion = run({"animate", "first.h5", "-o", "motion.svg"});
  EXPECT_EQ(motion.code, 0) << motion.err;
  EXPECT_EQ(motion.err, "");
  EXPECT_TRUE(exists("motion.svg"));
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

// The program carries the files of models/ with it.
TEST_F(CliHelp, ExamplesAreTheModelFiles) {
  const Outcome list = run({"examples"});
  EXPECT_EQ(list.code, 0) << list.err;
  const std::filesystem::path models = DRIFTLESS_SOURCE_DIR "/models";
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(models)) {
    if (entry.path().extension() != ".toml") continue;
    const std::string name =
        std::filesystem::relative(entry.path(), models).replace_extension().string();
    const std::string text = read_text(entry.path());
    const std::size_t key = text.find("\ndescription = \"");
    ASSERT_NE(key, std::string::npos) << name;
    const std::string description = text.substr(key + 16, text.find('"', key + 16) - key - 16);
    const std::size_t line = list.out.find("\n  " + name + " ");
    ASSERT_NE(line, std::string::npos) << name;
    EXPECT_TRUE(contains(list.out.substr(line, list.out.find('\n', line + 1) - line), description))
        << name;
    ++count;
  }
  EXPECT_EQ(find_listed(list.out).size(), count);
  EXPECT_EQ(run({"examples", "elements/rolling_disc"}).out,
            read_text(models / "elements/rolling_disc.toml"));
  EXPECT_EQ(run({"examples", "rolling_disc"}).out, read_text(models / "rolling_disc.toml"));
  EXPECT_EQ(run({"examples", "jansen_leg", "-o", "leg.toml"}).out, "leg.toml\n");
  EXPECT_EQ(read_text(path("leg.toml")), read_text(models / "machines/jansen_leg.toml"));
  EXPECT_EQ(run({"examples", "four_bar", "-o", "leg.toml"}).code, 2) << "nothing is overwritten";
  const Outcome unknown = run({"examples", "geer"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(contains(unknown.err, "did you mean 'gear'?")) << unknown.err;
}

TEST_F(CliHelp, ListsAndHelpFitTheScreen) {
  for (const std::string& kind : find_listed(run({"list"}).out)) {
    for (const std::string& line : split_lines(run({"list", kind}).out))
      EXPECT_LE(line.size(), 100U) << kind << ": " << line;
  }
  for (const char* verb : {"run", "compare", "sweep", "list", "animate", "schema"}) {
    for (const std::string& line : split_lines(run({verb, "--help"}).out))
      EXPECT_LE(line.size(), 100U) << verb << ": " << line;
  }
}

TEST_F(CliHelp, EveryVerbHasHelpWithExamples) {
  const Outcome all = run({"--help"});
  EXPECT_EQ(all.code, 0);
  EXPECT_TRUE(contains(all.out, "driftless new -o first.toml"));
  for (const char* verb :
       {"run", "check", "compare", "converge", "sweep", "info", "convert", "diff", "plot", "report",
        "list", "explain", "examples", "new", "schema", "completion"}) {
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

class CliCompletion : public Program {
 protected:
  Words complete(Words words) const {
    words.insert(words.begin(), {"complete", "--"});
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return split_lines(outcome.out);
  }
};

TEST_F(CliCompletion, KnowsVerbsOptionsFilesAndNames) {
  EXPECT_EQ(complete({"ru"}), Words{"run"});
  const Words verbs = complete({""});
  EXPECT_NE(std::find(verbs.begin(), verbs.end(), "compare"), verbs.end());
  EXPECT_EQ(std::find(verbs.begin(), verbs.end(), "complete"), verbs.end()) << "not for people";
  EXPECT_EQ(complete({"run", ""}), Words{"first.toml"});
  EXPECT_EQ(complete({"run", "first.toml", "--st"}), Words{"--step"});
  EXPECT_EQ(complete({"run", "first.toml", "--set", ""}), (Words{"g=", "l=", "m="}));
  EXPECT_EQ(complete({"compare", "first.toml", "--methods", "index1,braun"}),
            Words{"index1,braun_goldfarb"});
  EXPECT_EQ(complete({"converge", "first.toml", "--methods", "dr"}), Words{"drifting"});
  EXPECT_EQ(complete({"converge", "first.toml", "--against", ""}),
            (Words{"cpu", "evaluations", "step"}));
  EXPECT_EQ(complete({"converge", "first.toml", "--reference", "braun"}), Words{"braun_goldfarb"});
  EXPECT_EQ(complete({"explain", "rolling_d"}), Words{"rolling_disc"});
  EXPECT_EQ(complete({"examples", "elements/gea"}), Words{"elements/gear"});
  EXPECT_EQ(complete({"run", "first.toml", "--log", ""}), (Words{"json", "text"}));
  EXPECT_EQ(complete({"bogus", ""}), Words{});
  write_text(path("broken.toml"), "=");
  EXPECT_EQ(complete({"run", "broken.toml", "--set", ""}), Words{});
  EXPECT_EQ(run({"run", "first.toml", "--quiet"}).code, 0);
  EXPECT_EQ(complete({"plot", "first.h5", "energy"}), Words{"energy_error"});
  EXPECT_EQ(complete({"converge", "first.toml", "--reference", "fir"}), Words{"first.h5"});
}

TEST_F(CliCompletion, BashTakesTheScript) {
  const Outcome script = run({"completion", "bash"});
  EXPECT_EQ(script.code, 0);
  write_text(path("script"), script.out + "driftless() { " DRIFTLESS_BINARY
                                          " \"$@\"; }\n"
                                          "COMP_WORDS=(driftless expl); COMP_CWORD=1; _driftless\n"
                                          "[[ ${COMPREPLY[*]} == explain ]]\n");
  EXPECT_EQ(std::system(("bash " + path("script").string()).c_str()), 0);
  EXPECT_EQ(run({"completion", "cmd"}).code, 2);
}

/// As zsh finds it in fpath: what is called first is the file itself, and that call must answer, too.
TEST_F(CliCompletion, ZshTakesTheScript) {
  const Outcome script = run({"completion", "zsh"});
  EXPECT_TRUE(contains(script.out, "driftless complete -- "));
  if (std::system("command -v zsh >/dev/null") != 0) GTEST_SKIP() << "there is no zsh";
  write_text(path("_driftless"), script.out);
  write_text(path("script"), "fpath=(" + path("").string() +
                                 " $fpath); autoload -Uz _driftless\n"
                                 "driftless() { " DRIFTLESS_BINARY
                                 " \"$@\"; }\n"
                                 "compadd() { answer=(\"${(@P)@[-1]}\"); }\n"
                                 "words=(driftless expl); CURRENT=2\n"
                                 "for call in 1 2; do\n"
                                 "  answer=(); _driftless; [[ $answer == explain ]] || exit 1\n"
                                 "done\n");
  EXPECT_EQ(std::system(("zsh -f " + path("script").string()).c_str()), 0);
}

TEST_F(CliCompletion, FishTakesTheScript) {
  const Outcome script = run({"completion", "fish"});
  EXPECT_TRUE(contains(script.out, "driftless complete -- "));
  if (std::system("command -v fish >/dev/null") != 0) GTEST_SKIP() << "there is no fish";
  write_text(path("script"), "function driftless; " DRIFTLESS_BINARY " $argv; end\n" + script.out +
                                 "test (complete -C 'driftless expl') = explain\n");
  EXPECT_EQ(std::system(("fish --no-config " + path("script").string()).c_str()), 0);
}

TEST_F(CliHelp, ColoursAreForTerminalsThatWantThem) {
  const std::string command = "cd '" + path("").string() +
                              "' && TERM=xterm " DRIFTLESS_BINARY
                              " run first.toml --until 1 --out a.csv";
  EXPECT_TRUE(contains(run_on_terminal(command), "\033[32mok\033[0m"));
  EXPECT_FALSE(contains(run_on_terminal("export NO_COLOR=1; " + command), "\033["));
  EXPECT_FALSE(contains(run_on_terminal(command + " | cat"), "\033["));
  EXPECT_FALSE(contains(run({"run", "first.toml", "--until", "1"}).out, "\033["));
}

}  // namespace
}  // namespace driftless::testing
