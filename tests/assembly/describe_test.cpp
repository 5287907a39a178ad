// What a mechanism says about its bodies and rows.

#include <gtest/gtest.h>

#include "driftless/io/model_file.hpp"
#include "driftless/run/prepare.hpp"

namespace driftless::trials {
namespace {

using Names = std::vector<std::string>;

SystemInfo describe(const std::string& text) {
  const ModelFile file = parse_model(text, "test.toml");
  return compile(*file.mechanism).system->info();
}

/// A ball on the ground by one joint or constraint.
std::string make_model(bool plane, const std::string& kind, const std::string& type,
                       const std::string& more) {
  return std::string("format = \"driftless/1\"\n") + (plane ? "space = \"plane\"\n" : "") +
         "[points]\nP = " + (plane ? "[1, 2]" : "[1, 2, 3]") +
         "\nQ = " + (plane ? "[2, 1]" : "[2, 1, 0.5]") +
         "\n[body.ball]\ncentre = \"P\"\nmass = 2\ninertia = " + (plane ? "1" : "[1, 1, 1]") +
         "\n[" + kind + ".E]\ntype = \"" + type + "\"\nbetween = [\"ground\", \"ball\"]\n" +
         "at = [\"Q\", \"P\"]\n" + more;
}

Names find_units(bool plane, const std::string& kind, const std::string& type,
                 const std::string& more = "") {
  return describe(make_model(plane, kind, type, more)).row_units;
}

TEST(Describe, UnitsOfRowsInSpace) {
  EXPECT_EQ(find_units(false, "joint", "revolute"), (Names{"m", "m", "m", "1", "1"}));
  EXPECT_EQ(find_units(false, "joint", "prismatic"), (Names{"m", "m", "1", "1", "1"}));
  EXPECT_EQ(find_units(false, "joint", "cylindrical"), (Names{"m", "m", "1", "1"}));
  EXPECT_EQ(find_units(false, "joint", "spherical"), (Names{"m", "m", "m"}));
  EXPECT_EQ(find_units(false, "joint", "universal"), (Names{"m", "m", "m", "1"}));
  EXPECT_EQ(find_units(false, "joint", "planar"), (Names{"m", "1", "1"}));
  EXPECT_EQ(find_units(false, "joint", "slot"), (Names{"m", "m", "1", "1"}));
  EXPECT_EQ(find_units(false, "joint", "fixed"), (Names{"m", "m", "m", "1", "1", "1"}));
  EXPECT_EQ(find_units(false, "joint", "constant_velocity"), (Names{"m", "m", "m", "rad"}));
  EXPECT_EQ(find_units(false, "joint", "screw", "pitch = 0.01"), (Names{"m", "m", "1", "1", "m"}));
  EXPECT_EQ(find_units(false, "constraint", "distance", "length = 2"), Names{"m"});
  EXPECT_EQ(find_units(false, "constraint", "parallel_axes"), (Names{"1", "1"}));
  EXPECT_EQ(find_units(false, "constraint", "perpendicular_axes"), Names{"1"});
}

TEST(Describe, UnitsOfRowsInThePlane) {
  EXPECT_EQ(find_units(true, "joint", "revolute"), (Names{"m", "m"}));
  EXPECT_EQ(find_units(true, "joint", "prismatic"), (Names{"m", "rad"}));
  EXPECT_EQ(find_units(true, "joint", "slot"), Names{"m"});
  EXPECT_EQ(find_units(true, "joint", "fixed"), (Names{"m", "m", "rad"}));
  EXPECT_EQ(find_units(true, "constraint", "parallel_axes"), Names{"rad"});
  EXPECT_EQ(find_units(true, "constraint", "perpendicular_axes"), Names{"1"});
}

constexpr const char* kFour = R"(
format = "driftless/1"
[points]
A = [0, 0, 0]
B = [1, 0, 0]
C = [2, 0, 0]
[body.hanging]
rod = ["A", "B"]
mass = 1
[body.sprung]
cylinder = ["B", "C"]
radius = 0.1
mass = 1
[body.thrown]
sphere = 0.1
centre = "C"
mass = 1
[body.dangling]
point = true
centre = "A"
mass = 1
[joint.J]
type = "spherical"
between = ["hanging", "ground"]
at = "A"
[force.K]
type = "spring_damper"
between = ["hanging", "sprung"]
at = ["B", "C"]
stiffness = 100
[constraint.L]
type = "distance"
between = ["thrown", "dangling"]
at = ["C", "A"]
length = 2
)";

TEST(Describe, BodiesAndElements) {
  const SystemInfo info = describe(kFour);
  ASSERT_EQ(info.bodies.size(), 4u);
  EXPECT_EQ(info.bodies[1].name, "sprung");
  EXPECT_EQ(info.bodies[1].coordinate, 7);
  EXPECT_EQ(info.bodies[1].rate, 6);
  EXPECT_EQ(info.bodies[1].turns, 3);
  EXPECT_EQ(info.bodies[3].rates, 3);
  EXPECT_EQ(info.bodies[3].turns, 0);
  EXPECT_TRUE(info.bodies[0].is_held);
  EXPECT_TRUE(info.bodies[1].is_held);
  EXPECT_FALSE(info.bodies[2].is_held);
  EXPECT_FALSE(info.bodies[3].is_held);
  ASSERT_EQ(info.elements.size(), 2u);
  EXPECT_EQ(info.elements[0].bodies, std::vector<int>{0});
  EXPECT_EQ(info.elements[1].name, "L");
  EXPECT_EQ(info.elements[1].rows, std::vector<int>{3});
  EXPECT_EQ(info.elements[1].bodies, (std::vector<int>{2, 3}));
}

// retract by what find_increment says leads back, also for turns near a half.
TEST(Describe, IncrementsUndoRetractions) {
  const ModelFile file = parse_model(kFour, "test.toml");
  const CompiledModel model = compile(*file.mechanism);
  const System& system = *model.system;
  for (const double size : {1e-7, 0.3, 1.8}) {
    Vector delta(system.info().nv);
    for (Eigen::Index i = 0; i < delta.size(); ++i)
      delta[i] = size * std::sin(0.7 + 2.3 * static_cast<double>(i));
    Vector q = model.q;
    system.retract(q, delta);
    Vector found(delta.size());
    system.find_increment(model.q, q, found);
    EXPECT_LE(max_abs(found - delta), 1e-14 + 1e-13 * size);
    Vector turned = q;  // minus a quaternion is the same pose
    turned.segment(3, 4) *= -1.0;
    system.find_increment(model.q, turned, found);
    EXPECT_LE(max_abs(found - delta), 1e-14 + 1e-13 * size);
  }
}

}  // namespace
}  // namespace driftless::trials
