// Elements made of expressions: gears, drives, rolling, forces along a measure. Each against a closed form, with numbers
// that no symmetry helps; and all derivatives of all of them by differences, off the constraints.

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
#include "tests/system/run_model.hpp"

namespace driftless::trials {
namespace {

using std::numbers::pi;

const Trial kTight{.method = "braun_goldfarb/dop853", .tolerance = 1e-11, .until = 10};

Trial until(double t) {
  Trial trial = kTight;
  trial.until = t;
  return trial;
}

double end_difference(const Result& result, const std::string& name, double wanted) {
  return std::abs(last(result, name) - wanted) / std::max(1.0, std::abs(wanted));
}

/// Two wheels on the ground about parallel axes, in space.
std::string make_wheels(const std::string& rest) {
  return R"~(format = "driftless/1"
[body.first]
mass = 2.1
inertia = [0.3, 0.4, 0.11]
centre = [0, 0, 0]
[body.second]
mass = 1.3
inertia = [0.2, 0.2, 0.27]
centre = [0.5, 0.1, 0]
[joint.A]
type = "revolute"
between = ["ground", "first"]
at = [0, 0, 0]
[joint.B]
type = "revolute"
between = ["ground", "second"]
at = [0.5, 0.1, 0]
)~" + rest;
}

// ---- many turns -------------------------------------------------------------------------------------

TEST(Gear, TurnsInItsRatioOverHundredTurns) {
  const std::string text = make_wheels(R"~(
[constraint.G]
type = "gear"
of = ["A.angle", "B.angle"]
ratio = "-17/23"
[force.M]
type = "motor"
of = "A.angle"
torque = 3.7
)~");
  const double ratio = -17.0 / 23.0;
  const double acceleration = 3.7 / (0.11 + ratio * ratio * 0.27);
  const double t = std::sqrt(2 * 2 * pi * 137.3 / acceleration);
  const Result result = run_text(text, until(t));
  EXPECT_LT(end_difference(result, "A.angle", 2 * pi * 137.3), 1e-9);
  EXPECT_LT(end_difference(result, "B.angle", ratio * 2 * pi * 137.3), 1e-9);
  EXPECT_LT(end_difference(result, "G.torque", 0.27 * ratio * acceleration), 1e-9);
  EXPECT_LT(end_difference(result, "M.power", 3.7 * acceleration * t), 1e-9);
  expect_at_most("phi", result.report.max_phi, 1e-9);
  expect_at_most("energy", result.report.max_energy_error, 1e-7);
}

TEST(Belt, OpenAndCrossed) {
  for (const bool crossed : {false, true}) {
    const std::string text = make_wheels(fmt::format(R"~(
[constraint.G]
type = "belt"
of = ["A.angle", "B.angle"]
first_radius = "120 mm"
second_radius = "50 mm"
crossed = {}
[start]
A.rate = 40
)~",
                                                     crossed));
    const Result result = run_text(text, until(20));
    const double ratio = crossed ? -2.4 : 2.4;
    EXPECT_LT(end_difference(result, "A.angle", 800), 1e-9);
    EXPECT_LT(end_difference(result, "B.angle", ratio * 800), 1e-9);
  }
}

TEST(RackAndPinion, AWeightUnwindsItOverHundredTurns) {
  const std::string text = R"~(format = "driftless/1"
gravity = [0, -9.81, 0]
[body.pinion]
mass = 2.1
inertia = [0.3, 0.3, 0.013]
centre = [0, 0, 0]
[body.rack]
mass = 1.7
inertia = [0.1, 0.1, 0.1]
centre = [0.2, 0, 0]
[joint.A]
type = "revolute"
between = ["ground", "pinion"]
at = [0, 0, 0]
[joint.B]
type = "prismatic"
between = ["ground", "rack"]
at = [0.2, 0, 0]
axis = [0, 1, 0]
[constraint.R]
type = "rack_and_pinion"
of = ["A.angle", "B.position"]
radius = "31 mm"
)~";
  const double r = 0.031;
  const double a = -9.81 * 1.7 / (1.7 + 0.013 / (r * r));
  const double t = std::sqrt(2 * 110 * 2 * pi * r / -a);
  const Result result = run_text(text, until(t));
  EXPECT_LT(end_difference(result, "A.angle", -110 * 2 * pi), 1e-9);
  EXPECT_LT(end_difference(result, "B.position", -110 * 2 * pi * r), 1e-9);
  EXPECT_LT(end_difference(result, "R.force", 1.7 * (9.81 + a)), 1e-9);
}

TEST(TorsionSpring, WoundUpByHundredTurns) {
  const std::string text = make_wheels(R"~(
[force.S]
type = "torsion_spring"
of = "A.angle"
stiffness = 0.013
[start]
A.angle = { value = "107.3 rev", priority = "exact" }
)~");
  const double w = std::sqrt(0.013 / 0.11);
  const Result result = run_text(text, until(10));
  expect_at_most("angle",
                 max_error(result, {"A.angle"},
                           [&](double t) { return Values{2 * pi * 107.3 * std::cos(w * t)}; }),
                 1e-6);
  EXPECT_NEAR(column(result, "A.angle").front(), 2 * pi * 107.3, 1e-9);
  EXPECT_LT(end_difference(result, "S.torque", -0.013 * last(result, "A.angle")), 1e-9);
}

TEST(Drive, AnAngleOverHundredTurnsWithItsTorqueAndPower) {
  const std::string text = R"~(format = "driftless/1"
gravity = [0, -9.81, 0]
[body.arm]
mass = 1.9
inertia = [0.2, 0.3, 0.17]
centre = [0.4, 0.1, 0]
[joint.A]
type = "revolute"
between = ["ground", "arm"]
at = [0, 0, 0]
[constraint.D]
type = "drive"
of = "A.angle"
value = "3*t + t^2"
)~";
  const double t = 25;
  const Result result = run_text(text, until(t));
  const double angle = 3 * t + t * t;
  EXPECT_GT(angle, 100 * 2 * pi);
  const double inertia = 0.17 + 1.9 * (0.16 + 0.01);
  const double weight = 1.9 * 9.81 * (0.4 * std::cos(angle) - 0.1 * std::sin(angle));
  EXPECT_LT(end_difference(result, "A.angle", angle), 1e-12);
  EXPECT_LT(end_difference(result, "D.torque", 2 * inertia + weight), 1e-7);
  EXPECT_LT(end_difference(result, "D.power", (2 * inertia + weight) * (3 + 2 * t)), 1e-7);
  expect_at_most("energy", result.report.max_energy_error, 1e-6);
}

TEST(Coupler, HoldsAnyEquation) {
  const std::string text = make_wheels(R"~(
[constraint.C]
type = "coupler"
equation = "B.angle - 0.7*sin(A.angle) - 0.1*A.angle^2/(1 + A.angle^2) - 0.2*sin(3*t)"
[start]
A.rate = 2
)~");
  const Result result = run_text(text, until(7));
  expect_at_most("phi", result.report.max_phi, 1e-9);
  expect_at_most("energy", result.report.max_energy_error, 1e-8);
  const double a = last(result, "A.angle");
  EXPECT_NEAR(last(result, "B.angle"),
              0.7 * std::sin(a) + 0.1 * a * a / (1 + a * a) + 0.2 * std::sin(21), 1e-9);
}

TEST(Path, ThePointFollowsAndTheForceIsNewtons) {
  const std::string text = R"~(format = "driftless/1"
gravity = [0.3, 0, -9.81]
[body.bead]
mass = 0.6
point = true
centre = [0.2, 0, 0.1]
[constraint.P]
type = "path"
between = ["ground", "bead"]
at = [[0, 0, 0], [0.2, 0, 0.1]]
along_x = "0.2*cos(3*t)"
along_y = "0.3*sin(3*t)"
along_z = "0.1 + 0.05*t^2"
)~";
  const Result result = run_text(text, until(4));
  EXPECT_NEAR(last(result, "bead.x"), 0.2 * std::cos(12), 1e-9);
  EXPECT_NEAR(last(result, "bead.y"), 0.3 * std::sin(12), 1e-9);
  EXPECT_NEAR(last(result, "P.force.x"), 0.6 * (-1.8 * std::cos(12) - 0.3), 1e-7);
  EXPECT_NEAR(last(result, "P.force.y"), 0.6 * -2.7 * std::sin(12), 1e-7);
  EXPECT_NEAR(last(result, "P.force.z"), 0.6 * (0.1 + 9.81), 1e-7);
  expect_at_most("energy", result.report.max_energy_error, 1e-8);
}

// ---- rolling and blades -----------------------------------------------------------------------------

std::string make_sleigh(const std::string& constraint) {
  return R"~(format = "driftless/1"
space = "plane"
[body.sleigh]
mass = 1
inertia = 0.1
centre = [0.2, 0]
[measure.blade]
type = "point"
body = "sleigh"
at = [0, 0]
)~" + constraint +
         R"~(
[start]
"sleigh.x'" = -1
"sleigh.y'" = 0.1
"sleigh.angle'" = 0.5
)~";
}

/// The blade's place at t by the exact solution, integrated by Simpson's rule.
Values find_sleigh(double t) {
  const double m = 1, J = 0.1, a = 0.2, u0 = -1, w0 = 0.5;
  const double K = J + m * a * a;
  const double U = std::sqrt(u0 * u0 + K * w0 * w0 / m);
  const double k = m * a / K;
  const double t0 = -std::atanh(u0 / U) / (k * U);
  const auto angle = [&](double s) {
    const auto gd = [](double x) { return 2 * std::atan(std::tanh(x / 2)); };
    return std::sqrt(m / K) / k * (gd(k * U * (s - t0)) - gd(-k * U * t0));
  };
  const auto speed = [&](double s) { return U * std::tanh(k * U * (s - t0)); };
  const int n = 20000;
  double x = 0, y = 0;
  for (int i = 0; i <= n; ++i) {
    const double s = t * i / n;
    const double weight = (i == 0 || i == n ? 1 : i % 2 == 1 ? 4 : 2) * t / n / 3;
    x += weight * speed(s) * std::cos(angle(s));
    y += weight * speed(s) * std::sin(angle(s));
  }
  return {x, y, angle(t)};
}

TEST(ChaplyginSleigh, KnifeEdgeAndEquationGiveTheExactMotion) {
  const std::string knife = make_sleigh(R"~(
[constraint.K]
type = "knife_edge"
between = ["ground", "sleigh"]
at = [0, 0]
)~");
  const std::string equation = make_sleigh(R"~(
[constraint.K]
type = "velocity"
equation = "-blade.x'*sin(sleigh.angle) + blade.y'*cos(sleigh.angle)"
)~");
  const Values exact = find_sleigh(6);
  for (const std::string& text : {knife, equation}) {
    const Result result = run_text(text, until(6));
    EXPECT_NEAR(last(result, "blade.x"), exact[0], 1e-9);
    EXPECT_NEAR(last(result, "blade.y"), exact[1], 1e-9);
    EXPECT_NEAR(last(result, "sleigh.angle"), exact[2], 1e-9);
    expect_at_most("energy", result.report.max_energy_error, 1e-11);
  }
}

// With the lean α, the centre on a circle of radius b at the rate Ω, a = cos α e_r + sin α n and Σ = mRb + Cb/R + A sin α:
// Ω² = m g R tan α/Σ, spin about the axis -Ω b/R. (Moments about the centre.)
TEST(RollingDisc, SteadyCircles) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> part(0.0, 1.0);
  for (int k = 0; k < 3; ++k) {
    const double m = 0.5 + part(random), R = 0.1 + 0.4 * part(random), b = 0.3 + part(random);
    const double lean = 0.1 + 0.6 * part(random);
    const double A = m * R * R * (0.25 + 0.1 * part(random)), C = m * R * R * 0.5;
    const double rate =
        std::sqrt(m * 9.81 * R * std::tan(lean) / (m * R * b + C * b / R + A * std::sin(lean)));
    const std::string text =
        fmt::format(R"~(format = "driftless/1"
gravity = [0, 0, -9.81]
[body.disc]
mass = {}
inertia = [{}, {}, {}]
pose = {{ at = [{}, 0, {}], z = [{}, 0, {}], x = [0, 1, 0] }}
[constraint.roll]
type = "rolling_disc"
on = {{ body = "ground", at = [0, 0, 0] }}
to = {{ body = "disc", at = [0, 0, 0] }}
radius = {}
[start]
"disc.x'" = 0
"disc.y'" = {}
"disc.z'" = 0
disc.wx = 0
disc.wy = {}
disc.wz = {}
)~",
                    m, A, A, C, b, R * std::cos(lean), std::cos(lean), std::sin(lean), R, b * rate,
                    rate * std::cos(lean), -rate * b / R);
    const Result result = run_text(text, until(5));
    ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
    const double error = max_error(result, {"disc.x", "disc.y", "disc.z"}, [&](double t) {
      return Values{b * std::cos(rate * t), b * std::sin(rate * t), R * std::cos(lean)};
    });
    expect_at_most("place", error, 1e-9);
    expect_at_most("phi", result.report.max_phi, 1e-10);
    // What holds it: the weight, and the pull to the middle.
    const double angle = rate * 5;
    EXPECT_NEAR(last(result, "roll.force.z"), m * 9.81, 1e-7);
    EXPECT_NEAR(last(result, "roll.force.x"), -m * b * rate * rate * std::cos(angle), 1e-7);
  }
}

TEST(RollingBall, DownASlope) {
  const std::string text = R"~(format = "driftless/1"
gravity = [3, 1, -9.81]
[body.ball]
sphere = 0.07
mass = 0.31
pose = { at = [0, 0, 0.07] }
[constraint.roll]
type = "rolling_ball"
on = { body = "ground", at = [0, 0, 0] }
to = { body = "ball", at = [0, 0, 0] }
radius = 0.07
[start]
ball.wz = 5
)~";
  const Result result = run_text(text, until(3));
  EXPECT_NEAR(last(result, "ball.x"), 5.0 / 7 * 3 * 4.5, 1e-9);
  EXPECT_NEAR(last(result, "ball.y"), 5.0 / 7 * 1 * 4.5, 1e-9);
  expect_at_most("energy", result.report.max_energy_error, 1e-11);
}

TEST(RollingDisc, AWheelInThePlaneOverHundredTurns) {
  const std::string text = R"~(format = "driftless/1"
space = "plane"
gravity = [2, -9]
[body.wheel]
mass = 1.4
inertia = 0.02
centre = [0, 0.2]
[constraint.roll]
type = "rolling_disc"
between = ["ground", "wheel"]
at = [[0, 0], [0, 0.2]]
radius = 0.2
)~";
  const double a = 1.4 * 2 / (1.4 + 0.02 / 0.04);
  const double t = std::sqrt(2 * 105 * 2 * pi * 0.2 / a);
  const Result result = run_text(text, until(t));
  EXPECT_LT(end_difference(result, "wheel.x", 105 * 2 * pi * 0.2), 1e-9);
  EXPECT_LT(end_difference(result, "wheel.angle", -105 * 2 * pi), 1e-9);
}

// ---- forces -----------------------------------------------------------------------------------------

TEST(Friction, ViscousDecaysDryStops) {
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

// ---- measures ------------------------------------------------------------------------------------------

TEST(Measures, RatesAndAccelerationsAreThoseOfTheValues) {
  const std::string text = R"~(format = "driftless/1"
gravity = [1, -2, -9.81]
[body.a]
mass = 1.9
inertia = [0.2, 0.3, 0.17]
centre = [0.4, 0.1, 0]
[body.a.frame.tip]
at = [0.3, 0.2, -0.1]
[body.b]
mass = 0.9
inertia = [0.12, 0.13, 0.07]
centre = [1, 0.1, 0.2]
[joint.A]
type = "spherical"
between = ["ground", "a"]
at = [0, 0, 0]
[joint.B]
type = "revolute"
between = ["a", "b"]
at = [0.8, 0.1, 0.1]
axis = [1, 2, 3]
[measure.reach]
type = "distance"
between = ["ground", "b"]
at = [[0.1, 0.2, 1.3], [1, 0, 0]]
[measure.turn]
type = "angle"
between = ["a", "b"]
at = [0, 0, 0]
axis = [1, 2, 3]
[measure.mixed]
type = "expression"
value = "reach^2*sin(turn) + a.tip.x*t"
[record]
mixed_rate = "mixed'"
reach_rate = "reach'"
reach_acceleration = "reach''"
tip_rate = "a.tip.y'"
tip_acceleration = "a.tip.y''"
tip = "a.tip.y"
spin_rate = "b.wy'"
turn_again = "B.angle"
energy = "T + U"
[start]
a.wx = 2
a.wy = -1
a.wz = 3
B.rate = 4
)~";
  Trial trial = until(1);
  trial.every = 1e-3;
  const Result result = run_text(text, trial);
  const auto check = [&](const std::string& value, const std::string& rate, int order) {
    const Values f = column(result, value);
    const Values g = column(result, rate);
    for (std::size_t k = 1; k + 1 < f.size(); ++k) {
      const double found =
          order == 1 ? (f[k + 1] - f[k - 1]) / 2e-3 : (f[k + 1] - 2 * f[k] + f[k - 1]) / 1e-6;
      EXPECT_NEAR(found, g[k], 2e-3 * std::max(1.0, std::abs(g[k]))) << rate << " at " << k;
      if (::testing::Test::HasFailure()) return;
    }
  };
  check("mixed", "mixed_rate", 1);
  check("reach", "reach_rate", 1);
  check("reach", "reach_acceleration", 2);
  check("tip", "tip_rate", 1);
  check("tip", "tip_acceleration", 2);
  check("b.wy", "spin_rate", 1);
  EXPECT_NEAR(last(result, "turn"), last(result, "turn_again"), 1e-9);
  const Values energy = column(result, "energy");
  EXPECT_NEAR(energy.front(), energy.back(), 1e-9);
}

void expect_error(const std::string& text, const std::string& message) {
  try {
    prepare_model(parse_model(text, "test.toml"), {});
    ADD_FAILURE() << "no error; wanted: " << message;
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
  }
}

// By law of cosines: 0.3 m from the axis, 0.8 m to the point, r r' = 0.24 m^2 sin(angle) angle'.
TEST(Measures, StartValuesMayBeMeasures) {
  const std::string text = make_wheels(R"~(
[measure.reach]
type = "distance"
between = ["ground", "first"]
at = [[0.8, 0, 0], [0.24, 0.18, 0]]
[start]
reach = 0.7
"reach'" = "0.2 m/s"
)~");
  Trial trial = until(0.5);
  const auto expect_start = [&](double r, double rate) {
    const Result result = run_text(text, trial);
    const double angle = std::acos((0.09 + 0.64 - r * r) / 0.48);
    EXPECT_NEAR(column(result, "reach").front(), r, 1e-12);
    EXPECT_NEAR(column(result, "A.angle").front() + std::atan2(0.18, 0.24), angle, 1e-9);
    EXPECT_NEAR(column(result, "A.rate").front(), r * rate / (0.24 * std::sin(angle)), 1e-9);
    EXPECT_TRUE(result.report.warnings.empty());
  };
  expect_start(0.7, 0.2);
  trial.sets = {{"reach", "900 mm"}, {"reach'", "-0.3"}};
  expect_start(0.9, -0.3);
  expect_error(make_wheels("[measure.reach]\nbetween = [\"ground\", \"first\"]\nat = [0, 0, 0]\n"),
               "measure.reach.type is missing");
}

// The motion that a drive prescribes is no surprise.
TEST(Drive, RatesThatNobodyGaveFollowWithoutAWarning) {
  const std::string text = make_wheels(R"~(
[constraint.D]
type = "drive"
of = "A.angle"
value = "3*t"
)~");
  const PreparedModel model = prepare_model(parse_model(text, "test.toml"), {});
  EXPECT_TRUE(model.start_report.success);
  EXPECT_TRUE(model.warnings.empty()) << model.warnings.front();
  // A drawing that does not close is one.
  std::string open = make_wheels("");
  open.replace(open.find("at = [0.5, 0.1, 0]"), 18, "at = [[0.5, 0.1, 0], [0.6, 0.1, 0]]");
  EXPECT_EQ(prepare_model(parse_model(open, "test.toml"), {}).warnings.size(), 1U);
}

TEST(Measures, WhatIsNotKnownInTimeIsRefusedByName) {
  for (const std::string& name : {std::string("A.rate'"), std::string("B.torque.z")}) {
    expect_error(make_wheels(R"~(
[force.M]
type = "motor"
of = "A.angle"
torque = "0.1*)~" + name + "\"\n"),
                 "'" + name + "' depends on accelerations or reactions");
  }
  expect_error(make_wheels(R"~(
[force.M]
type = "motor"
of = "A.angle"
torque = "0.1*first.x''"
)~"),
               "accelerations cannot be used here");
  expect_error(make_wheels(R"~(
[measure.p]
type = "expression"
value = "q + A.angle"
[measure.q]
type = "expression"
value = "2*p"
)~"),
               "depends on itself");
  expect_error(make_wheels(R"~(
[constraint.D]
type = "drive"
of = "A.angle"
value = "t"
[constraint.E]
type = "drive"
of = "A.angle"
value = "2*t"
)~"),
               "which constraint.D drives already");
  expect_error(make_wheels("[constraint.D]\ntype = \"drive\"\nof = \"A.angel\"\nvalue = \"t\"\n"),
               "there is no measure 'A.angel'");
  expect_error(make_wheels("[constraint.D]\ntype = \"drive\"\nof = \"A.angle\"\n"),
               "constraint.D.value is missing");
  expect_error(
      make_wheels("[constraint.D]\ntype = \"drive\"\nof = \"A.angle\"\nvalue = \"B.angle\"\n"),
      "a prescribed motion is a function of t");
  expect_error(make_wheels("[constraint.C]\ntype = \"coupler\"\nequation = \"A.rate - 2\"\n"),
               "contains rates");
  expect_error(
      make_wheels("[force.F]\ntype = \"friction\"\nof = \"A.angle\"\nviscous = \"3 N*s/m\"\n"),
      "has the dimension");
  expect_error(make_wheels("[constraint.G]\ntype = \"gear\"\nof = [\"A.angle\", "
                           "\"B.angle\"]\nratio = 0\n"),
               "constraint.G.ratio = 0: out of bounds\n    it must be other than 0");
}

// ---- derivatives ---------------------------------------------------------------------------------------

/// dΨ/dq, v held, against differences of Ψ.
void check_velocity_rows_by_q(const System& system, const State& start) {
  const SystemInfo& info = system.info();
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> part(-1.0, 1.0);
  Vector v(info.nv);
  for (double& each : v) each = part(random);
  const auto ws = system.make_workspace();
  const auto find_rows = [&](int direction, double step) {
    Vector q = start.q;
    Vector delta = Vector::Zero(info.nv);
    delta[direction] = step;
    system.retract(q, delta);
    system.eval_configuration(0.3, q, *ws);
    system.eval_velocity(0.3, q, v, *ws);
    return Vector(ws->velocity_residual.tail(info.velocity_rows));
  };
  system.eval_invariant_gradients(0.3, start.q, v, *ws);
  const Matrix claimed = ws->velocity_rows_q;
  for (int k = 0; k < info.nv; ++k) {
    const Vector found = (find_rows(k, 1e-6) - find_rows(k, -1e-6)) / 2e-6;
    EXPECT_LT((found - claimed.col(k)).lpNorm<Eigen::Infinity>(), 1e-7) << info.rates[k];
  }
}

TEST(Laws, AllDerivativesOffTheConstraints) {
  const std::string everything = make_wheels(R"~(
[body.cart]
mass = 3
inertia = [[0.3, 0.02, 0.01], [0.02, 0.4, 0.03], [0.01, 0.03, 0.5]]
centre = [0.3, -0.4, 0.9]
[measure.reach]
type = "distance"
between = ["second", "cart"]
at = [[0.6, 0.2, 0.3], [0.2, -0.3, 1]]
[constraint.gear]
type = "gear"
of = ["A.angle", "B.angle"]
ratio = -0.7
[constraint.drive]
type = "drive"
of = "reach"
value = "0.8 + 0.1*sin(2*t)"
[constraint.coupler]
type = "coupler"
equation = "cart.x*cart.y - 0.3*sin(A.angle + t)*reach"
[constraint.velocity]
type = "velocity"
equation = "cart.x'*cart.wz - 0.2*reach'*A.rate + sin(t)*cart.y' - 0.1*cart.wx^2"
[constraint.disc]
type = "rolling_disc"
between = ["first", "cart"]
at = [[0, 0, 0], [0.3, -0.4, 0.9]]
axis = [[0.1, 0.2, 1], [1, 0.3, 0.2]]
radius = 0.3
[constraint.ball]
type = "rolling_ball"
between = ["second", "cart"]
at = [[0, 0, 0], [0.1, -0.4, 0.9]]
radius = 0.3
[constraint.knife]
type = "knife_edge"
between = ["first", "cart"]
at = [[0.1, 0, 0], [0.3, -0.4, 0.7]]
[constraint.path]
type = "path"
between = ["second", "cart"]
at = [[0.1, 0, 0], [0.3, -0.4, 0.7]]
along_x = "0.2*cos(t)"
along_z = "0.1*t^2"
[force.spring]
type = "spring_damper"
between = ["first", "cart"]
at = [[0.1, 0.1, 0], [0.3, -0.2, 0.7]]
stiffness = 30
damping = 2
law = "3*stretch^3 + 0.1*cart.wx"
[force.motor]
type = "motor"
of = "reach"
force = "A.rate*sin(t) - 0.2*spring.force"
[force.bushing]
type = "bushing"
between = ["first", "cart"]
at = [[0.1, 0.1, 0], [0.3, -0.2, 0.7]]
axis = [[0.1, 0.2, 1], [0.4, 0.3, 1]]
stiffness = [90, 80, 70, 3, 4, 5]
damping = [1, 2, 3, 0.1, 0.2, 0.3]
[force.pull]
type = "point_force"
body = "cart"
at = [0.3, -0.2, 0.7]
force = ["cart.x'", "-t*reach", 3]
torque = [0, "A.angle", 0]
axes = "body"
[conserved]
odd = { value = "cart.x*cart.wy + reach'*sin(A.angle) + t*cart.z'", power = "A.rate^2" }
)~");
  const PreparedModel model =
      prepare_model(parse_model(everything + "[run]\nstart = \"given\"\n", "test.toml"), {});
  for (const DerivativeCheck& each : check_derivatives(model.system(), model.start)) {
    EXPECT_LT(each.error, kDerivativeTolerance) << each.what << ": " << each.worst;
  }
  check_velocity_rows_by_q(model.system(), model.start);
}

}  // namespace
}  // namespace driftless::trials
