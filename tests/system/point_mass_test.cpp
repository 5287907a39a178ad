// A point mass has no orientation: whatever would turn it, or hold it from turning, is refused with its place.

#include <gtest/gtest.h>

#include "driftless/assembly/check.hpp"
#include "driftless/io/model_file.hpp"
#include "driftless/run/prepare.hpp"
#include "tests/system/run_model.hpp"

namespace driftless::trials {
namespace {

/// The first complaint about a model, or "accepted".
std::string try_bead(const std::string& text) {
  try {
    prepare_model(parse_model(text, "test.toml"), {});
  } catch (const ModelError& error) {
    return format_diagnostic(error.diagnostics().front());
  }
  return "accepted";
}

TEST(PointMass, IsNotHeldInItsOrientation) {
  const auto complain = [](const std::string& joint) {
    return try_bead(
        "format = \"driftless/1\"\nspace = \"plane\"\n[body.bar]\n"
        "rod = [[0, 0], [0.9, 0.2]]\nmass = 1.3\n[body.bead]\nmass = 0.4\n"
        "point = true\ncentre = [0.45, 0.1]\n[joint.S]\n" +
        joint);
  };
  const std::string between = "between = [\"bar\", \"bead\"]\n";
  EXPECT_EQ(complain("type = \"revolute\"\nat = [0.45, 0.1]\n" + between), "accepted");
  EXPECT_NE(complain("type = \"prismatic\"\nat = [0.45, 0.1]\naxis = [0.9, 0.2]\n" + between)
                .find("test.toml:10:8: error: 'S' would turn or hold the orientation of 'bead'"),
            std::string::npos);
  EXPECT_NE(
      complain("type = \"revolute\"\nat = [0.5, 0.1]\n" + between).find("'S' acts beside 'bead'"),
      std::string::npos);
}

TEST(PointMass, IsNotTurnedByForces) {
  const auto complain = [](const std::string& force) {
    return try_bead(
        "format = \"driftless/1\"\n[body.bead]\nmass = 0.4\npoint = true\n"
        "centre = [0.45, 0.1, 0]\n[force.f]\n" +
        force);
  };
  const std::string push = "type = \"point_force\"\nbody = \"bead\"\n";
  const std::string bush = "type = \"bushing\"\nbetween = [\"ground\", \"bead\"]\n";
  EXPECT_EQ(complain(push + "force = [\"t\", 0, 1]\n"), "accepted");
  EXPECT_NE(complain(push + "torque = [\"t\", 0, 1]\n").find("'f' would turn"), std::string::npos);
  EXPECT_NE(complain(push + "at = [0.5, 0, 0]\nforce = [0, 0, 1]\n").find("'f' acts beside 'bead'"),
            std::string::npos);
  EXPECT_EQ(complain(bush + "at = [0.45, 0.1, 0]\nstiffness = [9, 8, 7, 0, 0, 0]\n"), "accepted");
  EXPECT_NE(complain(bush + "at = [0.45, 0.1, 0]\nstiffness = [9, 8, 7, 1, 0, 0]\n")
                .find("'f' would turn"),
            std::string::npos);
}

TEST(PointMass, IsNotTurnedByRelations) {
  const auto complain = [](const std::string& relation) {
    return try_bead(
        "format = \"driftless/1\"\nspace = \"plane\"\n[body.bead]\nmass = 0.4\n"
        "point = true\ncentre = [0.45, 0.1]\n[measure.turn]\ntype = \"angle\"\n"
        "between = [\"ground\", \"bead\"]\n[constraint.c]\n" +
        relation);
  };
  const std::string between = "between = [\"ground\", \"bead\"]\nat = [0.45, 0.1]\n";
  for (const std::string& relation :
       {"type = \"rolling_disc\"\nradius = 0.1\nbetween = [\"ground\", \"bead\"]\nat = [[0, 0], "
        "[0.45, "
        "0.1]]\n" +
            std::string(),
        "type = \"knife_edge\"\n" + between,
        std::string("type = \"drive\"\nof = \"turn\"\nvalue = \"t\"\n"),
        std::string("type = \"coupler\"\nequation = \"turn - bead.x\"\n")}) {
    EXPECT_NE(complain(relation).find("'c' would turn or hold the orientation of 'bead'"),
              std::string::npos)
        << relation << complain(relation);
  }
  EXPECT_EQ(complain("type = \"coupler\"\nequation = \"bead.x - 2*bead.y\"\n"), "accepted");
  EXPECT_EQ(complain("type = \"velocity\"\nequation = \"bead.x' - 2*bead.y'\"\n"), "accepted");
}

// A body may have no inertia as well, in the plane as in space, where a joint beside its centre turns it; and nowhere else.
TEST(BodyWithoutInertia, SwingsAsAPointOnARod) {
  const std::string head = "format = \"driftless/1\"\nspace = \"plane\"\ngravity = [0, -9.81]\n";
  const std::string body = "[body.b]\nmass = 3\ncentre = [0.7, 0.2]\n";
  const std::string hinge = "type = \"revolute\"\nbetween = [\"ground\", \"b\"]\n";
  const Trial trial{.method = "braun_goldfarb/dop853", .tolerance = 1e-10, .until = 3};
  const std::string record = "[record]\nx = \"b.x\"\ny = \"b.y\"\n";
  const Result swung =
      run_text(head + body + "inertia = 0\n[joint.A]\nat = [0, 0]\n" + hinge + record, trial);
  const Result held = run_text(head + body +
                                   "point = true\n[constraint.r]\ntype = \"distance\"\n"
                                   "between = [\"ground\", \"b\"]\nat = [[0, 0], [0.7, 0.2]]\n" +
                                   record,
                               trial);
  ASSERT_EQ(swung.report.status, Status::ok) << swung.report.message;
  ASSERT_EQ(held.report.status, Status::ok) << held.report.message;
  for (const char* name : {"x", "y"}) {
    const auto column = [&](const Result& result) {
      return result.column(static_cast<std::size_t>(result.find_column(name))).back();
    };
    EXPECT_NEAR(column(swung), column(held), 1e-8) << name;
  }
  const PreparedModel loose = prepare_model(
      parse_model(head + body + "inertia = 0\n[joint.A]\nat = [0.7, 0.2]\n" + hinge, "test.toml"),
      {});
  EXPECT_FALSE(check_system(loose.system(), loose.start).mass_definite_on_tangent);
}

}  // namespace
}  // namespace driftless::trials
