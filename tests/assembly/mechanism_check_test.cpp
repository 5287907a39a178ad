// What check says about mechanisms: counts, redundancy, reactions that are not unique, motions without inertia, bodies
// that nothing holds, singular poses. Redundancy and uniqueness are compared with dense singular values (reaction_oracle.hpp).

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/assembly/check.hpp"
#include "driftless/io/model_file.hpp"
#include "driftless/run/prepare.hpp"
#include "tests/assembly/random_linkages.hpp"
#include "tests/assembly/reaction_oracle.hpp"

namespace driftless::trials {
namespace {

using Names = std::vector<std::string>;

PreparedModel prepare_closed(const std::string& text) {
  PreparedModel model = prepare_model(parse_model(text, "test.toml"), {});
  EXPECT_TRUE(model.start_report.success) << model.start_report.message;
  return model;
}

CheckReport check(const std::string& text) {
  const PreparedModel model = prepare_closed(text);
  return check_system(model.system(), model.start);
}

std::string read_model(const std::string& name) {
  return read_model_file(DRIFTLESS_SOURCE_DIR "/models/" + name + ".toml").text;
}

bool has_warning(const CheckReport& report, const std::string& part) {
  return std::any_of(report.warnings.begin(), report.warnings.end(),
                     [&](const std::string& each) { return each.find(part) != std::string::npos; });
}

void expect_as_oracle(const PreparedModel& model) {
  const Oracle oracle = ask_oracle(model);
  const CheckReport report = check_system(model.system(), model.start);
  EXPECT_EQ(report.rank, oracle.rank);
  EXPECT_EQ(report.not_unique, oracle.not_unique);
}

// ---- the four-bar in space -----------------------------------------------------------------------------

TEST(MechanismCheck, CountsOfTheFourBarInSpace) {
  const CheckReport report = check(read_model("four_bar_3d"));
  EXPECT_EQ(report.bodies, 3);
  EXPECT_EQ(report.coordinates, 21);
  EXPECT_EQ(report.rates, 18);
  EXPECT_EQ(report.rows, 20);
  EXPECT_EQ(report.rank, 17);
  EXPECT_EQ(report.dof, 1);
  EXPECT_EQ(report.gruebler, -2);
  EXPECT_EQ(report.dof_beside, 1);
  EXPECT_EQ(report.redundant, (Names{"D.z", "D.tilt_x", "D.tilt_y"}));
  EXPECT_EQ(report.redundant_elements, Names{"D"});
  EXPECT_EQ(report.sharing_elements, (Names{"A", "B", "C", "D"}));
  EXPECT_TRUE(report.inconsistent.empty());
  EXPECT_TRUE(report.loose_bodies.empty());
  EXPECT_TRUE(report.ok());
  ASSERT_EQ(report.elements.size(), 4u);
  for (const ElementCheck& element : report.elements)
    EXPECT_LE(element.error, kDerivativeTolerance) << element.element;
}

TEST(MechanismCheck, ReactionsInThePlaneOfTheFourBarAreUnique) {
  const PreparedModel model = prepare_closed(read_model("four_bar_3d"));
  expect_as_oracle(model);
  const Names listed = check_system(model.system(), model.start).not_unique;
  const auto is_listed = [&](const std::string& name) {
    return std::find(listed.begin(), listed.end(), name) != listed.end();
  };
  for (const std::string joint : {"A", "B", "C", "D"}) {
    for (const char* part : {".force.x", ".force.y", ".torque.z"})
      EXPECT_FALSE(is_listed(joint + part)) << joint << part;
    for (const char* part : {".force.z", ".torque.x", ".torque.y"})
      EXPECT_TRUE(is_listed(joint + part)) << joint << part;
  }
}

// ---- other redundant mechanisms ------------------------------------------------------------------------

TEST(MechanismCheck, UniquenessOfRandomLinkages) {
  std::mt19937_64 random(11);
  for (int k = 0; k < 20; ++k) {
    const auto where = static_cast<Surroundings>(k % 3);
    Linkage linkage = k % 2 == 0 ? make_four_bar(random, where, k % 4 == 0, "guess")
                                 : make_slider_crank(random, where, "guess");
    SCOPED_TRACE(linkage.describe);
    linkage.text.resize(linkage.text.find("[start]"));
    expect_as_oracle(prepare_closed(linkage.text));
  }
}

// Away from the drawing the torque about a hinge's own axis is no exact 0, but round-off; it is unique all the same.
TEST(LongMechanismCheck, UniquenessAwayFromTheDrawing) {
  std::mt19937_64 random(21);
  int turned = 0;
  for (int k = 0; k < 20; ++k) {
    const auto where = static_cast<Surroundings>(1 + k % 2);
    Linkage linkage = k % 3 == 0 ? make_four_bar(random, where, false, "exact")
                                 : make_slider_crank(random, where, "exact");
    if (linkage.gap > 0.0) continue;
    SCOPED_TRACE(linkage.describe);
    ++turned;
    linkage.text += "[record]\n";
    for (const std::string joint : {"A", "B", "C"}) {
      linkage.text += fmt::format("along_{0} = \"{0}.joint.torque.z\"\n", joint);
      linkage.text += fmt::format("around_{0} = \"{0}.first.joint.torque.z\"\n", joint);
    }
    const PreparedModel model = prepare_closed(linkage.text);
    expect_as_oracle(model);
    for (const std::string& name : check_system(model.system(), model.start).not_unique) {
      EXPECT_FALSE(name.starts_with("along_")) << name;
      EXPECT_FALSE(name.starts_with("around_")) << name;
    }
  }
  EXPECT_GE(turned, 10);
}

/// A door of random size on two hinges.
std::string make_door(std::mt19937_64& random) {
  std::uniform_real_distribution<double> draw(0.3, 2.0);
  const double low = draw(random);
  const double high = low + draw(random);
  return fmt::format(R"toml(
format = "driftless/1"
gravity = [0, 0, -9.81]
[points]
low = [0, 0, {:.17g}]
high = [0, 0, {:.17g}]
P = [{:.17g}, {:.17g}, {:.17g}]
[body.door]
centre = "P"
mass = {:.17g}
inertia = [1.1, 1.2, 0.4]
[joint.a]
type = "revolute"
between = ["ground", "door"]
at = "low"
[joint.b]
type = "revolute"
between = ["ground", "door"]
at = "high"
[record]
weight = "a.force.z + b.force.z"
size = "sqrt(a.force.z^2 + 1)"
across = "sqrt((a.force.x + b.force.x)^2 + 1)"
)toml",
                     low, high, draw(random), draw(random), draw(random), draw(random));
}

TEST(MechanismCheck, HingesOfADoorShareItsWeight) {
  std::mt19937_64 random(12);
  for (int k = 0; k < 5; ++k) {
    const PreparedModel model = prepare_closed(make_door(random));
    const CheckReport report = check_system(model.system(), model.start);
    EXPECT_EQ(report.rows, 10);
    EXPECT_EQ(report.rank, 5);
    const Names& listed = report.not_unique;
    const auto is_listed = [&](const std::string& name) {
      return std::find(listed.begin(), listed.end(), name) != listed.end();
    };
    EXPECT_TRUE(is_listed("a.force.z"));
    EXPECT_TRUE(is_listed("b.force.x"));
    EXPECT_TRUE(is_listed("a.torque.x"));
    EXPECT_FALSE(is_listed("a.torque.z"));
    EXPECT_TRUE(is_listed("size"));
    EXPECT_FALSE(is_listed("weight"));  // what they carry together is known
    EXPECT_FALSE(is_listed("across"));
  }
}

TEST(MechanismCheck, ARunNamesThemToo) {
  std::mt19937_64 random(13);
  const ModelFile file = parse_model(make_door(random), "door.toml");
  PreparedModel model = prepare_model(file, {});
  model.options.until = 0.1;
  const Result result = run_prepared(model, prepare_method(file, model, {}), model.options);
  EXPECT_EQ(result.report.not_unique, check_system(model.system(), model.start).not_unique);
  EXPECT_EQ(result.report.redundant, check_system(model.system(), model.start).redundant);
}

// ---- masses ----------------------------------------------------------------------------------------------

/// A rod between two ball joints can spin about itself.
TEST(MechanismCheck, ARodThatCanSpinIsNamedWithItsAxis) {
  const PreparedModel model = prepare_closed(R"(
format = "driftless/1"
[points]
A = [0, 0, 0]
B = [3, 1, 0]
C = [3, 5, 3]
[body.arm]
cylinder = ["A", "B"]
radius = 0.1
mass = 1
[body.link]
rod = ["B", "C"]
mass = 1
[joint.pin]
type = "revolute"
between = ["ground", "arm"]
at = "A"
[joint.near]
type = "spherical"
between = ["arm", "link"]
at = "B"
[joint.far]
type = "spherical"
between = ["link", "ground"]
at = "C"
)");
  const CheckReport report = check_system(model.system(), model.start);
  EXPECT_FALSE(report.ok());
  ASSERT_EQ(report.massless.size(), 1u);
  EXPECT_EQ(report.massless[0].body, "link");
  EXPECT_EQ(report.massless[0].how, "turning about [0, 0.8, 0.6] (its own axes)");
  EXPECT_EQ(report.errors,
            Names{"a motion that the constraints allow has no inertia: 'link' turning about [0, "
                  "0.8, 0.6] (its own axes)"});
  EXPECT_NE(report.remedy.find("give 'link' an inertia"), std::string::npos) << report.remedy;
}

// Each has a small part in the motion, and all are named.
TEST(MechanismCheck, NamesAllRodsThatSpinTogether) {
  std::string text = "format = \"driftless/1\"\n";
  for (int k = 0; k < 12; ++k) {
    text += fmt::format("body.b{0} = {{ mass = {2}, rod = [[{0}, 0, 0], [{1}, 0, 0]] }}\n", k,
                        k + 1, 1 + 50 * (k % 3));
    text += fmt::format(
        "joint.j{0} = {{ type = \"{1}\", between = [\"{2}\", \"b{0}\"], at = [{0}, 0, 0] }}\n", k,
        k == 0 ? "spherical" : "fixed", k == 0 ? "ground" : fmt::format("b{}", k - 1));
  }
  const CheckReport report = check(text);
  ASSERT_EQ(report.massless.size(), 12u);
  for (const MasslessMotion& motion : report.massless)
    EXPECT_EQ(motion.how, "turning about [1, 0, 0] (its own axes)") << motion.body;
}

TEST(MechanismCheck, RodsThatJointsHoldAreNoError) {
  const CheckReport report = check(read_model("four_bar_3d"));
  EXPECT_FALSE(report.mass_definite);
  EXPECT_TRUE(report.mass_definite_on_tangent);
  EXPECT_TRUE(report.ok());
  EXPECT_TRUE(has_warning(report, "'crank', 'coupler' and 'rocker' have no inertia about one of"));
}

// ---- bodies ------------------------------------------------------------------------------------------------

TEST(MechanismCheck, BodiesThatNothingHoldsAreNamed) {
  const CheckReport report = check(R"(
format = "driftless/1"
gravity = [0, 0, -9.81]
[points]
O = [0, 0, 0]
P = [1, 0, 0]
[body.stone]
sphere = 0.1
centre = "P"
mass = 1
[body.bar]
cylinder = ["O", "P"]
radius = 0.1
mass = 1
[joint.ball]
type = "spherical"
between = ["ground", "bar"]
at = "O"
)");
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(report.loose_bodies, Names{"stone"});
  EXPECT_TRUE(has_warning(report, "'stone' is not held by anything"));
}

TEST(MechanismCheck, PointsThatNobodyUsesAreNamed) {
  std::string text = read_model("four_bar");
  text.insert(text.find("\n[body.crank]"), "spare = [1, 1]\n");
  const PreparedModel model = prepare_closed(text);
  ASSERT_EQ(model.warnings.size(), 1u);
  EXPECT_NE(model.warnings[0].find("point 'spare' is never used"), std::string::npos)
      << model.warnings[0];
}

// ---- singular poses ----------------------------------------------------------------------------------------

/// A parallelogram, its crank turned by `angle` from the line of all its joints.
std::string make_parallelogram(double angle) {
  const auto place = [&](double x, double r) {
    return fmt::format("[{:.17g}, {:.17g}]", x + r * std::cos(angle), r * std::sin(angle));
  };
  std::string text =
      "format = \"driftless/1\"\nspace = \"plane\"\n[points]\nA = [0, 0]\nD = [2, 0]\n"
      "B = " +
      place(0, 1) + "\nC = " + place(2, 1) + "\n";
  for (const std::string body : {"crank AB", "coupler BC", "rocker CD"}) {
    text += fmt::format("[body.{}]\nrod = [\"{}\", \"{}\"]\nmass = 1\n",
                        body.substr(0, body.size() - 3), body[body.size() - 2], body.back());
  }
  for (const auto& [at, first, second] :
       {std::tuple{"A", "ground", "crank"}, std::tuple{"B", "crank", "coupler"},
        std::tuple{"C", "coupler", "rocker"}, std::tuple{"D", "rocker", "ground"}}) {
    text += fmt::format(
        "[joint.{0}]\ntype = \"revolute\"\nbetween = [\"{1}\", \"{2}\"]\nat = \"{0}\"\n", at, first,
        second);
  }
  return text;
}

TEST(MechanismCheck, ASingularStartIsToldFromRedundancy) {
  const CheckReport singular = check(make_parallelogram(0.0));
  EXPECT_EQ(singular.rank, 7);
  EXPECT_EQ(singular.dof, 2);
  EXPECT_EQ(singular.dof_beside, 1);
  EXPECT_TRUE(has_warning(singular, "the start is a singular pose: beside it 1 more row is"));
  const CheckReport nearly = check(make_parallelogram(1e-6));  // as a run takes it
  EXPECT_EQ(nearly.rank, 7);
  EXPECT_TRUE(has_warning(nearly, "the start is a singular pose: beside it 1 more row is"));
  const CheckReport near = check(make_parallelogram(2e-4));
  EXPECT_EQ(near.rank, 8);
  EXPECT_TRUE(has_warning(near, "the start is close to a singular pose"));
  const CheckReport regular = check(make_parallelogram(0.7));
  EXPECT_EQ(regular.rank, 8);
  EXPECT_TRUE(regular.warnings.empty()) << regular.warnings.front();
}

}  // namespace
}  // namespace driftless::trials
