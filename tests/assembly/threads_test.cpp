// A screw that must go several turns along its thread before the mechanism closes.

#include <cmath>
#include <numbers>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/assembly/gaps.hpp"
#include "driftless/assembly/start.hpp"
#include "driftless/io/model_file.hpp"
#include "driftless/run/prepare.hpp"

namespace driftless::trials {
namespace {

struct Drawn {
  std::string text;
  double turns = 0.0;  // one that closes it
};

/// A nut on a screw along z, drawn at its origin, and a rod to a point beside the axis.
Drawn draw_nut(std::mt19937& random) {
  const auto draw = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  const double pitch = draw(0.01, 0.1) * (draw(0.0, 1.0) < 0.5 ? -1.0 : 1.0);
  const double turns = draw(-8.0, 8.0);
  const double arm = draw(0.02, 0.2);
  const double x = draw(-0.3, 0.3), y = draw(-0.3, 0.3), z = draw(-0.3, 0.3);
  const double angle = 2.0 * std::numbers::pi * turns;
  const double length =
      std::hypot(arm * std::cos(angle) - x, arm * std::sin(angle) - y, pitch * turns - z);
  return {fmt::format(R"(format = "driftless/1"
[body.nut]
mass = 1
inertia = [0.01, 0.01, 0.02]
centre = [0, 0, 0]
[joint.S]
type = "screw"
between = ["ground", "nut"]
at = [0, 0, 0]
axis = [0, 0, 1]
pitch = {}
[constraint.R]
type = "distance"
between = ["ground", "nut"]
at = [[{}, {}, {}], [{}, 0, 0]]
length = {}
)",
                      pitch, x, y, z, arm, length),
          turns};
}

TEST(Threads, AScrewGoesAsManyTurnsAsTheRodAsksFor) {
  std::mt19937 random(7);
  int closed = 0;  // not all: near the edge of a turn the search may miss the pose
  for (int trial = 0; trial < 25; ++trial) {
    const Drawn drawn = draw_nut(random);
    const ModelFile file = parse_model(drawn.text, "nut.toml");
    const CompiledModel model = compile(*file.mechanism);
    State state{0.0, model.q, model.v};
    const StartReport report = make_consistent(*model.system, state, {}, {});
    if (!report.success) continue;
    ++closed;
    // Where the workspaces of the run begin to count, the rows hold.
    model.system->set_counted_angles(report.counted_angles);
    const auto ws = model.system->make_workspace();
    model.system->eval_configuration(0.0, state.q, *ws);
    EXPECT_LE(max_abs(ws->phi), 1e-11) << drawn.turns;
  }
  EXPECT_GE(closed, 22);
}

/// A nut on a spindle along a tilted axis, and a slide beside it that it takes along; the slide's place is prescribed.
std::string write_nut_and_slide(double place, double speed) {
  return fmt::format(R"(format = "driftless/1"
[parameters]
place = {}
speed = {}
[body.nut]
mass = 1
inertia = [0.1, 0.12, 0.15]
centre = [0.02, 0, 0.5]
[body.slide]
mass = 1
inertia = [0.1, 0.1, 0.1]
centre = [0.5, 0, 0.2]
[joint.A]
type = "screw"
between = ["ground", "nut"]
at = [0, 0, 0]
axis = [0.1, 0.3, 1]
pitch = 0.01
[joint.B]
type = "prismatic"
between = ["ground", "slide"]
at = [0.5, 0, 0.2]
axis = [0.1, 0.3, 1]
[joint.C]
type = "revolute"
between = ["nut", "slide"]
at = [0, 0, 0]
axis = [0.1, 0.3, 1]
[constraint.D]
type = "drive"
of = "B.position"
value = "place + speed*t"
)",
                     place, speed);
}

// The loop has redundant rows, and 0.1 m/s is 63 rad/s here.
TEST(Threads, ADriveMayBeginAnyNumberOfTurnsAway) {
  for (const double place : {0.0, 0.004, -0.0051, 0.0123, -0.05, 0.1, 0.5037, -3.21}) {
    for (const bool joint : {false, true}) {
      ModelFile file = parse_model(write_nut_and_slide(place, 0.1), "nut.toml");
      file.mechanism->joint_coordinates = joint;
      const PreparedModel model = prepare_model(file, {});
      ASSERT_TRUE(model.start_report.success) << place << ": " << model.start_report.message;
      EXPECT_LE(model.start_report.phi_after, 1e-14) << place;
      const auto ws = model.system().make_workspace();
      model.system().eval_configuration(0.0, model.start.q, *ws);
      EXPECT_LE(max_abs(ws->phi), 1e-13) << place;
      const double turns = model.start_report.counted_angles.at(0) / (2.0 * std::numbers::pi);
      EXPECT_NEAR(turns, place / 0.01, 1e-9);
    }
  }
}

// A rod of 0.5 m from a nut on a spindle along x to a slide along z, drawn at x = 0.3 m and z = 0.4 m.
std::string write_lift(double height) {
  return fmt::format(R"(format = "driftless/1"
[body.nut]
mass = 1
inertia = [0.1, 0.12, 0.15]
centre = [0.3, 0, 0]
[body.slide]
mass = 3
inertia = [0.1, 0.1, 0.1]
centre = [0, 0, 0.4]
[joint.A]
type = "screw"
between = ["ground", "nut"]
at = [0.3, 0, 0]
axis = [1, 0, 0]
pitch = -0.004
[joint.B]
type = "prismatic"
between = ["ground", "slide"]
at = [0, 0, 0.4]
[constraint.rod]
type = "distance"
between = ["nut", "slide"]
at = [[0.3, 0, 0], [0, 0, 0.4]]
[constraint.lift]
type = "drive"
of = "slide.z"
value = {}
)",
                     height);
}

// How many turns a metre of lift takes changes on the way: Newton's step from the drawing is not the last one.
TEST(Threads, TurnsAreFollowedWhereTheyAreNotInProportion) {
  for (const double height : {0.41, 0.3, 0.48, 0.497}) {
    const PreparedModel model = prepare_model(parse_model(write_lift(height), "lift.toml"), {});
    ASSERT_TRUE(model.start_report.success) << height << ": " << model.start_report.message;
    const double x = std::sqrt(0.25 - height * height);
    const double turns = model.start_report.counted_angles.at(0) / (2.0 * std::numbers::pi);
    EXPECT_NEAR(turns, (x - 0.3) / -0.004, 1e-8);
  }
}

TEST(Threads, AGapIsMeasuredWhereTheScrewHasToGo) {
  const PreparedModel model = prepare_model(parse_model(write_lift(0.52), "lift.toml"), {});
  ASSERT_FALSE(model.start_report.success);
  ASSERT_EQ(model.start_report.gaps.size(), 1U) << model.start_report.message;
  EXPECT_NEAR(model.start_report.gaps[0].metres, 0.02, 1e-3) << model.start_report.message;
}

TEST(Threads, AngularGapsInThePlaneAreAtMostHalfATurn) {
  const ModelFile file = parse_model(R"(format = "driftless/1"
space = "plane"
[body.a]
mass = 1
inertia = 1
centre = [0, 0]
[joint.F]
type = "fixed"
between = ["ground", "a"]
at = [0, 0]
)",
                                     "plate.toml");
  const CompiledModel model = compile(*file.mechanism);
  const auto ws = model.system->make_workspace();
  Vector q = model.q;
  const auto find_angle = [&](double degrees) {
    q[2] = model.q[2] + degrees * std::numbers::pi / 180.0;
    model.system->eval_configuration(0.0, q, *ws);
    const auto gaps = find_gaps(model.system->info(), ws->phi, ws->jacobian.dense());
    return gaps.at(0).radians * 180.0 / std::numbers::pi;
  };
  EXPECT_NEAR(find_angle(100.0), 100.0, 1e-9);
  EXPECT_NEAR(find_angle(200.0), 160.0, 1e-9);
  EXPECT_NEAR(find_angle(-350.0), 10.0, 1e-9);
  EXPECT_NEAR(find_angle(720.0), 720.0, 1e-9);
}

}  // namespace
}  // namespace driftless::trials
