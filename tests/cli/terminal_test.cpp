// What the program says on a terminal, and its words about mistakes on the command line.

#include <csignal>
#include <sstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "driftless/io/page.hpp"
#include "driftless/io/result_files.hpp"
#include "tests/cli/program_test.hpp"

namespace driftless::testing {
namespace {

class LongTerminal : public Program {
 protected:
  /// A run that is ended by Ctrl-C, on a terminal.
  std::string interrupt_on_terminal(const std::string& kind, unsigned short columns) const {
    return run_on_terminal("cd '" + path("").string() + "' && TERM=" + kind +
                               " timeout --foreground -s INT 2.5 " DRIFTLESS_BINARY
                               " run first.toml --until 1e7 --every 1000 --out a.csv",
                           columns);
  }
};

/// What was written over, line by line.
Words split_rewritten(const std::string& text) {
  Words lines;
  std::string rest = text.substr(0, text.find("interrupted at"));
  for (std::size_t at = 0; (at = rest.find("\r\033[K")) != std::string::npos;) {
    rest.erase(0, at + 4);
    const std::string line = rest.substr(0, rest.find_first_of("\r\n"));
    if (contains(line, " left")) lines.push_back(line);
  }
  return lines;
}

TEST_F(LongTerminal, ProgressFitsTheColumnsThatThereAre) {
  const Words wide = split_rewritten(interrupt_on_terminal("xterm", 80));
  ASSERT_FALSE(wide.empty());
  for (const std::string& line : wide) {
    EXPECT_LT(line.size(), 80U) << line;
    for (const char* part : {" % ", "t = ", " left ", " h 0.01 ", "|Phi| ", "energy "})
      ASSERT_TRUE(contains(line, part)) << part << " in " << line;
  }
  const Words narrow = split_rewritten(interrupt_on_terminal("xterm", 50));
  ASSERT_FALSE(narrow.empty());
  for (const std::string& line : narrow) {
    EXPECT_LT(line.size(), 50U) << line;
    EXPECT_GE(line.size() - line.find("|Phi| "), std::string("|Phi| 1.1e-16").size()) << line;
    for (const char* part : {" % ", " left ", "|Phi| "})
      ASSERT_TRUE(contains(line, part)) << part << " in " << line;
  }
}

TEST_F(LongTerminal, APlainTerminalGetsLines) {
  const std::string text = interrupt_on_terminal("dumb", 80);
  EXPECT_FALSE(contains(text, "\033")) << text;
  EXPECT_TRUE(contains(text, " left, step 0.01 s, max |Phi| ")) << text;
  EXPECT_TRUE(contains(text, "swing: interrupted at t = ")) << text;
}

TEST_F(LongTerminal, TheSummaryFitsTheColumnsThatThereAre) {
  for (const unsigned short columns : {50, 60, 80}) {
    std::istringstream lines(run_on_terminal("cd '" + path("").string() +
                                                 "' && TERM=dumb " DRIFTLESS_BINARY
                                                 " run " DRIFTLESS_SOURCE_DIR
                                                 "/models/four_bar.toml --until 1 -o a.h5",
                                             columns));
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
      while (!line.empty() && line.back() == '\r') line.pop_back();
      EXPECT_LE(line.size(), columns) << line;
    }
    EXPECT_GT(count, 8U);
  }
}

TEST_F(LongTerminal, TheStartOfALargeModelIsToldOf) {
  ASSERT_EQ(run({"new", "chain", "--n", "50000", "--joint", "spherical", "-o", "c.toml"}).code, 0);
  const Outcome outcome = signal_when_told({"run", "c.toml", "--until", "1"}, SIGKILL, "start");
  EXPECT_TRUE(outcome.err.starts_with("chain: checking the start")) << outcome.err;
  const Outcome quiet =
      run_and_signal({"run", "c.toml", "--until", "1", "--quiet"}, SIGKILL, "", 3000);
  EXPECT_EQ(quiet.err, "");
}

// Whoever reads a pipe to which nobody writes waits, as for a large file.
TEST_F(LongTerminal, ReadingALargeResultIsToldOf) {
  const std::string text = run_on_terminal(
      "cd '" + path("").string() +
          "' && mkfifo slow.csv && TERM=dumb timeout --foreground 2 " DRIFTLESS_BINARY
          " plot slow.csv x -o x.svg",
      80);
  EXPECT_TRUE(contains(text, "slow.csv: reading")) << text;
}

class CliWords : public Program {};

TEST_F(CliWords, MistakesAreToldInOurWords) {
  EXPECT_EQ(run({"rnu", "first.toml"}).err,
            "error: there is no verb 'rnu'\n    did you mean 'run'?\n");
  const std::string verbs = run({"qqqqqq"}).err;
  EXPECT_TRUE(contains(verbs, "known: run, check")) << verbs;
  EXPECT_TRUE(contains(verbs, "completion")) << verbs;
  EXPECT_FALSE(contains(verbs, "complete,")) << verbs;
  const Outcome twice = run({"run", "first.toml", "--until", "2", "--until=3"});
  EXPECT_EQ(twice.code, 2);
  EXPECT_EQ(twice.err, "error: --until is given 2 times\n    give it once\n");
  EXPECT_EQ(run({"run", "first.toml", "--step"}).err,
            "error: --step has no value\n    see driftless run --help\n");
  ASSERT_EQ(run({"new", "-o", "own.toml"}).code, 0);
  EXPECT_EQ(run({"own.toml"}).err,
            "error: there is no verb 'own.toml'\n    to run it: driftless run own.toml\n");
  const Outcome model = run({"plot", "first.toml", "angle"});
  EXPECT_EQ(model.code, 2);
  EXPECT_TRUE(contains(model.err, "first.toml is a model, not a result")) << model.err;
}

TEST_F(CliWords, WhatIsMeantIsTold) {
  EXPECT_EQ(run({"--quiet", "run", "first.toml"}).err,
            "error: '--quiet' stands before the verb\n    options follow it: driftless run "
            "first.toml --quiet\n");
  write_text(path("a.html"), "<html>");
  const Outcome page = run({"run", "a.html"});
  EXPECT_EQ(page.code, 2);
  EXPECT_TRUE(contains(page.err, "a.html is a report page, not a model")) << page.err;
  write_text(path("a.h5"), "");
  EXPECT_TRUE(contains(run({"run", "a.h5"}).err, "a.h5 is a result, not a model"));
  const std::string four = run({"examples", "four"}).err;
  EXPECT_TRUE(contains(four, "did you mean four_bar, four_bar_3d, machines/four_cylinder_engine"))
      << four;
  EXPECT_TRUE(contains(run({"examples", "pendulun"}).err, "did you mean 'pendulum'?"));
  EXPECT_TRUE(contains(run({"plot", "--help"}).out, "driftless plot [OPTIONS] RUN... NAME...\n"));
}

TEST_F(CliWords, CompletionKnowsViewsTrailsAndNamesOfExamples) {
  const auto complete = [&](Words words) {
    words.insert(words.begin(), {"complete", "--"});
    return run(words).out;
  };
  EXPECT_EQ(complete({"examples", "ja"}), "jansen_leg\n");
  EXPECT_EQ(complete({"examples", "machines/ja"}), "machines/jansen_leg\n");
  EXPECT_EQ(complete({"animate", "a.h5", "--view", ""}), "corner\nfront\nside\ntop\n");
  ASSERT_EQ(run({"run", DRIFTLESS_SOURCE_DIR "/models/four_bar.toml", "--until", "0.1", "--quiet",
                 "-o", "f.h5"})
                .code,
            0);
  const std::string trails = complete({"animate", "f.h5", "--trail", "A,c"});
  EXPECT_TRUE(contains(trails, "A,coupler\n")) << trails;
  EXPECT_TRUE(contains(trails, "A,crank\n")) << trails;
  EXPECT_TRUE(contains(complete({"animate", ""}), "f.h5\n"));
}

// One line that a program can read, whatever it was that went wrong.
TEST_F(CliWords, ErrorsAreJsonLinesIfAsked) {
  const auto last_line = [&](const Words& words, int code) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_FALSE(outcome.err.empty());
    return outcome.err.empty() ? std::string("{}") : split_lines(outcome.err).back();
  };
  const std::string failed =
      last_line({"run", "first.toml", "--method", "baumgarte/rk4", "--set", "method.alpha=1e5",
                 "--step", "0.1", "--log", "json", "-o", "a.csv"},
                1);
  EXPECT_EQ(find_value(failed, "event"), "\"error\"");
  EXPECT_EQ(find_value(failed, "status"), "\"failed\"");
  EXPECT_TRUE(contains(find_value(failed, "message"), "left the constraints")) << failed;
  EXPECT_EQ(find_value(failed, "file"), "\"first.toml\"");
  EXPECT_GT(std::stoi(find_value(failed, "line")), 1);
  std::string model = kPendulum;
  model.replace(model.find("[energy]"), 8, "[enrgy]");
  write_text(path("bad.toml"), model);
  const std::string bad = last_line({"run", "bad.toml", "--log", "json"}, 2);
  EXPECT_EQ(find_value(bad, "status"), "\"invalid\"");
  EXPECT_EQ(find_value(bad, "file"), "\"bad.toml\"");
  const std::string usage = last_line({"run", "first.toml", "--log", "json", "--nonsense"}, 2);
  EXPECT_TRUE(contains(find_value(usage, "message"), "--nonsense")) << usage;
  EXPECT_EQ(find_value(usage, "status"), "\"invalid\"");
}

TEST_F(CliWords, HelpIsAVerbToo) {
  EXPECT_EQ(run({"help"}).code, 0);
  EXPECT_EQ(run({"help"}).out, run({"--help"}).out);
  EXPECT_EQ(run({"help", "plot"}).out, run({"plot", "--help"}).out);
  EXPECT_EQ(run({"help", "polt"}).err,
            "error: there is no verb 'polt'\n    did you mean 'plot'?\n");
}

TEST_F(CliWords, RunTakesTheShortNameOfTheFileToWrite) {
  const Outcome outcome = run({"run", "first.toml", "-o", "x.csv"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(split_lines(outcome.out).back(), "x.csv");
  EXPECT_TRUE(exists("x.csv"));
}

TEST_F(CliWords, TheResultIsTheLastLineAndThePageIsNamed) {
  if (!has_page_template()) GTEST_SKIP() << "built without the report page";
  const Outcome both = run({"run", "first.toml", "--out", "a.h5", "--out", "a.html"});
  EXPECT_TRUE(both.out.ends_with("\n  page        a.html: open it in a browser\na.h5\n"))
      << both.out;
  const Outcome page = run({"run", "first.toml", "--out", "b.html"});
  EXPECT_TRUE(page.out.ends_with("\nb.html\n")) << page.out;
}

TEST_F(CliWords, RemediesFitTheReason) {
  ASSERT_EQ(run({"run", "first.toml", "--quiet"}).code, 0);
  const std::string folder = run({"report", "first.h5", "-o", "nofolder/r.html"}).err;
  EXPECT_TRUE(contains(folder, "nofolder")) << folder;
  EXPECT_FALSE(contains(folder, "--out")) << folder;
  // Nothing can be made in this folder, whoever asks; with --until 1e9 a run would not end.
  const Outcome early =
      run({"compare", "first.toml", "--until", "1e9", "--plot", "x", "-o", "/proc/driftless.svg"});
  EXPECT_EQ(early.code, 2);
  EXPECT_TRUE(contains(early.err, "cannot write /proc/driftless.svg: ")) << early.err;
  if (::geteuid() == 0) return;  // who may write everywhere
  std::filesystem::create_directory(path("locked"));
  std::filesystem::permissions(path("locked"), std::filesystem::perms::owner_read);
  const std::string locked = run({"run", "first.toml", "--out", "locked/a.h5"}).err;
  EXPECT_TRUE(contains(locked, "Permission denied")) << locked;
  EXPECT_FALSE(contains(locked, "space")) << locked;
  std::filesystem::permissions(path("locked"), std::filesystem::perms::owner_all);
}

TEST_F(CliWords, PicturesOfPlotAndAnimateHaveTheirOwnNames) {
  ASSERT_EQ(run({"run", "first.toml", "--quiet"}).code, 0);
  EXPECT_EQ(run({"plot", "first.h5", "x", "x'"}).out, "first_x_x_dot.svg\n");
  EXPECT_TRUE(exists("first_x_x_dot.svg"));
  EXPECT_EQ(run({"plot", "first.h5", "x", "y", "angle", "phi", "t"}).out,
            "first_x_y_angle_and_2_more.svg\n");
  EXPECT_FALSE(exists("first.svg"));
}

TEST_F(CliWords, WarningsStandInTheAnswerToo) {
  const Outcome outcome = run({"run", "first.toml", "--set", "x'=1", "--json", "--out", "a.h5"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(contains(outcome.err, "warning: start values changed")) << outcome.err;
  EXPECT_TRUE(contains(find_value(outcome.out, "warnings"), "start values changed")) << outcome.out;
  std::string model = kPendulum;
  model.replace(model.find("angle = \"atan2"), 5, "gap = \"1/(t - 1)\"\nangle");
  write_text(path("gap.toml"), model);
  const Outcome gap = run({"run", "gap.toml", "--json", "--out", "gap.h5"});
  EXPECT_TRUE(contains(find_value(gap.out, "warnings"), "'gap' is not finite at t = 1 s"))
      << gap.out;
  const Result result = read_result(path("gap.h5").string());
  ASSERT_EQ(result.report.warnings.size(), 1U);
  EXPECT_TRUE(contains(result.report.warnings[0], "'gap' is not finite"));
}

}  // namespace
}  // namespace driftless::testing
