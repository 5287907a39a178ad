// driftless converge.

#include <csignal>

#include <gtest/gtest.h>

#include "tests/cli/program_test.hpp"

namespace driftless::testing {
namespace {

class CliConverge : public Program {
 protected:
  /// A short run, with what stands behind the file.
  Outcome converge(const Words& words) const {
    Words all{"converge", "first.toml", "--until", "0.5", "--every", "0.05"};
    all.insert(all.end(), words.begin(), words.end());
    return run(all);
  }
  /// Misuse: nothing is run, nothing is answered, and these parts are said.
  void expect_refused(const Words& words, const Words& parts) const {
    const Outcome outcome = converge(words);
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    EXPECT_TRUE(outcome.out.empty()) << outcome.out;
    for (const std::string& part : parts)
      EXPECT_TRUE(contains(outcome.err, part)) << part << "\n" << outcome.err;
  }
};

TEST_F(CliConverge, TakesTheModelsOwnMethodAndStep) {
  const Outcome outcome = converge({});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(outcome.err.empty()) << outcome.err;
  for (const char* part :
       {"swing, 0.5 s: errors at 11 samples", "reference: braun_goldfarb/dop853/project at",
        "partial_velocity/adams at tolerance 1e-12 differs from it by ",
        "\nbraun_goldfarb/rk4/project+energy\nstep s", "\n0.04 ", "\n0.0025 ", "\norder: "})
    EXPECT_TRUE(contains(outcome.out, part)) << part << "\n" << outcome.out;
  EXPECT_TRUE(contains(outcome.out, " in lambda (")) << outcome.out;
  expect_one_screen(outcome.out, 100);
}

TEST_F(CliConverge, EachMethodTakesWhatItCan) {
  const Outcome outcome =
      converge({"--methods", "drifting,index1/dopri5", "--steps", "0.02,0.01", "--tolerances",
                "1e-4:1e-6:3", "--plot", "work.svg", "--title", "Work and precision"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "\ndrifting (index1/rk4)\nstep s")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "\nindex1/dopri5\ntol. ")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "\n1e-05 ")) << outcome.out;
  EXPECT_TRUE(outcome.out.ends_with("\nwork.svg\n")) << outcome.out;
  const std::string svg = read_text(path("work.svg"));
  for (const char* part :
       {">Work and precision<", ">evaluations<", ">CPU time in s<", ">drifting<"})
    EXPECT_TRUE(contains(svg, part)) << part;
  EXPECT_EQ(converge({"--steps", "20 ms:10 ms:2", "--plot", "work.png", "--against", "step"}).code,
            0);
  EXPECT_TRUE(read_text(path("work.png")).starts_with("\x89PNG"));
  // Only steps: also those that could follow a tolerance.
  const Outcome fixed = converge({"--methods", "index1/dopri5", "--steps", "0.04,0.02"});
  EXPECT_TRUE(contains(fixed.out, "\nindex1/dopri5\nstep s")) << fixed.out;
}

TEST_F(CliConverge, AnswersOneObject) {
  const Outcome json = converge({"--methods", "index1/rk4", "--steps", "0.02,0.01", "--json"});
  EXPECT_EQ(json.code, 0) << json.err;
  EXPECT_EQ(find_keys(json.out), (Words{"status", "model", "until", "reference", "methods"}));
  EXPECT_EQ(find_value(json.out, "status"), "\"ok\"");
  EXPECT_EQ(find_keys(find_value(json.out, "reference")),
            (Words{"name", "checked_by", "error_q", "error_v", "error_lambda", "problem"}));
  const std::string methods = find_value(json.out, "methods");
  ASSERT_GT(methods.size(), 2U);
  const std::string first = methods.substr(1, methods.size() - 2);  // the only one
  EXPECT_EQ(find_keys(first), (Words{"name", "method", "kind", "order", "rows_used", "runs"}));
  EXPECT_NEAR(std::stod(find_value(find_value(first, "order"), "error_q")), 4.0, 0.3) << first;
  EXPECT_NEAR(std::stod(find_value(find_value(first, "order"), "error_lambda")), 4.0, 0.3);
  for (const char* key : {"\"step\":0.02", "\"error_q\":", "\"evaluations\":", "\"rejected\":",
                          "\"factorisations\":", "\"least_cpu_seconds\":", "\"max_phi\":"})
    EXPECT_TRUE(contains(find_value(first, "runs"), key)) << key;
}

TEST_F(CliConverge, TakesReferences) {
  const Words tight{"run", "first.toml", "--until", "0.5", "--every", "0.05"};
  Words words = tight;
  words.insert(words.end(), {"--method", "index1/dop853", "--tolerance", "1e-13", "--out", "r.h5"});
  EXPECT_EQ(run(words).code, 0);
  const Words steps{"--methods", "index1/rk4", "--steps", "0.02,0.01", "--reference"};
  const auto with = [&](const std::string& reference) {
    Words all = steps;
    all.push_back(reference);
    return converge(all);
  };
  const Outcome file = with("r.h5");
  EXPECT_EQ(file.code, 0) << file.err;
  EXPECT_TRUE(contains(file.out, "\nreference: r.h5\nbraun_goldfarb/dop853/project at "))
      << file.out;
  const Outcome method = with("index1/dop853/project");
  EXPECT_TRUE(contains(method.out, "\nreference: index1/dop853/project at tolerance 1e-12\n"))
      << method.out;
  // Too coarse for the errors measured: that is said, and no order is claimed.
  words = tight;
  words.insert(words.end(), {"--method", "index1/rk4", "--step", "0.05", "--out", "coarse.csv"});
  EXPECT_EQ(run(words).code, 0);
  const Outcome coarse = with("coarse.csv");
  EXPECT_EQ(coarse.code, 0);
  EXPECT_TRUE(contains(coarse.err, "the reference is too coarse: it differs by ")) << coarse.err;
  EXPECT_TRUE(contains(coarse.err, "leave --reference out")) << coarse.err;
  EXPECT_TRUE(contains(coarse.out, "\n* less than ten times this difference")) << coarse.out;
  EXPECT_TRUE(contains(coarse.out, "\nno order: ")) << coarse.out;
}

TEST_F(CliConverge, ShowsRunsThatFail) {
  write_text(path("stiff.toml"), R"toml(format = "driftless/1"
name = "stiff"
[coordinates]
x = 0.3
[energy]
kinetic = "x'^2/2"
potential = "1e4*x^2/2"
[run]
until = 20
every = 2
)toml");
  const Outcome some = run({"converge", "stiff.toml", "--methods", "index1/euler,index1/dop853",
                            "--steps", "0.1,0.08", "--tolerances", "1e-4,1e-5"});
  EXPECT_EQ(some.code, 0) << some.err;
  EXPECT_TRUE(contains(some.out, "\n0.1      failed")) << some.out;
  EXPECT_TRUE(contains(some.out, "\nstep 0.1: failed at t = ")) << some.out;
  EXPECT_TRUE(contains(some.out, "\nno order: every run failed\n")) << some.out;
  const Outcome all =
      run({"converge", "stiff.toml", "--methods", "index1/euler", "--steps", "0.1,0.08", "--json"});
  EXPECT_EQ(all.code, 1);
  EXPECT_EQ(find_value(all.out, "status"), "\"failed\"");
}

TEST_F(CliConverge, RefusalsTeach) {
  expect_refused({"--methods", "index1,bogus"}, {"there is no method 'bogus'"});
  expect_refused({"--steps", "0.01"}, {"--steps 0.01: one step shows no order, two are the least",
                                       "write --steps 0.04,0.02,0.01"});
  expect_refused({"--steps", "0.01,0.01"}, {"0.01 is there twice"});
  expect_refused({"--steps", "0.04:0.01"}, {"a range has three parts: from, to and how many"});
  expect_refused({"--steps", "0.02,0"}, {"0 is not positive"});
  expect_refused({"--steps", "2,1"}, {"2 is greater than 0.5 s, the whole run"});
  expect_refused({"--steps", "2 mm,1 mm"}, {"'mm' is no unit of time"});
  expect_refused({"--tolerances", "1e-4,1e-6"},
                 {"rk4 has no error estimate, so it cannot keep --tolerances",
                  "add --steps for it, for example --steps 0.04:0.0025:5, or take dopri5"});
  expect_refused({"--methods", "index1/dopri5", "--tolerances", "1e-4,1e-20"},
                 {"1e-20 is less than 1e-14, which no run can keep"});
  expect_refused(
      {"--methods", "index1/dopri5", "--steps", "0.02,0.01", "--tolerances", "1e-4,1e-5"},
      {"--steps and --tolerances are both given, but no method here takes steps",
       "leave --tolerances out for fixed steps"});
  expect_refused({"--step", "0.01"}, {"converge has no option '--step'", "'--steps'"});
  expect_refused({"--reference", "index1/rk4"}, {"cannot keep the tolerance 1e-12", "RUN.h5"});
  expect_refused({"--reference", "nothing.h5"}, {"nothing.h5"});
  expect_refused({"--reference", "first.toml"}, {"first.toml is a model, not a result"});
  expect_refused({"--plot", "a.jpg"}, {"pictures are written as .svg or .png"});
  expect_refused({"--plot", "no/a.svg"}, {"there is no folder no"});
  expect_refused({"--against", "time"}, {"use evaluations, cpu or step"});
  const Outcome missing = run({"converge", "nothing.toml"});
  EXPECT_EQ(missing.code, 2);
  EXPECT_TRUE(contains(missing.err, "nothing.toml")) << missing.err;
}

TEST_F(CliConverge, RefusesAReferenceOfAnotherModel) {
  write_text(path("other.csv"), "t,a\n0,1\n0.05,2\n");
  expect_refused({"--reference", "other.csv"},
                 {"other.csv has no column 'x', which the model has", "leave --reference out"});
  Words words{"run", "first.toml", "--until", "0.5", "--every", "0.03", "--out", "odd.csv"};
  EXPECT_EQ(run(words).code, 0);
  const Outcome rare = converge({"--reference", "odd.csv"});
  EXPECT_EQ(rare.code, 0) << rare.err;
  EXPECT_TRUE(contains(rare.out, "errors at 5 samples")) << rare.out;  // 0, 0.15, ..., 0.5
  EXPECT_FALSE(contains(rare.err, "ends at")) << rare.err;
  words[3] = "0.2";
  words.back() = "short.csv";
  EXPECT_EQ(run(words).code, 0);
  const Outcome brief = converge({"--reference", "short.csv"});
  EXPECT_TRUE(contains(brief.err, "short.csv ends at t = 0.2 s: errors are those up to there"))
      << brief.err;
}

TEST_F(CliConverge, InterruptedItKeepsWhatIsThere) {
  // The reference takes a moment, the first step too, the second one hours.
  const Outcome outcome = run_and_signal(
      {"converge", "first.toml", "--until", "5", "--steps", "0.01,1e-7"}, SIGINT, "", 2000);
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "\n0.01 ")) << outcome.out;
  EXPECT_TRUE(contains(outcome.err, "interrupted: 1 of 2 runs were finished")) << outcome.err;
}

TEST_F(CliConverge, IsExplained) {
  EXPECT_TRUE(contains(run({"explain", "converge"}).out, "converge (command)"));
  const Outcome help = run({"converge", "--help"});
  EXPECT_TRUE(contains(help.out, "Examples:")) << help.out;
}

}  // namespace
}  // namespace driftless::testing
