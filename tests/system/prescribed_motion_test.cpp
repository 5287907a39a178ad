// Motions that time prescribes and nothing can follow: whatever the method, the failure names the drive and not a joint in
// its way.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/io/model_file.hpp"
#include "driftless/run/prepare.hpp"
#include "tests/system/run_model.hpp"

namespace driftless::trials {
namespace {

std::string make_bar(const std::string& rest) {
  return R"(format = "driftless/1"
space = "plane"
gravity = [0, -9.81]
[body.bar]
rod = [[0, 2], [1.2, 1]]
mass = 3
[joint.pin]
type = "revolute"
between = ["ground", "bar"]
at = [0, 2]
)" + rest;
}

/// The drive stands in line 11.
std::string make_driven(const std::string& value) {
  return make_bar(
      fmt::format("[constraint.d]\ntype = \"drive\"\nof = \"pin.angle\"\nvalue = \"{}\"\n", value));
}

void expect_blame(const char* value, const char* method) {
  const bool adaptive = std::string(method).ends_with("dopri5");
  const Result result =
      adaptive ? run_text(make_driven(value), {.method = method, .tolerance = 1e-5, .until = 2})
               : run_text(make_driven(value), {.method = method, .step = 0.01, .until = 2});
  const std::string which = fmt::format("{} by {}: {}", value, method, result.report.message);
  EXPECT_EQ(result.report.status, Status::failed) << which;
  EXPECT_EQ(result.report.failure.worst, "d.value") << which;
  EXPECT_NE(result.report.message.find("'d.value'"), std::string::npos) << which;
  EXPECT_EQ(result.report.failure.where.line, 11) << which;
  EXPECT_NE(result.report.failure.suggestion.find("change 'd.value'"), std::string::npos) << which;
}

TEST(PrescribedMotion, ThatJumpsOrIsNotFiniteIsBlamedOnItsDrive) {
  for (const char* value : {"1/(t - 1)", "if(t < 1, 0, 0.7)", "sqrt(1 - t)", "log(1 - t)",
                            "0.3*tan(1.5*t)", "0.2 + 2/(1 - t)^2"}) {
    for (const char* method : {"braun_goldfarb/rk4", "index1/rk4"}) expect_blame(value, method);
  }
  for (const char* value : {"if(t < 1, 0, 0.7)", "sqrt(1 - t)", "log(1 - t)"}) {
    for (const char* method : {"braun_goldfarb/dopri5", "baumgarte/dopri5"})
      expect_blame(value, method);
  }
}

TEST(VerifyPrescribedMotion, APoleIsFoundHoweverNearTheStepsCome) {
  expect_blame("1/(t - 1)", "braun_goldfarb/dopri5");
}

// What a drive asks for is smooth, but a rocker cannot go round.
TEST(PrescribedMotion, ThatIsSmoothButOutOfReachIsToldAsSuch) {
  const std::string text = make_bar(R"([body.coupler]
rod = [[1.2, 1], [2.2, 2]]
mass = 1
[body.rocker]
rod = [[2.2, 2], [2.2, 0.4]]
mass = 1
[joint.B]
type = "revolute"
between = ["bar", "coupler"]
at = [1.2, 1]
[joint.C]
type = "revolute"
between = ["coupler", "rocker"]
at = [2.2, 2]
[joint.D]
type = "revolute"
between = ["rocker", "ground"]
at = [2.2, 0.4]
[constraint.d]
type = "drive"
of = "pin.angle"
value = "-t"
)");
  const Result fixed = run_text(text, {.method = "braun_goldfarb/rk4", .step = 0.01, .until = 9});
  EXPECT_EQ(fixed.report.status, Status::failed);
  EXPECT_NE(fixed.report.message.find("out of reach"), std::string::npos) << fixed.report.message;
  EXPECT_EQ(fixed.report.failure.suggestion.find("jumps"), std::string::npos);
}

// ---- forces without a direction --------------------------------------------------------------------------

std::string make_spring(const std::string& places, const std::string& rest) {
  return make_bar(fmt::format(
      "[force.spring]\ntype = \"spring_damper\"\nbetween = [\"ground\", \"bar\"]\nat = {}\n{}\n",
      places, rest));
}

std::vector<std::string> find_warnings(const std::string& text) {
  return prepare_model(parse_model(text, "test.toml"), {}).warnings;
}

TEST(SpringOfCoincidingPoints, IsWarnedOf) {
  const std::vector<std::string> warnings =
      find_warnings(make_spring("[1.2, 1]", "stiffness = 80\nlength = 0.3"));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_TRUE(warnings[0].starts_with("test.toml:11:8: force 'spring' has 24 N but no direction"))
      << warnings[0];
  EXPECT_NE(warnings[0].find("length = 0"), std::string::npos) << warnings[0];
  EXPECT_EQ(find_warnings(make_spring("[1.2, 1]", "damping = 2\nlaw = \"4 + stretch\"")).size(),
            1U);
}

TEST(SpringOfCoincidingPoints, IsFineWithoutForce) {
  for (const char* rest : {"stiffness = 80", "stiffness = 1e9\nlength = 0", "damping = 3"})
    EXPECT_TRUE(find_warnings(make_spring("[1.2, 1]", rest)).empty()) << rest;
  EXPECT_TRUE(find_warnings(make_spring("[[1.2, 1], [1.2, 1.001]]", "stiffness = 80\nlength = 0.3"))
                  .empty());
}

TEST(MassesFarApart, AreWarnedOf) {
  const auto make = [](const char* mass) {
    return make_bar(fmt::format("[body.dust]\npoint = true\ncentre = [3, 0]\nmass = {}\n", mass));
  };
  EXPECT_TRUE(find_warnings(make("1e-11")).empty());
  const std::vector<std::string> warnings = find_warnings(make("1e-13"));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_TRUE(
      warnings[0].starts_with("the masses of dust (1e-13 kg) and bar (3 kg) are more than "
                              "1e+12 times apart"))
      << warnings[0];
}

// ---- tries that nobody need know of ------------------------------------------------------------------------

TEST(TriesOfTheStart, AreToldOnlyIfSomethingIsNotAsWanted) {
  const auto tells = [](const std::string& start) {
    bool told = false;
    for (const std::string& each : find_warnings(make_driven("t - 1") + "[start]\n" + start))
      told = told || each.find("tries") != std::string::npos;
    return told;
  };
  EXPECT_FALSE(tells("bar.x = { value = 0.6, priority = \"guess\" }\n"));
  EXPECT_TRUE(tells("bar.x = 0.6\n"));
}

}  // namespace
}  // namespace driftless::trials
