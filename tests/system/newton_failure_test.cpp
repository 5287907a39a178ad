// Implicit steps that have no solution: halved, counted, told, and named where the run has to end. And steps so short that
// round-off of positions is all that moves: Newton's matrix stays bounded.

#include <cmath>

#include <gtest/gtest.h>

#include "driftless/io/templates.hpp"
#include "tests/system/beyond_reach.hpp"
#include "tests/system/run_model.hpp"

namespace driftless::trials {
namespace {

/// A bead on a parabola that is thrown against a wall, whose force grows by e in each 2.5 mm.
constexpr const char* kWall = R"~(
format = "driftless/1"
[coordinates]
x = { start = 1, rate = -3 }
y = { start = 0, rate = -1.8 }
[energy]
kinetic = "(x'^2 + y'^2)/2"
potential = "1e-6*exp(-400*x) + 9.81*y"
[constraint]
line = "y - 0.3*x^2 + 0.3"
)~";

/// A force that has no value beyond x = 0.5.
constexpr const char* kEnd = R"~(
format = "driftless/1"
[coordinates]
x = { start = 0, rate = 1 }
y = { start = 0, rate = 0 }
[energy]
kinetic = "(x'^2 + y'^2)/2"
[force]
y = "sqrt(0.5 - x)"
[constraint]
line = "y - x^2"
)~";

const char* const kFixedMethods[] = {
    "index3/radau5",         "ggl/radau5",        "ggl/bdf", "index3/newmark",
    "ggl/generalized_alpha", "ggl/backward_euler"};

TEST(NewtonFailure, HalvesFixedStepsAndGoesBackToTheGrid) {
  for (const char* words : kFixedMethods) {
    SCOPED_TRACE(words);
    const Result result =
        run_text(kWall, {.method = words, .step = 0.02, .until = 0.6, .every = 0.02});
    ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
    EXPECT_GE(figure(result, "newton_failures"), 1);
    EXPECT_GE(result.report.rejected, 1);
    EXPECT_LT(result.report.steps, 60);  // 30 would be enough if none failed
    ASSERT_FALSE(result.report.warnings.empty());
    EXPECT_NE(result.report.warnings.front().find("had to be halved"), std::string::npos)
        << result.report.warnings.front();
    EXPECT_GT(last(result, "x'"), 0.5);  // it has come back
  }
}

TEST(NewtonFailure, HalvesAdaptiveStepsAndCountsThem) {
  const Result exact = run_text(
      kWall, {.method = "index1/dop853/project", .tolerance = 1e-12, .until = 0.6, .every = 0.6});
  for (const char* words : {"index3/radau5", "ggl/radau5", "ggl/bdf", "ggl/ida",
                            "ggl/generalized_alpha", "index3/newmark"}) {
    SCOPED_TRACE(words);
    const Result result =
        run_text(kWall, {.method = words, .tolerance = 1e-6, .until = 0.6, .every = 0.6});
    ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
    EXPECT_GE(figure(result, "newton_failures"), 0);
    EXPECT_LE(figure(result, "newton_failures"), static_cast<double>(result.report.rejected));
    EXPECT_NEAR(last(result, "x"), last(exact, "x"), 2e-3);
  }
}

TEST(NewtonFailure, EndsWithWhatHasNoValue) {
  for (const char* words : {"index3/radau5", "ggl/radau5", "stabilized_index1/radau5",
                            "index3/newmark", "ggl/generalized_alpha", "index3/rattle"}) {
    const Result result =
        run_text(kEnd, {.method = words, .step = 0.02, .until = 2, .every = 0.02});
    EXPECT_EQ(result.report.status, Status::failed) << words;
    EXPECT_NE(result.report.message.find("the force on 'y' is not finite at t = 0.5"),
              std::string::npos)
        << words << ": " << result.report.message;
    EXPECT_NEAR(result.report.t_end, 0.54, 1e-9) << words;  // what was computed is kept
  }
}

TEST(NewtonFailure, EndsWithTheWorstEquation) {
  for (const char* words : {"index3/radau5", "ggl/radau5", "index3/bdf", "index3/newmark",
                            "ggl/generalized_alpha", "index3/backward_euler"}) {
    const Result result =
        run_text(kBeyondReach, {.method = words, .step = 0.03, .until = 2, .every = 0.03});
    EXPECT_EQ(result.report.status, Status::failed) << words;
    EXPECT_LT(result.report.t_end, 0.5) << words;
    const std::string& message = result.report.message;
    const bool names_one = message.find("'rod'") != std::string::npos ||
                           message.find("'drive'") != std::string::npos ||
                           message.find("y'") != std::string::npos;
    EXPECT_TRUE(names_one) << words << ": " << message;
    EXPECT_EQ(message.find("z'"), std::string::npos) << words << ": " << message;
  }
}

/// A mass beside a pendulum, with a force on it.
std::string write_beside(const std::string& force) {
  return R"~(
format = "driftless/1"
[coordinates]
x = { start = 0, rate = 1 }
y = { start = -1, rate = 0 }
z = { start = 0, rate = 1 }
[energy]
kinetic = "(x'^2 + y'^2 + z'^2)/2"
potential = "9.81*y"
[force]
z = ")~" +
         force +
         R"~("
[constraint]
rod = "(x^2 + y^2 - 1)/2"
)~";
}

// Steps that a tolerance makes too small end with what is at fault, too: a force without value, or a motion without bound.
TEST(NewtonFailure, NamesWhatMakesStepsTooSmall) {
  const auto find_message = [](const std::string& text, const char* words) {
    const Result result = run_text(text, {.method = words, .tolerance = 1e-6, .until = 2});
    EXPECT_EQ(result.report.status, Status::failed) << words;
    return result.report.message;
  };
  for (const char* words :
       {"index3/generalized_alpha", "ggl/generalized_alpha", "index2/hht", "index3/newmark"}) {
    EXPECT_NE(find_message(write_beside("sqrt(0.5 - z)"), words).find("the force on 'z' is not"),
              std::string::npos)
        << words << find_message(write_beside("sqrt(0.5 - z)"), words);
  }
  for (const char* words :
       {"index3/generalized_alpha", "ggl/generalized_alpha", "index2/hht", "index3/newmark",
        "index3/radau5", "ggl/radau5", "index1/bdf", "index2/bdf", "index3/bdf", "ggl/bdf",
        "stabilized_index1/bdf", "ggl/ida"}) {
    EXPECT_NE(find_message(write_beside("1e3*z^7*(z')^3"), words).find("'z'"), std::string::npos)
        << words << find_message(write_beside("1e3*z^7*(z')^3"), words);
  }
}

// Newton's matrix is scaled by powers of h: it stays bounded, and multipliers of index 2 and below stay right.
TEST(NewtonFailure, NoneWithTinySteps) {
  const auto expect_none = [](const char* model, const char* words, double h) {
    SCOPED_TRACE(std::string(model) + " " + words + " " + text_of(h));
    const Result result =
        run_model(model, {.method = words, .step = h, .until = 20 * h, .every = 20 * h});
    ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
    EXPECT_EQ(figure(result, "newton_failures"), 0);
    EXPECT_LT(result.report.max_phi, 1e-14);
  };
  for (const char* words :
       {"index3/radau5", "index2/radau5", "index1/radau5", "index2_baumgarte/radau5", "ggl/radau5",
        "stabilized_index1/radau5", "index3/bdf", "index2_baumgarte/bdf", "ggl/bdf",
        "index3/newmark", "index3/generalized_alpha", "index2/generalized_alpha",
        "ggl/generalized_alpha", "index3/rattle", "index3/backward_euler"}) {
    for (const char* model : {"slider_crank_damped", "heavy_top"})
      for (const double h : {1e-6, 1e-7, 1e-9, 1e-12}) expect_none(model, words, h);
  }
  for (const char* words : {"index3/newmark", "index2_baumgarte/radau5", "ggl/generalized_alpha"})
    for (const double h : {1e-6, 1e-9}) expect_none("machines/stewart_platform", words, h);
}

TEST(NewtonFailure, MultipliersStayRightWithTinySteps) {
  for (const char* words :
       {"index2/radau5", "index1/radau5", "ggl/radau5", "stabilized_index1/radau5", "ggl/bdf",
        "index2/generalized_alpha", "ggl/generalized_alpha"}) {
    for (const double h : {1e-6, 1e-9, 1e-12}) {
      const Result result = run_model(
          "slider_crank_damped", {.method = words, .step = h, .until = 20 * h, .every = 20 * h});
      EXPECT_NEAR(last(result, "P.force.x"), -1.310288568297003, 3e-5) << words << h;
      EXPECT_NEAR(last(result, "P.force.y"), 1.170170592217177, 3e-5) << words << h;
    }
  }
}

// The round-off of positions adds up in the reactions of a long chain: short steps of index 3 are solved all the same.
TEST(NewtonFailure, NoneInLongChains) {
  const std::string text = make_template("chain", {{"n", "200"}, {"joint", "spherical"}});
  for (const char* words :
       {"index3/generalized_alpha", "index3/newmark", "ggl/generalized_alpha"}) {
    const Result result =
        run_text(text, {.method = words, .step = 1e-4, .until = 0.002, .every = 0.001});
    ASSERT_EQ(result.report.status, Status::ok) << words << ": " << result.report.message;
    EXPECT_EQ(figure(result, "newton_failures"), 0.0) << words;
    EXPECT_LT(result.report.max_phi, 1e-12) << words;
  }
}

}  // namespace
}  // namespace driftless::trials
