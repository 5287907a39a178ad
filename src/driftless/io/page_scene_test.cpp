#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "driftless/equations/compile.hpp"
#include "driftless/io/model_file.hpp"
#include "driftless/io/page.hpp"
#include "driftless/io/page_test.hpp"
#include "driftless/io/scene_stops.hpp"
#include "driftless/mechanism/compile.hpp"
#include "driftless/system/system.hpp"

namespace driftless {
namespace {

using testing::kArmModel;
using testing::make_arm_info;

TEST(PageScene, SceneComesFromTheModelText) {
  RunInfo info = make_arm_info();
  info.model_text.insert(info.model_text.find("space"), "description = \"a bar with a wheel\"\n");
  const SceneOfRun found = find_scene(info);
  const Scene& scene = found.scene;
  EXPECT_EQ(found.note, "");
  EXPECT_EQ(found.description, "a bar with a wheel");
  EXPECT_TRUE(scene.plane);
  EXPECT_EQ(scene.gravity.y, -9.81);
  ASSERT_EQ(scene.bodies.size(), 2U);
  EXPECT_EQ(scene.bodies[0].shape.kind, "rod");
  EXPECT_EQ(scene.bodies[0].shape.from.x, -1.0);
  EXPECT_EQ(scene.bodies[0].shape.to.x, 1.0);
  EXPECT_EQ(scene.bodies[1].mass, 2.0);
  ASSERT_EQ(scene.bodies[0].marks.size(), 3U) << "a frame and two hardpoints";
  EXPECT_EQ(scene.bodies[0].marks[0].name, "tip");
  EXPECT_TRUE(scene.bodies[0].marks[0].is_frame);
  EXPECT_EQ(scene.bodies[0].marks[2].name, "B");
  EXPECT_FALSE(scene.bodies[0].marks[2].is_frame);
  EXPECT_EQ(scene.bodies[0].marks[2].at.x, 1.0);
  ASSERT_EQ(scene.bodies[1].marks.size(), 1U) << "the wheel is not at A";
  EXPECT_EQ(scene.bodies[1].shape.kind, "disc");
  EXPECT_EQ(scene.bodies[1].shape.radius, 0.3);
  ASSERT_EQ(scene.elements.size(), 3U);
  EXPECT_EQ(scene.elements[1].name, "axle");
  EXPECT_EQ(scene.elements[1].type, "revolute");
  ASSERT_EQ(scene.elements[1].frames.size(), 2U);
  EXPECT_EQ(scene.elements[1].frames[0].body, 0);
  EXPECT_EQ(scene.elements[1].frames[0].origin.x, 1.0);
  EXPECT_EQ(scene.elements[2].kind, "force");
  EXPECT_EQ(scene.elements[2].frames[0].body, -1);
  EXPECT_EQ(scene.elements[2].frames[0].origin.y, 1.0);
}

// A body without a shape is the wheel that an element takes it for.
TEST(PageScene, GearsAndPinionsAreWheels) {
  RunInfo info = make_arm_info();
  info.parameters.clear();
  info.model_text = R"(format = "driftless/1"
space = "plane"
[body.small]
mass = 1
inertia = 1
centre = [0.02, 0]
[body.large]
mass = 1
inertia = 1
centre = [0.6, 0]
[body.crank]
mass = 1
inertia = 1
centre = [0, 2]
[joint.A]
type = "revolute"
between = ["ground", "small"]
at = [0, 0]
[joint.B]
type = "revolute"
between = ["large", "ground"]
at = [0.6, 0]
[joint.C]
type = "revolute"
between = ["ground", "crank"]
at = [0, 2]
[force.spring]
type = "spring_damper"
between = ["ground", "crank"]
at = [[3, 2], [1.5, 2]]
stiffness = 10
[constraint.gear]
type = "gear"
of = ["A.angle", "B.angle"]
ratio = -0.5
[constraint.belt]
type = "belt"
of = ["A.angle", "C.angle"]
first_radius = 0.1
second_radius = 0.3
)";
  const SceneOfRun found = find_scene(info);
  ASSERT_EQ(found.note, "");
  const SceneShape& small = found.scene.bodies[0].shape;
  const SceneShape& large = found.scene.bodies[1].shape;
  EXPECT_EQ(small.kind, "disc");
  EXPECT_NEAR(small.radius, 0.2, 1e-15);
  EXPECT_NEAR(small.from.x, -0.02, 1e-15);
  EXPECT_EQ(large.kind, "disc");
  EXPECT_NEAR(large.radius, 0.4, 1e-15);
  EXPECT_EQ(found.scene.bodies[2].shape.kind, "") << "its arm reaches beyond the pulley";
  const auto find_belt = [](const Scene& scene) {
    return *std::find_if(scene.elements.begin(), scene.elements.end(),
                         [](const SceneElement& each) { return each.name == "belt"; });
  };
  const SceneElement belt = find_belt(found.scene);
  ASSERT_EQ(belt.pulleys.size(), 2U);
  EXPECT_EQ(belt.pulleys[0].radius, 0.1);
  EXPECT_EQ(belt.pulleys[1].radius, 0.3);
  EXPECT_NEAR(belt.pulleys[0].frame.origin.x, -0.02, 1e-15);
  EXPECT_FALSE(belt.crossed);
  // An angle of the ground against the pulley counts oppositely: equal angles then mean a crossed belt.
  const std::string between = R"(["ground", "crank"])";
  std::string& text = info.model_text;
  text.replace(text.find(between), between.size(), R"(["crank", "ground"])");
  EXPECT_TRUE(find_belt(find_scene(info).scene).crossed);
  text += "crossed = true\n";
  EXPECT_FALSE(find_belt(find_scene(info).scene).crossed);
}

// Each joint is drawn by what it lets move.
TEST(PageScene, JointsSayWhatTheyLetMove) {
  struct Expected {
    const char* type;
    int turns;
    Vector3 slide;
  };
  const auto check = [](bool plane, const Expected& expected) {
    RunInfo info = make_arm_info();
    info.parameters.clear();
    info.model_text = plane ? R"(format = "driftless/1"
space = "plane"
[body.b]
mass = 1
inertia = 1
centre = [0, 0]
[joint.J]
between = ["ground", "b"]
at = [0.3, 1]
axis = [0.6, -0.8]
)"
                            : R"(format = "driftless/1"
[body.b]
mass = 1
inertia = [1, 1, 1]
centre = [0, 0, 0]
[joint.J]
between = ["ground", "b"]
at = [0.3, 1, -2]
axis = [1, 2, -2]
)";
    info.model_text += std::string("type = ") + expected.type + "\n";
    const SceneOfRun found = find_scene(info);
    ASSERT_EQ(found.note, "") << expected.type;
    const SceneFreedom& freedom = found.scene.elements.at(0).freedom;
    EXPECT_EQ(freedom.turns, expected.turns) << expected.type;
    EXPECT_LE(norm(freedom.slide - expected.slide), 1e-12) << expected.type;
  };
  const Vector3 none{}, x{1, 0, 0}, z{0, 0, 1};
  for (const Expected& expected :
       {Expected{"'revolute'", 1, none}, Expected{"'prismatic'", 0, z},
        Expected{"'cylindrical'", 1, z}, Expected{"'spherical'", 3, none},
        Expected{"'universal'", 2, none}, Expected{"'constant_velocity'", 2, none},
        Expected{"'planar'", 1, none}, Expected{"'screw'\npitch = 0.2", 1, none},
        Expected{"'slot'", 1, x}, Expected{"'fixed'", 0, none}}) {
    check(false, expected);
  }
  for (const Expected& expected : {Expected{"'revolute'", 1, none}, Expected{"'prismatic'", 0, x},
                                   Expected{"'slot'", 1, x}, Expected{"'fixed'", 0, none}}) {
    check(true, expected);
  }
}

TEST(PageScene, SceneHasTheParametersOfTheRun) {
  RunInfo info = make_arm_info();
  info.parameters = {{"l", 5.0}, {"half", 2.5}};  // --set l=5
  EXPECT_EQ(find_scene(info).scene.bodies[0].shape.to.x, 2.5);
}

/// The last units of the model's records.
std::vector<std::string> find_record_units(const std::string& text, std::size_t count) {
  const ModelFile file = parse_model(text, "model.toml");
  const CompiledModel compiled = file.mechanism ? compile(*file.mechanism) : compile(file.model);
  const std::vector<std::string>& units = compiled.system->info().record_units;
  return {units.end() - static_cast<std::ptrdiff_t>(std::min(count, units.size())), units.end()};
}

TEST(PageScene, RecordsHaveTheUnitsThatFollow) {
  const std::string mechanism = std::string(kArmModel) +
                                "[measure.lift]\ntype = \"expression\"\nvalue = \"bar.y + l\"\n"
                                "[record]\nspeed = \"lift'\"\nturns = \"pin.angle/(2*pi)\"\n"
                                "work = \"pin.force.x*bar.x'\"\n";
  EXPECT_EQ(find_record_units(mechanism, 4), (std::vector<std::string>{"m", "m/s", "", "W"}));
  const std::string equations =
      "format = \"driftless/1\"\nname = \"ball\"\n[parameters]\nm = \"2 kg\"\nk = 3\n"
      "[coordinates]\nx = { start = \"1 m\" }\ny = { start = 1 }\n"
      "[energy]\nkinetic = \"m/2*(x'^2 + k*y'^2)\"\n"
      "[record]\np = \"m*x'\"\nF = \"m*x''\"\nE = \"T + U\"\nother = \"m*y\"\nmore = \"k*x\"\n";
  EXPECT_EQ(find_record_units(equations, 5),
            (std::vector<std::string>{"kg*m/s", "N", "J", "", ""}));
}

TEST(PageScene, WhatHasNoSceneSaysWhy) {
  RunInfo info = make_arm_info();
  info.model_text =
      "format = \"driftless/1\"\nname = \"p\"\ndescription = \"a point\"\n[coordinates]\nx = "
      "1\n[energy]\nkinetic = "
      "\"x'^2/2\"\n";
  EXPECT_NE(find_scene(info).note.find("equation model"), std::string::npos);
  EXPECT_EQ(find_scene(info).description, "a point");
  info.model_text = "nonsense";
  EXPECT_NE(find_scene(info).note.find("cannot be read again"), std::string::npos);
  info.model_text.clear();
  EXPECT_NE(find_scene(info).note.find("no model text"), std::string::npos);
}

TEST(PageScene, StopsStandWhereTheBodyMeetsThem) {
  RunInfo info;
  info.model_path = "stop.toml";
  for (const bool turns : {false, true}) {
    info.model_text = std::string(R"(format = "driftless/1"
name = "stop"
space = "plane"
[points]
O = [1, 2]
P = [3, 2]
[body.bar]
rod = ["O", "P"]
mass = 1
[joint.A]
type = )") + (turns ? "\"revolute\"" : "\"prismatic\"\naxis = [1, 0]") +
                      R"(
between = ["ground", "bar"]
at = "O"
[force.buffer]
type = "stop"
of = )" + (turns ? "\"A.angle\"" : "\"A.position\"") +
                      "\nhigh = 0.5\nstiffness = 10\n";
    const SceneOfRun found = find_scene(info);
    ASSERT_EQ(found.note, "");
    const auto stop = std::find_if(found.scene.elements.begin(), found.scene.elements.end(),
                                   [](const SceneElement& each) { return each.name == "buffer"; });
    ASSERT_NE(stop, found.scene.elements.end());
    EXPECT_FALSE(stop->low);
    EXPECT_EQ(stop->high, 0.5);
    const std::vector<Figure> blocks = list_stops(found.scene, 0.01);
    ASSERT_EQ(blocks.size(), 2U) << "rubber and plate of the one limit";
    const Vector3 face = blocks[0].points[0].at, end = blocks[0].points[1].at;
    EXPECT_EQ(blocks[0].points[0].body, -1);
    if (turns) {  // beside the bar as it stands at 0.5 rad, on the side to which it turns
      const Vector3 from = face - Vector3{1, 2, 0};
      EXPECT_GT(std::atan2(from.y, from.x), 0.5);
      EXPECT_LT(std::atan2(from.y, from.x), 1.1);
    } else {  // before the end of the bar, 2 m from the joint
      EXPECT_NEAR(face.x, 1 + 2 + 0.5 + 0.013, 1e-12);
      EXPECT_GT(end.x, face.x);
      EXPECT_NEAR(face.y, 2, 1e-12);
    }
  }
}

}  // namespace
}  // namespace driftless
