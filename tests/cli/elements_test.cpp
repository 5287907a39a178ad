// list and explain for joints, and what the command line says about a wrong mechanism.

#include <gtest/gtest.h>

#include "tests/cli/program_test.hpp"

namespace driftless::testing {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class CliElements : public Program {};

TEST_F(CliElements, JointsAreListedAndExplained) {
  const Outcome list = run({"list", "joints"});
  EXPECT_EQ(list.code, 0) << list.err;
  EXPECT_TRUE(contains(list.out, "  revolute")) << list.out;
  EXPECT_TRUE(contains(list.out, "a hinge")) << list.out;
  const Outcome explained = run({"explain", "revolute"});
  EXPECT_EQ(explained.code, 0) << explained.err;
  EXPECT_TRUE(contains(explained.out, "revolute (joint)\n    a hinge")) << explained.out;
  EXPECT_TRUE(contains(explained.out, "    between: the two bodies")) << explained.out;
  EXPECT_TRUE(contains(explained.out,
                       "[joint.A]\n        type = \"revolute\"\n        between = [\"ground\", "
                       "\"gate\"]\n        at = \"A\"\n"))
      << explained.out;
  EXPECT_TRUE(contains(run({"explain", "slot"}).out,
                       "    coordinates, with their rates: NAME.position (NAME.speed) in m, "
                       "NAME.angle (NAME.rate) in rad\n"));
  EXPECT_FALSE(contains(run({"explain", "spherical"}).out, "coordinates"));
  EXPECT_TRUE(contains(run({"explain", "revolut"}).err, "did you mean 'revolute'?"));
}

// What a field may be, in which unit, where the element is attached, and an example that runs.
TEST_F(CliElements, KindsUnitsAndAttachmentsAreTold) {
  const std::string out =
      run({"explain", "gear", "stop", "point_force", "belt", "bushing", "drive"}).out;
  for (const char* part :
       {"    of, names of measures: the two angles",
        "    ratio, a number: turns of the second per turn of the first",
        "as outer gears are (needed; other than 0)",
        "    of, the name of a measure: what is limited",
        "    stiffness, in N/m or N*m/rad: of the stop", "    low, in m or rad: lowest value",
        "    axes, \"world\" or \"body\": of force",
        "    body: on which it is\n    at: where, as drawn; left out: the mass centre\n",
        "    crossed, true or false: ", "    stiffness, rows, or the diagonal: 6 x 6",
        "    value, a number or an expression: its value",
        "    example, from driftless examples elements/drive:\n        [constraint.swing]\n"}) {
    EXPECT_TRUE(contains(out, part)) << part << "\nis not in\n" << out;
  }
  EXPECT_FALSE(contains(out, "<effort>")) << out;
  EXPECT_FALSE(contains(out, "<coordinate>")) << out;
  const std::string both = run({"explain", "distance"}).out;
  EXPECT_TRUE(contains(both, "distance (constraint)")) << both;
  EXPECT_TRUE(contains(both, "distance (measure)")) << both;
  EXPECT_TRUE(contains(run({"explain", "world"}).out, "point_force.axes"));
}

TEST_F(CliElements, KeysOfMechanismsAreExplained) {
  EXPECT_TRUE(contains(run({"explain", "between"}).out, "joint.between (model file)"));
  EXPECT_TRUE(contains(run({"list", "keys"}).out, "  gravity"));
}

TEST_F(CliElements, WrongMechanismsAreRefused) {
  const std::string text =
      "format = \"driftless/1\"\nspace = \"plane\"\n[body.a]\nmass = 1\n[start]\na.x = 1\n";
  write_text(path("good.toml"), text);
  write_text(path("wrong.toml"), text + "b.x = 2\n");
  const Outcome file = run({"check", "wrong.toml"});
  EXPECT_EQ(file.code, 2);
  EXPECT_TRUE(contains(file.err, "wrong.toml:7:3: error: start.b.x: there is no body or joint 'b'"))
      << file.err;
  const Outcome set = run({"run", "good.toml", "--set", "b.x=1"});
  EXPECT_EQ(set.code, 2);
  EXPECT_TRUE(contains(set.err, "b.x: the model has no body or joint 'b'")) << set.err;
  const Outcome sweep = run({"sweep", "good.toml", "--vary", "b.x=1,2"});
  EXPECT_EQ(sweep.code, 2);
  EXPECT_TRUE(contains(sweep.err, "b.x: the model has no body or joint 'b'")) << sweep.err;
}

}  // namespace
}  // namespace driftless::testing
