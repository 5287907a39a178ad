// driftless check.

#include <gtest/gtest.h>

#include "tests/cli/program_test.hpp"

namespace driftless::testing {
namespace {

class CliCheck : public Program {};

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

// Each error stands with its own place and remedy; a run names the first of them.
TEST_F(CliCheck, TwoThingsWrongHaveTwoPlacesAndTwoRemedies) {
  write_text(path("two.toml"), R"toml(format = "driftless/1"
[points]
A = [0.1, -0.2, 0.05]
B = [0.7, 0.15, 0.1]
[body.arm]
rod = ["A", "B"]
mass = 1.3
[joint.ball]
type = "spherical"
between = ["ground", "arm"]
at = "A"
[constraint.far]
type = "distance"
between = ["ground", "arm"]
at = [[5, 5, 5], "B"]
length = 2
)toml");
  const Outcome text = run({"check", "two.toml"});
  EXPECT_EQ(text.code, 1);
  const std::vector<std::string> wanted{"'far' stays open",      "two.toml:12:13",
                                        "dimensions do not fit", "has no inertia",
                                        "two.toml:5:7",          "give 'arm' an inertia"};
  std::size_t from = 0;
  for (const std::string& part : wanted) {
    const std::size_t found = text.out.find(part, from);
    ASSERT_NE(found, std::string::npos) << part << " in\n" << text.out;
    from = found;
  }
  const Outcome moved = run({"run", "two.toml"});
  EXPECT_EQ(moved.code, 1);
  EXPECT_TRUE(contains(moved.out, "two.toml:12:13")) << moved.out;
  EXPECT_FALSE(contains(moved.out, "give 'arm' an inertia")) << moved.out;
  EXPECT_TRUE(
      contains(find_value(run({"check", "two.toml", "--json"}).out, "where"), "two.toml:12:13"));
}

// Nothing is known of a system that has no value at the start: no figure may pretend to.
TEST_F(CliCheck, AConstraintThatIsNotFiniteIsOneErrorWithoutFigures) {
  write_text(path("wild.toml"), R"toml(format = "driftless/1"
name = "wild"
[coordinates]
x = { start = -1 }
y = { start = 2 }
[energy]
kinetic = "x'^2 + y'^2"
[constraint]
root = "sqrt(x) - y"
)toml");
  const Outcome text = run({"check", "wild.toml"});
  EXPECT_EQ(text.code, 1);
  EXPECT_EQ(count(text.out, "error"), 1U) << text.out;
  EXPECT_EQ(count(text.out, "remedy"), 1U) << text.out;
  EXPECT_TRUE(contains(text.out, "constraint 'root' has no finite residual at the start"))
      << text.out;
  for (const char* label : {"joints", "freedom", "mass", "derivative"})
    EXPECT_FALSE(contains(text.out, label)) << text.out;

  const Outcome json = run({"check", "wild.toml", "--json"});
  EXPECT_EQ(json.code, 1);
  for (const char* key : {"dof", "rank", "max_phi", "max_phi_dot", "mass_definite"})
    EXPECT_EQ(find_value(json.out, key), "null") << key;
  EXPECT_EQ(find_value(json.out, "rows"), "1");
}

TEST_F(CliCheck, FiguresAreThereOtherwise) {
  const Outcome text = run({"check", "first.toml"});
  EXPECT_EQ(text.code, 0);
  for (const char* label : {"joints", "freedom", "mass", "derivative"})
    EXPECT_TRUE(contains(text.out, label)) << text.out;
  EXPECT_EQ(find_value(run({"check", "first.toml", "--json"}).out, "dof"), "1");
}

// ---- what a run would fail of ------------------------------------------------------------------------

std::string make_paths(const std::string& first, const std::string& second) {
  return "format = \"driftless/1\"\nname = \"paths\"\n[body.a]\nmass = 1\npoint = true\n"
         "centre = [0, 0, 0]\n[constraint.p1]\ntype = \"path\"\nbetween = [\"ground\", \"a\"]\n"
         "at = [0, 0, 0]\nalong_x = \"" +
         first + "\"\n[constraint.p2]\ntype = \"path\"\nbetween = [\"ground\", \"a\"]\n" +
         "at = [0, 0, 0]\nalong_x = \"" + second + "\"\nalong_y = 0\n";
}

// Two prescribed motions that part in value, rate, acceleration, or only later.
TEST_F(CliCheck, PrescribedMotionsThatContradictEachOtherFail) {
  for (const auto& [first, second] : {std::pair{"0", "0.1"},
                                      {"t", "2*t"},
                                      {"t^2", "2*t^2"},
                                      {"t^3", "2*t^3"},
                                      {"sin(t)", "t - t^3/6 + t^5/120"}}) {
    write_text(path("paths.toml"), make_paths(first, second));
    const Outcome text = run({"check", "paths.toml"});
    EXPECT_EQ(text.code, 1) << first << text.out;
    EXPECT_TRUE(contains(text.out, "cannot run as it is")) << text.out;
    EXPECT_TRUE(contains(text.out, "paths.toml:12:")) << first << text.out;
    EXPECT_TRUE(contains(text.out, "p2")) << text.out;
    const Outcome json = run({"check", "paths.toml", "--json"});
    EXPECT_EQ(find_value(json.out, "status"), "\"failed\"");
    EXPECT_TRUE(contains(find_value(json.out, "where"), "paths.toml:12:")) << json.out;
  }
  write_text(path("paths.toml"), make_paths("t^3 + sin(2*t)", "sin(2*t) + t*t*t"));
  EXPECT_EQ(run({"check", "paths.toml"}).code, 0);
}

constexpr const char* kBar = R"toml(format = "driftless/1"
name = "bar"
space = "plane"
gravity = [0, -9.81]
[parameters]
far = 1.2
[points]
A = [0, 2]
B = ["far", 1]
[body.bar]
rod = ["A", "B"]
mass = 3
[joint.pin]
type = "revolute"
between = ["ground", "bar"]
at = "A"
)toml";

std::string drive(const std::string& value) {
  return std::string(kBar) + "[constraint.d1]\ntype = \"drive\"\nof = \"pin.angle\"\nvalue = \"" +
         value + "\"\n";
}

TEST_F(CliCheck, NumbersThatAreTooLargeToRunFail) {
  write_text(path("big.toml"), std::string(kBar) + "[start]\npin.rate = 0.5\n");
  EXPECT_EQ(run({"check", "big.toml"}).code, 0);
  for (const char* change : {"far=1e150", "pin.rate=1e100"}) {
    EXPECT_EQ(run({"run", "big.toml", "--set", change, "--json"}).code, 1) << change;
    EXPECT_EQ(run({"check", "big.toml", "--set", change}).code, 1) << change;
  }
}

// The drive is at fault, not the joint and not the start values.
TEST_F(CliCheck, ADriveWithoutAValueIsNamed) {
  for (const char* value : {"sqrt(0.995 - t)", "asin(t/2 + 0.001)"}) {
    write_text(path("drive.toml"), drive(value));
    const Outcome text = run({"run", "drive.toml", "--until", "5", "--out", "drive.csv"});
    EXPECT_EQ(text.code, 1);
    EXPECT_TRUE(contains(text.out, "constraint 'd1.value' or its derivative is not finite"))
        << text.out;
    EXPECT_TRUE(contains(text.out, "change 'd1.value'")) << text.out;
    EXPECT_TRUE(contains(text.out, "drive.toml:17:")) << text.out;
  }
  write_text(path("drive.toml"), drive("sqrt(t)"));
  const Outcome text = run({"check", "drive.toml"});
  EXPECT_EQ(text.code, 1);
  EXPECT_TRUE(contains(text.out, "change the expression of 'd1.value'")) << text.out;
}

// A step that begins at t = 0 has a jump in its second derivative there; a fast hinge turns far in little time.
TEST_F(CliCheck, NoFalseAlarmOfDerivatives) {
  write_text(path("step.toml"), drive("step(t, 0, 0, 1, 1)"));
  EXPECT_FALSE(contains(run({"check", "step.toml"}).err, "relative error"));
  write_text(path("fast.toml"), std::string(kBar) + "[start]\npin.rate = 0.5\n");
  for (const char* rate : {"3000", "10000", "30000"}) {
    const Outcome text = run({"check", "fast.toml", "--set", std::string("pin.rate=") + rate});
    EXPECT_FALSE(contains(text.err, "relative error")) << text.err;
  }
}

TEST_F(CliCheck, UnusedTablesAndFramesAreNamed) {
  write_text(path("x.csv"), "0,0\n1,1\n2,3\n3,1\n");
  const std::string text =
      std::string(kBar) +
      "[body.bar.frame.spare]\nat = [0, 0]\n[body.bar.frame.tip]\nat = [1, 0]\n"
      "[body.bar.frame.eye]\nat = [1, 0]\n[table]\ntt = \"x.csv\"\n"
      "uu = \"x.csv\"\n[record]\nr = \"bar.tip.x + table(uu, t)\"\n"
      "[start]\nbar.eye.x = 0.4\n";
  write_text(path("unused.toml"), text);
  const Outcome check = run({"check", "unused.toml"});
  EXPECT_TRUE(contains(check.err, "frame 'bar.spare' is never used")) << check.err;
  EXPECT_TRUE(contains(check.err, "table 'tt' is never used")) << check.err;
  EXPECT_EQ(count(check.err, "never used"), 2U) << check.err;
}

// Round-off is no change.
TEST_F(CliCheck, OnlyRealChangesOfTheStartAreTold) {
  std::string text = kBar;
  text +=
      "[body.block]\ncentre = [1.2, 1.3]\nmass = 1\ninertia = 0.1\n[joint.ball]\n"
      "type = \"revolute\"\nbetween = [\"bar\", \"block\"]\nat = [\"B\", [1.2, 1.3]]\n"
      "[joint.rail]\ntype = \"prismatic\"\nbetween = [\"ground\", \"block\"]\n"
      "at = [1.2, 1]\n";
  write_text(path("moved.toml"), text);
  const Outcome check = run({"check", "moved.toml"});
  EXPECT_TRUE(contains(check.err, "bar.angle 0 -> 0.230067, block.x 1.2 -> 1.39642")) << check.err;
  for (const char* unchanged : {"block.y", "block.angle", "e-"})
    EXPECT_FALSE(contains(check.err, unchanged)) << check.err;
}

TEST_F(CliCheck, ForcesAndMeasuresHaveFiguresOfTheirOwn) {
  write_text(path("forces.toml"), std::string(kBar) + R"toml([force.spring]
type = "spring_damper"
between = ["ground", "bar"]
at = [[2, 2], "B"]
stiffness = 80
damping = 3
[force.motor]
type = "motor"
of = "pin.angle"
torque = "2*sin(t)"
[force.push]
type = "point_force"
body = "bar"
at = "B"
force = ["t", 1]
[measure.reach]
type = "distance"
between = ["ground", "bar"]
at = [[2, 2], "B"]
[measure.sum]
type = "expression"
value = "reach^2 + pin.angle*t"
)toml");
  const Outcome json = run({"check", "forces.toml", "--json"});
  EXPECT_EQ(json.code, 0) << json.out;
  const std::string elements = find_value(json.out, "elements");
  for (const char* name : {"pin", "spring", "motor", "push", "reach", "sum"})
    EXPECT_TRUE(contains(elements, std::string("\"") + name + "\"")) << elements;
  EXPECT_FALSE(contains(json.err, "relative error")) << json.err;
}

}  // namespace
}  // namespace driftless::testing
