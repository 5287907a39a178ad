// Whole runs of mechanisms that go wrong easily: reactions that are unique at some poses only, drives that ask for more
// than the joints allow, a body without weight between two hinges.

#include <algorithm>
#include <cmath>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/io/model_file.hpp"
#include "driftless/run/prepare.hpp"
#include "tests/system/linkages.hpp"
#include "tests/system/run_model.hpp"

namespace driftless {
namespace {

Result run(const std::string& text, double until) {
  const ModelFile file = parse_model(text, "test.toml");
  PreparedModel model = prepare_model(file, {});
  EXPECT_TRUE(model.start_report.success) << model.start_report.message;
  model.options.until = until;
  return run_prepared(model, prepare_method(file, model, {}), model.options);
}

bool is_marked(const Result& result, const std::string& name) {
  const std::vector<std::string>& names = result.report.not_unique;
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool has_warning(const Result& result, const std::string& part) {
  const std::vector<std::string>& all = result.report.warnings;
  return std::any_of(all.begin(), all.end(),
                     [&](const std::string& each) { return each.find(part) != std::string::npos; });
}

// ---- starts that serve several runs -----------------------------------------------------------------------

// What was found of a start when the model was prepared is what a run from it finds by itself, bit for bit, in both kinds of
// coordinates, of redundant rows and of rows that are redundant only where a loop is closed.
TEST(PreparedStart, GivesTheSameRunsAsTheStartAlone) {
  for (const char* name : {"four_bar_3d", "double_four_bar_bodies", "machines/stewart_platform"}) {
    for (const char* coordinates : {"absolute", "joint"}) {
      SCOPED_TRACE(std::string(name) + " " + coordinates);
      const std::string key = fmt::format("coordinates = \"{}\"\nname = ", coordinates);
      const std::string text = trials::edit_model(name, {{"\nname = ", "\n" + key}});
      const ModelFile file = parse_model(text, trials::find_model(name));
      const PreparedModel model = prepare_model(file, {.until = 0.3, .every = 0.1});
      ASSERT_TRUE(model.start_report.success) << model.start_report.message;
      const Method method = prepare_method(file, model, {});
      const Result prepared = run_prepared(model, method, model.options);
      const Result alone = simulate(model.system(), model.start, method, model.options);
      ASSERT_EQ(prepared.report.status, Status::ok) << prepared.report.message;
      EXPECT_EQ(prepared.data, alone.data);
      EXPECT_EQ(prepared.report.redundant, alone.report.redundant);
      EXPECT_EQ(prepared.report.not_unique, alone.report.not_unique);
      EXPECT_EQ(prepared.report.rank, alone.report.rank);
    }
  }
}

// ---- which reactions are unique --------------------------------------------------------------------------

/// A door on two hinges whose frame turns: where it starts the hinges' axis is the world's z axis, about which they bear
/// no torque; later it is not.
TEST(ReactionsOverARun, MarksWhatIsNotUniqueLater) {
  const Result result = run(R"toml(
format = "driftless/1"
[points]
O = [0, 0, 0]
low = [0.2, 0, 0]
high = [0.2, 0, 1]
[body.frame]
mass = 3
centre = [0.1, 0, 0.5]
inertia = [0.4, 0.5, 0.6]
[body.door]
mass = 1
centre = [0.5, 0.1, 0.4]
inertia = [0.1, 0.2, 0.15]
[joint.base]
type = "revolute"
between = ["ground", "frame"]
at = "O"
axis = [1, 0, 0]
[joint.a]
type = "revolute"
between = ["frame", "door"]
at = "low"
[joint.b]
type = "revolute"
between = ["frame", "door"]
at = "high"
[start]
base.rate = 1
a.rate = 2
)toml",
                            0.5);
  ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
  EXPECT_TRUE(is_marked(result, "a.torque.x"));
  EXPECT_TRUE(is_marked(result, "a.force.z"));
  EXPECT_TRUE(is_marked(result, "a.torque.z"));  // not at the start
  EXPECT_FALSE(is_marked(result, "base.force.x"));
  EXPECT_FALSE(has_warning(result, "singular"));
}

/// A parallelogram that is flat at the start: there, and only there, the pins can pull against each other along the line.
TEST(ReactionsOverARun, TellsOfASingularStartAndDoesNotMarkTheRun) {
  const std::string flat = trials::write_four_bar({.B = {1, 0}, .C = {3, 0}, .D = {2, 0}}) +
                           "[start]\nA.rate = 3\nD.rate = 3\n";
  const Result result = run(flat, 0.5);
  ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
  EXPECT_EQ(result.report.rank, 7);
  EXPECT_TRUE(result.report.not_unique.empty()) << result.report.not_unique.front();
  EXPECT_TRUE(has_warning(result, "at t = 0 the pose is singular, and only there 'A.force.x'"));
}

/// Three flywheels. The second equation ties the second wheel to the first as the first equation does, up to an angle or
/// from it on; else the third one.
std::string make_wheels(const std::string& share) {
  std::string text = "format = \"driftless/1\"\nspace = \"plane\"\n";
  for (int k = 1; k <= 3; ++k) {
    text += fmt::format(
        "[body.w{0}]\nmass = 1\ncentre = [{0}, 0]\ninertia = 1\n"
        "[joint.J{0}]\ntype = \"revolute\"\nbetween = [\"ground\", \"w{0}\"]\nat = [{0}, 0]\n",
        k);
  }
  return text + fmt::format(R"toml(
[constraint.first]
type = "coupler"
equation = "J2.angle - J1.angle"
[constraint.second]
type = "coupler"
equation = "{0}*(J2.angle - J1.angle) + (1 - {0})*(J3.angle - J1.angle)"
[start]
J1.rate = 1
J2.rate = 1
J3.rate = 1
)toml",
                            share);
}

TEST(ReactionsOverARun, MarksWhatIsRedundantInAPartOfTheMotion) {
  const Result later = run(make_wheels("step(J1.angle, 1.03, 0, 1.07, 1)"), 1.5);
  const Result before = run(make_wheels("step(J1.angle, 0.03, 1, 0.07, 0)"), 1.5);
  const Result never = run(make_wheels("0.3"), 1.5);
  for (const Result* result : {&later, &before}) {
    ASSERT_EQ(result->report.status, Status::ok) << result->report.message;
    EXPECT_TRUE(is_marked(*result, "first.effort")) << result->report.rank;
    EXPECT_TRUE(is_marked(*result, "second.effort"));
    EXPECT_FALSE(is_marked(*result, "J1.force.x"));
  }
  EXPECT_EQ(later.report.rank, 8);
  EXPECT_EQ(before.report.rank, 7);
  EXPECT_TRUE(never.report.not_unique.empty());
}

// ---- drives beyond reach ---------------------------------------------------------------------------------

/// A slider between 3 - √3 to the right, where crank and rod are straight, and as far to the left.
std::string make_slider(double over) {
  return fmt::format(R"toml(
format = "driftless/1"
space = "plane"
[parameters]
over = {}
[points]
A = [0, 0]
B = [0, 1]
C = ["sqrt(3)", 0]
[body.crank]
rod = ["A", "B"]
mass = 1
[body.rod]
rod = ["B", "C"]
mass = 1
[body.slider]
box = [0.1, 0.1]
mass = 1
centre = "C"
[joint.A]
type = "revolute"
between = ["ground", "crank"]
at = "A"
[joint.B]
type = "revolute"
between = ["crank", "rod"]
at = "B"
[joint.C]
type = "revolute"
between = ["rod", "slider"]
at = "C"
[joint.P]
type = "prismatic"
between = ["ground", "slider"]
at = "C"
axis = [1, 0]
[constraint.push]
type = "drive"
of = "P.position"
value = "(3 - sqrt(3) + over)*sin(t)"
)toml",
                     over);
}

TEST(DrivesBeyondReach, FailAndSayByHowMuch) {
  for (const double over : {1e-5, 1e-4, 1e-3, 1e-2}) {
    const Result result = run(make_slider(over), 3.0);
    ASSERT_EQ(result.report.status, Status::failed) << over;
    EXPECT_TRUE(
        result.report.message.starts_with("the prescribed motion is out of reach at t = 1."))
        << over << result.report.message;
    EXPECT_EQ(result.report.failure.worst, "push.value");
    EXPECT_LE(result.report.t_end, 1.58) << over;
    EXPECT_NE(result.report.message.find("asks for P.position = 1.2"), std::string::npos);
    const std::size_t at = result.report.message.find("which is ");
    ASSERT_NE(at, std::string::npos);
    const double missing = std::stod(result.report.message.substr(at + 9));
    EXPECT_GT(missing, 1e-8) << result.report.message;
    EXPECT_LT(missing, 1.05 * over) << result.report.message;
  }
}

TEST(DrivesBeyondReach, WithinReachTheyRun) {
  for (const double over : {-1e-3, -0.1}) {
    const Result result = run(make_slider(over), 3.0);
    EXPECT_EQ(result.report.status, Status::ok) << over << result.report.message;
    EXPECT_LE(result.report.max_phi, 1e-9);
  }
}

// ---- steps that are too long -----------------------------------------------------------------------------

/// A light crank that a heavy rocker flings over its dead centre, at hundreds of radians per second.
std::string make_fling(std::mt19937& random, const std::string& coordinates) {
  const auto draw = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  return trials::write_four_bar(
             {.head = "gravity = [0, -9.81]\ncoordinates = \"" + coordinates + "\"\n",
              .B = {0, draw(0.6, 0.66)},
              .C = {draw(1.15, 1.25), draw(1.45, 1.55)},
              .D = {draw(2.1, 2.2), 0},
              .masses = {draw(0.01, 0.03), draw(0.03, 0.06), draw(250, 350)}}) +
         "[start]\nA.rate = \"2*pi\"\n";
}

TEST(StepsThatAreTooLong, AreToldWithOneThatWillDo) {
  std::mt19937 random(11);
  for (const char* coordinates : {"absolute", "joint", "absolute"}) {
    const std::string text = make_fling(random, coordinates);
    const Report report =
        trials::run_text(text, {.method = "braun_goldfarb/rk4", .step = 5e-3, .until = 10}).report;
    ASSERT_EQ(report.status, Status::failed);
    EXPECT_NE(report.message.find("the step is too long there: with steps of"), std::string::npos)
        << report.message;
    EXPECT_NE(report.message.find("body 'crank' turns at up to"), std::string::npos)
        << report.message;
    EXPECT_TRUE(report.failure.suggestion.starts_with("try --step ")) << report.failure.suggestion;
    const double step = std::stod(report.failure.suggestion.substr(11));
    const Report shorter =
        trials::run_text(text, {.method = "braun_goldfarb/rk4", .step = step, .until = 2}).report;
    EXPECT_EQ(shorter.status, Status::ok) << shorter.message;
    const Report adaptive =
        trials::run_text(text, {.method = "braun_goldfarb/dopri5", .tolerance = 1e-7, .until = 10})
            .report;
    EXPECT_EQ(adaptive.status, Status::ok) << adaptive.message;
    EXPECT_LE(adaptive.max_phi, 1e-9);
  }
}

// ---- light bodies ----------------------------------------------------------------------------------------

std::string make_cross(const std::string& cross_mass) {
  return fmt::format(R"toml(
format = "driftless/1"
gravity = [0, 0, -9.81]
[parameters]
light = {}
[points]
O = [0, 0, 0]
[body.shaft]
mass = 1
centre = [0.3, 0, 0.1]
inertia = [0.01, 0.02, 0.025]
[body.cross]
mass = "light"
centre = "O"
inertia = ["1e-4*light", "1e-4*light", "1e-4*light"]
[joint.first]
type = "revolute"
between = ["ground", "cross"]
at = "O"
axis = [0, 1, 0]
[joint.second]
type = "revolute"
between = ["cross", "shaft"]
at = "O"
axis = [0, 0, 1]
[start]
first.rate = 2
second.rate = 1
)toml",
                     cross_mass);
}

/// Two hinges on a cross that weighs nothing are a universal joint, and rank has nothing to do with masses.
TEST(LightCross, RunsAsAUniversalJoint) {
  const Result heavy = run(make_cross("1e-6"), 2.0);
  const int x = heavy.find_column("shaft.x");
  for (const char* mass : {"1e-7", "1e-9", "1e-11"}) {
    const Result light = run(make_cross(mass), 2.0);
    ASSERT_EQ(light.report.status, Status::ok) << mass << ": " << light.report.message;
    EXPECT_EQ(light.report.min_rank, 10) << mass;
    EXPECT_LE(light.report.max_phi, 1e-9) << mass;
    ASSERT_EQ(light.row_count(), heavy.row_count());
    for (std::size_t k = 0; k < heavy.row_count(); k += 100)
      EXPECT_NEAR(light.row(k)[static_cast<std::size_t>(x)],
                  heavy.row(k)[static_cast<std::size_t>(x)], 1e-6);
  }
}

}  // namespace
}  // namespace driftless
