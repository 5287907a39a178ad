// Forces along a measure and on frames against closed forms, with numbers that no symmetry helps.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/assembly/derivative_check.hpp"
#include "driftless/base/error.hpp"
#include "driftless/io/model_file.hpp"
#include "driftless/run/prepare.hpp"
#include "driftless/system/system.hpp"
#include "tests/system/law_trials.hpp"

namespace driftless::trials {
namespace {

using std::numbers::pi;

// ---- forces -----------------------------------------------------------------------------------------

TEST(LongFriction, ViscousDecaysDryStops) {
  const std::string viscous = make_wheels(R"~(
[force.F]
type = "friction"
of = "A.angle"
viscous = "0.05 N*m*s"
[start]
A.rate = 30
)~");
  const Result slow = run_text(viscous, until(6));
  EXPECT_LT(end_difference(slow, "A.rate", 30 * std::exp(-0.05 / 0.11 * 6)), 1e-9);
  const std::string dry = make_wheels(R"~(
[force.F]
type = "friction"
of = "A.angle"
dry = "0.4 N*m"
speed = "0.01 rad/s"
[start]
A.rate = 30
)~");
  // Far above the speed of regularisation the torque is constant.
  const Result result = run_text(dry, until(5));
  EXPECT_LT(end_difference(result, "A.rate", 30 - 0.4 / 0.11 * 5), 1e-9);
  const Result stopped = run_text(dry, until(9));
  EXPECT_NEAR(last(stopped, "A.rate"), 0, 1e-6);
  EXPECT_NEAR(last(stopped, "A.angle"), 30 * 30 * 0.11 / (2 * 0.4), 0.01);
}

std::string make_slider(const std::string& rest) {
  return R"~(format = "driftless/1"
space = "plane"
[body.block]
mass = 0.8
inertia = 0.1
centre = [0, 0]
[joint.P]
type = "prismatic"
between = ["ground", "block"]
at = [0, 0]
axis = [1, 0]
)~" + rest;
}

TEST(Stop, BouncesWithTheRightTimeAndNeverPulls) {
  const std::string text = make_slider(R"~(
[force.S]
type = "stop"
of = "P.position"
low = "-0.5 m"
high = "0.2 m"
stiffness = "3e4 N/m"
damping = "DAMPING N*s/m"
depth = "1 mm"
[start]
P.speed = 1.3
)~");
  const auto with = [&](const std::string& damping) {
    std::string copy = text;
    copy.replace(copy.find("DAMPING"), 7, damping);
    return copy;
  };
  const double bounce = pi * std::sqrt(0.8 / 3e4);
  const Result elastic = run_text(with("0"), until(0.2 / 1.3 + bounce + 0.2));
  EXPECT_NEAR(last(elastic, "P.position"), 0.2 - 1.3 * 0.2, 1e-6);
  EXPECT_NEAR(last(elastic, "P.speed"), -1.3, 1e-6);
  expect_at_most("energy", elastic.report.max_energy_error, 1e-6);
  const Result damped = run_text(with("80"), until(4));
  for (const double force : column(damped, "S.force")) EXPECT_LE(force, 3e4);
  const Values place = column(damped, "P.position");
  const Values force = column(damped, "S.force");
  for (std::size_t k = 0; k < place.size(); ++k) {
    if (place[k] > 0.2) {
      EXPECT_LE(force[k], 0) << "it pulls at " << place[k];
    } else if (place[k] < -0.5) {
      EXPECT_GE(force[k], 0) << "it pulls at " << place[k];
    } else {
      EXPECT_EQ(force[k], 0);
    }
  }
  EXPECT_LT(std::abs(last(damped, "P.speed")), 1.0);
  EXPECT_GT(std::abs(last(damped, "P.speed")), 0.1);
}

TEST(SpringDamper, ACubicLawAgainstTheEnergyIntegral) {
  const std::string text = make_slider(R"~(
[force.S]
type = "spring_damper"
between = ["ground", "block"]
at = [[-1, 0], [0, 0]]
stiffness = 12
law = "30*stretch^3"
[start]
P.position = 0.4
)~");
  const Result result = run_text(text, until(5));
  expect_at_most("energy", result.report.max_energy_error, 1e-10);
  const Values x = column(result, "P.position");
  const Values v = column(result, "P.speed");
  const double total = 6 * 0.16 + 7.5 * 0.0256;
  for (std::size_t k = 0; k < x.size(); ++k) {
    EXPECT_NEAR(0.4 * v[k] * v[k] + 6 * x[k] * x[k] + 7.5 * std::pow(x[k], 4), total, 1e-9);
  }
}

TEST(Attraction, KeplersEllipse) {
  const std::string text = R"~(format = "driftless/1"
[body.planet]
mass = 2
point = true
centre = [1, 0, 0]
[force.sun]
type = "attraction"
between = ["ground", "planet"]
at = [[0, 0, 0], [1, 0, 0]]
strength = 3.4
[conserved]
spin = "2*(planet.x*planet.y' - planet.y*planet.x')"
[start]
"planet.y'" = 1.1
"planet.z'" = 0.3
)~";
  const double mu = 1.7;
  const double v2 = 1.1 * 1.1 + 0.3 * 0.3;
  const double axis = 1 / (2 - v2 / mu);
  const double period = 2 * pi * std::sqrt(axis * axis * axis / mu);
  const Result result = run_text(text, until(period));
  EXPECT_NEAR(last(result, "planet.x"), 1, 1e-8);
  EXPECT_NEAR(last(result, "planet.y"), 0, 1e-8);
  EXPECT_NEAR(last(result, "planet.z"), 0, 1e-8);
}

TEST(PointForce, InWorldAndInBodyAxes) {
  const std::string text = R"~(format = "driftless/1"
[body.top]
mass = 2
inertia = [0.3, 0.3, 0.2]
centre = [0, 0, 0]
[force.F]
type = "point_force"
body = "top"
force = [0, "4*t", 0]
[force.M]
type = "point_force"
body = "top"
torque = [0, 0, "0.6*cos(2*t)"]
axes = "body"
[force.thrust]
type = "point_force"
body = "top"
force = [3, 0, 0]
axes = "body"
[start]
top.wz = 0.4
)~";
  const Result result = run_text(text, until(2));
  const auto angle = [](double t) { return 0.4 * t + 3.0 / 4 * (1 - std::cos(2 * t)); };
  double x = 0, y = 4.0 / 2 / 6 * 8;
  const int n = 20000;
  for (int i = 0; i <= n; ++i) {  // (2 - s) weighs what the force at s does to the place at 2
    const double s = 2.0 * i / n;
    const double weight = (i == 0 || i == n ? 1 : i % 2 == 1 ? 4 : 2) * 2.0 / n / 3 * (2 - s) * 1.5;
    x += weight * std::cos(angle(s));
    y += weight * std::sin(angle(s));
  }
  EXPECT_NEAR(last(result, "top.x"), x, 1e-9);
  EXPECT_NEAR(last(result, "top.y"), y, 1e-9);
  EXPECT_NEAR(last(result, "top.wz"), 0.4 + 1.5 * std::sin(4), 1e-9);
  expect_at_most("energy", result.report.max_energy_error, 1e-9);
}

TEST(Bushing, LargeTurnsKeepTheEnergyAndSmallOnesVibrateRight) {
  const std::string text = R"~(format = "driftless/1"
[body.block]
mass = 1.2
inertia = [0.02, 0.03, 0.05]
centre = [0, 0, 0]
[force.B]
type = "bushing"
on = { body = "ground", at = [0.1, 0, 0], z = [0, 0.6, 0.8] }
to = { body = "block", at = [0.1, 0, 0], z = [0, 0.6, 0.8] }
stiffness = [[90, 10, 0, 1, 0, 0], [10, 70, 5, 0, 2, 0], [0, 5, 80, 0, 0, 1],
             [1, 0, 0, 3, 0.5, 0], [0, 2, 0, 0.5, 4, 0], [0, 0, 1, 0, 0, 5]]
[start]
block.wx = 20
block.wy = 9
block.wz = -7
)~";
  const Result result = run_text(text, until(3));
  expect_at_most("energy", result.report.max_energy_error, 1e-8);
  // About z alone, at the mass centre.
  const std::string single = R"~(format = "driftless/1"
[body.block]
mass = 1.2
inertia = [0.02, 0.03, 0.05]
centre = [0, 0, 0]
[force.B]
type = "bushing"
between = ["ground", "block"]
at = [0, 0, 0]
stiffness = [90, 80, 70, 3, 4, 5]
damping = [0, 0, 0, 0, 0, 0.02]
[start]
block.wz = 20
)~";
  const double d = 0.02 / 0.05 / 2;
  const double w = std::sqrt(5 / 0.05 - d * d);
  const Result turn = run_text(single, until(2));
  const double angle = 20 / w * std::exp(-d * 2) * std::sin(w * 2);
  const double rate = 20 * std::exp(-d * 2) * (std::cos(w * 2) - d / w * std::sin(w * 2));
  EXPECT_NEAR(last(turn, "block.wz"), rate, 1e-8);
  EXPECT_NEAR(2 * std::atan2(last(turn, "block.q3"), last(turn, "block.q0")), angle, 1e-8);
}

// Towards half a turn its torque loses its direction. Whatever the steps are, the run ends there and says why.
TEST(Bushing, TurnedTooFarEndsTheRun) {
  const std::string text = R"~(format = "driftless/1"
[body.block]
mass = 1
inertia = [0.1, 0.2, 0.3]
centre = [0, 0, 0]
[force.B]
type = "bushing"
between = ["ground", "block"]
at = [0, 0, 0]
stiffness = [100, 100, 100, 0.5, 0.5, 0.5]
[start]
block.wx = 12
block.wz = 1
)~";
  for (const Trial& options :
       {Trial{.method = "index1/rk4", .step = 0.01, .until = 2},
        Trial{.method = "index1/rk4", .step = 0.03, .until = 2},
        Trial{.method = "braun_goldfarb/dopri5", .tolerance = 1e-8, .until = 2},
        Trial{.method = "braun_goldfarb/dop853", .tolerance = 1e-4, .until = 2}}) {
    const Result result = run_text(text, options);
    EXPECT_EQ(result.report.status, Status::failed) << options.method;
    EXPECT_TRUE(result.report.message.starts_with(
        "force 'B' (test.toml:6:8) is a bushing that is turned by 17"))
        << result.report.message;
    EXPECT_NE(result.report.message.find("deg: more than 170 deg"), std::string::npos);
    EXPECT_NE(result.report.failure.suggestion.find("make it stiffer"), std::string::npos);
    EXPECT_NEAR(result.report.t_end, 0.25, 0.05);
  }
}

// Where a stop lets go its force is 0 already, and the motion smooth; of its power each part has a kink. The energy that is
// put back must not follow from a step across it.
TEST(Stop, LettingGoLeavesTheEnergyRight) {
  const char* const text = R"~(
format = "driftless/1"
space = "plane"
gravity = [0, -9.81]
[body.b]
mass = 1.18
inertia = 0.03
centre = [0, -0.92]
[joint.A]
type = "revolute"
between = ["ground", "b"]
at = [0, 0]
[force.S]
type = "stop"
of = "A.angle"
low = -0.55
high = 0.41
stiffness = 98
damping = 3.4
depth = 0.042
[start]
A.rate = 4
)~";
  const auto find_end = [&](const char* method, double tolerance) {
    const Result result =
        run_text(text, {.method = method, .tolerance = tolerance, .until = 2, .every = 2});
    EXPECT_EQ(result.report.status, Status::ok) << result.report.message;
    return column(result, "A.angle").back();
  };
  const double exact = find_end("braun_goldfarb/dop853/project", 1e-12);
  // Where a step meets the moment of letting go is luck: of five tolerances beside each other the one in the middle counts.
  const auto find_error = [&](const char* method, double tolerance) {
    std::vector<double> errors;
    for (const double factor : {0.8, 0.9, 1.0, 1.1, 1.2})
      errors.push_back(std::abs(find_end(method, factor * tolerance) - exact));
    std::nth_element(errors.begin(), errors.begin() + 2, errors.end());
    return errors[2];
  };
  for (const double tolerance : {1e-7, 1e-9, 1e-11}) {
    // Measured: 50 to 330 tolerances.
    EXPECT_LE(find_error("braun_goldfarb/dop853", tolerance), 600.0 * tolerance) << tolerance;
    EXPECT_LE(find_error("braun_goldfarb/dopri5", tolerance), 600.0 * tolerance) << tolerance;
  }
}

// What a stop has taken is an integral beside the motion. Where it closes its power jumps, where it lets go the motion does not
// feel it; the balance is as right as the motion all the same, between steps, too.
TEST(Stop, MultistepMethodsBalanceTheEnergy) {
  std::mt19937 random(63);
  const auto draw = [&](double low, double high) {
    return text_of(std::uniform_real_distribution<double>(low, high)(random));
  };
  for (int trial = 0; trial < 3; ++trial) {
    const std::string text = R"~(
format = "driftless/1"
space = "plane"
gravity = [0, -9.81]
[points]
A = [0, 0]
B = [1, 0]
C = [1.7, 0.4]
[body.a]
rod = ["A", "B"]
mass = )~" + draw(0.8, 2.0) +
                             R"~(
[body.b]
rod = ["B", "C"]
mass = )~" + draw(0.4, 1.2) +
                             R"~(
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
low = )~" + draw(-1.0, -0.7) +
                             R"~(
stiffness = )~" + draw(3e5, 2e6) +
                             R"~(
damping = )~" + draw(50.0, 200.0);
    for (const char* words : {"index1/bdf", "ggl/bdf", "ggl/ida", "index2/ida"}) {
      SCOPED_TRACE(std::string(words) + text);
      for (const double tolerance : {1e-6, 1e-8}) {
        const Result result =
            run_text(text, {.method = words, .tolerance = tolerance, .until = 1, .every = 0.002});
        ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
        EXPECT_LT(result.report.max_energy_error, 5e3 * tolerance);  // of some 10 J
      }
    }
  }
}

TEST(Forces, OneThatIsNotFiniteIsNamed) {
  const Result result = run_text(R"~(
format = "driftless/1"
[body.a]
mass = 1
point = true
centre = [0.1, 0, 0]
[body.b]
mass = 2
point = true
centre = [0.4, 0, 0]
[force.push]
type = "point_force"
body = "b"
force = ["log(b.x - 0.39)", 0, 0]
[force.pull]
type = "attraction"
between = ["a", "b"]
at = [[0.1, 0, 0], [0.4, 0, 0]]
strength = 3
)~",
                                 {.method = "index1/rk4", .step = 0.05, .until = 3});
  EXPECT_EQ(result.report.status, Status::failed);
  EXPECT_TRUE(result.report.message.starts_with("force 'push' (test.toml:11:8) is not finite"))
      << result.report.message;
}

}  // namespace
}  // namespace driftless::trials
