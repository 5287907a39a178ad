// driftless run: what it answers, where, and with which exit code.

#include <csignal>
#include <cstdio>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "driftless/io/result_files.hpp"
#include "tests/cli/program_test.hpp"

namespace driftless::testing {
namespace {

/// The keys of `run --json` that users may rely on, in their order.
const Words kRunKeys{
    "status",         "message",     "t_end",    "steps",       "rejected",         "evaluations",
    "factorisations", "cpu_seconds", "max_phi",  "max_phi_dot", "max_energy_error", "dof",
    "rows",           "rank",        "redundant"};

void expect_run_keys(const std::string& json) {
  Words keys = find_keys(json);
  ASSERT_GE(keys.size(), kRunKeys.size());
  keys.resize(kRunKeys.size());
  EXPECT_EQ(keys, kRunKeys);
}

class CliRun : public Program {};

TEST_F(CliRun, SummaryFitsOneScreenAndEndsWithTheResult) {
  const Outcome outcome = run({"run", "first.toml"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(outcome.err.empty()) << outcome.err;
  expect_one_screen(outcome.out);
  EXPECT_TRUE(outcome.out.starts_with("swing: ok\n")) << outcome.out;
  EXPECT_EQ(split_lines(outcome.out).back(), "first.h5");
  EXPECT_EQ(read_result(path("first.h5").string()).row_count(), 1001U);
}

TEST_F(CliRun, SummaryShowsTheEndInTheUnitsAskedFor) {
  const Outcome outcome = run({"run", "first.toml", "--out", "a.csv"});
  const Result result = read_result(path("a.csv").string());
  const auto last = result.row(result.row_count() - 1);
  char text[64];
  std::snprintf(text, sizeof text, "x = %.6g mm",
                1000.0 * last[static_cast<std::size_t>(result.find_column("x"))]);
  EXPECT_TRUE(contains(outcome.out, text)) << text << " in\n" << outcome.out;
  EXPECT_TRUE(contains(outcome.out, " deg")) << outcome.out;
}

TEST_F(CliRun, SummaryTellsWhatIsRecordedThenJointsThenTheRest) {
  ASSERT_EQ(run({"new", "-o", "linkage.toml"}).code, 0);
  const std::string linkage = run({"run", "linkage.toml", "--until", "1"}).out;
  EXPECT_TRUE(contains(linkage, "at the end  turns = ")) << linkage;
  EXPECT_LT(linkage.find("A.angle = "), linkage.find("\n  joints")) << linkage;
  EXPECT_FALSE(contains(linkage, "crank.x")) << linkage;
  const std::string wheel =
      run({"run", DRIFTLESS_SOURCE_DIR "/models/elements/point.toml", "--until", "1"}).out;
  for (const char* name : {"mark.x = ", "mark.y = ", "speed = "})
    EXPECT_TRUE(contains(wheel, name)) << name << " in\n" << wheel;
}

TEST_F(CliRun, EverySummaryOfTheModelsFitsTheScreen) {
  for (const char* name :
       {"slider_crank", "yoon_pendulum", "three_masses_two", "chain", "double_four_bar"}) {
    std::string model = DRIFTLESS_SOURCE_DIR "/models/";
    model += std::string(name) + ".toml";
    const Outcome outcome = run({"run", model, "--until", "1"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    expect_one_screen(outcome.out);
    const Outcome info = run({"info", std::string(name) + ".h5"});
    EXPECT_EQ(info.code, 0);
    expect_one_screen(info.out);
  }
}

TEST_F(CliRun, WritesSeveralFormatsAtOnce) {
  const Outcome outcome = run({"run", "first.toml", "--out", "a.csv", "--out", "a.h5"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_FALSE(exists("first.h5"));
  EXPECT_TRUE(contains(outcome.out, "\na.csv\na.h5\n"));
  EXPECT_EQ(read_result(path("a.csv").string()).data, read_result(path("a.h5").string()).data);
  EXPECT_EQ(run({"run", "first.toml", "--out", "a.csv", "--out", "a.csv"}).code, 2);
}

TEST_F(CliRun, JsonIsOneObjectAndWritesNothing) {
  const Outcome outcome = run({"run", "first.toml", "--json"});
  EXPECT_EQ(outcome.code, 0);
  expect_run_keys(outcome.out);
  EXPECT_EQ(find_value(outcome.out, "status"), "\"ok\"");
  EXPECT_EQ(find_value(outcome.out, "dof"), "1");
  EXPECT_EQ(find_value(outcome.out, "t_end"), "2");
  EXPECT_FALSE(exists("first.h5"));
}

TEST_F(CliRun, JsonIsOneObjectOnFailureAndMisuse) {
  const Outcome failed =
      run({"run", "first.toml", "--set", "l=0", "--set", "x=1", "--set", "rod=1", "--json"});
  EXPECT_EQ(failed.code, 2);  // rod is no parameter
  expect_run_keys(failed.out);
  EXPECT_EQ(find_value(failed.out, "status"), "\"invalid\"");
  EXPECT_EQ(find_value(failed.out, "max_phi"), "null");
  for (const Words& words : {Words{"run", "--json"}, Words{"run", "nothing.toml", "--json"},
                             Words{"run", "first.toml", "--json", "--bogus"},
                             Words{"run", "first.toml", "--json", "--until", "-1"}}) {
    const Outcome misuse = run(words);
    EXPECT_EQ(misuse.code, 2);
    expect_run_keys(misuse.out);
    EXPECT_FALSE(misuse.err.empty());
  }
  for (const char* verb :
       {"check", "compare", "converge", "sweep", "info", "diff", "convert", "plot"}) {
    const Outcome misuse = run({verb, "--json"});
    EXPECT_EQ(misuse.code, 2);
    EXPECT_EQ(find_value(misuse.out, "status"), "\"invalid\"") << verb;
  }
}

TEST_F(CliRun, NumericalFailureIsOneAndKeepsWhatWasComputed) {
  write_text(path("blow.toml"), R"toml(format = "driftless/1"
[coordinates]
x = { start = 1, rate = 0 }
[energy]
kinetic = "1/2*x'^2"
[force]
x = "1/(1 - t)^3"
[run]
until = 2
[method]
formulation = "index1"
integrator = "dopri5"
tolerance = 1e-6
)toml");
  const Outcome outcome = run({"run", "blow.toml"});
  EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
  EXPECT_TRUE(outcome.out.starts_with("blow: failed at t = 0.99")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "remedy ")) << outcome.out;
  expect_one_screen(outcome.out);
  const Result result = read_result(path("blow.h5").string());
  EXPECT_EQ(result.report.status, Status::failed);
  EXPECT_GT(result.row_count(), 100U);
  const Outcome json = run({"run", "blow.toml", "--json"});
  EXPECT_EQ(json.code, 1);
  expect_run_keys(json.out);
  EXPECT_EQ(find_value(json.out, "status"), "\"failed\"");
}

TEST_F(CliRun, StepsThatAreFarTooLongFail) {
  ASSERT_EQ(run({"new", "equations", "-o", "new.toml"}).code, 0);
  for (const char* step : {"2", "5", "100"}) {
    const Outcome outcome = run({"run", "new.toml", "--step", step});
    EXPECT_EQ(outcome.code, 1) << step << "\n" << outcome.out;
    EXPECT_TRUE(contains(outcome.out, "equations: failed at t = ")) << outcome.out;
    EXPECT_TRUE(contains(outcome.out, "try a smaller step")) << outcome.out;
    const Outcome json = run({"run", "new.toml", "--step", step, "--json"});
    EXPECT_EQ(json.code, 1);
    EXPECT_EQ(find_value(json.out, "status"), "\"failed\"");
  }
}

TEST_F(CliRun, StartValuesBeyondRangeAreRefused) {
  for (const char* set : {"x=1e200", "x'=-1e200"}) {
    const Outcome outcome = run({"run", "first.toml", "--set", set});
    EXPECT_EQ(outcome.code, 1) << outcome.out;
    EXPECT_TRUE(contains(outcome.out, "the start value x")) << outcome.out;
    EXPECT_TRUE(contains(outcome.out, "is too large")) << outcome.out;
    EXPECT_TRUE(contains(outcome.out, "give a value between -1e+150 and 1e+150")) << outcome.out;
    EXPECT_FALSE(contains(outcome.out, "smaller step")) << outcome.out;
  }
  for (const char* set : {"x=inf", "x=1e400", "x=1/0", "x=nan"}) {
    EXPECT_EQ(run({"run", "first.toml", "--set", set}).code, 2) << set;
  }
}

TEST_F(CliRun, InterruptedKeepsWhatWasComputed) {
  const Outcome outcome =
      run_and_signal({"run", "first.toml", "--until", "1e5", "--every", "0.1"}, SIGINT, "first.h5");
  EXPECT_EQ(outcome.code, 130);
  EXPECT_TRUE(contains(outcome.out, "swing: interrupted at t = ")) << outcome.out;
  EXPECT_EQ(split_lines(outcome.out).back(), "first.h5");
  const Result result = read_result(path("first.h5").string());
  EXPECT_EQ(result.report.status, Status::interrupted);
  EXPECT_TRUE(result.complete);
  EXPECT_GT(result.row_count(), 1U);
}

TEST_F(CliRun, InterruptedJsonIsOneObject) {
  const Outcome outcome = signal_when_told(
      {"run", "first.toml", "--until", "1e6", "--every", "1e3", "--json", "--log", "json"}, SIGINT,
      "\"progress\"");
  EXPECT_EQ(outcome.code, 130);
  expect_run_keys(outcome.out);
  EXPECT_EQ(find_value(outcome.out, "status"), "\"interrupted\"");
  // and the last line says so
  const std::string last = outcome.err.substr(outcome.err.rfind('\n', outcome.err.size() - 2) + 1);
  EXPECT_EQ(find_value(last, "event"), "\"error\"") << outcome.err;
  EXPECT_EQ(find_value(last, "status"), "\"interrupted\"") << outcome.err;
}

TEST_F(CliRun, KilledFileOpens) {
  const Outcome outcome =
      run_and_signal({"run", "first.toml", "--until", "1e6", "--every", "1"}, SIGKILL, "first.h5");
  EXPECT_EQ(outcome.code, 128 + SIGKILL);
  const Outcome info = run({"info", "first.h5"});
  EXPECT_EQ(info.code, 0) << info.err;
  EXPECT_TRUE(contains(info.out, "the run did not end")) << info.out;
}

TEST_F(CliRun, SetReachesParametersStartsRunAndMethod) {
  const auto figures = [this](const Words& sets) {
    Words words{"run", "first.toml", "--json", "--quiet"};
    for (const std::string& set : sets) words.insert(words.end(), {"--set", set});
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
  };
  EXPECT_EQ(find_value(figures({"run.until=1"}), "t_end"), "1");
  EXPECT_EQ(find_value(figures({"run.until=\"500 ms\""}), "t_end"), "0.5");
  EXPECT_EQ(find_value(figures({"method.step=0.02"}), "steps"), "100");
  const Words words{"run", "first.toml", "--json", "--method", "baumgarte/ab3", "--set"};
  const auto with_gain = [&](const char* set) {
    Words all = words;
    all.emplace_back(set);
    return find_value(run(all).out, "max_phi");
  };
  EXPECT_NE(with_gain("method.alpha=2"), with_gain("method.alpha=40"));
  const Outcome shown = run({"run", "first.toml", "--set", "l=1", "--set", "x=0", "--set", "y=-1",
                             "--set", "x'=1", "--out", "a.csv"});
  EXPECT_EQ(shown.code, 0) << shown.err;
  const Result result = read_result(path("a.csv").string());
  EXPECT_DOUBLE_EQ(result.row(0)[static_cast<std::size_t>(result.find_column("x'"))], 1.0);
  EXPECT_DOUBLE_EQ(result.row(0)[static_cast<std::size_t>(result.find_column("y"))], -1.0);
}

TEST_F(CliRun, ChangedStartValuesAreWarnedOfOnStandardError) {
  const Outcome outcome = run({"run", "first.toml", "--set", "x'=1"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(contains(outcome.err, "warning: start values changed to meet the constraints"))
      << outcome.err;
  EXPECT_FALSE(contains(outcome.out, "warning")) << outcome.out;
}

TEST_F(CliRun, QuietIsSilent) {
  const Outcome outcome = run({"run", "first.toml", "--quiet", "--set", "x'=1"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out + outcome.err, "");
  EXPECT_TRUE(exists("first.h5"));
}

TEST_F(CliRun, QuietTellsAFailureWithItsPlaceAndRemedy) {
  write_text(path("jump.toml"), R"toml(format = "driftless/1"
space = "plane"
[body.bar]
rod = [[0, 0], [1.2, 0]]
mass = 3
[joint.pin]
type = "revolute"
between = ["ground", "bar"]
at = [0, 0]
[constraint.d]
type = "drive"
of = "pin.angle"
value = "if(t < 1, 0, 1)"
)toml");
  const Outcome outcome = run({"run", "jump.toml", "--quiet"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.out, "");
  const std::vector<std::string> lines = split_lines(outcome.err);
  ASSERT_EQ(lines.size(), 2U) << outcome.err;
  EXPECT_TRUE(
      lines[0].starts_with("jump.toml:10:13: error: the prescribed motion cannot be "
                           "followed at t = 1: 'd.value' moves by 1 rad"))
      << lines[0];
  EXPECT_TRUE(lines[1].starts_with("    change 'd.value'")) << lines[1];
  const Outcome json = run({"run", "jump.toml", "--quiet", "--log", "json"});
  EXPECT_TRUE(contains(find_value(json.err, "remedy"), "change 'd.value'")) << json.err;
  EXPECT_EQ(find_value(json.err, "where"), "\"jump.toml:10:13\"");
}

TEST_F(CliRun, LogLinesAreJson) {
  const Outcome outcome = run_and_signal(
      {"run", "first.toml", "--until", "1e6", "--every", "10", "--log", "json", "--set", "x'=1"},
      SIGINT, "first.h5", 1500);
  EXPECT_EQ(outcome.code, 130);
  const auto lines = split_lines(outcome.err);
  ASSERT_GE(lines.size(), 2U) << "a warning, and progress every second";
  for (const std::string& line : lines) EXPECT_EQ(find_keys(line).front(), "event") << line;
  const Outcome misuse = run({"run", "first.toml", "--log", "json", "--until", "nan"});
  EXPECT_EQ(misuse.code, 2);
  EXPECT_EQ(find_value(misuse.err, "event"), "\"error\"");
}

TEST_F(CliRun, MisspeltVerbsAndOptionsAreToldTheNearest) {
  const Outcome verb = run({"chek", "first.toml"});
  EXPECT_EQ(verb.code, 2);
  EXPECT_EQ(verb.err, "error: there is no verb 'chek'\n    did you mean 'check'?\n");
  const Outcome option = run({"run", "first.toml", "--untill", "3"});
  EXPECT_EQ(option.code, 2);
  EXPECT_EQ(option.err, "error: run has no option '--untill'\n    did you mean '--until'?\n");
  EXPECT_EQ(run({"run", "first.toml", "--until", "5", "min"}).err,
            "error: 'min' is a word too many\n    a value with a blank in it stands in quotes: "
            "--until \"5 min\"\n");
  EXPECT_TRUE(contains(run({}).err, "a verb is wanted")) << run({}).err;
  EXPECT_TRUE(contains(run({"--bogus"}).err, "a verb is wanted")) << run({"--bogus"}).err;
}

TEST_F(CliRun, AResultIsNoModel) {
  ASSERT_EQ(run({"run", "first.toml", "--quiet"}).code, 0);
  const Outcome outcome = run({"run", "first.h5"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.err, "first.h5 is a result, not a model")) << outcome.err;
}

TEST_F(CliRun, AFileThatCannotGrowFailsTheRunAndKeepsWhatWasWritten) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = before;
  small.rlim_cur = 200000;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Outcome outcome =
      run({"run", "first.toml", "--until", "40", "--every", "0.01", "--out", "a.csv"});
  const Outcome json = run({"run", "first.toml", "--until", "40", "--every", "0.01", "--out",
                            "b.csv", "--json", "--quiet"});
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_TRUE(outcome.out.starts_with("swing: failed at t = 40 s")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "cannot write 'a.csv': File too large")) << outcome.out;
  EXPECT_TRUE(contains(outcome.err, "'a.csv': File too large: what comes after t = "))
      << outcome.err;
  EXPECT_GT(read_result(path("a.csv").string()).row_count(), 10U);
  EXPECT_EQ(json.code, 1);
  EXPECT_EQ(find_value(json.out, "status"), "\"failed\"");
  EXPECT_TRUE(contains(find_value(json.out, "message"), "File too large")) << json.out;
}

TEST_F(CliRun, BadValuesNameTheirOption) {
  const std::vector<std::pair<Words, std::string>> cases{
      {{"--until", "nan"}, "--until"},
      {{"--until", "inf"}, "--until"},
      {{"--until", "-1"}, "--until = -1: out of bounds"},
      {{"--until", "0"}, "--until = 0"},
      {{"--until", ""}, "--until has no value"},
      {{"--until", "2 kg"}, "has the dimension kg, but s"},
      {{"--until", "1e400"}, "--until"},
      {{"--until", "1,5"}, "--until"},
      {{"--every", "-0.1"}, "--every = -0.1"},
      {{"--every", "1e-12"}, "samples"},
      {{"--step", "0"}, "--step = 0"},
      {{"--step", "3 mm"}, "--step: '3 mm'"},
      {{"--step", "x"}, "--step"},
      {{"--tolerance", "0"}, "--tolerance = 0"},
      {{"--tolerance", "1 s"}, "--tolerance"},
      {{"--tolerance", "2"}, "--tolerance = 2"},
      {{"--method", "bogus"}, "'bogus'"},
      {{"--set", "m"}, "--set m"},
      {{"--set", "m=nan"}, "--set m=nan"},
      {{"--set", "q=1"}, "'q' is no parameter"},
      {{"--set", "method.alpha=3"}, "baumgarte"},
      {{"--log", "xml"}, "--log xml"},
      {{"--bogus"}, "--bogus"},
      {{"--out", "a.mat"}, "'.mat' is not known"},
      {{"--out", "no/where.h5"}, "'no'"},
      {{"more.toml"}, "more.toml"},
  };
  for (const auto& [words, message] : cases) {
    Words all{"run", "first.toml"};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome outcome = run(all);
    EXPECT_EQ(outcome.code, 2) << words[0] << " " << words.back();
    EXPECT_TRUE(contains(outcome.err, message)) << message << " in\n" << outcome.err;
    EXPECT_TRUE(outcome.out.empty()) << outcome.out;
    EXPECT_FALSE(exists("first.h5"));
  }
}

TEST_F(CliRun, StepWithToleranceIsAnError) {
  const Outcome outcome = run({"run", "first.toml", "--step", "0.01", "--tolerance", "1e-6"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.err, "both --step and --tolerance")) << outcome.err;
}

TEST_F(CliRun, UnitsAndOddTimesAreUnderstood) {
  EXPECT_EQ(find_value(run({"run", "first.toml", "--json", "--until", "0.01 min"}).out, "t_end"),
            "0.6");
  EXPECT_EQ(find_value(run({"run", "first.toml", "--json", "--until", "1e-300"}).out, "status"),
            "\"ok\"");
  EXPECT_EQ(find_value(run({"run", "first.toml", "--json", "--every", "100"}).out, "t_end"), "2");
}

TEST_F(CliRun, ForeignFilesAreNotOverwritten) {
  for (const char* name : {"mine.csv", "mine.h5"}) {
    write_text(path(name), "my notes\n");
    const Outcome outcome = run({"run", "first.toml", "--out", name});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(contains(outcome.err, "was not written by Driftless")) << outcome.err;
    EXPECT_EQ(read_text(path(name)), "my notes\n");
  }
  EXPECT_EQ(run({"run", "first.toml"}).code, 0);
  EXPECT_EQ(run({"run", "first.toml"}).code, 0) << "our own may be written again";
  write_text(path("mine.svg"), "<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n");
  EXPECT_EQ(run({"plot", "first.h5", "x", "-o", "mine.svg"}).code, 2);
  EXPECT_EQ(run({"sweep", "first.toml", "--vary", "l=1,2", "-o", "mine.csv"}).code, 2);
  EXPECT_EQ(run({"new", "-o", "first.toml"}).code, 2);
  EXPECT_EQ(read_text(path("first.toml")), kPendulum);
}

TEST_F(CliRun, LocaleDoesNotMatter) {
  EXPECT_EQ(run({"run", "first.toml", "--out", "a.csv"}, {{"LC_ALL", "C"}}).code, 0);
  EXPECT_EQ(
      run({"run", "first.toml", "--out", "b.csv", "--until", "2.0"}, {{"LC_ALL", "de_DE.UTF-8"}})
          .code,
      0);
  EXPECT_EQ(read_result(path("a.csv").string()).data, read_result(path("b.csv").string()).data);
}

TEST_F(CliRun, OddFilesAreMisuse) {
  write_text(path("empty.toml"), "");
  write_text(path("binary.toml"), std::string("\x7f"
                                              "ELF\0\1\2\3",
                                              8));
  std::filesystem::create_directory(path("folder.toml"));
  for (const char* name :
       {"empty.toml", "binary.toml", "folder.toml", "nothing.toml", "/dev/null"}) {
    const Outcome outcome = run({"run", name});
    EXPECT_EQ(outcome.code, 2) << name << outcome.out;
    EXPECT_TRUE(outcome.err.starts_with(name)) << outcome.err;
  }
}

TEST_F(CliRun, LineEndsOfWindowsAreRead) {
  std::string text;
  for (const char* c = kPendulum; *c != '\0'; ++c)
    text += *c == '\n' ? std::string("\r\n") : std::string(1, *c);
  write_text(path("windows.toml"), "\xEF\xBB\xBF" + text);
  EXPECT_EQ(run({"run", "windows.toml"}).code, 0);
}

}  // namespace
}  // namespace driftless::testing
