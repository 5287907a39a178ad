// driftless check, compare, sweep.

#include <csignal>

#include <gtest/gtest.h>

#include "tests/cli/program_test.hpp"

namespace driftless::testing {
namespace {

class CliStudies : public Program {};
using LongCliStudies = CliStudies;

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

// The keys that docs/reference/check.md lists, in their order.
TEST_F(CliStudies, CheckOfARedundantMechanism) {
  const std::string model = DRIFTLESS_SOURCE_DIR "/models/four_bar_3d.toml";
  const Outcome outcome = run({"check", model});
  EXPECT_EQ(outcome.code, 0);
  expect_one_screen(outcome.out);
  for (const char* part : {"1 degree of freedom = 18 rates - rank 17 of 20 constraints;",
                           "Gruebler's count -2", "3, 21 absolute coordinates, 18 rates",
                           "D.z, D.tilt_x, D.tilt_y; in D, following from A, B, C",
                           "not unique  A.force.z, A.torque.x, A.torque.y, B.force.z"})
    EXPECT_TRUE(contains(outcome.out, part)) << part << "\n" << outcome.out;
  const Outcome json = run({"check", model, "--json"});
  EXPECT_EQ(find_keys(json.out), (Words{"status",
                                        "model",
                                        "bodies",
                                        "coordinates",
                                        "rates",
                                        "coordinate_kind",
                                        "cut_joints",
                                        "mixed_matrix",
                                        "dof",
                                        "gruebler",
                                        "dof_beside",
                                        "rows",
                                        "rank",
                                        "redundant",
                                        "redundant_joints",
                                        "dependent_joints",
                                        "not_unique",
                                        "inconsistent",
                                        "loose_bodies",
                                        "smallest_singular_value",
                                        "smallest_pivot",
                                        "mass_definite",
                                        "max_phi",
                                        "max_phi_dot",
                                        "method",
                                        "derivatives",
                                        "elements",
                                        "gain_eigenvalues",
                                        "start_changes",
                                        "start_tries",
                                        "gaps",
                                        "warnings",
                                        "errors",
                                        "remedy",
                                        "where"}));
  EXPECT_EQ(find_value(json.out, "gruebler"), "-2");
  EXPECT_EQ(find_value(json.out, "redundant"), "[\"D.z\",\"D.tilt_x\",\"D.tilt_y\"]");
  EXPECT_EQ(find_value(json.out, "redundant_joints"), "[\"D\"]");
  EXPECT_EQ(find_value(json.out, "dependent_joints"), "[\"A\",\"B\",\"C\",\"D\"]");
  const std::string page = read_text(DRIFTLESS_SOURCE_DIR "/docs/reference/check.md");
  for (const std::string& key : find_keys(json.out))
    EXPECT_TRUE(contains(page, "`" + key + "`")) << key << " is not in check.md";
}

TEST_F(LongCliStudies, CheckMeasuresWhatDoesNotClose) {
  std::string model = read_text(DRIFTLESS_SOURCE_DIR "/models/four_bar.toml");
  const std::string rate = "A.rate = \"20 rad/s\"";
  model.replace(model.find(rate), rate.size(), "D.angle = { value = 3, priority = \"exact\" }");
  write_text(path("open.toml"), model);
  const Outcome outcome = run({"check", "open.toml"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(contains(outcome.out, "D.angle = 171.887 deg cannot be met at the start"))
      << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "without the priority \"exact\" it closes")) << outcome.out;
  const Outcome json = run({"check", "open.toml", "--json"});
  EXPECT_EQ(find_value(json.out, "status"), "\"failed\"");
  EXPECT_TRUE(contains(find_value(json.out, "gaps"), "\"mm\":")) << json.out;
  EXPECT_TRUE(contains(find_value(json.out, "errors"), " mm with all others closed")) << json.out;
  const Outcome attempt = run({"run", "open.toml", "--json"});
  EXPECT_EQ(attempt.code, 1);
  EXPECT_TRUE(contains(attempt.out, "cannot be met at the start")) << attempt.out;
}

TEST_F(CliStudies, CheckTellsItsFindingsInTheOrderOfTheFile) {
  // Sections are read in another order: parameters, coordinates, energy, force, constraints, records.
  write_text(path("many.toml"), R"toml(format = "driftless/1"
[record]
first = "no_such1"
[constraint]
rod = "x^2 + no_such2"
[energy]
kinetic = "m*x'^2 + no_such3"
[coordinates]
x = { start = "no_such4" }
[parameters]
m = "no_such5"
)toml");
  const Outcome outcome = run({"check", "many.toml"});
  EXPECT_EQ(outcome.code, 2);
  std::size_t from = 0;
  for (const char* place :
       {"many.toml:3:", "many.toml:5:", "many.toml:7:", "many.toml:9:", "many.toml:11:"}) {
    const std::size_t found = outcome.err.find(place, from);
    ASSERT_NE(found, std::string::npos) << place << " in\n" << outcome.err;
    from = found;
  }
}

TEST_F(CliStudies, CheckTellsUnusedNamesInTheOrderOfTheFile) {
  write_text(path("unused.toml"), R"toml(format = "driftless/1"
[coordinates]
idle = 1
x = 1
[parameters]
spare = 1
[energy]
kinetic = "x'^2"
)toml");
  const Outcome outcome = run({"check", "unused.toml"});
  const std::size_t idle = outcome.err.find("'idle'");
  const std::size_t spare = outcome.err.find("'spare'");
  ASSERT_NE(idle, std::string::npos) << outcome.err;
  ASSERT_NE(spare, std::string::npos) << outcome.err;
  EXPECT_LT(idle, spare) << outcome.err;
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
  expect_one_screen(outcome.out, 100);
  EXPECT_TRUE(contains(read_text(path("e.svg")), "<svg "));
  const Outcome json =
      run({"compare", "first.toml", "--methods", "braun_goldfarb,baumgarte/heun", "--json"});
  EXPECT_EQ(find_keys(json.out), (Words{"status", "warnings", "runs"}));
  EXPECT_EQ(find_value(json.out, "warnings"), "[]");
}

TEST_F(CliStudies, CompareTellsTheWarningsOfTheModelInJson) {
  std::string model = kPendulum;
  model.insert(model.find("[parameters]") + 12, "\nspare = 3.7");
  write_text(path("spare.toml"), model);
  const Outcome outcome = run({"compare", "spare.toml", "--methods", "braun_goldfarb", "--json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(contains(find_value(outcome.out, "warnings"), "'spare'")) << outcome.out;
}

TEST_F(CliStudies, ComparedRunsAreNamedInTheLegend) {
  const Words words{"compare", "first.toml", "--methods", "braun_goldfarb,baumgarte", "--plot", "x",
                    "--log-x", "-o",         "named.svg"};
  Words named = words, fewer = words;
  named.insert(named.end(), {"--labels", "ours,with feedback"});
  fewer.insert(fewer.end(), {"--labels", "ours"});
  EXPECT_EQ(run(named).code, 0);
  const std::string svg = read_text(path("named.svg"));
  EXPECT_TRUE(contains(svg, ">ours<") && contains(svg, ">with feedback<")) << svg;
  EXPECT_FALSE(contains(svg, "braun_goldfarb"));
  const Outcome outcome = run(fewer);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.err, "--labels has 1 name for 2 runs")) << outcome.err;
}

TEST_F(CliStudies, WideTablesFitTheScreen) {
  const Outcome outcome =
      run({"compare", "first.toml", "--reference", "tight", "--methods",
           "braun_goldfarb/rk4/project+energy,baumgarte/dopri5/project,udwadia_kalaba/heun"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const std::string& line : split_lines(outcome.out)) EXPECT_LE(line.size(), 100U) << line;
  EXPECT_TRUE(contains(outcome.out, "error")) << outcome.out;
}

TEST_F(CliStudies, CompareChecksBeforeItRuns) {
  for (const Words& words :
       {Words{"--methods", "index1,bogus"}, Words{"--columns", "q9"},
        Words{"--plot", "q9", "-o", "a.svg"}, Words{"--plot", "x"}, Words{"-o", "a.svg"},
        Words{"--plot", "x", "-o", "a.jpg"}, Words{"--plot", "x", "-o", "no/a.svg"},
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
  const Outcome compare = signal_when_told(
      {"compare", "first.toml", "--until", "1e6", "--every", "1e3"}, SIGINT, " %, t = ");
  EXPECT_EQ(compare.code, 130);
  EXPECT_TRUE(contains(compare.out, "interrupted at t = ")) << compare.out;
  const Outcome sweep = signal_when_told({"sweep", "first.toml", "--until", "100", "--every", "100",
                                          "--vary", "l=1:2:20000", "--json"},
                                         SIGINT, " of 20000 runs");
  EXPECT_EQ(sweep.code, 130);
  EXPECT_EQ(find_value(sweep.out, "status"), "\"interrupted\"");
}

// Each run takes a fraction of a second, all of them many: the first second is that of the command.
TEST_F(CliStudies, ManyShortRunsTellHowFarTheyAre) {
  std::string methods;
  for (const char* formulation : {"braun_goldfarb", "baumgarte", "udwadia_kalaba", "cs"}) {
    for (const char* integrator : {"rk4", "heun", "kutta3", "ab2", "ab3", "ab4", "ab5"})
      methods += (methods.empty() ? "" : ",") + std::string(formulation) + "/" + integrator;
  }
  const Words words{"compare", "first.toml", "--until", "1200",      "--step",
                    "0.005",   "--every",    "100",     "--methods", methods};
  const Outcome compare = signal_when_told(words, SIGINT, " %, t = ");
  EXPECT_EQ(compare.code, 130) << compare.err;
  Words lines = words;
  lines.insert(lines.end(), {"--log", "json"});
  EXPECT_EQ(signal_when_told(lines, SIGINT, "\"event\":\"progress\"").code, 130);
}

// Also while none of its runs has ended; a run that is stopped on the way is told as such, and kept.
TEST_F(CliStudies, SweepTellsHowFarItsRunsAre) {
  const Words words{"sweep",  "first.toml", "--until", "1e6", "--every", "1e3",
                    "--vary", "l=1,2,3",    "--jobs",  "2",   "-o",      "s.csv"};
  const Outcome sweep = signal_when_told(words, SIGINT, "sweep: 0 of 3 runs, ");
  EXPECT_EQ(sweep.code, 130);
  EXPECT_TRUE(contains(sweep.err,
                       "interrupted: 0 of 3 runs were finished, 2 were stopped on the "
                       "way: l = 1, l = 2; 1 was not begun"))
      << sweep.err;
  EXPECT_FALSE(contains(sweep.err, "every run failed")) << sweep.err;
  const std::string table = read_text(path("s.csv"));
  EXPECT_TRUE(contains(table, "\n1,,interrupted\n2,,interrupted\n")) << table;
  Words lines = words;
  lines.back() = "t.csv";
  lines.insert(lines.end(), {"--log", "json"});
  const Outcome json = signal_when_told(lines, SIGINT, "\"share\":");
  EXPECT_TRUE(json.err.starts_with("{\"event\":\"progress\",\"title\":\"sweep\",\"done\":0,"))
      << json.err;
  lines[lines.size() - 3] = "u.csv";
  lines.emplace_back("--quiet");
  EXPECT_EQ(run_and_signal(lines, SIGINT, "", 1500).err, "");
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

TEST_F(CliStudies, SweepVariesAnOptionOfTheMethodThatRuns) {
  const Outcome sweep = run({"sweep", "first.toml", "--method", "baumgarte/ab3", "--vary",
                             "alpha=2,40", "--show", "max_phi", "-o", "gains.csv"});
  EXPECT_EQ(sweep.code, 0) << sweep.err;
  const auto lines = split_lines(read_text(path("gains.csv")));
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_NE(lines[1].substr(lines[1].find(',')), lines[2].substr(lines[2].find(',')));
  const Outcome compare = run({"compare", "first.toml", "--methods", "baumgarte,baumgarte/ab3",
                               "--set", "method.alpha=2", "--reference", "tight"});
  EXPECT_EQ(compare.code, 0) << compare.err;
  const Outcome foreign =
      run({"compare", "first.toml", "--methods", "baumgarte,index1", "--set", "method.alpha=2"});
  EXPECT_EQ(foreign.code, 2);
  EXPECT_TRUE(contains(foreign.err, "method.alpha is an option of baumgarte")) << foreign.err;
}

TEST_F(CliStudies, SweepRefusesWhatItCannotVary) {
  for (const char* axis :
       {"l", "l=", "l=1:2", "l=1:2:0", "l=a,b", "q9=1,2", "l=nan,1", "l=1:inf:3"}) {
    const Outcome outcome = run({"sweep", "first.toml", "--vary", axis});
    EXPECT_EQ(outcome.code, 2) << axis << outcome.out;
    EXPECT_TRUE(outcome.out.empty()) << outcome.out;
    EXPECT_TRUE(contains(outcome.err, "--vary ")) << outcome.err;
    EXPECT_FALSE(contains(outcome.err, "--set")) << outcome.err;
  }
  // The name as it was typed, also where an option is meant.
  const Outcome option = run({"sweep", "first.toml", "--vary", "step=-1,2"});
  EXPECT_EQ(option.code, 2);
  EXPECT_TRUE(contains(option.err, "--vary step=-1: error: method.step = -1: out of bounds"))
      << option.err;
  for (const char* figure : {"bogus", "last(q9)", "median(x)", "last(x"}) {
    EXPECT_EQ(run({"sweep", "first.toml", "--vary", "l=1,2", "--show", figure}).code, 2) << figure;
  }
}

}  // namespace
}  // namespace driftless::testing
