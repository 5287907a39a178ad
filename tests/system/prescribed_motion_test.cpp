// Motions that time prescribes and nothing can follow: whatever the method, the failure names the drive and not a joint in
// its way.

#include <cmath>
#include <numbers>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/io/model_file.hpp"
#include "driftless/run/prepare.hpp"
#include "tests/system/linkages.hpp"
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
  const std::string text =
      write_four_bar({.A = {0, 2}, .B = {1.2, 1}, .C = {2.2, 2}, .D = {2.2, 0.4}}) +
      "[constraint.d]\ntype = \"drive\"\nof = \"A.angle\"\nvalue = \"-t\"\n";
  const Result fixed = run_text(text, {.method = "braun_goldfarb/rk4", .step = 0.01, .until = 9});
  EXPECT_EQ(fixed.report.status, Status::failed);
  EXPECT_NE(fixed.report.message.find("out of reach"), std::string::npos) << fixed.report.message;
  EXPECT_EQ(fixed.report.failure.suggestion.find("jumps"), std::string::npos);
}

// ---- what is out of reach, by its value --------------------------------------------------------------------

struct DrivenRocker {
  std::string text;
  double limit = 0.0;  // of its angle, rad: crank and coupler in line
};

/// A four-bar as drawn, with random lengths, whose rocker is driven by `value`.
DrivenRocker draw_rocker(std::mt19937& random, const std::string& coordinates,
                         const std::string& value) {
  const auto draw = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  const double bx = draw(-0.2, 0.2), by = draw(0.8, 1.2), cx = draw(1.8, 2.2), cy = draw(1.3, 1.7),
               dx = draw(1.9, 2.1);
  const double crank = std::hypot(bx, by), coupler = std::hypot(cx - bx, cy - by),
               rocker = std::hypot(cx - dx, cy);
  // At D, of the triangle with the sides dx, rocker and what is between A and C.
  const auto angle_of = [&](double side) {
    return std::acos((dx * dx + rocker * rocker - side * side) / (2.0 * dx * rocker));
  };
  DrivenRocker drawn;
  drawn.limit = angle_of(std::hypot(cx, cy)) - angle_of(crank + coupler);
  drawn.text =
      write_four_bar({.head = "coordinates = \"" + coordinates + "\"\n",
                      .B = {bx, by},
                      .C = {cx, cy},
                      .D = {dx, 0},
                      .masses = {draw(0.1, 10.0), 1.0, draw(0.1, 10.0)}}) +
      fmt::format("[constraint.drv]\ntype = \"drive\"\nof = \"D.angle\"\nvalue = \"{}\"\n", value);
  return drawn;
}

/// The number behind `words`.
double read_after(const std::string& text, const std::string& words) {
  const std::size_t at = text.find(words);
  return at == std::string::npos ? std::nan("") : std::stod(text.substr(at + words.size()));
}

constexpr double kDegree = std::numbers::pi / 180.0;

TEST(OutOfReach, AtTheStartIsToldWithTheNearestValue) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 8; ++trial) {
    const DrivenRocker drawn =
        draw_rocker(random, trial % 2 == 0 ? "absolute" : "joint", "-1.3 - t");
    const StartReport report =
        prepare_model(parse_model(drawn.text, "rocker.toml"), {}).start_report;
    ASSERT_FALSE(report.success);
    EXPECT_NE(report.message.find("'drv' asks for D.angle = -74.4845 deg at t = 0"),
              std::string::npos)
        << report.message;
    EXPECT_NEAR(read_after(report.message, "can be reached is D.angle = ") * kDegree, drawn.limit,
                1e-6)
        << report.message;
    EXPECT_NE(report.suggestion.find("let 'drv' begin within reach"), std::string::npos);
  }
}

TEST(OutOfReach, OnTheWayIsToldWithTheNearestValueAndFiguresUpToThere) {
  std::mt19937 random(4);
  for (int trial = 0; trial < 8; ++trial) {
    const DrivenRocker drawn = draw_rocker(random, trial % 2 == 0 ? "absolute" : "joint", "-t");
    const Report report =
        run_text(drawn.text, {.method = "braun_goldfarb/rk4", .step = 0.01, .until = 3}).report;
    ASSERT_EQ(report.status, Status::failed);
    EXPECT_NEAR(read_after(report.message, "can be reached, about ") * kDegree, drawn.limit, 2e-3)
        << report.message;
    EXPECT_NEAR(-read_after(report.message, "asks for D.angle = ") * kDegree, report.t_end, 0.03)
        << report.message;
    EXPECT_LT(report.max_phi, 1e-3) << report.message;
  }
}

std::string make_reach(const std::string& coordinates, const std::string& value) {
  return fmt::format(R"(format = "driftless/1"
space = "plane"
coordinates = "{}"
gravity = [0, -9.81]
[body.b]
mass = 1.3
inertia = 0.1
centre = [1, 0]
[measure.reach]
type = "distance"
between = ["ground", "b"]
at = [[0, 0], [1, 0]]
[constraint.drv]
type = "drive"
of = "reach"
value = "{}"
)",
                     coordinates, value);
}

// A distance that shall become negative: not the step is to blame, and nothing after the last good one counts.
TEST(OutsideOfItsDomain, ADistanceIsNamedWithItsBound) {
  for (const char* coordinates : {"absolute", "joint"}) {
    for (const char* value : {"1 - 0.997*t", "0.3 + 0.7*cos(3*t)"}) {
      for (const char* method : {"braun_goldfarb/rk4", "udwadia_kalaba/rk4/project"}) {
        const Report report =
            run_text(make_reach(coordinates, value), {.method = method, .step = 1e-3, .until = 3})
                .report;
        const std::string which = fmt::format("{} by {}: {}", value, method, report.message);
        ASSERT_EQ(report.status, Status::failed) << which;
        EXPECT_NE(report.message.find("'drv.value' asks for reach = -"), std::string::npos)
            << which;
        EXPECT_NE(report.message.find("must be greater than 0 m"), std::string::npos) << which;
        EXPECT_NE(report.failure.suggestion.find("stay above 0 m"), std::string::npos) << which;
        EXPECT_EQ(report.failure.where.line, 13) << which;
        EXPECT_LT(report.max_phi, 1e-3) << which;
      }
    }
  }
}

TEST(OutsideOfItsDomain, ADistanceIsRefusedAtTheStart) {
  for (const char* value : {"-0.2 + t", "t"}) {
    const StartReport report =
        prepare_model(parse_model(make_reach("absolute", value), "reach.toml"), {}).start_report;
    EXPECT_FALSE(report.success);
    EXPECT_NE(report.message.find("must be greater than 0 m"), std::string::npos) << report.message;
    EXPECT_EQ(report.where.line, 13);
  }
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
