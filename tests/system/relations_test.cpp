// Gears, drives, rolling and blades against closed forms, with numbers that no symmetry helps.

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

// ---- many turns -------------------------------------------------------------------------------------

TEST(LongGear, TurnsInItsRatioOverHundredTurns) {
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

TEST(LongBelt, OpenAndCrossed) {
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

TEST(LongRackAndPinion, AWeightUnwindsItOverHundredTurns) {
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

TEST(LongTorsionSpring, WoundUpByHundredTurns) {
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

TEST(LongDrive, AnAngleOverHundredTurnsWithItsTorqueAndPower) {
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

// m = 1.7, x' = 1 + t/2: the force m/2 along x at the speed x'.
TEST(VelocityConstraint, TellsItsEffortAndItsPower) {
  const Result result = run_text(R"~(
format = "driftless/1"
space = "plane"
[body.cart]
mass = 1.7
point = true
centre = [0.2, 0.3]
[constraint.K]
type = "velocity"
equation = "cart.x' - 1 - t/2"
)~",
                                 until(3));
  ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
  EXPECT_NEAR(last(result, "K.effort"), 0.85, 1e-9);
  EXPECT_NEAR(last(result, "K.power"), 0.85 * 2.5, 1e-9);
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

}  // namespace
}  // namespace driftless::trials
