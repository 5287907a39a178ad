// Angles in space are continuous over turns, although poses hold no turns: at the start, where relations decide which turn
// is meant, and in steps that turn a body by more than half a turn.

#include <cmath>
#include <numbers>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/io/model_file.hpp"
#include "driftless/run/prepare.hpp"
#include "tests/system/run_model.hpp"

namespace driftless::trials {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

/// A crooked shaft on a hinge, or another joint, along an axis that is none of the world's.
std::string make_shaft(const std::string& rest, const std::string& type = "type = \"revolute\"") {
  return R"(
format = "driftless/1"
[body.a]
mass = 1.7
centre = [0.3, 0.1, 0.4]
inertia = [0.2, 0.3, 0.25]
[joint.A]
between = ["ground", "a"]
at = [0.1, 0, 0.2]
axis = [0.3, -0.5, 0.8]
)" + type +
         "\n" + rest;
}

double run_to(const std::string& text, const std::string& column_name, double until,
              const std::string& method = "braun_goldfarb/dopri5") {
  const Result result =
      run_text(text, {.method = method, .tolerance = 1e-8, .until = until, .every = until / 10});
  EXPECT_EQ(result.report.status, Status::ok) << result.report.message;
  return last(result, column_name);
}

TEST(Turns, ADriveMayBeginAtAnyAngle) {
  for (const double degrees : {178.0, 179.5, 181.0, -181.0, 270.0, 900.0, -5000.0}) {
    const std::string text = make_shaft(fmt::format(
        "[constraint.d]\ntype = \"drive\"\nof = \"A.angle\"\nvalue = \"{} deg + 2*t\"\n", degrees));
    EXPECT_NEAR(run_to(text, "A.angle", 2.0), degrees * kDegree + 4.0, 1e-9) << degrees;
  }
}

// What is wanted of an angle gives way to what a drive asks for, also by half a turn and more.
TEST(Turns, AWantedAngleGivesWayToADrive) {
  for (const double wanted : {17.0, 55.0, -171.0, -131.0, 700.0, 589.0}) {
    for (const char* priority : {"preferred", "guess"}) {
      const std::string text = make_shaft(fmt::format(
          "[constraint.d]\ntype = \"drive\"\nof = \"A.angle\"\nvalue = \"229 deg + t\"\n"
          "[start]\nA.angle = {{ value = \"{} deg\", priority = \"{}\" }}\n",
          wanted, priority));
      const PreparedModel model = prepare_model(parse_model(text, "test.toml"), {});
      ASSERT_TRUE(model.start_report.success) << wanted << ": " << model.start_report.message;
      const bool is_guess = std::string(priority) == "guess";
      ASSERT_EQ(model.start_report.unmet_targets.size(), is_guess ? 0U : 1U) << wanted;
      if (!is_guess) {
        EXPECT_EQ(model.start_report.unmet_targets[0],
                  fmt::format("A.angle = 229 deg (wanted A.angle = {:.6g} deg)", wanted));
      }
      EXPECT_NEAR(run_to(text, "A.angle", 1.0), 229 * kDegree + 1.0, 1e-9) << wanted;
    }
  }
}

TEST(Turns, AnExactAngleThatADriveExcludesIsRefused) {
  for (const double wanted : {17.0, -131.0}) {
    const std::string text = make_shaft(
        fmt::format("[constraint.d]\ntype = \"drive\"\nof = \"A.angle\"\nvalue = \"229 deg + t\"\n"
                    "[start]\nA.angle = {{ value = \"{} deg\", priority = \"exact\" }}\n",
                    wanted));
    const StartReport report = prepare_model(parse_model(text, "test.toml"), {}).start_report;
    EXPECT_FALSE(report.success) << wanted;
    EXPECT_TRUE(report.message.starts_with(
        fmt::format("A.angle = {} deg cannot be met at the start: 'd' stays open by", wanted)))
        << report.message;
    EXPECT_NE(report.suggestion.find("it closes, with A.angle = 229 deg"), std::string::npos)
        << report.suggestion;
  }
}

// A rack that is drawn a hundred turns of its pinion away from where it is wanted.
TEST(Turns, ARackMayBeginFarFromItsDrawing) {
  for (const char* space : {"plane", "space"}) {
    const bool plane = std::string(space) == "plane";
    const auto make = [&](const std::string& start) {
      const std::string z = plane ? "" : ", 0";
      return fmt::format(R"(
format = "driftless/1"
{0}
[body.pinion]
mass = 2.1
inertia = {1}
centre = [0, 0{2}]
[body.rack]
box = [0.03, 0.8{3}]
mass = 1.7
centre = [0.046, 0.2{2}]
[joint.A]
type = "revolute"
between = ["ground", "pinion"]
at = [0, 0{2}]
[joint.B]
type = "prismatic"
between = ["ground", "rack"]
at = [0.046, 0.2{2}]
axis = [0, 1{2}]
[constraint.teeth]
type = "rack_and_pinion"
of = ["A.angle", "B.position"]
radius = 0.031
[start]
{4}
)",
                         plane ? "space = \"plane\"" : "",
                         plane ? "0.0065" : "[0.01, 0.012, 0.0065]", z, plane ? "" : ", 0.03",
                         start);
    };
    const PreparedModel far = prepare_model(parse_model(make("B.position = 20"), "test.toml"), {});
    ASSERT_TRUE(far.start_report.success) << space << ": " << far.start_report.message;
    EXPECT_TRUE(far.warnings.empty()) << far.warnings[0];
    EXPECT_NEAR(run_to(make("B.position = 20"), "B.position", 1.0), 20, 1e-8) << space;
    // Both cannot hold: the turns of the pinion give way first.
    const std::string both = make("B.position = 20\nA.angle = 3");
    const PreparedModel model = prepare_model(parse_model(both, "test.toml"), {});
    ASSERT_TRUE(model.start_report.success) << space << ": " << model.start_report.message;
    EXPECT_EQ(model.start_report.unmet_targets.size(), 2U) << space;
    const double position = run_to(both, "B.position", 1.0);
    EXPECT_NEAR(run_to(both, "A.angle", 1.0) * 0.031, position, 1e-8) << space;
  }
}

TEST(Turns, AGearFollowsFromAnyAngle) {
  for (const double degrees : {243.0, 250.0, 360.0, 1000.0, -777.0}) {
    const std::string text = make_shaft(fmt::format(R"(
[body.b]
mass = 0.9
centre = [1.3, 0.2, 0.1]
inertia = [0.1, 0.12, 0.09]
[joint.B]
type = "revolute"
between = ["ground", "b"]
at = [1.2, 0, 0]
axis = [0, 0.2, 1]
[joint.C]
type = "revolute"
between = ["ground", "c"]
at = [2.2, 0, 0]
axis = [1, 0.2, 1]
[body.c]
mass = 0.4
centre = [2.3, 0.2, 0.1]
inertia = [0.1, 0.12, 0.09]
[constraint.second]
type = "gear"
of = ["B.angle", "C.angle"]
ratio = "-31/19"
[constraint.gear]
type = "gear"
of = ["A.angle", "B.angle"]
ratio = "-17/23"
[start]
A.angle = {{ value = "{} deg", priority = "exact" }}
A.rate = 2
)",
                                                    degrees));
    const Result result = run_text(
        text, {.method = "braun_goldfarb/dopri5", .tolerance = 1e-8, .until = 3, .every = 0.3});
    ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
    EXPECT_NEAR(column(result, "A.angle").front(), degrees * kDegree, 1e-9);
    const double ratio = -17.0 / 23.0;
    EXPECT_NEAR(last(result, "B.angle"), ratio * last(result, "A.angle"), 1e-8);
    EXPECT_NEAR(last(result, "C.angle"), -31.0 / 19.0 * last(result, "B.angle"), 1e-8);
  }
}

TEST(Turns, AreCountedHoweverLongTheSteps) {
  const std::string text = make_shaft("[start]\nA.rate = 320\n");
  for (const char* method : {"braun_goldfarb/dopri5", "braun_goldfarb/dop853", "index1/adams"})
    EXPECT_NEAR(run_to(text, "A.angle", 1.0, method), 320.0, 1e-3) << method;
  for (const char* method : {"braun_goldfarb/rk4", "index1/rk4"}) {
    const Result coarse = run_text(text, {.method = method, .step = 0.004, .until = 0.012});
    bool told = false;
    for (const std::string& warning : coarse.report.warnings)
      told = told || warning.find("body 'a' turns by 1.28") != std::string::npos;
    EXPECT_TRUE(told) << method;
  }
}

TEST(Turns, AScrewMayBeginAnywhereOnItsThread) {
  for (const double position : {0.004, 0.03, 0.31, -0.2}) {
    const std::string text =
        make_shaft(fmt::format("[start]\nA.position = {}\nA.rate = 2\n", position),
                   "type = \"screw\"\npitch = 0.01");
    const Result result = run_text(text, {.method = "braun_goldfarb/dopri5", .until = 1});
    ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
    EXPECT_NEAR(column(result, "A.position").front(), position, 1e-12);
    EXPECT_NEAR(last(result, "A.angle"), 200 * std::numbers::pi * last(result, "A.position"), 1e-8);
  }
}

TEST(Turns, InThePlaneAnyTurnMayBeTheFirst) {
  const std::string pendulum = R"~(
format = "driftless/1"
space = "plane"
gravity = [0.3, -9.81]
[body.bar]
rod = [[0.1, 0.2], [0.9, -0.4]]
mass = 1.3
[body.bob]
rod = [[0.9, -0.4], [1.2, -1.3]]
mass = 0.7
[joint.A]
type = "revolute"
between = ["ground", "bar"]
at = [0.1, 0.2]
[joint.B]
type = "revolute"
between = ["bar", "bob"]
at = [0.9, -0.4]
)~";
  const double turns = 500 * 2 * std::numbers::pi;
  for (const std::string& start :
       {std::string("[start]\nA.angle = { value = \"500 rev\", priority = \"exact\" }\n"),
        std::string(
            "[constraint.d]\ntype = \"drive\"\nof = \"A.angle\"\nvalue = \"500 rev + t\"\n"),
        std::string("[start]\nbar.angle = { value = \"500 rev\", priority = \"exact\" }\n")}) {
    const Result result = run_text(pendulum + start, {.until = 0.5});
    ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
    EXPECT_NEAR(column(result, "A.angle").front(), turns, 1e-9) << start;
    EXPECT_LT(std::abs(last(result, "A.angle") - turns), 4.0);
    EXPECT_NEAR(column(result, "bob.x").front(), 1.05, 1e-9) << "nothing has moved";
  }
}

/// Plates in a ring on the ground, each joint turned by its angle in degrees; the last one closes the ring.
std::string make_ring(const std::vector<double>& angles, const std::vector<std::string>& types) {
  std::string text = "format = \"driftless/1\"\nspace = \"plane\"\n";
  const std::size_t n = angles.size();
  for (std::size_t k = 0; k + 1 < n; ++k)
    text += "[body.b" + std::to_string(k) + "]\nmass = 1.3\ninertia = 0.2\ncentre = [0, 0]\n";
  const auto name = [&](std::size_t k) {
    return k % n == 0 ? std::string("ground") : "b" + std::to_string(k - 1);
  };
  for (std::size_t k = 0; k < n; ++k) {
    const double a = angles[k] * std::numbers::pi / 180.0;
    text += (types[k] == "parallel_axes" ? "[constraint.j" : "[joint.j") + std::to_string(k) +
            "]\ntype = \"" + types[k] + "\"\non = { body = \"" + name(k) +
            "\", at = [0, 0], x = [" + text_of(std::cos(a)) + ", " + text_of(std::sin(a)) +
            "] }\nto = { body = \"" + name(k + 1) + "\", at = [0, 0] }\n";
  }
  return text;
}

// The plates are where they should be, whether the angles of their joints add up to 0 or to whole turns.
TEST(Turns, AWholeTurnInARingIsNoGap) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> angle(-170.0, 170.0);
  const std::vector<std::string> types{"fixed", "prismatic", "parallel_axes"};
  for (int trial = 0; trial < 30; ++trial) {
    std::vector<double> angles;
    double sum = 0.0;
    for (int k = 0; k < 2 + trial % 4; ++k) {
      angles.push_back(angle(random));
      sum += angles.back();
    }
    angles.push_back(-std::remainder(sum, 360.0));
    std::vector<std::string> chosen;
    for (std::size_t k = 0; k < angles.size(); ++k)
      chosen.push_back(types[random() % types.size()]);
    const PreparedModel closed =
        prepare_model(parse_model(make_ring(angles, chosen), "ring.toml"), {});
    EXPECT_TRUE(closed.start_report.success) << trial << ": " << closed.start_report.message;

    angles.back() += 40.0;  // does not fit, by that much and not by a turn more
    const PreparedModel open =
        prepare_model(parse_model(make_ring(angles, chosen), "ring.toml"), {});
    ASSERT_FALSE(open.start_report.success);
    ASSERT_FALSE(open.start_report.gaps.empty()) << open.start_report.message;
    for (const Gap& gap : open.start_report.gaps)
      EXPECT_LT(gap.radians, 40.5 * std::numbers::pi / 180.0) << open.start_report.message;
  }
}

TEST(Bushing, MustNotGiveEnergyAway) {
  const auto complain = [](const std::string& damping) {
    try {
      prepare_model(parse_model("format = \"driftless/1\"\nspace = \"plane\"\n[body.a]\n"
                                "disc = 0.2\nmass = 1\ncentre = [0, 0]\n[force.b]\n"
                                "type = \"bushing\"\nbetween = [\"ground\", \"a\"]\n"
                                "at = [0, 0]\nstiffness = [1, 1, 1]\ndamping = " +
                                    damping + "\n",
                                "test.toml"),
                    {});
    } catch (const ModelError& error) {
      return format_diagnostic(error.diagnostics().front());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(complain("[[1, 0.9, 0], [0.9, 1, 0.1], [0, 0.1, 1]]"), "accepted");
  EXPECT_EQ(complain("[[1, 1, 0], [1, 1, 0], [0, 0, 0]]"), "accepted") << "semidefinite";
  for (const char* wrong :
       {"[[1, 2, 0], [2, 1, 0], [0, 0, 1]]", "[[0, 0, 1], [0, 1, 0], [1, 0, 1]]",
        "[[1, 0.9, 0], [0.9, 1, 0.9], [0, 0.9, 1]]"})
    EXPECT_NE(complain(wrong).find("force.b.damping: it is not positive semidefinite"),
              std::string::npos)
        << wrong;
  // Eigenvalues 1 - 2 and 1 + 2, and 2.5 beside them; then 1 and 1 ± 0.9·√2, though no pair alone is at fault.
  const std::string pair = complain("[[1, 0, 2], [0, 2.5, 0], [2, 0, 1]]");
  EXPECT_NE(pair.find("its smallest eigenvalue is -1, must be at least 0"), std::string::npos);
  EXPECT_NE(pair.find("entry 1, 3 is 2, at most 1 is possible"), std::string::npos) << pair;
  const std::string three = complain("[[1, 0.9, 0], [0.9, 1, 0.9], [0, 0.9, 1]]");
  EXPECT_NE(three.find("its smallest eigenvalue is -0.272792"), std::string::npos) << three;
  EXPECT_TRUE(three.ends_with("|k_ij| <= sqrt(k_ii*k_jj) at least")) << three;
  EXPECT_NE(complain("[1, 2]").find("force.b.damping: it is not 3 x 3, but 2 x 2\n    give 3 x 3 "
                                    "numbers, or the 3 of the diagonal"),
            std::string::npos);
  const std::string negative = complain("[3, -0.25, 1]");
  EXPECT_NE(negative.find("entry 2 of its diagonal is negative: -0.25, must be at least 0"),
            std::string::npos)
      << negative;
  EXPECT_NE(complain("[[1, 0.5, 0], [0.25, 1, 0], [0, 0, 1]]")
                .find("2, 1 and 1, 2 differ, 0.25 "
                      "and 0.5"),
            std::string::npos);
}

TEST(Drive, MayFollowAMeasure) {
  const std::string text = make_shaft(R"(
[body.b]
mass = 0.9
centre = [1.3, 0.2, 0.1]
inertia = [0.1, 0.12, 0.09]
[joint.B]
type = "revolute"
between = ["ground", "b"]
at = [1.2, 0, 0]
axis = [0, 0.2, 1]
[constraint.d]
type = "drive"
of = "B.angle"
value = "0.5*sin(A.angle) + 0.3*t"
[start]
A.rate = 3
)");
  const Result result = run_text(
      text, {.method = "braun_goldfarb/dopri5", .tolerance = 1e-9, .until = 2, .every = 0.2});
  ASSERT_EQ(result.report.status, Status::ok) << result.report.message;
  EXPECT_NEAR(last(result, "B.angle"), 0.5 * std::sin(last(result, "A.angle")) + 0.6, 1e-9);
  EXPECT_LE(result.report.max_energy_error, 1e-7);
}

}  // namespace
}  // namespace driftless::trials
