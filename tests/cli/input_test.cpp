// What a model file and a command line may hold, and what comes of it.

#include <gtest/gtest.h>

#include "tests/cli/program_test.hpp"

namespace driftless::testing {
namespace {

/// A bar on a pin in the plane, with what a test adds.
std::string make_bar(const std::string& rest, const std::string& name = "bar on a pin") {
  return "format = \"driftless/1\"\nname = \"" + name +
         "\"\nspace = \"plane\"\ngravity = [0, -9.81]\n[parameters]\nth = \"30 deg\"\nm1 = \"3 "
         "kg\"\n[body.bar]\nrod = [[0, 2], [\"cos(th)\", 1]]\nmass = \"m1\"\n[joint.pin]\ntype = "
         "\"revolute\"\nbetween = [\"ground\", \"bar\"]\nat = [0, 2]\n[run]\nuntil = 0.1\nevery = "
         "0.05\n" +
         rest;
}

class CliInput : public Program {};

TEST_F(CliInput, AxesOfAnyLengthAreDirections) {
  for (const char* axis : {"[1e200, 0, 1e200]", "[1e-200, 0, 1e-200]", "[1e308, 0, 1e308]"}) {
    write_text(
        path("m.toml"),
        std::string("format = \"driftless/1\"\n[body.a]\nbox = [1, 0.1, 0.1]\ncentre = [0.5, "
                    "0, 0]\nmass = 1\n[joint.A]\ntype = \"revolute\"\nbetween = [\"ground\", "
                    "\"a\"]\nat = [0, 0, 0]\naxis = ") +
            axis + "\n");
    const Outcome outcome = run({"check", "m.toml", "--json"});
    EXPECT_EQ(find_value(outcome.out, "dof"), "1") << axis << outcome.err;
  }
}

TEST_F(CliInput, ColumnsOfBodiesHaveUnits) {
  write_text(path("m.toml"), make_bar(""));
  EXPECT_EQ(run({"run", "m.toml", "--out", "m.csv"}).code, 0);
  const std::string csv = read_text(path("m.csv"));
  EXPECT_TRUE(contains(csv, "# units = s,m,m,rad,m/s,m/s,rad/s,rad,rad/s,N,N,N*m,")) << csv;
  write_text(path("e.toml"),
             "format = \"driftless/1\"\n[coordinates]\nx = { start = \"5 mm\" }\ny = 1\n[energy]\n"
             "kinetic = \"x'^2 + y'^2\"\n[run]\nuntil = 0.1\n");
  EXPECT_EQ(run({"run", "e.toml", "--out", "e.csv"}).code, 0);
  EXPECT_TRUE(contains(read_text(path("e.csv")), "# units = s,m,\"\",m/s,\"\","))
      << read_text(path("e.csv"));
}

TEST_F(CliInput, ADriveThatStandsStillTellsItsPower) {
  const std::string model =
      make_bar("[constraint.drive]\ntype = \"drive\"\nof = \"pin.angle\"\nvalue = \"w*t\"\n");
  write_text(path("m.toml"), "format" + model.substr(6).insert(model.find("th =") - 6, "w = 2\n"));
  const Outcome outcome =
      run({"sweep", "m.toml", "--vary", "w=0:6:3", "--show", "max(drive.power)", "--json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "\"max(drive.power)\":0,")) << outcome.out;
}

TEST_F(CliInput, DirectionsNeedNoPlace) {
  const std::string head =
      "format = \"driftless/1\"\n[body.a]\nbox = [1, 0.1, 0.1]\ncentre = [0.5, 0, 0]\nmass = 1\n"
      "[body.b]\nsphere = 0.1\ncentre = [2, 1, 0.5]\nmass = 1\n";
  write_text(path("p.toml"),
             head +
                 "[constraint.p]\ntype = \"parallel_axes\"\nbetween = [\"a\", "
                 "\"b\"]\naxis = [1, 2, 3]\n[constraint.q]\ntype = "
                 "\"perpendicular_axes\"\nbetween = [\"ground\", \"b\"]\naxis = "
                 "[[1, 0, 0], [0, 1, 0]]\n[measure.turn]\ntype = \"angle\"\nbetween "
                 "= [\"ground\", \"a\"]\n[run]\nuntil = 0.1\n");
  const Outcome outcome = run({"check", "p.toml", "--json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(find_value(outcome.out, "dof"), "9");
  EXPECT_TRUE(contains(run({"explain", "parallel_axes"}).out, "may be left out"));
}

TEST_F(CliInput, AnEmptyNameIsTheFiles) {
  write_text(path("swing.toml"), make_bar("", ""));
  EXPECT_TRUE(run({"run", "swing.toml"}).out.starts_with("swing: ok")) << "not ': ok'";
}

TEST_F(CliInput, TimesOfTheFileAreCheckedAlsoIfNotUsed) {
  write_text(path("m.toml"), make_bar(""));
  const Outcome outcome = run({"run", "m.toml", "--until", "1", "--set", "run.until=-1"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.err, "run.until = -1: out of bounds")) << outcome.err;
}

TEST_F(CliInput, ValuesThatAreNoNumbersAreToldOf) {
  write_text(path("m.toml"), make_bar("[record]\nr = \"1/t\"\ns = \"sqrt(0.05 - t)\"\n"));
  const Outcome outcome = run({"run", "m.toml"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(contains(outcome.err, "'r' is not finite at t = 0 s: a division by zero"))
      << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "'s' is not finite at t = 0.1 s")) << outcome.err;
}

TEST_F(CliInput, VaryTakesUnits) {
  write_text(path("m.toml"), make_bar(""));
  const Words common{"sweep", "m.toml", "--show", "last(bar.x)", "--vary"};
  const auto vary = [&](const std::string& axis) {
    Words words = common;
    words.push_back(axis);
    words.emplace_back("--json");
    return run(words).out;
  };
  EXPECT_EQ(vary("th=10 deg:60 deg:3"), vary("th=10:60 deg:3"));
  EXPECT_TRUE(contains(vary("th=10,60 deg"), "\"th\":0.17453292519943295,"));
  EXPECT_TRUE(contains(vary("m1=500 g:2 kg:2"), "\"m1\":0.5,"));
  EXPECT_EQ(vary("m1=1 kg"), vary("m1=1"));
  Words words = common;
  words.emplace_back("th=10 deg:60 deg:3");
  EXPECT_TRUE(contains(run(words).out, "th [deg]"));
  words.back() = "m1=1 mm:2 mm:2";
  EXPECT_TRUE(
      contains(run(words).err, "body.bar.mass: 'm1' has the dimension m, but kg is wanted"));
  words.back() = "m1=1 mm:2 kg:2";
  EXPECT_TRUE(contains(run(words).err, "'mm' and 'kg' have different dimensions"));
  words.back() = "m1=1 foo:2:2";
  EXPECT_TRUE(contains(run(words).err, "'1 foo' is not a number with a unit"));
}

TEST_F(CliInput, ASweepWhoseRunsAllFailHasFailed) {
  write_text(path("m.toml"), make_bar("[force.g]\ntype = \"point_force\"\nbody = \"bar\"\nforce = "
                                      "[\"exp(9000*t)\", 0]\n"));
  const Outcome outcome =
      run({"sweep", "m.toml", "--vary", "m1=1,2", "--show", "max_phi", "--json"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(find_value(outcome.out, "status"), "\"failed\"");
  EXPECT_EQ(run({"sweep", "m.toml", "--vary", "m1=1,2", "--show", "max_phi"}).code, 1);
}

TEST_F(CliInput, ColumnsAndKeysOfKeysAreExplained) {
  EXPECT_TRUE(contains(run({"explain", "pin.force.x"}).out, "reaction of a joint"));
  EXPECT_TRUE(contains(run({"explain", "A.angle"}).out, "coordinate of a revolute joint, in rad"));
  EXPECT_TRUE(contains(run({"explain", "A.rate'"}).out, "rate of: rate of angle"));
  EXPECT_TRUE(contains(run({"explain", "A.first.joint.torque.z"}).out, "about z"));
  EXPECT_TRUE(contains(run({"explain", "pose.x"}).out, "body.pose.x (model file)"));
  EXPECT_TRUE(contains(run({"explain", "screw.pitch"}).out, "advance in one turn"));
  EXPECT_TRUE(contains(run({"list", "bodies"}).out, "cylinder"));
  EXPECT_EQ(run({"explain", "A.angl"}).code, 2);
}

TEST_F(CliInput, KnownOptionsAreListedOnce) {
  const Outcome outcome = run({"run", "first.toml", "--set", "method.foo=3"});
  EXPECT_EQ(outcome.code, 2);
  const std::size_t first = outcome.err.find("rank_tolerance");
  EXPECT_NE(first, std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find("rank_tolerance", first + 1), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace driftless::testing
