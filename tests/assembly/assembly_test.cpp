// Closing mechanisms from rough values: what can be closed is, whatever way leads there; what cannot is refused with the
// gap that the geometry gives. Priorities, branches, and what is said.

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include <gtest/gtest.h>

#include "driftless/io/model_file.hpp"
#include "driftless/run/prepare.hpp"
#include "tests/assembly/random_linkages.hpp"

namespace driftless::trials {
namespace {

using std::numbers::pi;

PreparedModel prepare(const std::string& text) {
  return prepare_model(parse_model(text, "test.toml"), {});
}

/// A model of the gallery with one part replaced.
std::string edit_model(const std::string& name, const std::string& from, const std::string& to) {
  std::string text = read_model_file(DRIFTLESS_SOURCE_DIR "/models/" + name + ".toml").text;
  const std::size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  return place == std::string::npos ? text : text.replace(place, from.size(), to);
}

double find_record(const PreparedModel& model, const std::string& name) {
  const SystemInfo& info = model.system().info();
  const auto place = std::find(info.records.begin(), info.records.end(), name);
  if (place == info.records.end()) return std::nan("");
  Vector values(static_cast<Eigen::Index>(info.records.size()));
  const auto ws = model.system().make_workspace();
  const Vector lambda = Vector::Zero(info.row_count());
  model.system().eval_records({0.0, model.start.q, model.start.v, model.start.v, lambda}, *ws,
                              values);
  return values[place - info.records.begin()];
}

// ---- random linkages ---------------------------------------------------------------------------------

Linkage draw_linkage(std::mt19937_64& random, int k, const std::string& priority) {
  const auto where = static_cast<Surroundings>(k % 3);
  if (k % 2 == 0) return make_four_bar(random, where, k % 4 == 0, priority);
  return make_slider_crank(random, where, priority);
}

/// The angle by which a body in space leans out of the linkage's plane.
double find_lean(const PreparedModel& model, const BodyInfo& body, const Linkage& linkage) {
  const auto q = model.start.q.segment(body.coordinate + 3, 4);
  const Eigen::Vector3d n(linkage.normal[0], linkage.normal[1], linkage.normal[2]);
  const Eigen::Vector3d u = q.tail(3);
  const double along = 2.0 * std::pow(u.dot(n), 2) + (q[0] * q[0] - u.squaredNorm()) * n.dot(n);
  return std::acos(std::clamp(along, -1.0, 1.0));
}

void expect_closed(const Linkage& linkage, const PreparedModel& model) {
  const StartReport& report = model.start_report;
  ASSERT_TRUE(report.success) << report.message;
  EXPECT_LE(report.phi_after, 1e-11);
  EXPECT_NEAR(std::remainder(find_record(model, "A.angle") - linkage.turn, 2 * pi), 0.0, 1e-9);
  for (const BodyInfo& body : model.system().info().bodies) {
    if (body.turns == 1) {
      const double turn = model.start.q[body.coordinate + 2];
      EXPECT_LE(std::abs(turn), 2 * pi) << body.name << " turned more than once";
    } else if (!linkage.is_loose) {
      EXPECT_NEAR(find_lean(model, body, linkage), 0.0, 1e-6) << body.name << " turned over";
    }
  }
}

void expect_refused(const Linkage& linkage, const PreparedModel& model) {
  const StartReport& report = model.start_report;
  ASSERT_FALSE(report.success);
  ASSERT_EQ(report.gaps.size(), 1u) << report.message;
  EXPECT_NEAR(report.gaps[0].metres, linkage.gap, 1e-6 * linkage.gap) << report.message;
  EXPECT_LE(report.gaps[0].radians, 1e-9) << report.message;
  EXPECT_NE(report.message.find("A.angle"), std::string::npos) << report.message;
  EXPECT_NE(report.suggestion.find("without the priority \"exact\" it closes"), std::string::npos)
      << report.suggestion;
}

TEST(LongAssembly, ClosesWhatCanBeClosedAndMeasuresTheGapOfWhatCannot) {
  std::mt19937_64 random(7);
  int closed = 0;
  int refused = 0;
  for (int k = 0; k < 300; ++k) {
    const Linkage linkage = draw_linkage(random, k, "exact");
    if (std::abs(linkage.gap) < 1e-6) continue;
    SCOPED_TRACE(std::to_string(k) + ": " + linkage.describe);
    const PreparedModel model = prepare(linkage.text);
    if (linkage.gap < 0.0) {
      ++closed;
      expect_closed(linkage, model);
    } else {
      ++refused;
      expect_refused(linkage, model);
    }
  }
  EXPECT_GE(closed, 200);
  EXPECT_GE(refused, 40);
}

// A drive demands the angle: no start value, no priority, a row like any other.
TEST(LongAssembly, ClosesWhereDrivesDemandIt) {
  std::mt19937_64 random(10);
  int refused = 0;
  for (int k = 0; k < 90; ++k) {
    const Linkage linkage = draw_linkage(random, k, "drive");
    if (std::abs(linkage.gap) < 1e-6) continue;
    SCOPED_TRACE(std::to_string(k) + ": " + linkage.describe);
    const PreparedModel model = prepare(linkage.text);
    if (linkage.gap < 0.0) {
      expect_closed(linkage, model);
    } else {
      ++refused;
      EXPECT_FALSE(model.start_report.success);
      EXPECT_EQ(model.start_report.gaps.size(), 1u) << model.start_report.message;
      EXPECT_NE(model.start_report.suggestion.find("'motor'"), std::string::npos);
    }
  }
  EXPECT_GE(refused, 10);
}

// A value that is only preferred goes as far as the mechanism lets it: there the parts just reach each other.
TEST(LongAssembly, PreferredValuesComeAsNearAsTheyCan) {
  std::mt19937_64 random(8);
  int limited = 0;
  for (int k = 0; k < 60; ++k) {
    const Linkage linkage = draw_linkage(random, k, "preferred");
    if (linkage.gap < 1e-3) continue;
    SCOPED_TRACE(std::to_string(k) + ": " + linkage.describe);
    const PreparedModel model = prepare(linkage.text);
    ASSERT_TRUE(model.start_report.success) << model.start_report.message;
    EXPECT_LE(model.start_report.phi_after, 1e-11);
    EXPECT_EQ(model.start_report.unmet_targets.size(), 1u);
    EXPECT_NEAR(linkage.find_gap(find_record(model, "A.angle")), 0.0, 1e-4);
    ++limited;
  }
  EXPECT_GE(limited, 10);
}

// ---- a state that is consistent ------------------------------------------------------------------------

TEST(Assembly, AClosedDrawingIsLeftAloneBitForBit) {
  std::mt19937_64 random(9);
  for (int k = 0; k < 12; ++k) {
    Linkage linkage = draw_linkage(random, k, "exact");
    linkage.text.resize(linkage.text.find("[start]"));
    const ModelFile file = parse_model(linkage.text, "test.toml");
    const PreparedModel model = prepare_model(file, {});
    EXPECT_TRUE(model.start_report.success);
    EXPECT_TRUE(model.start_report.changes.empty()) << linkage.describe;
    EXPECT_EQ(model.start.q, model.compiled.q);
    EXPECT_EQ(model.start_report.tries, 0);
  }
}

// ---- priorities ------------------------------------------------------------------------------------------

std::string set_start(const std::string& lines) {
  return edit_model("four_bar", "A.rate = \"20 rad/s\"", lines);
}

// The crank's angle fits two poses of the rocker; a guess of the rocker's angle chooses, and needs not be right.
TEST(Assembly, AGuessChoosesTheBranch) {
  const PreparedModel drawn = prepare(set_start("A.angle = \"20 deg\""));
  ASSERT_TRUE(drawn.start_report.success);
  const double here = find_record(drawn, "D.angle");
  const std::string other =
      "A.angle = { value = \"20 deg\", priority = \"exact\" }\n"
      "D.angle = { value = \"-100 deg\", priority = \"guess\" }\n";
  const PreparedModel chosen = prepare(set_start(other));
  ASSERT_TRUE(chosen.start_report.success) << chosen.start_report.message;
  EXPECT_NEAR(find_record(chosen, "A.angle"), 20 * pi / 180, 1e-9);
  const double there = find_record(chosen, "D.angle");
  EXPECT_GT(std::abs(there - here), 0.5);
  EXPECT_LT(std::abs(std::remainder(there + 100 * pi / 180, 2 * pi)),
            std::abs(std::remainder(here + 100 * pi / 180, 2 * pi)));
  EXPECT_TRUE(chosen.start_report.unmet_targets.empty());
  EXPECT_GT(chosen.start_report.tries, 0);
  ASSERT_FALSE(chosen.warnings.empty());
  EXPECT_NE(chosen.warnings.back().find("closing the start took"), std::string::npos);
}

/// Two bars, the first one driven to 1 rad and wanted at 3, the second one free: it comes along as little as it can.
TEST(Assembly, OfWhatIsLeftFreeTheChangeIsLeast) {
  const std::string bars = R"~(format = "driftless/1"
space = "plane"
[points]
P = [0, 0]
Q = [1, 0.2]
[body.a]
rod = ["P", "Q"]
mass = 1.7
[body.b]
mass = 0.9
inertia = 0.07
centre = [1.4, -0.2]
[joint.A]
type = "revolute"
between = ["ground", "a"]
at = "P"
[joint.B]
type = "revolute"
between = ["a", "b"]
at = "Q"
[constraint.d]
type = "drive"
of = "A.angle"
value = "1 + t"
)~";
  // With the second bar's angle s the change is 0.9 |Q' + R(s) u - c|^2 + 0.07 s^2; its least value is at s = -0.0514.
  const double qx = std::cos(1.0) - 0.2 * std::sin(1.0), qy = std::sin(1.0) + 0.2 * std::cos(1.0);
  const auto find_change = [&](double s) {
    const double x = qx + 0.4 * std::cos(s) + 0.4 * std::sin(s) - 1.4;
    const double y = qy + 0.4 * std::sin(s) - 0.4 * std::cos(s) + 0.2;
    return 0.9 * (x * x + y * y) + 0.07 * s * s;
  };
  double best = 0.0;
  for (double s = -3.0; s < 3.0; s += 1e-4)
    if (find_change(s) < find_change(best)) best = s;
  for (const std::string start :
       {"[start]\nA.angle = 3\n", "[start]\nA.angle = -2.5\n", "[start]\nA.angle = -1\n"}) {
    const PreparedModel model = prepare(bars + start);
    EXPECT_NEAR(find_record(model, "A.angle"), 1.0, 1e-9);
    EXPECT_NEAR(model.start.q[5], best, 2e-4) << start;
  }
}

TEST(Assembly, TwoPreferredValuesMeetHalfway) {
  const PreparedModel model = prepare(set_start("A.angle = 0.3\nD.angle = -0.4"));
  ASSERT_TRUE(model.start_report.success);
  EXPECT_EQ(model.start_report.unmet_targets.size(), 2u);
  // Neither wins: a little more of the one would be a little less of the other.
  const PreparedModel first = prepare(set_start("A.angle = 0.3"));
  const PreparedModel second = prepare(set_start("D.angle = -0.4"));
  const double a = find_record(model, "A.angle");
  EXPECT_GT(std::max(find_record(first, "A.angle"), find_record(second, "A.angle")), a);
  EXPECT_LT(std::min(find_record(first, "A.angle"), find_record(second, "A.angle")), a);
}

TEST(Assembly, ExactRatesThatCannotBeAreNamed) {
  const PreparedModel model =
      prepare(set_start("A.rate = { value = 3, priority = \"exact\" }\n"
                        "D.rate = { value = 50, priority = \"exact\" }"));
  EXPECT_FALSE(model.start_report.success);
  EXPECT_NE(model.start_report.message.find("D.rate = 50 rad/s"), std::string::npos)
      << model.start_report.message;
  EXPECT_NE(model.start_report.suggestion.find("it closes, with A.rate"), std::string::npos)
      << model.start_report.suggestion;
}

// ---- gaps --------------------------------------------------------------------------------------------------

// Two hinges of a door, one leaning by what counts as closed: their rows disagree by the lean times the rate.
TEST(Assembly, ARateIsKeptAtAPoseThatIsClosedToRoundOff) {
  for (const std::string lean : {"0", "3e-13", "9e-13"}) {
    for (const double rate : {1.0, 90.0, -4000.0}) {
      for (const std::string priority : {"exact", "preferred", "guess"}) {
        const PreparedModel model = prepare(R"(format = "driftless/1"
[body.door]
box = [0.8, 0.04, 2]
mass = 20
centre = [0.4, 0, 1]
[joint.low]
type = "revolute"
between = ["ground", "door"]
at = [0, 0, 0.3]
[joint.high]
type = "revolute"
between = ["ground", "door"]
at = [0, 0, 1.7]
axis = [[0, 0, 1], [)" + lean + R"(, 0, 1]]
[start]
low.rate = { value = )" + std::to_string(rate) +
                                            ", priority = \"" + priority + "\" }\n");
        ASSERT_TRUE(model.start_report.success) << lean << model.start_report.message;
        EXPECT_NEAR(find_record(model, "low.rate"), rate, 1e-8) << lean << " " << priority;
      }
    }
  }
}

TEST(Assembly, LengthsThatDoNotReachAreMeasured) {
  const std::string text =
      edit_model("four_bar", "\n[start]\n",
                 "[constraint.far]\ntype = \"distance\"\nbetween = [\"ground\", \"crank\"]\n"
                 "at = [\"D\", \"B\"]\nlength = 9\n\n[start]\n");
  const StartReport report = prepare(text).start_report;
  EXPECT_FALSE(report.success);
  // The end of the crank, 1 m long, reaches 3.5 m from D.
  ASSERT_EQ(report.gaps.size(), 1u) << report.message;
  EXPECT_EQ(report.gaps[0].element, "far");
  EXPECT_NEAR(report.gaps[0].metres, 5.5, 1e-6);
  EXPECT_EQ(report.message,
            "the mechanism cannot be closed: 'far' stays open by 5500 mm with all others closed");
  EXPECT_NE(report.suggestion.find("'crank'"), std::string::npos) << report.suggestion;
}

// A plate fixed at two corners, the second of them turned by `a`.
constexpr const char* kPlate = R"toml(
format = "driftless/1"
[parameters]
a = "7 deg"
[points]
P = [0.4, 0.1, 0]
[body.plate]
box = [0.8, 0.2, 0.02]
centre = "P"
mass = 3
[joint.left]
type = "fixed"
on = { body = "ground", at = [0, 0, 0] }
to = { body = "plate", at = [-0.4, -0.1, 0] }
[joint.right]
type = "fixed"
on = { body = "ground", at = [0.8, 0, 0], x = ["cos(a)", "sin(a)", 0] }
to = { body = "plate", at = [0.4, -0.1, 0] }
)toml";

TEST(Assembly, AnglesThatDoNotFitAreMeasured) {
  const StartReport report = prepare(kPlate).start_report;
  EXPECT_FALSE(report.success);
  ASSERT_EQ(report.gaps.size(), 1u) << report.message;
  EXPECT_NEAR(report.gaps[0].radians, 7 * pi / 180, 1e-6) << report.message;
  EXPECT_LE(report.gaps[0].metres, 1e-9);
  EXPECT_NE(report.message.find("stays open by 7 deg"), std::string::npos) << report.message;
}

// Two pulleys that are driven to 0.2 and 0.1 rad; their belt lacks 0.3·0.2 - 0.2·0.1 m.
TEST(Assembly, GapsOfLawsAreToldInTheirUnits) {
  const StartReport report = prepare(R"toml(
format = "driftless/1"
space = "plane"
[body.a]
disc = 0.3
mass = 1.3
centre = [0, 0]
[body.b]
disc = 0.2
mass = 0.7
centre = [1.1, 0.2]
[joint.A]
type = "revolute"
between = ["ground", "a"]
at = [0, 0]
[joint.B]
type = "revolute"
between = ["ground", "b"]
at = [1.1, 0.2]
[constraint.one]
type = "drive"
of = "A.angle"
value = "0.2 + t"
[constraint.two]
type = "drive"
of = "B.angle"
value = "0.1 + t"
[constraint.belt]
type = "belt"
of = ["A.angle", "B.angle"]
first_radius = 0.3
second_radius = 0.2
)toml")
                                 .start_report;
  EXPECT_FALSE(report.success);
  EXPECT_NE(report.message.find("'belt' stays open by 40 mm"), std::string::npos) << report.message;
}

// The angle between two axes of one hinge can go into any hinge of the loop; the one that is drawn so is named.
TEST(Assembly, AxesThatAreDrawnApartAreNamed) {
  const std::string names = "ABCD";
  const std::string bodies[] = {"ground", "crank", "coupler", "rocker", "ground"};
  for (const std::size_t wrong : {std::size_t{0}, std::size_t{1}}) {
    std::string text = R"toml(
format = "driftless/1"
[points]
A = [0, 0, 0]
B = [0.8, 0.5, 0]
C = [2, 1.2, 0]
D = [3, -0.1, 0]
)toml";
    for (std::size_t k = 0; k < names.size(); ++k) {
      if (k < 3)
        text += fmt::format("[body.{}]\ncylinder = [\"{}\", \"{}\"]\nradius = 0.02\nmass = {}\n",
                            bodies[k + 1], names[k], names[k + 1], 1 + k);
      text += fmt::format(
          "[joint.{0}]\ntype = \"revolute\"\nbetween = [\"{1}\", \"{2}\"]\nat = \"{0}\"\n{3}",
          names[k], bodies[k], bodies[k + 1],
          k == wrong ? "axis = [[0, 0, 1], [0.06, -0.08, 1]]\n" : "");
    }
    const StartReport report = prepare(text).start_report;
    EXPECT_FALSE(report.success);
    ASSERT_EQ(report.gaps.size(), 1U) << report.message;
    EXPECT_EQ(report.gaps[0].element, names.substr(wrong, 1)) << report.message;
    EXPECT_NEAR(report.gaps[0].radians, std::atan(0.1), 0.01);
  }
}

TEST(Assembly, RowsOfLawsHaveUnits) {
  const PreparedModel model = prepare(R"toml(
format = "driftless/1"
[body.a]
mass = 1
centre = [0, 0, 0]
inertia = [0.1, 0.12, 0.09]
[body.b]
mass = 1
centre = [0, 0.5, 0]
inertia = [0.1, 0.12, 0.09]
[joint.A]
type = "cylindrical"
between = ["ground", "a"]
at = [0, 0, 0]
[joint.B]
type = "cylindrical"
between = ["ground", "b"]
at = [0, 0.5, 0]
[constraint.gear]
type = "gear"
of = ["A.angle", "B.angle"]
ratio = -0.7
[constraint.shift]
type = "drive"
of = "A.position"
value = "0.1*t"
[constraint.free]
type = "coupler"
equation = "B.position - A.position^2"
)toml");
  const SystemInfo& info = model.system().info();
  std::map<std::string, std::string> units;
  for (std::size_t k = 0; k < info.rows.size(); ++k) units[info.rows[k]] = info.row_units[k];
  EXPECT_EQ(units["gear.ratio"], "rad");
  EXPECT_EQ(units["shift.value"], "m");
  EXPECT_EQ(units["free.equation"], "");
}

// All points fit, and only D's axis on the ground leans: that is the gap, and its smallest place.
TEST(LongAssembly, TheSmallestGapIsTold) {
  const StartReport report =
      prepare(edit_model("four_bar_3d", "between = [\"rocker\", \"ground\"]\nat = \"D\"\n",
                         "between = [\"rocker\", \"ground\"]\nat = \"D\"\n"
                         "axis = [[0, 0, 1], [0.03, 0.05, 1]]\n"))
          .start_report;
  EXPECT_FALSE(report.success);
  ASSERT_EQ(report.gaps.size(), 1u) << report.message;
  const double lean = std::atan(std::hypot(0.03, 0.05));
  EXPECT_NEAR(report.gaps[0].radians, lean, 1e-6) << report.message;
  EXPECT_LE(report.gaps[0].metres, 1e-6) << report.message;
}

// Drawn anywhere, by the bodies' own coordinates: four rods close if the longest is shorter than the others together, and
// otherwise miss each other by the rest. In space there are more rows than rates, which is no contradiction.
TEST(LongAssembly, RodsDrawnAnywhereClose) {
  std::mt19937_64 random(14);
  int refused = 0;
  for (int k = 0; k < 60; ++k) {
    const bool plane = k % 2 == 0;
    const ScatteredRods rods = scatter_rods(random, plane, k % 5 == 0);
    SCOPED_TRACE(std::to_string(k) + ": gap " + std::to_string(rods.gap));
    const StartReport report = prepare(rods.text).start_report;
    EXPECT_EQ(report.success, rods.gap < 0.0) << report.message;
    if (rods.gap < 0.0) continue;
    ++refused;
    EXPECT_TRUE(report.contradictory.empty()) << report.message;
    ASSERT_EQ(report.gaps.size(), 1u) << report.message;
    EXPECT_NEAR(report.gaps[0].metres, rods.gap, 1e-6 * rods.gap) << report.message;
  }
  EXPECT_GE(refused, 12);
}

TEST(Assembly, TwoLengthsOfOneThingContradictEachOther) {
  const std::string text =
      edit_model("four_bar", "\n[start]\n",
                 "[constraint.one]\ntype = \"distance\"\nbetween = [\"ground\", \"rocker\"]\n"
                 "at = [\"A\", \"C\"]\nlength = 2.8\n[constraint.two]\ntype = \"distance\"\n"
                 "between = [\"ground\", \"rocker\"]\nat = [\"A\", \"C\"]\nlength = 2.81\n"
                 "\n[start]\n");
  const StartReport report = prepare(text).start_report;
  EXPECT_FALSE(report.success);
  EXPECT_EQ(report.contradictory, (std::vector<std::string>{"one.length", "two.length"}));
  EXPECT_TRUE(report.message.starts_with(
      "the mechanism cannot be closed: 'one' and 'two' contradict each other, "))
      << report.message;
  ASSERT_EQ(report.gaps.size(), 1u);
  EXPECT_NEAR(report.gaps[0].metres, 0.01, 1e-9);
  EXPECT_EQ(report.suggestion, "remove or correct one of 'one' and 'two'");
}

}  // namespace
}  // namespace driftless::trials
