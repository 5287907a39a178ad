// Tolerances down to what double precision gives: implicit methods run, get better as long as they can, and say where that ends.
// And steps that a stiff stop makes very short: round-off must not be taken for an error.

#include <cmath>

#include <gtest/gtest.h>

#include "tests/system/run_model.hpp"

namespace driftless::trials {
namespace {

const char* const kTightMethods[] = {"index1/ida",
                                     "index2/ida",
                                     "ggl/ida",
                                     "stabilized_index1/ida",
                                     "index1/bdf",
                                     "index2/bdf",
                                     "index3/bdf",
                                     "ggl/bdf",
                                     "ggl/radau5",
                                     "index3/radau5",
                                     "stabilized_index1/bdf",
                                     "stabilized_index1/radau5"};

TEST(TightTolerances, RunOnTheSqueezer) {
  const std::vector<std::string> angles{"beta", "Theta", "gamma", "Phi", "delta"};
  for (const char* model : {"andrews_squeezer", "andrews_squeezer_angles"}) {
    const auto run = [&](const std::string& words, double tolerance) {
      return run_model(model,
                       {.method = words, .tolerance = tolerance, .until = 0.01, .every = 0.0005});
    };
    const Result exact = run("index1/dop853/project", 1e-13);
    for (const char* words : kTightMethods) {
      for (const double tolerance : {1e-9, 1e-10, 1e-11, 1e-12}) {
        SCOPED_TRACE(std::string(model) + " " + words + " " + text_of(tolerance));
        const Result result = run(words, tolerance);
        ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
        EXPECT_LT(max_difference(result, exact, angles), std::max(300 * tolerance, 1e-8));
        const bool is_bdf = std::string(words).find("radau5") == std::string::npos;
        if (is_bdf && tolerance < 1e-11) {
          ASSERT_FALSE(result.report.warnings.empty());
          EXPECT_NE(result.report.warnings.front().find("round-off decides"), std::string::npos);
        } else if (tolerance > 5e-10) {
          EXPECT_TRUE(result.report.warnings.empty()) << result.report.warnings.front();
        }
      }
    }
  }
}

// What the remedy names does run.
TEST(TightTolerances, NameTheOneThatIsPossible) {
  const auto run = [](double tolerance) {
    return run_model(
        "andrews_squeezer_angles",
        {.method = "ggl/radau5", .tolerance = tolerance, .until = 0.005, .every = 0.001});
  };
  const Result failed = run(1e-14);
  ASSERT_EQ(failed.report.status, Status::failed);
  EXPECT_NE(failed.report.message.find("below what double precision gives"), std::string::npos)
      << failed.report.message;
  const std::string& remedy = failed.report.failure.suggestion;
  const std::string words = "give a tolerance of ";
  ASSERT_EQ(remedy.rfind(words, 0), 0U) << remedy;
  const double possible = std::stod(remedy.substr(words.size()));
  EXPECT_GT(possible, 1e-14);
  EXPECT_LT(possible, 1e-11);
  EXPECT_EQ(run(possible).report.status, Status::ok);
}

constexpr const char* kStop = R"(
format = "driftless/1"
space = "plane"
gravity = [0, -9.81]
[points]
A = [0, 0]
B = [1, 0]
C = [1.7, 0.4]
[body.a]
rod = ["A", "B"]
mass = 1.3
[body.b]
rod = ["B", "C"]
mass = 0.8
[joint.A]
type = "revolute"
between = ["ground", "a"]
at = "A"
[joint.B]
type = "revolute"
between = ["a", "b"]
at = "B"
[force.stop]
type = "stop"
of = "A.angle"
low = "-50 deg"
stiffness = 1e6
damping = 100
)";

TEST(TightTolerances, PassAStiffStop) {
  const auto run = [](const char* words, double tolerance) {
    return run_text(kStop, {.method = words, .tolerance = tolerance, .until = 1, .every = 0.01});
  };
  const Result exact = run("index1/dop853/project", 1e-11);
  for (const char* words :
       {"index1/ida", "index2/ida", "ggl/ida", "stabilized_index1/ida", "ggl/bdf"}) {
    for (const double digits : {5.0, 6.0, 7.0, 7.5, 8.0, 8.5, 9.0}) {
      const double tolerance = std::pow(10.0, -digits);
      SCOPED_TRACE(std::string(words) + " " + text_of(tolerance));
      const Result result = run(words, tolerance);
      ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
      EXPECT_LT(result.report.steps, 3000);
      EXPECT_LT(result.report.rejected, 200);
      EXPECT_LT(max_difference(result, exact, {"a.x", "a.y", "b.x", "b.y"}), 50 * tolerance);
    }
  }
}

// The first step is guessed from the size of the state, which here is rounding.
TEST(TightTolerances, StartFromRoundingAsFromZero) {
  for (const char* words : {"index1/dopri5", "index1/dop853", "index1/adams"}) {
    const Result result = run_text(R"(
format = "driftless/1"
[coordinates]
x = { start = 4e-16 }
[energy]
kinetic = "x'^2/2"
potential = "-9.81*x + x^2"
)",
                                   {.method = words, .tolerance = 1e-12, .until = 1});
    EXPECT_EQ(result.report.status, Status::ok) << words << ": " << result.report.message;
    EXPECT_NEAR(last(result, "x"), 9.81 / 2.0 * (1.0 - std::cos(std::sqrt(2.0))), 1e-10) << words;
  }
}

}  // namespace
}  // namespace driftless::trials
